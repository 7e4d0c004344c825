"""Taking one model out of a run: its answers and all that was made of them; the calls stay, for they were paid."""

import sqlite3

from percuss.store.results import drop_cells

__all__ = ["drop_model"]

_OF_RESPONSES = ("verdicts", "checks", "uses", "follows", "claims")


def drop_model(db: sqlite3.Connection, model: str) -> int:
    """Delete the answers of a model, with their claims, checks, verdicts and cells.

    Results of every scoring are left as they are: estimate again afterwards. A later run with the same model takes its
    answers from the journal of calls, asking nobody.

    Args:
        db: connection to the run, in a transaction. model: id of the model.

    Returns:
        How many answers are gone.
    """
    db.execute("CREATE TEMP TABLE gone AS SELECT response_id FROM responses WHERE model = ?", (model,))
    db.execute(
        "DELETE FROM claim_keys WHERE (claim_id, extractor) IN "
        "(SELECT claim_id, extractor FROM claims WHERE response_id IN (SELECT response_id FROM gone))"
    )
    for table in _OF_RESPONSES:
        db.execute(f"DELETE FROM {table} WHERE response_id IN (SELECT response_id FROM gone)")  # noqa: S608 - our own names
    drop_cells(db, "model", model)
    (answers,) = db.execute(
        "SELECT count(*) FROM responses WHERE model = ? AND status <> 'not_applicable'", (model,)
    ).fetchone()
    db.execute("DELETE FROM responses WHERE model = ?", (model,))
    db.execute("DROP TABLE gone")
    return int(answers)
