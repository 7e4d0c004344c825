"""What a protocol's self-test plants: records that a protocol fills, and that `percuss selftest` reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from percuss.core.ports import Model
from percuss.core.records import Case, Estimate, Verdict
from percuss.core.sections import Panel
from percuss.core.strict import Record
from percuss.core.verifying import Verifier

__all__ = ["Outcome", "Said", "SelftestPlan", "Trap"]


class SelftestPlan(Record):
    """What is planted.

    Args:
        models: phantom strings.
        limit: cases of the bundled source.
        arms: () takes all of the protocol's.
        estimates: names that count for the verdict; others are listed only.
        settings: of the protocol.
    """

    models: tuple[str, ...]
    limit: int
    arms: tuple[str, ...] = ()
    estimates: tuple[str, ...] = ()
    settings: dict[str, Any] = {}


@dataclass(frozen=True)
class Outcome:
    """What a run on a trap came to.

    Args:
        estimates: all of them. panel: the first thing that a person sees. answer: its sentences.
    """

    estimates: Sequence[Estimate]
    panel: Panel
    answer: str

    def one(self, name: str, arm: str, **where: Any) -> Estimate | None:
        """Return the first estimate of a name in an arm, None where there is none.

        Args:
            name: of the estimate. arm: its arm. where: further fields that it has; without `stratum` the whole.
        """
        keys = {"stratum": None, "name": name, "arm": arm, **where}
        return next((e for e in self.estimates if all(getattr(e, k) == v for k, v in keys.items())), None)


@dataclass(frozen=True)
class Said:
    """What the panel says of a trap, and whether that is what it must say."""

    words: str
    caught: bool


@dataclass(frozen=True)
class Trap:
    """A simulated model, or checker, that games the measure, and what the panel must say of it.

    Args:
        name: of the phantom. does: what it does. must: what the panel must say, in a clause.
        model: the phantom. found: outcome -> what the panel says of it.
        limit: cases. arms: that are asked. settings: of the protocol. cases: its own; none takes the bundled ones.
        verifier: who reads, where a checker is what is tried. certify: whether the run is certified.
        learns: hears of the truth of seeded statements, (case, statement) -> (is it so, class of error), before they are checked.
        spoils: (arm, verdicts) -> what a checker that may not err so in truth would have said of the seeds of an arm.
    """

    name: str
    does: str
    must: str
    model: Model
    found: Callable[[Outcome], Said]
    limit: int
    arms: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    verifier: Verifier | None = None
    certify: bool = False
    learns: Callable[[Case, str, bool, str], None] | None = None
    spoils: Callable[[str, Sequence[Verdict]], tuple[Verdict, ...]] | None = None
