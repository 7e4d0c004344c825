"""The tables `scores` and `audit`: every statement with its label and life line, every audited item and every declared diagnosis."""

from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.ports import RunView, ScoredResponse
from percuss.protocols.stressors.check.replayed import REPLAY
from percuss.protocols.stressors.check.trajectory import said_in
from percuss.protocols.stressors.estimate.names import REPLAY_CELLS
from percuss.protocols.stressors.labelled import Labels, labels_of
from percuss.protocols.stressors.options import RATER
from percuss.protocols.stressors.replaying import is_replay

__all__ = ["AUDIT", "DECLARED", "SCORES", "audit_rows", "score_rows"]

_WHERE = ("model", "arm", "epoch", "case", "cluster", "layout", "reader")
SCORES = (
    *_WHERE,
    "statement",
    "line",
    "near",
    "turn",
    "type",
    "state",
    "label",
    "origin",
    "lucky",
    "unscored",
    "text",
)
AUDIT = (*_WHERE, "metric", "item", "hit", "unscored", "turn", "hangs_on", "certainty")
DECLARED = "declared"
"""Rows of `audit` that say which diagnosis and which certainty an answer declares."""


def score_rows(run: RunView, held: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield one row per statement about the patient and source of labels.

    Args:
        run: one scoring. held: the run's options; `judge_policy` says how a judge's passes become one label.
    """
    for item, base, source, labels in _labelled(run, held):
        del item
        for entry in labels.entries:
            payload = entry.claim.payload
            yield {
                **base, "reader": source, "statement": entry.claim.id, "line": entry.line, "near": entry.near,
                "turn": payload["n"], "type": payload["type"], "state": payload["state"], "label": entry.label,
                "origin": entry.origin, "lucky": int(entry.lucky), "unscored": entry.reason, "text": entry.claim.text,
            }  # fmt: skip


def audit_rows(run: RunView, held: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield one row per audited item and source; by the rules also what each turn declares and what a replay changed.

    Args:
        run: one scoring. held: the run's options, as in `score_rows`.
    """
    for item, base, source, labels in _labelled(run, held):
        for row in labels.rows or ():
            squared = row.quote if row.metric == "brier" else None
            yield {
                **base, "reader": source, "metric": row.metric, "item": row.item,
                "hit": squared or (None if row.hit is None else int(row.hit)), "unscored": row.reason, "turn": row.turn or None,
                "hangs_on": None if squared else row.quote,
            }  # fmt: skip
        if source == RATER:
            yield from _declared(item, {**base, "reader": source})
            yield from _replayed(item, {**base, "reader": source})


def _labelled(
    run: RunView, held: Mapping[str, Any]
) -> Iterator[tuple[ScoredResponse, dict[str, Any], str, Labels]]:
    policy = str(held.get("judge_policy", "agreement"))
    for model in run.models:
        for item in run.assessed(model=model):
            if item.response.status != "done" or item.left_out:
                continue
            response = item.response
            base = {
                "model": response.model, "arm": response.arm, "epoch": response.epoch, "case": item.case.id,
                "cluster": item.case.cluster, "layout": item.case.payload.get("layout", "own"),
            }  # fmt: skip
            for source, labels in labels_of(item, policy).items():
                yield item, base, source, labels


def _declared(item: ScoredResponse, base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if is_replay(item.response.arm):
        return
    answers = [turn.text for turn in item.response.turns if turn.role == "assistant"]
    for n, text in enumerate(answers, start=1):
        said = said_in(n, 0, text, final=n == len(answers))
        yield {
            **base, "metric": DECLARED, "item": f"turn:{n}", "turn": n, "hangs_on": said.diagnosis, "certainty": said.certainty,
        }  # fmt: skip


def _replayed(item: ScoredResponse, base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for row in (row for v in item.verdicts if v.aspect == REPLAY for row in v.evidence):
        for name, key in REPLAY_CELLS.items():
            yield {
                **base, "metric": name, "item": REPLAY, "hit": row.get(key), "unscored": row.get(f"{key}_reason"),
                "turn": row["turn"], "hangs_on": row["struck"],
            }  # fmt: skip
