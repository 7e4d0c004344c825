"""A vignette as a case's payload, and the scenario that an arm makes of it."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from percuss.core.ids import canonical_json
from percuss.core.records import Case
from percuss.protocols.stressors.scenario.information_flow import build
from percuss.protocols.stressors.scenario.vignettes import Fact, Scenario, Vignette
from percuss.text.concepts import mentions

__all__ = ["names_of", "reading", "scenario_of", "topics"]


_GONE = {"natural_gaps"}
"""Fields of the payload that stressors 1 wrote and nothing reads any more."""


def reading(case: Case) -> Vignette:
    """Return the payload of a case as its record."""
    return _read(_known(case))


def _known(case: Case) -> bytes:
    """Return the payload without the fields that only runs of stressors 1 hold."""
    return canonical_json({name: value for name, value in case.payload.items() if name not in _GONE})


@lru_cache(maxsize=512)
def _read(payload: bytes) -> Vignette:
    return msgspec.json.decode(payload, type=Vignette)


def scenario_of(case: Case, arm: str, seed: int, inject_at: int) -> Scenario:
    """Return the scenario of a case in an arm; gold is always derived, never stored.

    Args:
        case: of this protocol. arm: its name. seed: the run's root seed. inject_at: turn of the injected line.

    Raises:
        Unbuildable: with the reason.
    """
    return _built(_known(case), arm, seed, inject_at)


@lru_cache(maxsize=4096)
def _built(payload: bytes, arm: str, seed: int, inject_at: int) -> Scenario:
    return build(_read(payload), arm, seed, inject_at=inject_at)


def topics(vignette: Vignette, facts: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return the names under which a group can be asked for: the group's, and its facts' labels.

    Args:
        vignette: the case. facts: ids of the group's facts.
    """
    return names_of([vignette.fact(i) for i in facts])


def names_of(held: Sequence[Fact]) -> tuple[str, ...]:
    """Return the names of facts that belong together; a sentence without a name is called by the tests and drugs that it names.

    Args:
        held: facts of one group.
    """
    named = [fact for fact in held if not fact.group.startswith("Sentence ")]
    names = [name for fact in named for name in (fact.group, fact.label) if name]
    if not named:
        found = [m for fact in held for m in mentions(fact.text) if m.kind in NAMED_KINDS]
        names += [m.text for m in sorted(found, key=lambda m: m.kind == "anatomy")]
    return tuple(dict.fromkeys(names))


NAMED_KINDS = frozenset({"test", "analyte", "vital", "procedure", "drug", "score", "anatomy"})
"""Concepts that can be asked for by name without giving a finding away."""
