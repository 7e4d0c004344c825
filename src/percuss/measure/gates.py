"""Gates: conditions on estimates that a pipeline can fail on, read from interval bounds."""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Literal

from percuss.core.errors import UsageError
from percuss.core.records import Estimate
from percuss.measure.numbers import point, written

__all__ = ["Gate", "Outcome", "judge_gate", "parse_gate", "require_names"]

_FORM = re.compile(
    r"^\s*(?P<name>[a-z][a-z0-9_]*)\s*(?:\[(?P<keys>[^\]]*)\])?\s*(?:\.(?P<bound>low|high|value))?"
    r"\s*(?P<op>>=|<=|>|<)\s*(?P<limit>-?\d+(?:\.\d+)?%?)\s*$"
)
_OPS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
_KEYS = ("arm", "model", "labels", "versus", "baseline", "stratum")
State = Literal["pass", "fail", "inconclusive"]


@dataclass(frozen=True)
class Gate:
    """One `--fail-if` condition: the estimate it reads, and the condition under which the gate fails.

    `bound` None reads the whole interval: it fails where all of it meets the condition, passes where none does, and is
    inconclusive in between.
    """

    text: str
    name: str
    keys: dict[str, str]
    bound: str | None
    op: str
    limit: float


@dataclass(frozen=True)
class Outcome:
    """What a gate says of one estimate, in one sentence."""

    gate: Gate
    state: State
    sentence: str


def parse_gate(text: str) -> Gate:
    """Parse `name[arm].bound OP number`.

    Args:
        text: e.g. `unsupported_rate[full_multimodal].high>0.05`; in brackets an arm, or `arm=..,model=..,labels=..`;
            `.low`, `.high`, `.value` or nothing (the whole interval); the limit as a share or with `%`.

    Raises:
        UsageError: the text is not of this form.

    >>> parse_gate("unsupported_rate[full].high > 5%").limit
    0.05
    """
    match = _FORM.match(text)
    if match is None:
        raise UsageError(
            f"--fail-if got {text!r}; expected name[arm].bound OP number, e.g. "
            "'unsupported_rate[full_multimodal].high>0.05' (bound: low, high, value or none for the whole interval)"
        )
    limit = match["limit"]
    number = float(limit.rstrip("%")) / (100 if limit.endswith("%") else 1)
    return Gate(
        text.strip(), match["name"], _keys(match["keys"] or "", text), match["bound"], match["op"], number
    )


def require_names(gates: Iterable[Gate], names: Sequence[str]) -> None:
    """Refuse gates on estimates that the protocol does not make, before anything is asked.

    Args:
        gates: of `--fail-if`. names: estimates of the protocol, `*` for any ending; () where it lists none.

    Raises:
        UsageError: an unknown name; the sentence says which come near, or lists all.
    """
    for gate in gates:
        if names and not any(fnmatchcase(gate.name, name) for name in names):
            near = get_close_matches(gate.name, names, 3)
            known = f"did you mean {' or '.join(near)}?" if near else f"it makes {', '.join(names)}"
            raise UsageError(
                f"--fail-if got {gate.text!r}, an estimate that this protocol does not make; {known}"
            )


def _keys(inside: str, text: str) -> dict[str, str]:
    keys: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in inside.split(","))):
        key, equals, value = part.partition("=")
        if not equals or key not in _KEYS:
            key, value = "arm", part
        if key in keys:
            raise UsageError(
                f"--fail-if {text!r} names {key} twice; write [arm] or [arm=..,model=..,labels=..]"
            )
        keys[key] = value
    return keys


def judge_gate(gate: Gate, estimates: Sequence[Estimate]) -> tuple[Outcome, ...]:
    """Hold a gate against every estimate that it names: whole runs, in the headline's labels, of real models.

    Strata, other label sources and simulated models are held only where the gate names them.

    Args:
        gate: the condition.
        estimates: all estimates of a report.

    Raises:
        UsageError: no estimate has that name and those keys, or only simulated models have.
    """
    named = [e for e in estimates if e.name == gate.name]
    keyed = [e for e in named if all(str(getattr(e, key)) == value for key, value in gate.keys.items())]
    if not keyed:
        arms = ", ".join(sorted({e.arm for e in named})) or "none: no estimate has that name"
        raise UsageError(f"--fail-if {gate.text!r} matches no estimate; arms of {gate.name}: {arms}")
    real = [e for e in keyed if not e.simulated or gate.keys.get("model") == e.model]
    if not real:
        models = ", ".join(sorted({e.model for e in keyed}))
        raise UsageError(
            f"--fail-if {gate.text!r} matches simulated models alone, which are gated only by name; write [model=..] "
            f"with one of {models}"
        )
    return tuple(_outcome(gate, e) for e in _headline(gate, real, estimates))


def _headline(gate: Gate, found: Sequence[Estimate], estimates: Sequence[Estimate]) -> Sequence[Estimate]:
    """Leave out strata and label sources beside the headline's, unless the gate names them or there is nothing else."""
    if "stratum" not in gate.keys:
        found = [e for e in found if e.stratum is None] or found
    if "labels" not in gate.keys:
        headline = {e.labels for e in estimates if e.primary}
        found = [e for e in found if e.labels in headline] or found
    return found


def _outcome(gate: Gate, e: Estimate) -> Outcome:
    where = f"{e.name}[{e.arm}] of {e.model} ({e.labels})"
    if e.value is None:
        return Outcome(gate, "inconclusive", f"{where} is undefined: {e.undefined}")
    meets, limit = _OPS[gate.op], f"fails if {gate.op} {point(gate.limit, e.unit)}"
    if gate.bound is not None:
        number = getattr(e, gate.bound)
        if number is None:
            return Outcome(gate, "inconclusive", f"{where} has no {gate.bound}")
        state: State = "fail" if meets(number, gate.limit) else "pass"
        return Outcome(gate, state, f"{where}: {gate.bound} {point(number, e.unit)}, {limit}")
    if e.low is None or e.high is None:
        return Outcome(gate, "inconclusive", f"{where} has no interval")
    ends = (meets(e.low, gate.limit), meets(e.high, gate.limit))
    state = "fail" if all(ends) else "inconclusive" if any(ends) else "pass"
    return Outcome(gate, state, f"{where}: {written(e)}, {limit}")
