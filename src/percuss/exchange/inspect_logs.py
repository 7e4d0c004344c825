"""Inspect `.eval` logs as paired outcomes: one number a sample, epoch and scorer."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.core.ids import digest

__all__ = ["OURS", "Outcome", "pairs", "read_answers", "read_log", "value_of"]

OURS = "percuss/"
"""How the task of an exported run begins; its scores are shares of unsupported claims."""
# The letters that Inspect's own scorers give (correct, partial, incorrect, no answer) and the value its metrics use.
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


@dataclass(frozen=True)
class Outcome:
    """One sample's score by one scorer; `value` None with a `reason` where it is no number.

    `asked` is a digest of the sample's input: samples pair by id, and must then ask the same. `cluster` is what is
    resampled: the sample, or the cluster of the case where the log is one of ours.
    """

    model: str
    task: str
    sample: str
    epoch: int
    scorer: str
    value: float | None
    reason: str | None = None
    asked: str = ""
    cluster: str = ""


def _load(path: Path) -> Any:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise UsageError("Inspect logs need the `inspect` extra; install percuss[inspect]") from error
    if not path.exists():
        raise BadInput("no such file; expected an Inspect log (.eval or .json)", source=str(path))
    try:
        log = read_eval_log(str(path))
    except Exception as error:
        # Inspect's reader raises zip, JSON and validation errors of several libraries; all mean the same to a user.
        raise BadInput(
            f"got {type(error).__name__}; expected an Inspect log (.eval or .json); write it again with inspect",
            source=str(path),
        ) from error
    if not log.samples:
        raise BadInput(
            f"the log's status is {log.status!r} and it holds no samples; expected a finished log",
            source=str(path),
        )
    return log


def read_log(path: Path, *, scorer: str | None = None) -> tuple[Outcome, ...]:
    """Read the scores of a log.

    Args:
        path: `.eval` or `.json` log of Inspect.
        scorer: name of one scorer; None takes all of them.

    Returns:
        One outcome a sample, epoch and scorer; a sample that errored or was not scored has value None and a reason.

    Raises:
        BadInput: no log, or a scorer that is not in it.
    """
    log = _load(path)
    offered = sorted({name for sample in log.samples for name in (sample.scores or {})})
    if scorer is not None and scorer not in offered:
        raise BadInput(
            f"got the scorer {scorer!r}; the log has {', '.join(offered) or 'none'}", source=str(path)
        )
    if not offered:
        raise BadInput("no sample was scored; score the log with `inspect score` first", source=str(path))
    wanted = [scorer] if scorer else offered
    return tuple(_outcome(sample, log, name) for sample in log.samples for name in wanted)


def _outcome(sample: Any, log: Any, scorer: str) -> Outcome:
    held = sample.metadata or {}
    score = (sample.scores or {}).get(scorer)
    value, reason = (None, "not_applicable:not scored") if score is None else value_of(score.value)
    if sample.error is not None:
        value, reason = None, "error"
    return Outcome(
        model=_model(sample, log),
        task=str(log.eval.task),
        sample=f"{held['case_id']}/{held['arm']}" if _ours(log) else str(sample.id),
        epoch=int(sample.epoch),
        scorer=scorer,
        value=value,
        reason=reason,
        asked=_asked(sample.input),
        cluster=str(held["cluster"]) if _ours(log) else str(sample.id),
    )


def _ours(log: Any) -> bool:
    """Whether the log was written by `percuss export`: its samples name their case, arm and model."""
    return str(log.eval.task).startswith(OURS)


def _model(sample: Any, log: Any) -> str:
    return str(sample.metadata["model"]) if _ours(log) else str(log.eval.model)


def _asked(given: Any) -> str:
    """Return a digest of a sample's input: a text, or the roles and words of its messages."""
    if isinstance(given, str):
        return digest(given.encode())
    return digest(json.dumps([[message.role, message.text] for message in given]).encode())


def value_of(value: Any) -> tuple[float | None, str | None]:
    """Return a score as a number, or the reason why it is none.

    Args:
        value: what an Inspect scorer gave: a number, a truth value, a letter (C, P, I, N), or a mapping or list.

    >>> value_of("C")
    (1.0, None)
    >>> value_of({"a": 1})
    (None, 'unparsable:several values')
    """
    if isinstance(value, bool | int | float):
        number = float(value)
        return (number, None) if math.isfinite(number) else (None, "unparsable:not finite")
    if isinstance(value, str):
        if value in _LETTERS:
            return _LETTERS[value], None
        try:
            return value_of(float(value))
        except ValueError:
            return None, "unparsable:text"
    return None, "unparsable:several values"


def read_answers(path: Path, *, arm_key: str = "arm") -> Iterator[dict[str, Any]]:
    """Yield the answers of a log as rows for `--responses`: id, arm, model, epoch, text.

    Args:
        path: the log.
        arm_key: key of the sample's metadata that names the arm; a sample without it is in the arm `full`.
    """
    log = _load(path)
    for sample in log.samples:
        if sample.error is not None or sample.output is None:
            continue
        held = sample.metadata or {}
        yield {
            "id": str(held.get("case_id", sample.id)),
            "arm": str(held.get(arm_key, "full")),
            "model": _model(sample, log),
            "epoch": int(sample.epoch) - 1,
            **_said(sample, whole=_ours(log)),
        }


def _said(sample: Any, *, whole: bool) -> dict[str, Any]:
    """Return the answer as text; as turns where one of our own conversations had several."""
    turns = [{"role": m.role, "text": m.text} for m in sample.messages if m.role in {"user", "assistant"}]
    if whole and len(turns) > 1:
        return {"turns": turns}
    return {"text": sample.output.completion}


def pairs(logs: Mapping[str, Sequence[Outcome]]) -> dict[str, dict[tuple[str, int], Outcome]]:
    """Align outcomes on (sample, epoch) by model.

    Args:
        logs: name of the log -> outcomes of one scorer. Logs of one model that share no sample are joined; where they
            share one, the model is told apart by the log's name.

    Raises:
        BadInput: a sample that asks different things in two logs, or stands twice in one.
    """
    held: dict[str, dict[str, dict[tuple[str, int], Outcome]]] = {}
    asked: dict[str, tuple[str, str]] = {}
    for name, outcomes in logs.items():
        for one in outcomes:
            rows = held.setdefault(one.model, {}).setdefault(name, {})
            if (one.sample, one.epoch) in rows:
                raise BadInput(f"sample {one.sample!r}, epoch {one.epoch} stands twice", source=name)
            rows[one.sample, one.epoch] = one
            text, where = asked.setdefault(one.sample, (one.asked, name))
            if text != one.asked:
                raise BadInput(
                    f"sample {one.sample!r} asks something else in {where}; expected logs of one dataset",
                    source=name,
                )
    out: dict[str, dict[tuple[str, int], Outcome]] = {}
    for model, by_log in held.items():
        apart = sum(map(len, by_log.values())) > len({key for rows in by_log.values() for key in rows})
        for name, rows in by_log.items():
            out.setdefault(f"{model} in {name}" if apart else model, {}).update(rows)
    return out
