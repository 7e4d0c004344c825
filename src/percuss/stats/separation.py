"""Which arms can be told apart: rank intervals and tie letters from paired differences."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from percuss.stats.bootstrap import Paired


@dataclass(frozen=True, slots=True)
class RankInterval:
    """Ranks that an arm can hold, 1 = best, given the pairs that separate."""

    best: int
    worst: int

    def __str__(self) -> str:
        """Print as a rank or a range."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


def _separated(paired: Paired) -> dict[tuple[int, int], float]:
    """Return (first, second) -> difference of the pairs that separate after Holm."""
    return {
        (d.first, d.second): d.result.value
        for d in paired.differences
        if d.separates and d.result.value is not None
    }


def rank_intervals(paired: Paired, *, higher_is_better: bool = True) -> tuple[RankInterval, ...]:
    """Return for each arm the best and worst rank that no separated pair contradicts.

    Parameters
    ----------
    paired: of `paired_bootstrap`, `ratio_differences` or `hdi_differences`.
    higher_is_better: direction of the statistic.

    Best = 1 + arms that separate above it; worst = arms - those that separate below it. Together they hold at the
    family-wise level of Holm's correction. Source: Mogstad, Romano, Shaikh and Wilhelm (2024), Rev Econ Stud 91:476.

    """
    k = len(paired.arms)
    above, below = [0] * k, [0] * k
    for (first, second), difference in _separated(paired).items():
        better, worse = (first, second) if (difference > 0) == higher_is_better else (second, first)
        above[worse] += 1
        below[better] += 1
    return tuple(RankInterval(1 + a, k - b) for a, b in zip(above, below, strict=True))


def tie_letters(paired: Paired, *, higher_is_better: bool = True) -> tuple[str, ...]:
    """Return letters per arm: two arms share a letter exactly where their pair doesn't separate.

    Parameters
    ----------
    paired, higher_is_better: as in `rank_intervals`; letter a goes to the best arm.

    Source: Piepho (2004), J Comput Graph Stat 13:456 (insert and absorb).

    """
    k = len(paired.arms)
    groups: list[set[int]] = [set(range(k))]
    for first, second in _separated(paired):
        split = [g - {drop} for g in groups if {first, second} <= g for drop in (first, second)]
        kept = [g for g in groups if not {first, second} <= g]
        groups = _absorb([*kept, *split])
    sign = -1 if higher_is_better else 1
    place = sorted(range(k), key=lambda i: (paired.arms[i].value is None, sign * (paired.arms[i].value or 0)))
    rank = {arm: r for r, arm in enumerate(place)}
    groups.sort(key=lambda g: sorted(rank[i] for i in g))
    return tuple("".join(_letter(j) for j, g in enumerate(groups) if i in g) for i in range(k))


def _absorb(groups: list[set[int]]) -> list[set[int]]:
    """Drop groups inside another, keep one of equals."""
    unique = [g for i, g in enumerate(groups) if g not in groups[:i]]
    return [g for g in unique if not any(g < other for other in unique)]


def _letter(j: int) -> str:
    """Return a .. z, then a1 .. z1 and so on."""
    turn, place = divmod(j, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
