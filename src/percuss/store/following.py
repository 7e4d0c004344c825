"""Answers that follow answers: what a follower is posed with, and what the run keeps of it."""

import sqlite3

from percuss.core.ids import canonical_json, digest
from percuss.core.labels import Reason
from percuss.core.records import Earlier, Response, Usage
from percuss.store.responses import RESPONSE_COLUMNS, response_of
from percuss.store.scorings import claims_of
from percuss.store.verdicts import in_claim_order, verdicts_of

__all__ = ["digest_of", "earlier_of"]

NOT_ASKED = f"{Reason.NOT_CHECKABLE}:not asked"
NOT_CHECKED = f"{Reason.NOT_CHECKABLE}:not checked"


def digest_of(earlier: Earlier) -> str:
    """Return the digest of all that a follower was posed with."""
    return digest(canonical_json(earlier))


def earlier_of(db: sqlite3.Connection, response: str, scoring: str | None) -> Earlier | str:
    """Return what the follower of a response is posed with, or the reason why it can't be posed.

    Args:
        response: id of the predecessor.
        scoring: id of the conditioning scoring whose claims and verdicts are handed on; None hands on the answer alone.

    People's labels are never among the verdicts; a check that failed, or a rater's error, is a reason. What the answer
    cost is left out: it differs where a call was made in an earlier start.
    """
    row = db.execute(
        f"SELECT {RESPONSE_COLUMNS} FROM responses r WHERE r.response_id = ?",  # noqa: S608 - our own text
        (response,),
    ).fetchone()
    if row is None:
        return NOT_ASKED
    answered = response_of(row)
    if answered.status != "done":
        return str(answered.artifacts.get("predecessor", answered.reason))
    plain = Response(
        **{name: getattr(answered, name) for name in answered.__struct_fields__ if name != "usage"},
        usage=Usage(),
    )
    if scoring is None:
        return Earlier(response=plain)
    check = db.execute(
        "SELECT reason FROM checks WHERE scoring = ? AND response_id = ?", (scoring, response)
    ).fetchone()
    if check is None or check[0] is not None:
        return NOT_CHECKED if check is None else str(check[0])
    claims = tuple(claims_of(db, scoring, [response]).get(response, ()))
    found = (v for v in verdicts_of(db, scoring, [response]).get(response, ()) if v.scoring == scoring)
    verdicts = in_claim_order(claims, found)
    broken = next(
        (v.unscored for v in verdicts if v.unscored and v.unscored.partition(":")[0] == Reason.ERROR), None
    )
    return broken or Earlier(response=plain, claims=claims, verdicts=verdicts)
