"""What became of the answers of a run, counted from its rows."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Any

from percuss.core.accounting import AnswerAccount, JudgeAccount
from percuss.core.labels import CERTIFICATE, Reason
from percuss.core.records import Turn
from percuss.store.manifest import read_manifest, simulated_models
from percuss.store.packed import read_json
from percuss.text.sentences import is_finished, split

__all__ = ["answer_accounts", "judge_accounts"]

_CUT = "(r.finish = 'length' OR instr(r.turns, '\"finish\":\"length\"') > 0)"
_COUNTS = (
    "SELECT r.model, r.arm, r.status, CASE r.reason WHEN 'error:predecessor' THEN "
    "coalesce(json_extract(r.artifacts, '$.predecessor'), r.reason) ELSE coalesce(r.reason, '') END AS why, count(*), "
    "min(r.rowid) FROM responses r WHERE r.model <> ? GROUP BY r.model, r.arm, r.status, why"
)
_UNCHECKED = (
    "SELECT r.model, r.arm, k.reason, count(*) FROM checks k JOIN responses r ON r.response_id = k.response_id "
    "WHERE k.scoring = ? AND k.reason IS NOT NULL AND r.status = 'done' AND r.model <> ? GROUP BY r.model, r.arm, k.reason"
)
_UNREAD = (
    "SELECT substr(rater, 7, instr(rater || '#', '#') - 7), count(*), "
    "sum(coalesce(unscored, '') LIKE 'unparsable%'), "
    "max(CASE WHEN unscored LIKE 'unparsable%' THEN rationale END) FROM verdicts "
    "WHERE scoring = ? AND rater LIKE 'judge:%' GROUP BY 1"
)
Key = tuple[str, str]


def answer_accounts(db: sqlite3.Connection, scoring: str = "") -> tuple[AnswerAccount, ...]:
    """Return one account per model and arm, models and arms in the order in which they were first named.

    Args:
        db: connection to the run.
        scoring: id of the scoring whose failed checks are counted; "" leaves checks aside.
    """
    rows: dict[Key, dict[str, Any]] = {}
    for model, arm, status, reason, count, first in db.execute(_COUNTS, (CERTIFICATE,)).fetchall():
        row = rows.setdefault((model, arm), _blank())
        if status == "done":
            row["done"] += count
        elif status == "not_applicable":
            row["not_applicable"] += count
        else:
            row["failed"][reason or Reason.ERROR.value] += count
            row["words"].setdefault(reason, _said(db, first))
    for (model, arm), cut, short in _cut(db):
        rows[model, arm]["cut"] += cut
        rows[model, arm]["short"] += short
    for model, arm, reason, count in db.execute(_UNCHECKED, (scoring, CERTIFICATE)).fetchall():
        rows[model, arm]["unchecked"][reason] += count
    planted = simulated_models(db)
    return tuple(
        _account(key, rows[key], simulated=key[0] in planted) for key in sorted(rows, key=_place(db))
    )


def _blank() -> dict[str, Any]:
    counts: dict[str, Any] = dict.fromkeys(("done", "not_applicable", "cut", "short"), 0)
    return {**counts, "failed": Counter(), "unchecked": Counter(), "words": {}}


def _account(key: Key, row: dict[str, Any], *, simulated: bool) -> AnswerAccount:
    failed: Counter[str] = row["failed"]
    refused = failed.pop(Reason.REFUSED.value, 0)
    return AnswerAccount(
        model=key[0],
        arm=key[1],
        asked=row["done"] + refused + failed.total(),
        done=row["done"],
        usable=row["done"] - row["short"],
        cut=row["cut"],
        refused=refused,
        failed=dict(sorted(failed.items())),
        unchecked=dict(sorted(row["unchecked"].items())),
        not_applicable=row["not_applicable"],
        words={reason: said for reason, said in sorted(row["words"].items()) if said},
        simulated=simulated,
    )


def _said(db: sqlite3.Connection, rowid: int) -> str:
    (artifacts,) = db.execute("SELECT artifacts FROM responses WHERE rowid = ?", (rowid,)).fetchone()
    return str(read_json(artifacts, dict[str, Any]).get("error", ""))


def _cut(db: sqlite3.Connection) -> Iterator[tuple[Key, int, int]]:
    """Yield (model, arm), 1, and 1 where no sentence was complete, for each done answer that was cut."""
    query = (
        f"SELECT r.model, r.arm, r.turns FROM responses r WHERE r.status = 'done' AND r.model <> ? AND {_CUT}"  # noqa: S608
    )
    for model, arm, turns in db.execute(query, (CERTIFICATE,)):
        texts = [turn.text for turn in read_json(turns, tuple[Turn, ...]) if turn.role == "assistant"]
        yield (model, arm), 1, int(not any(map(_whole, texts)))


def _whole(text: str) -> bool:
    """Tell whether a text holds at least one complete sentence."""
    spans = split(text)
    return len(spans) > 1 or any(is_finished(text[start:stop]) for start, stop in spans)


def _place(db: sqlite3.Connection) -> Any:
    held = read_manifest(db)
    models = [name for name, _ in held.get("models", [])]
    arms = list(held.get("arms", []))

    def place(key: Key) -> tuple[int, str, int, str]:
        model, arm = key
        return (
            models.index(model) if model in models else len(models),
            model,
            arms.index(arm) if arm in arms else len(arms),
            arm,
        )

    return place


def judge_accounts(db: sqlite3.Connection, scoring: str) -> tuple[JudgeAccount, ...]:
    """Return one account per judge of a scoring: how many of its replies could not be read, and one of them.

    Args:
        db: connection to the run. scoring: its id.
    """
    rows = db.execute(_UNREAD, (scoring,)).fetchall()
    return tuple(
        JudgeAccount(model=model, replies=replies, unread=unread, sample=sample or "")
        for model, replies, unread, sample in rows
    )
