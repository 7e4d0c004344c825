"""Proof that a scenario is well-formed: named checks, each with what it found."""

import re
from collections.abc import Iterator

from percuss.core.records import Record
from percuss.protocols.stressors.scenario.information_flow import Unbuildable, build, draw
from percuss.protocols.stressors.scenario.vignettes import SLOTS, Contradiction, Scenario, Vignette
from percuss.protocols.stressors.scenario.wording import restates

__all__ = ["Fault", "lint"]

_ANCHOR = re.compile(r"^Repeat entry, same \w+, same time: ")
_TELLS = re.compile(
    r"\b(?:not|instead|conflict\w*|contradict\w*|differ\w*|wrong|corrects?|unlike)\b", re.IGNORECASE
)
_PLACEHOLDERS = ("n/a", "not provided", "pending", "imagine findings", "not indicated in the scenario")
_SIDE_OF_LENGTH = 0.2


class Fault(Record):
    """One failed check: its name, and what was found."""

    check: str
    found: str


def lint(vignette: Vignette, scenario: Scenario) -> tuple[Fault, ...]:
    """Return what is wrong with a scenario; () where it is well-formed.

    Args:
        vignette: that it was built from. scenario: as it stands; it is built anew and compared.
    """
    checks = (
        ("disjoint sets", _disjoint),
        ("omitted facts stay away", _omitted),
        ("delayed facts come at their turn", _delayed),
        ("the contradiction contradicts", _contradicts),
        ("no sufficient set while a gap is open", _not_settled),
        ("no placeholder", _placeholder),
        ("four turns", _four),
        ("gold follows from the turns", _gold),
    )
    return tuple(
        Fault(check=name, found=found) for name, check in checks for found in check(vignette, scenario)
    )


def _lines(scenario: Scenario, before: int = 5) -> Iterator[tuple[int, str]]:
    for turn in scenario.turns:
        if turn.n < before:
            for line in turn.user_text.splitlines():
                yield turn.n, line


def _disjoint(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    made = draw(vignette, scenario.seed)
    sets = {
        "omitted": {i for unit in made.omitted for i in unit.ids},
        "delayed": set(made.delayed.ids),
        "contradicted": {fact.id for fact, _ in made.targets},
    }
    names = list(sets)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            if sets[one] & sets[other]:
                yield f"{one} and {other} share {sorted(sets[one] & sets[other])}"


def _omitted(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    for gap in scenario.gaps:
        if gap.cause != "omission":
            continue
        askable = [(0, fact.text) for fact in vignette.facts if fact.askable]
        for fact_id in gap.facts:
            for turn, line in (*_lines(scenario), *askable):
                if restates(line, vignette.fact(fact_id).text):
                    yield f"{fact_id} stands in {'an answer' if not turn else f'turn {turn}'}: {line[:80]}"


def _delayed(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    for gap in scenario.gaps:
        if gap.cause != "delay" or gap.open_to is None:
            continue
        come = scenario.turns[gap.open_to - 1]
        for fact_id in gap.facts:
            if fact_id not in come.released or vignette.fact(fact_id).text not in come.user_text:
                yield f"{fact_id} does not come in turn {gap.open_to}"
            for turn, line in _lines(scenario, gap.open_to):
                if restates(line, vignette.fact(fact_id).text):
                    yield f"{fact_id} stands in turn {turn} already: {line[:80]}"


def _not_settled(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    """What is told, all that can be asked for included, never settles the diagnosis before every gap is closed."""
    asked = {fact.id for fact in vignette.facts if fact.askable}
    for turn in scenario.turns:
        if any(gap.is_open(turn.n) for gap in scenario.gaps) and vignette.settled_by(
            asked | set(scenario.released(turn.n))
        ):
            yield f"turn {turn.n} tells a set that settles the diagnosis"


def _contradicts(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    for each in scenario.contradictions:
        yield from _one_contradiction(vignette, scenario, each)


def _one_contradiction(vignette: Vignette, scenario: Scenario, each: Contradiction) -> Iterator[str]:
    fact = vignette.fact(each.fact_id)
    if each.fact_id not in scenario.released(each.turn):
        yield f"{each.fact_id} is contradicted before it is told"
    if each.injected.strip(". ").lower() == fact.text.strip(". ").lower():
        yield f"{each.fact_id}: the injected statement is the fact itself"
    if each.original.lower() == each.flipped.lower():
        yield f"{each.fact_id}: {each.original!r} was not changed"
    if each.injected.strip(". ") not in each.line or not _ANCHOR.match(each.line):
        yield f"{each.fact_id}: the line is not anchored to its examination and time"
    if _TELLS.search(each.line.removesuffix(f"{each.injected.strip('. ')}.")):
        yield f"{each.fact_id}: the line names the conflict itself"
    said = each.injected.strip(". ").lower()
    for other in vignette.facts:
        if other.id != fact.id and said in other.text.lower():
            yield f"{each.fact_id}: {other.id} agrees with the injection"


def _placeholder(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    del vignette
    for turn, line in _lines(scenario):
        bare = line.lower().lstrip("- ").rpartition(": ")[2].rstrip(".")
        if bare in _PLACEHOLDERS:
            yield f"turn {turn} tells {line!r}"


def _four(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    del vignette
    if tuple(turn.kind for turn in scenario.turns) != SLOTS:
        yield f"the turns are {', '.join(turn.kind for turn in scenario.turns)}"


def _gold(vignette: Vignette, scenario: Scenario) -> Iterator[str]:
    """Read gaps from the turns alone, and build the scenario anew."""
    told = {turn.n: set(scenario.released(turn.n)) for turn in scenario.turns}
    for gap in scenario.gaps:
        for turn, known in told.items():
            if gap.is_open(turn) == bool(known & set(gap.facts)):
                yield f"{gap.id} is {'told' if gap.is_open(turn) else 'missing'} in turn {turn}"
    at = scenario.contradictions[0].turn if scenario.contradictions else 2
    try:
        again = build(vignette, scenario.arm, scenario.seed, inject_at=at)
    except Unbuildable as error:
        yield str(error)
        return
    if again != scenario:
        yield "another build gives another scenario"
