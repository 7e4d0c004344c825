"""What can be asked of a case: one entry a group, apart from what is withheld of it."""

from functools import lru_cache

from percuss.protocols.stressors.readers.asked import Entry
from percuss.protocols.stressors.record import names_of
from percuss.protocols.stressors.scenario.vignettes import Fact, Gap, Scenario, Vignette

__all__ = ["entries_of", "keys_of"]


def keys_of(vignette: Vignette, scenario: Scenario) -> dict[str, list[str]]:
    """Return entry -> fact ids: a gap by its id, all else by group, what is held back until asked for apart.

    Args:
        vignette: the case. scenario: what is withheld of it.
    """
    return {
        key: [fact.id for fact in facts] for key, facts in _grouped(vignette.facts, scenario.gaps).items()
    }


def entries_of(vignette: Vignette, scenario: Scenario) -> tuple[Entry, ...]:
    """Return the entries of a case in an arm, as `keys_of` cuts them; texts of what is withheld are not looked at.

    Args:
        vignette: the case. scenario: what is withheld of it.
    """
    return _entries(vignette.facts, scenario.gaps)


def _grouped(facts: tuple[Fact, ...], gaps: tuple[Gap, ...]) -> dict[str, list[Fact]]:
    away = {fact: gap.id for gap in gaps for fact in gap.facts}
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        key = away.get(fact.id) or (f"{fact.group} (asked)" if fact.askable else fact.group)
        found.setdefault(key, []).append(fact)
    return found


@lru_cache(maxsize=1024)
def _entries(facts: tuple[Fact, ...], gaps: tuple[Gap, ...]) -> tuple[Entry, ...]:
    withheld = {fact for gap in gaps for fact in gap.facts}
    held = []
    for key, found in _grouped(facts, gaps).items():
        hidden = found[0].objective or any(fact.id in withheld for fact in found)
        told = () if hidden else tuple(fact.text for fact in found)
        held.append(Entry(key, names_of(found), found[0].kind, told, found[0].askable))
    return tuple(held)
