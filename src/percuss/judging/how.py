"""How a judge is validated: the settings that every step shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from percuss.core.errors import UsageError
from percuss.core.labels import Support
from percuss.stats import PAPER_GATES

__all__ = ["How"]


@dataclass(frozen=True)
class How:
    """Settings of a validation.

    Args:
        seed, resamples: of every bootstrap.
        positive: the label whose sensitivity and specificity are reported.
        double_count_abstain: count abstentions as schema failures too, as papers/1 Table S9 did.
        thresholds: gate -> largest rate (papers/1 section 5.2).
        scale: the labels in order, lowest first, so that kappa is weighted; () takes labels as names, or as numbers
            where all of them are whole numbers.
    """

    seed: int
    resamples: int = 10_000
    positive: str = Support.UNSUPPORTED.value
    double_count_abstain: bool = False
    thresholds: Mapping[str, float] = field(default_factory=lambda: dict(PAPER_GATES))
    scale: tuple[str, ...] = ()

    def words(self, labels: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """Return the categories of some labels, and whether their order means something.

        Raises:
            UsageError: a label outside the scale.
        """
        seen = set(labels)
        if self.scale:
            strange = sorted(seen - set(self.scale))
            if strange:
                raise UsageError(
                    f"got the label {strange[0]!r}; expected one of --scale {', '.join(self.scale)}"
                )
            return self.scale, True
        if seen and all(label.lstrip("-").isdecimal() for label in seen):
            low, high = min(map(int, seen)), max(map(int, seen))
            # Levels that nobody used still count for the weights of a scale; far apart numbers are no scale.
            whole = range(low, high + 1) if high - low < _LEVELS else sorted(map(int, seen))
            if seen <= set(map(str, whole)):
                return tuple(map(str, whole)), len(whole) > 2
        return tuple(sorted(seen)), False


_LEVELS = 21
