"""Taking one model out of a run, or one scoring. A model: its answers and all that was made of them; the calls stay, for they were paid."""

import sqlite3

from percuss.store.results import drop_cells
from percuss.store.verdicts import drop_words

__all__ = ["drop_model", "drop_scoring"]

_OF_RESPONSES = ("verdict_rows", "check_rows", "use_rows", "claim_rows")
_LISTS = (("verdict_rows", "verdict_lists"), ("check_rows", "check_lists"))


def drop_model(db: sqlite3.Connection, model: str) -> int:
    """Delete the answers of a model, with their claims, checks, verdicts and cells.

    Results of every scoring are left as they are: estimate again afterwards. A later run with the same model takes its
    answers from the journal of calls, asking nobody.

    Args:
        db: connection to the run, in a transaction. model: id of the model.

    Returns:
        How many answers are gone.
    """
    db.execute(
        "CREATE TEMP TABLE gone AS SELECT id, response_id FROM response_rows WHERE model = ?", (model,)
    )
    db.execute(
        "DELETE FROM claim_keys WHERE (claim_id, extractor) IN "
        "(SELECT claim_id, extractor FROM claims WHERE response_id IN (SELECT response_id FROM gone))"
    )
    db.execute("DELETE FROM follows WHERE response_id IN (SELECT response_id FROM gone)")
    for table in _OF_RESPONSES:
        db.execute(f"DELETE FROM {table} WHERE response IN (SELECT id FROM gone)")  # noqa: S608 - our own names
    drop_cells(db, "model", model)
    (answers,) = db.execute(
        "SELECT count(*) FROM responses WHERE model = ? AND status <> 'not_applicable'", (model,)
    ).fetchone()
    db.execute("DELETE FROM response_rows WHERE model = ?", (model,))
    drop_words(db)
    db.execute("DROP TABLE gone")
    return int(answers)


def drop_scoring(db: sqlite3.Connection, scoring: str) -> None:
    """Delete a scoring with its checks, verdicts and results; claims stay, for other scorings share them.

    Args:
        db: connection to the run, in a transaction. scoring: its id.
    """
    for rows, lists in _LISTS:
        db.execute(f"DELETE FROM {rows} WHERE list IN (SELECT id FROM {lists} WHERE scoring = ?)", (scoring,))  # noqa: S608
        db.execute(f"DELETE FROM {lists} WHERE scoring = ?", (scoring,))  # noqa: S608 - our own names
    drop_cells(db, "scoring", scoring)
    for table in ("estimates", "sections", "scorings"):
        db.execute(f"DELETE FROM {table} WHERE scoring = ?", (scoring,))  # noqa: S608 - our own names
    drop_words(db)
