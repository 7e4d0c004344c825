"""Inspect `.eval` logs as paired outcomes: one number a sample, epoch and scorer."""

import json
import math
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.core.extras import needed
from percuss.core.ids import digest

__all__ = ["OURS", "Outcome", "Scores", "pairs", "read_answers", "read_log", "read_scores", "value_of"]

OURS = "percuss/"
"""How the task of an exported run begins; its scores are shares of unsupported claims."""
# The letters that Inspect's own scorers give (correct, partial, incorrect, no answer) and the value its metrics use.
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
# Words that Inspect's `value_to_float` takes for truth values.
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}

_ZSTD = 93
"""The number of zstd among the ways to pack a zip entry (APPNOTE.TXT 4.4.5); what newer versions of Inspect write."""


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
        raise UsageError("Inspect logs need the `inspect` extra; pip install 'percuss[inspect]'") from error
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


@dataclass(frozen=True)
class Scores:
    """The scores of a log, and in what state it is.

    Args:
        outcomes: one per sample, epoch and scorer.
        state: what to say of a log that did not finish ("cancelled after 120 of 200 samples"); "" for one that did.
        withheld: scorer -> model -> why nothing may rest on it, of a log that is an exported run.
    """

    outcomes: tuple[Outcome, ...]
    state: str = ""
    withheld: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_log(path: Path, *, scorer: str | None = None) -> tuple[Outcome, ...]:
    """Return the outcomes of `read_scores`.

    Args:
        path, scorer: as there.
    """
    return read_scores(path, scorer=scorer).outcomes


def read_scores(path: Path, *, scorer: str | None = None) -> Scores:
    """Read the scores of a log, also of one that was cancelled or broke off.

    Args:
        path: `.eval` or `.json` log of Inspect.
        scorer: name of one scorer, `name.key` of one that gives a mapping; None takes all of them.

    Returns:
        One outcome per sample, epoch and scorer; a sample that errored or was not scored has value None and a reason.

    Raises:
        BadInput: no log, or a scorer that is not in it.
    """
    log = _rows(path)
    samples = log.samples
    offered = sorted({name for sample in samples for name in _named(sample)})
    if scorer is not None and scorer not in offered:
        raise BadInput(
            f"got the scorer {scorer!r}; the log has {', '.join(offered) or 'none'}", source=str(path)
        )
    if not offered:
        raise BadInput("no sample was scored; score the log with `inspect score` first", source=str(path))
    wanted = [scorer] if scorer else offered
    outcomes = tuple(_outcome(sample, log, name) for sample in samples for name in wanted)
    return Scores(outcomes, log.state, log.withheld)


@dataclass(frozen=True)
class _Log:
    """What a comparison reads of a log: samples are the objects of its JSON."""

    status: str
    task: str
    model: str
    asked: int
    samples: tuple[dict[str, Any], ...]
    withheld: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def ours(self) -> bool:
        return self.task.startswith(OURS)

    @property
    def state(self) -> str:
        if self.status == "success":
            return ""
        word = {"started": "broke off", "error": "stopped by an error"}.get(self.status, self.status)
        return f"{word} after {len(self.samples):,} of {max(self.asked, len(self.samples)):,} samples"


def _rows(path: Path) -> _Log:
    """Read a log as plain JSON, which takes a tenth of the time that Inspect's own reader does."""
    if not path.exists():
        raise BadInput("no such file; expected an Inspect log (.eval or .json)", source=str(path))
    try:
        head, samples = _unpacked(path)
        spec = head["eval"]
        epochs = (spec.get("config") or {}).get("epochs") or 1
        asked = ((spec.get("dataset") or {}).get("samples") or 0) * epochs
        withheld = (spec.get("metadata") or {}).get("withheld") or {}
        log = _Log(
            head.get("status", "started"), str(spec["task"]), str(spec["model"]), asked, samples, withheld
        )
    except (
        zipfile.BadZipFile,
        KeyError,
        TypeError,
        AttributeError,
        ValueError,
        RuntimeError,
    ) as error:
        raise BadInput(
            f"got {type(error).__name__}; expected an Inspect log (.eval or .json); write it again with inspect",
            source=str(path),
        ) from error
    if not log.samples:
        raise BadInput(
            f"the log's status is {log.status!r} and it holds no samples; expected a log with samples",
            source=str(path),
        )
    return log


