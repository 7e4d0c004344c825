"""What a run took, by stage, role and model, from the calls that its responses used."""

import sqlite3
from typing import Any

__all__ = ["costs"]

_QUERY = """
SELECT u.stage, u.role, c.model, count(DISTINCT c.key), sum(c.tokens_in), sum(c.tokens_out), sum(c.cost_usd)
FROM (SELECT DISTINCT stage, role, key FROM uses) u JOIN calls c ON c.key = u.key
GROUP BY u.stage, u.role, c.model ORDER BY u.stage, u.role, c.model
"""


def costs(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return rows of stage, role, model, calls, tokens_in, tokens_out, usd; each call counts once a stage and role."""
    names = ("stage", "role", "model", "calls", "tokens_in", "tokens_out", "usd")
    return [dict(zip(names, row, strict=True)) for row in db.execute(_QUERY)]
