"""Scorings: which responses a pass of checking has gone through, their claims and verdicts, and human labels."""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from percuss.core.errors import RunError
from percuss.core.labels import CERTIFICATE
from percuss.core.records import Case, Claim, Record, Response, Scoring, Verdict
from percuss.store.cases import get_case
from percuss.store.packed import read_json, write_json
from percuss.store.responses import RESPONSE_COLUMNS, Use, add_uses, models_seen, put_uses, response_of
from percuss.store.said_once import CLAIM_WORDS, list_id
from percuss.store.verdicts import HUMAN, drop_verdicts, insert_verdicts

__all__ = [
    "HUMAN",
    "Checked",
    "claims_of",
    "count_unchecked",
    "find_scoring",
    "finish_scoring",
    "list_scorings",
    "now",
    "put_checked",
    "put_human",
    "put_scoring",
    "unchecked",
]

_CLAIM_COLUMNS = "claim_id, response_id, extractor, turn, start, stop, text, kind, kinds, payload"
# Made once: to make such a type costs as much as to decode what it describes.
_KINDS, _PAYLOAD = tuple[str, ...], dict[str, Any]
# What a pass of checking still has to do: responses it has not seen, could not check, or where a rater had an error.
_UNCHECKED_OF = (
    "WHERE r.status = 'done' AND (NOT EXISTS (SELECT 1 FROM checks k WHERE k.response_id = r.response_id "
    "AND k.scoring = :scoring AND k.reason IS NULL) OR EXISTS ("
    "SELECT 1 FROM verdicts v WHERE v.response_id = r.response_id AND v.scoring = :scoring "
    "AND (v.unscored = 'error' OR v.unscored LIKE 'error:%'))) "
    "AND r.model <> :certificate AND (:arms IS NULL OR r.arm IN (SELECT value FROM json_each(:arms)))"
)


class Checked(Record):
    """What checking one response gave: claims with verdicts, or the reason why it could not be checked.

    Where `reason` stands, the claims found before the failure are kept, without verdicts: each is left out by it.
    """

    response_id: str
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    reason: str | None = None


