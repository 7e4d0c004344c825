"""Verdicts: who said what of which answer or claim. What verdicts share, a rater's list and its words, stands once."""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from percuss.core.records import Claim, Verdict
from percuss.store.packed import read_json, write_json
from percuss.store.said_once import VERDICT_WORDS, list_id

__all__ = ["HUMAN", "drop_verdicts", "drop_words", "in_claim_order", "insert_verdicts", "verdicts_of"]

HUMAN = "human"
"""The scoring that people's labels belong to; it is merged into every other when a run is read."""

_COLUMNS = "scoring, subject, aspect, rater, response_id, label, score, unscored, rationale, evidence, call"
_EVIDENCE = tuple[
    dict[str, Any], ...
]  # made once: to make such a type costs as much as to decode what it describes


def verdicts_of(db: sqlite3.Connection, scoring: str, responses: Sequence[str]) -> dict[str, list[Verdict]]:
    """Return a scoring's verdicts of some responses, people's included, by response id (order: aspect, rater, subject)."""
    # The plus keeps SQLite from walking every verdict of the scoring for the few of these responses; and sorting here
    # is cheaper than in a table of its own, for the rows are wide.
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM verdicts WHERE response_id IN (SELECT value FROM json_each(?)) "  # noqa: S608
        "AND +scoring IN (?, ?)",
        (write_json(list(responses)), scoring, HUMAN),
    ).fetchall()
    rows.sort(key=itemgetter(4, 2, 3, 1))  # response, aspect, rater, subject
    found: dict[str, list[Verdict]] = {}
    for row in rows:
        found.setdefault(row[4], []).append(_verdict_of(row))
    return found


def in_claim_order(claims: Sequence[Claim], verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Return verdicts on the response first, then those on its claims as the claims stand in the text."""
    place = {claim.id: number for number, claim in enumerate(claims)}
    return tuple(sorted(verdicts, key=lambda verdict: place.get(verdict.subject, -1)))


def insert_verdicts(
    db: sqlite3.Connection, scoring: str, verdicts: Iterable[Verdict], *, upsert: bool = False
) -> None:
    """Write verdicts of a scoring.

    Args:
        db: connection to the run, in a transaction. scoring: its id. verdicts: of any responses of the run.
        upsert: a verdict of the same rater, aspect and subject is replaced; else it is an error.

    Raises:
        sqlite3.IntegrityError: the run holds no such response or scoring, or a verdict stands already.
    """
    verb = "INSERT OR REPLACE" if upsert else "INSERT"
    lists: dict[tuple[str, str], int] = {}
    made_at = int(datetime.now(UTC).timestamp())
    for verdict in verdicts:
        kind = (verdict.aspect, verdict.rater)
        if kind not in lists:
            lists[kind] = list_id(
                db, "verdict_lists", scoring=scoring, aspect=verdict.aspect, rater=verdict.rater
            )
        subject = "" if verdict.subject == verdict.response_id else verdict.subject
        db.execute(
            f"{verb} INTO verdict_rows (response, list, subject, words, call, made_at) VALUES "  # noqa: S608 - one of two
            "((SELECT id FROM response_rows WHERE response_id = ?),?,?,?,?,?)",
            (verdict.response_id, lists[kind], subject, _words_id(db, verdict), verdict.call, made_at),
        )


def drop_verdicts(db: sqlite3.Connection, scoring: str, response: str) -> None:
    """Delete the verdicts of a scoring on one response."""
    db.execute(
        "DELETE FROM verdict_rows WHERE response = (SELECT id FROM response_rows WHERE response_id = ?) "
        "AND list IN (SELECT id FROM verdict_lists WHERE scoring = ?)",
        (response, scoring),
    )


def drop_words(db: sqlite3.Connection) -> None:
    """Delete what no row says any more: words of verdicts and claims, and texts of answers."""
    db.execute("DELETE FROM verdict_words WHERE id NOT IN (SELECT words FROM verdict_rows)")
    db.execute("DELETE FROM claim_words WHERE id NOT IN (SELECT words FROM claim_rows)")
    db.execute(
        "DELETE FROM texts WHERE id NOT IN (SELECT turns FROM response_rows UNION SELECT artifacts FROM response_rows)"
    )


def _words_id(db: sqlite3.Connection, verdict: Verdict) -> int:
    evidence = write_json(verdict.evidence)
    return VERDICT_WORDS(db, verdict.label, verdict.score, verdict.unscored, verdict.rationale, evidence)


def _verdict_of(row: tuple[Any, ...]) -> Verdict:
    return Verdict(
        scoring=row[0],
        subject=row[1],
        aspect=row[2],
        rater=row[3],
        response_id=row[4],
        label=row[5],
        score=row[6],
        unscored=row[7],
        rationale=row[8],
        evidence=read_json(row[9], _EVIDENCE) if row[9] != "[]" else (),
        call=row[10],
    )