def _unpacked(path: Path) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """Return a log's header and samples; one that broke off has only the header of its journal."""
    if path.suffix == ".json":
        whole = json.loads(path.read_bytes())
        return whole, tuple(whole.get("samples") or ())
    with zipfile.ZipFile(path) as held:
        if any(entry.compress_type == _ZSTD for entry in held.infolist()) and sys.version_info < (3, 14):
            needed(
                "zipfile_zstd", "an Inspect log that is packed with zstd", "inspect"
            )  # teaches zipfile to unpack it
        names = held.namelist()
        head = json.loads(held.read("header.json" if "header.json" in names else "_journal/start.json"))
        # A sample that was tried again stands twice; the last one counts.
        samples = {name: name for name in names if name.startswith("samples/") and name.endswith(".json")}
        return head, tuple(json.loads(held.read(name)) for name in samples)


def _named(sample: dict[str, Any]) -> dict[str, Any]:
    """Return a sample's scores by name; one scorer's mapping is a score for each of its keys."""
    out: dict[str, Any] = {}
    for name, score in (sample.get("scores") or {}).items():
        value = score["value"]
        out |= (
            {f"{name}.{key}": each for key, each in value.items()}
            if isinstance(value, dict)
            else {name: value}
        )
    return out


def _outcome(sample: dict[str, Any], log: _Log, scorer: str) -> Outcome:
    held, scores = sample.get("metadata") or {}, _named(sample)
    value, reason = value_of(scores[scorer]) if scorer in scores else (None, "not_applicable:not scored")
    if sample.get("error") is not None:
        value, reason = None, "error"
    return Outcome(
        model=str(held["model"]) if log.ours else log.model,
        task=log.task,
        sample=f"{held['case_id']}/{held['arm']}" if log.ours else str(sample["id"]),
        epoch=int(sample["epoch"]),
        scorer=scorer,
        value=value,
        reason=reason,
        asked=_asked(sample),
        cluster=str(held["cluster"]) if log.ours else str(sample["id"]),
    )


def _ours(log: Any) -> bool:
    """Whether the log was written by `percuss export`: its samples name their case, arm and model."""
    return str(log.eval.task).startswith(OURS)


def _model(sample: Any, log: Any) -> str:
    return str(sample.metadata["model"]) if _ours(log) else str(log.eval.model)


def _asked(sample: dict[str, Any]) -> str:
    """Return a digest of a sample's input: a text, or the roles and words of its messages."""
    given, kept = sample["input"], sample.get("attachments") or {}

    def whole(text: str) -> str:
        return (
            str(kept.get(text.removeprefix("attachment://"), text))
            if text.startswith("attachment://")
            else text
        )

    if isinstance(given, str):
        return digest(whole(given).encode())
    return digest(
        json.dumps([[message["role"], whole(_text(message["content"]))] for message in given]).encode()
    )


def _text(content: Any) -> str:
    """Return the words of a message: its text, or those of its parts."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content if part.get("type") == "text")


def value_of(value: Any) -> tuple[float | None, str | None]:
    """Return a score as a number, or the reason why it is none.

    Args:
        value: what an Inspect scorer gave: a number, a truth value, a letter (C, P, I, N), yes or no, or a list.

    >>> value_of("C"), value_of("no")
    ((1.0, None), (0.0, None))
    >>> value_of([1, 0])
    (None, 'unparsable:several values')
    """
    if isinstance(value, bool | int | float):
        number = float(value)
        return (number, None) if math.isfinite(number) else (None, "unparsable:not finite")
    if isinstance(value, str):
        if value in _LETTERS:
            return _LETTERS[value], None
        if value.strip().lower() in _WORDS:
            return _WORDS[value.strip().lower()], None
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