def now() -> str:
    """Return the time of day as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def put_scoring(db: sqlite3.Connection, scoring: Scoring) -> None:
    """Write a scoring; one that is there keeps its `made_at`."""
    db.execute(
        "INSERT INTO scorings (scoring, raters, config, made_at, finished_at) VALUES (?,?,?,?,?) "
        "ON CONFLICT (scoring) DO NOTHING",
        (
            scoring.id,
            write_json(scoring.raters),
            write_json(scoring.config),
            scoring.made_at or now(),
            scoring.finished_at,
        ),
    )


def finish_scoring(db: sqlite3.Connection, scoring: str) -> None:
    """Write down that a scoring has gone through every response of the run."""
    db.execute("UPDATE scorings SET finished_at = ? WHERE scoring = ?", (now(), scoring))


def list_scorings(db: sqlite3.Connection) -> tuple[Scoring, ...]:
    """Return the scorings in the order in which they were made, the human one included."""
    rows = db.execute(
        "SELECT scoring, raters, config, made_at, finished_at FROM scorings ORDER BY made_at, rowid"
    )
    return tuple(
        Scoring(
            id=row[0],
            raters=read_json(row[1], tuple[str, ...]),
            config=read_json(row[2], dict[str, Any]),
            made_at=row[3],
            finished_at=row[4],
        )
        for row in rows.fetchall()
    )


def find_scoring(db: sqlite3.Connection, scoring: str) -> Scoring:
    """Return one scoring.

    Raises:
        KeyError: the run holds no such scoring.
    """
    for held in list_scorings(db):
        if held.id == scoring:
            return held
    raise KeyError(scoring)


def count_unchecked(db: sqlite3.Connection, scoring: str, arms: Sequence[str] | None = None) -> int:
    """Return how many done responses a scoring still has to check; of some arms, or of all."""
    given = {
        "scoring": scoring,
        "certificate": CERTIFICATE,
        "arms": None if arms is None else write_json(list(arms)),
    }
    (n,) = db.execute(
        f"SELECT count(*) FROM responses r {_UNCHECKED_OF}",  # noqa: S608 - our own text
        given,
    ).fetchone()
    return int(n)


def unchecked(
    db: sqlite3.Connection, scoring: str, start: int, stop: int, arms: Sequence[str] | None = None
) -> list[tuple[int, Case, Response]]:
    """Return what a scoring still has to check of the cases with `start <= ordinal < stop`, as (ordinal, case, response).

    They come by case, then model, arm and epoch, so that what a rater reads of one case stays together.
    """
    given = {
        "scoring": scoring,
        "certificate": CERTIFICATE,
        "arms": None if arms is None else write_json(list(arms)),
        "models": write_json(sorted(models_seen(db))),
        "start": start,
        "stop": stop,
    }
    rows = db.execute(
        f"SELECT c.ordinal, {RESPONSE_COLUMNS} "  # noqa: S608 - our own text
        "FROM cases c CROSS JOIN json_each(:models) m "
        "CROSS JOIN responses r ON r.model = m.value AND r.case_id = c.case_id "
        f"{_UNCHECKED_OF} AND c.ordinal >= :start AND c.ordinal < :stop "
        "ORDER BY c.ordinal, r.model, r.arm, r.epoch",
        given,
    ).fetchall()
    cases = {name: get_case(db, name) for name in dict.fromkeys(row[2] for row in rows)}
    return [(row[0], cases[row[2]], response_of(row[1:])) for row in rows]


def put_checked(db: sqlite3.Connection, scoring: str, checked: Checked, uses: Iterable[Use] = ()) -> None:
    """Write what checking one response gave, in place of what this scoring held of it."""
    response = checked.response_id
    drop_verdicts(db, scoring, response)
    extractor = checked.claims[0].extractor if checked.claims else ""
    _require_same_claims(db, scoring, checked, extractor)
    _put_claims(db, response, extractor, checked.claims)
    db.executemany(
        "INSERT OR REPLACE INTO claim_keys (claim_id, extractor, key) VALUES (?,?,?)",
        [(claim.id, claim.extractor, claim.key) for claim in checked.claims if claim.key],
    )
    insert_verdicts(db, scoring, checked.verdicts)
    _put_check(db, scoring, response, extractor, checked.reason)
    put_uses(db, response, "check", uses)


def add_verdicts(
    db: sqlite3.Connection, scoring: str, response: str, verdicts: Iterable[Verdict], uses: Iterable[Use] = ()
) -> None:
    """Write more verdicts on a response that was checked, beside those it has; one of the same rater and aspect is replaced."""
    insert_verdicts(db, scoring, verdicts, upsert=True)
    add_uses(db, response, "check", uses)


def _require_same_claims(db: sqlite3.Connection, scoring: str, checked: Checked, extractor: str) -> None:
    # The claims of an extractor belong to every scoring that uses it: they are written over, so their ids must be equal.
    sharing = db.execute(
        "SELECT k.scoring FROM scorings s CROSS JOIN checks k ON k.scoring = s.scoring AND k.response_id = ? "
        "WHERE s.scoring <> ? AND k.extractor = ?",
        (checked.response_id, scoring, extractor),
    ).fetchone()
    if sharing is None or extractor == "":
        return
    held = db.execute(
        "SELECT claim_id FROM claims WHERE response_id = ? AND extractor = ? ORDER BY ordinal",
        (checked.response_id, extractor),
    ).fetchall()
    if [row[0] for row in held] != [claim.id for claim in checked.claims]:
        raise RunError(
            f"extractor {extractor!r} found other claims in response {checked.response_id} than it did for scoring "
            f"{sharing[0]}; an extractor that changes needs a new name, so that the older scoring stays whole"
        )


def put_human(db: sqlite3.Connection, verdicts: Iterable[Verdict]) -> None:
    """Write people's labels; a rater's newer label of a subject replaces the older (a study's ledger keeps both)."""
    put_scoring(db, Scoring(id=HUMAN, raters=(), made_at=now()))
    insert_verdicts(db, HUMAN, verdicts, upsert=True)


def claims_of(db: sqlite3.Connection, scoring: str, responses: Sequence[str]) -> dict[str, list[Claim]]:
    """Return the claims that a scoring found in some responses, in order, by response id."""
    rows = db.execute(
        f"SELECT {', '.join('c.' + name.strip() for name in _CLAIM_COLUMNS.split(','))}, y.key FROM checks k "  # noqa: S608
        f"JOIN claims c ON c.response_id = k.response_id AND c.extractor = k.extractor "
        f"LEFT JOIN claim_keys y ON y.claim_id = c.claim_id AND y.extractor = c.extractor "
        f"WHERE k.scoring = ? AND k.response_id IN (SELECT value FROM json_each(?)) ORDER BY c.response_id, c.ordinal",
        (scoring, write_json(list(responses))),
    )
    found: dict[str, list[Claim]] = {}
    for row in rows.fetchall():
        found.setdefault(row[1], []).append(_claim_of(row))
    return found


def _put_check(
    db: sqlite3.Connection, scoring: str, response: str, extractor: str, reason: str | None
) -> None:
    """Write that a scoring has gone through a response, in place of what it said of it before."""
    db.execute(
        "DELETE FROM check_rows WHERE response = (SELECT id FROM response_rows WHERE response_id = ?) "
        "AND list IN (SELECT id FROM check_lists WHERE scoring = ?)",
        (response, scoring),
    )
    found = list_id(db, "check_lists", scoring=scoring, extractor=extractor)
    db.execute(
        "INSERT INTO check_rows (response, list, reason) VALUES ((SELECT id FROM response_rows WHERE response_id = ?),?,?)",
        (response, found, reason),
    )


def _put_claims(db: sqlite3.Connection, response: str, extractor: str, claims: Sequence[Claim]) -> None:
    """Write the claims that an extractor found in a response, in place of those it had found."""
    row = db.execute("SELECT id FROM response_rows WHERE response_id = ?", (response,)).fetchone()
    number = None if row is None else row[0]
    db.execute("DELETE FROM claim_rows WHERE response = ? AND extractor = ?", (number, extractor))
    for ordinal, claim in enumerate(claims):
        words = CLAIM_WORDS(db, claim.text, claim.kind, write_json(claim.kinds), write_json(claim.payload))
        db.execute(
            "INSERT INTO claim_rows (claim_id, response, extractor, ordinal, turn, start, stop, words) "
            "VALUES (?,?,?,?,?,?,?,?)",
            (claim.id, number, claim.extractor, ordinal, claim.turn, claim.start, claim.stop, words),
        )


def _claim_of(row: tuple[Any, ...]) -> Claim:
    return Claim(
        id=row[0],
        response_id=row[1],
        extractor=row[2],
        turn=row[3],
        start=row[4],
        stop=row[5],
        text=row[6],
        kind=row[7],
        kinds=read_json(row[8], _KINDS),
        payload=read_json(row[9], _PAYLOAD) if row[9] != "{}" else {},
        key=row[10] or "",
    )
