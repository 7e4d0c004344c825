"""What can be withheld together, what settles a diagnosis, and what a fact would change if it were otherwise."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from percuss.protocols.stressors.scenario.vignettes import Consequence, Fact, Vignette

__all__ = ["Unit", "consequence_of", "decisive_units", "grouped"]


@dataclass(frozen=True)
class Unit:
    """Facts that are omitted or delayed together; `score` is the highest key score among them."""

    group: str
    facts: tuple[Fact, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of its facts."""
        return tuple(fact.id for fact in self.facts)

    @property
    def score(self) -> int:
        """The highest key score among its facts; above 0 it is informative."""
        return max(fact.key_score for fact in self.facts)

    @property
    def objective(self) -> bool:
        """Whether it holds a test result."""
        return any(fact.objective for fact in self.facts)


def decisive_units(vignette: Vignette) -> tuple[Unit, Unit] | None:
    """Return two disjoint units without either of which no sufficient set is told; None where there are no two.

    Args:
        vignette: with sufficient sets, or none. A unit may hold several groups: what would settle the diagnosis together with what is
            left is withheld as one.
    """
    if not vignette.sufficient_sets:
        return None
    groups = {
        name: unit for unit in grouped(f for f in vignette.facts if not f.askable) for name in [unit.group]
    }
    needed = [{vignette.fact(i).group for i in each} for each in vignette.sufficient_sets]
    names = sorted({name for each in needed for name in each}, key=lambda n: (-groups[n].score, n))
    hits = [
        set(c)
        for size in range(1, len(names))
        for c in combinations(names, size)
        if all(set(c) & each for each in needed)
    ]
    minimal = [hit for hit in hits if not any(other < hit for other in hits)]
    for one, other in combinations(minimal, 2):
        if not one & other:
            return _joined(groups, one), _joined(groups, other)
    return None


def _joined(groups: dict[str, Unit], names: set[str]) -> Unit:
    """One unit of several groups, in the order of the case; it is called by all their names."""
    held = [unit for name, unit in groups.items() if name in names]
    return Unit(" and ".join(unit.group for unit in held), tuple(f for unit in held for f in unit.facts))


def grouped(facts: Iterable[Fact]) -> list[Unit]:
    """Return facts as units, one a group, in the order of the case.

    Args:
        facts: of one case.
    """
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.group, []).append(fact)
    return [Unit(name, tuple(held)) for name, held in groups.items()]


def consequence_of(vignette: Vignette, fact: Fact) -> Consequence:
    """Return what a fact would change if it were otherwise: as its author said, for imported cases by its bearing on the diagnosis.

    Args:
        vignette: the case. fact: of it.
    """
    if vignette.consequences:
        return vignette.consequences.get(fact.id, "nothing")
    return "diagnosis" if fact.key_score > 0 else "nothing"
