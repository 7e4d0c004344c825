"""Inspect `.eval` logs as paired outcomes: one number a sample, epoch and scorer."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError

__all__ = ["Outcome", "pairs", "read_answers", "read_log", "value_of"]

# The letters that Inspect's own scorers give (correct, partial, incorrect, no answer) and the value its metrics use.
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


@dataclass(frozen=True)
class Outcome:
    """One sample's score by one scorer; `value` None with a `reason` where it is no number."""

    model: str
    task: str
    sample: str
    epoch: int
    scorer: str
    value: float | None
    reason: str | None = None


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
    model = _model_name(log)
    offered = sorted({name for sample in log.samples for name in (sample.scores or {})})
    if scorer is not None and scorer not in offered:
        raise BadInput(
            f"got the scorer {scorer!r}; the log has {', '.join(offered) or 'none'}", source=str(path)
        )
    wanted = [scorer] if scorer else offered
    return tuple(
        _outcome(sample, model, str(log.eval.task), name) for sample in log.samples for name in wanted
    )


def _model_name(log: Any) -> str:
    """Return the model that an Inspect log ran, without a doubled provider."""
    return str(log.eval.model)


def _outcome(sample: Any, model: str, task: str, scorer: str) -> Outcome:
    key = (model, task, str(sample.id), int(sample.epoch), scorer)
    if sample.error is not None:
        return Outcome(*key, None, "error")
    score = (sample.scores or {}).get(scorer)
    if score is None:
        return Outcome(*key, None, "not_applicable:not scored")
    value, reason = value_of(score.value)
    return Outcome(*key, value, reason)


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
        yield {
            "id": str((sample.metadata or {}).get("case_id", sample.id)),
            "arm": str((sample.metadata or {}).get(arm_key, "full")),
            "model": _model_name(log),
            "epoch": int(sample.epoch) - 1,
            "text": sample.output.completion,
        }


def pairs(logs: Sequence[tuple[Outcome, ...]]) -> dict[str, dict[tuple[str, int], Outcome]]:
    """Align outcomes on (sample, epoch) by model.

    Args:
        logs: outcomes of one scorer, one tuple a log; logs of one model are joined.

    Raises:
        BadInput: the same sample and epoch twice for one model.
    """
    out: dict[str, dict[tuple[str, int], Outcome]] = {}
    for outcomes in logs:
        for one in outcomes:
            rows = out.setdefault(one.model, {})
            if (one.sample, one.epoch) in rows:
                raise BadInput(
                    f"sample {one.sample!r}, epoch {one.epoch} of {one.model} is in two logs; "
                    "expected each once; leave one log out"
                )
            rows[one.sample, one.epoch] = one
    return out
