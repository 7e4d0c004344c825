"""Scenarios: which groups are omitted or delayed, which fact is contradicted, and the four turns that follow.

The draw is made once a vignette and seed, never by arm: an arm only switches its sets on. So the eight arms are paired.
"""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from percuss.core.errors import UsageError
from percuss.core.ids import canonical_json
from percuss.core.records import Record
from percuss.protocols.stressors.scenario.contradictions import Flip, flips
from percuss.protocols.stressors.scenario.turns import told
from percuss.protocols.stressors.scenario.units import Unit, consequence_of, decisive_units, grouped
from percuss.protocols.stressors.scenario.vignettes import (
    Contradiction,
    Dose,
    Fact,
    Gap,
    Level,
    Opportunity,
    Scenario,
    Vignette,
)
from percuss.protocols.stressors.scenario.wording import restates

__all__ = [
    "BUILDER",
    "FACTORIAL",
    "PLACEBOS",
    "UNGROUNDED",
    "Draw",
    "Switches",
    "Unbuildable",
    "build",
    "draw",
    "switches",
]

BUILDER = "2"
FACTORIAL = (
    "baseline",
    "omission",
    "contradiction",
    "delay",
    "omission+contradiction",
    "omission+delay",
    "contradiction+delay",
    "omission+contradiction+delay",
)
PLACEBOS = ("placebo_omission", "placebo_contradiction", "placebo_delay")
UNGROUNDED = "ungrounded"
MOST_OMITTED, MOST_INJECTED, DELAYED_TO, INJECTED_AT = 3, 2, 3, 2
_KIND_ORDER = {"exam": 1, "medication": 2, "history": 2, "vital": 3}
_GRADES = {"A": 0, "B": 1, "model": 2}


class Unbuildable(UsageError):
    """A vignette that no well-formed scenario can be made of, with the reason."""


class Switches(Record):
    """What an arm switches on. `omit` units, `inject` lines, results delayed `delay_to` a turn (0: none)."""

    omit: int = 0
    inject: int = 0
    delay_to: int = 0
    inject_at: int = INJECTED_AT
    placebo: str | None = None
    bare: bool = False


def switches(arm: str, *, inject_at: int = INJECTED_AT) -> Switches:
    """Return what an arm's name switches on; doses stand after a colon (`omission:units=2`, `delay:turn=4`).

    Args:
        arm: of `FACTORIAL`, `PLACEBOS`, `ungrounded`, or a single stressor with its dose.
        inject_at: turn of the injected line.

    Raises:
        UsageError: no such arm.
    """
    if arm == UNGROUNDED:
        return Switches(bare=True, inject_at=inject_at)
    if arm in PLACEBOS:
        return Switches(placebo=arm.removeprefix("placebo_"), inject_at=inject_at)
    stem, _, dose = arm.partition(":")
    amount = int(dose.partition("=")[2]) if dose.partition("=")[2].isdigit() else 0
    parts = set(stem.split("+"))
    if stem not in FACTORIAL or (dose and (len(parts) != 1 or not amount)):
        raise UsageError(
            f"no arm is called {arm!r}; the arms are {', '.join((*FACTORIAL, *PLACEBOS, UNGROUNDED))}"
        )
    return Switches(
        omit=(amount or 1) if "omission" in parts else 0,
        inject=(amount or 1) if "contradiction" in parts else 0,
        delay_to=(amount or DELAYED_TO) if "delay" in parts else 0,
        inject_at=inject_at,
    )


@dataclass(frozen=True)
class Draw:
    """What is fixed once a vignette and seed: pairwise disjoint sets that arms switch on.

    Args:
        level: what a unit is: a whole group, one fact of the only group, or a finding told in the history.
        omitted: units in order of dose. delayed: the unit that comes late.
        targets: contradicted facts with their contradiction, in order of dose; () where none can be contradicted.
        spare: harmless fact that the placebo drops. quiet: uninformative unit that the placebo delays.
    """

    level: Level
    omitted: tuple[Unit, ...]
    delayed: Unit
    targets: tuple[tuple[Fact, Flip], ...]
    spare: Fact | None = None
    quiet: Unit | None = None


def draw(vignette: Vignette, seed: int) -> Draw:
    """Fix what is omitted, delayed and contradicted in a vignette; the same seed gives the same draw in every arm.

    Args:
        vignette: at least two units of evidence. seed: of the run.

    Raises:
        Unbuildable: no two units can be withheld, or what is withheld stands elsewhere in the case.
    """
    return _draw(canonical_json(vignette), seed)


@lru_cache(maxsize=1024)
def _draw(encoded: bytes, seed: int) -> Draw:
    vignette = msgspec.json.decode(encoded, type=Vignette)
    if vignette.unread:
        raise Unbuildable(f"{vignette.id}: the row could not be read: {vignette.unread}")
    rng = _rng(vignette, seed)
    level, units = _units(vignette, rng)
    decisive = decisive_units(vignette)
    top = list(decisive or units[:2])
    if rng.random() < 0.5:
        top.reverse()
    omitted, delayed = top
    if decisive is not None:
        within = set(omitted.ids) | set(delayed.ids)
        level, units = "group", [*top, *(unit for unit in units if not within & set(unit.ids))]
    taken = {*omitted.ids, *delayed.ids}
    targets = _targets(vignette, taken, rng)
    near = {fact.group for fact, _ in targets}
    more = [unit for unit in units[2:] if unit.group not in near][: MOST_OMITTED - 1]
    taken |= {fact.id for fact, _ in targets} | {i for unit in more for i in unit.ids}
    quiet = _quiet(vignette, taken)
    spare = _spare(vignette, taken | (set(quiet.ids) if quiet else set()), omitted)
    return Draw(level, (omitted, *more), delayed, targets, spare, quiet)


def _rng(vignette: Vignette, seed: int) -> random.Random:
    key = f"{vignette.id}\0{BUILDER}\0{seed}".encode()
    return random.Random(int.from_bytes(hashlib.blake2b(key, digest_size=16).digest(), "big"))


def _units(vignette: Vignette, rng: random.Random) -> tuple[Level, list[Unit]]:
    """Return ranked units: whole groups where there are two, else facts of groups, else findings of the history."""
    told_facts = [fact for fact in vignette.facts if not fact.askable]
    evidence = [fact for fact in told_facts if fact.objective or fact.kind == "exam"]
    findings = [fact for fact in told_facts if fact.kind == "history"]
    choices: tuple[tuple[Level, list[Unit]], ...] = (
        ("group", grouped(evidence)),
        ("fact", [Unit(fact.group, (fact,)) for fact in evidence]),
        ("finding", [Unit(fact.group, (fact,)) for fact in (*evidence, *findings)]),
    )
    for level, units in choices:
        order = {id(unit): rng.random() for unit in units}
        free = [unit for unit in units if not _told_elsewhere(vignette, unit)]
        free.sort(key=lambda unit: (not unit.objective, -unit.score, order[id(unit)]))
        if len(free) >= 2:
            return level, free
    raise Unbuildable(
        f"{vignette.id}: fewer than two findings can be withheld; what there is stands elsewhere in the case"
    )


def _told_elsewhere(vignette: Vignette, unit: Unit) -> bool:
    inside = set(unit.ids)
    others = [vignette.opening, *(fact.text for fact in vignette.facts if fact.id not in inside)]
    return any(restates(other, fact.text) for fact in unit.facts for other in others)


def _targets(vignette: Vignette, taken: set[str], rng: random.Random) -> tuple[tuple[Fact, Flip], ...]:
    """Return the best-graded contradictable facts among those left, objective first, vital signs last."""
    authored: dict[str, list[Flip]] = {}
    for each in vignette.authored:
        made = Flip(
            original=each.original,
            flipped=each.flipped,
            injected=each.injected,
            rule=each.rule,
            grade=each.grade,
        )
        authored.setdefault(each.fact_id, []).append(made)
    found = []
    for fact in vignette.facts:
        order = rng.random()
        if fact.askable or fact.id in taken:
            continue
        for made in (*authored.get(fact.id, ()), *flips(fact)):
            if not _agreed(vignette, fact, made):
                order_of_kind = 0 if fact.objective else _KIND_ORDER.get(fact.kind, 0)
                idle = consequence_of(vignette, fact) == "nothing"
                rank = (idle, _GRADES[made.grade], order_of_kind, order)
                found.append((rank, fact, made))
                break
    found.sort(key=lambda entry: entry[0])
    return tuple((fact, made) for _, fact, made in found[:MOST_INJECTED])


def _agreed(vignette: Vignette, fact: Fact, made: Flip) -> bool:
    """Whether another statement of the case says what the injected line says."""
    said = made.injected.strip().rstrip(".").lower()
    others = [vignette.opening, *(other.text for other in vignette.facts if other.id != fact.id)]
    return any(said in other.lower() for other in others)


def _spare(vignette: Vignette, taken: set[str], omitted: Unit) -> Fact | None:
    """A fact without bearing on the diagnosis, as long as what is omitted."""
    length = sum(len(fact.text) for fact in omitted.facts)
    free = [f for f in vignette.facts if not (f.askable or f.objective or f.key_score or f.id in taken)]
    return min(free, key=lambda f: abs(len(f.text) - length), default=None)


def _quiet(vignette: Vignette, taken: set[str]) -> Unit | None:
    """An uninformative group, a test rather than an examination rather than vital signs."""
    units = grouped(fact for fact in vignette.facts if not fact.askable and fact.kind != "history")
    free = [unit for unit in units if unit.score == 0 and not taken & set(unit.ids)]
    return min(free, key=lambda unit: (not unit.objective, unit.facts[0].kind == "vital"), default=None)


def build(vignette: Vignette, arm: str, seed: int, *, inject_at: int = INJECTED_AT) -> Scenario:
    """Build a scenario: what each turn tells, and the gaps, contradictions and opportunities that follow.

    Args:
        vignette: of any source. arm: see `switches`. seed: of the run; the draw depends on nothing else.
        inject_at: turn of the injected line; after turn 1 there are claims that it can call into question.

    Raises:
        Unbuildable: the vignette, or this arm of it, with the reason.
        UsageError: no such arm.
    """
    on = switches(arm, inject_at=inject_at)
    made = draw(vignette, seed)
    _require(vignette, made, on)
    gaps, contradictions = tuple(_gaps(made, on)), tuple(_contradictions(vignette, made, on))
    return Scenario(
        vignette_id=vignette.id,
        arm=arm,
        seed=seed,
        builder_version=BUILDER,
        level=made.level,
        turns=told(vignette, gaps, contradictions, bare=on.bare, placebo=_placebo(made, on)),
        gaps=gaps,
        contradictions=contradictions,
        opportunities=tuple(_opportunities(made, on, contradictions)),
        placebo=on.placebo,
        dose=Dose(omitted=on.omit, injected=on.inject, delayed_to=on.delay_to),
    )


def _require(vignette: Vignette, made: Draw, on: Switches) -> None:
    lacks = None
    if on.omit > len(made.omitted):
        lacks = f"it has {len(made.omitted)} units to omit, {on.omit} were asked for"
    elif on.inject > len(made.targets):
        lacks = f"{len(made.targets)} of its facts can be contradicted, {on.inject} were asked for"
    elif on.placebo == "contradiction" and not made.targets:
        lacks = "none of its facts can be contradicted, so none is restated"
    elif on.placebo == "omission" and made.spare is None:
        lacks = "it has no fact that could be dropped without harm"
    elif on.placebo == "delay" and made.quiet is None:
        lacks = "it has no uninformative group that could come later"
    if lacks:
        raise Unbuildable(f"{vignette.id}: {lacks}")


def _gaps(made: Draw, on: Switches) -> Iterable[Gap]:
    for unit in made.omitted[: on.omit]:
        yield Gap(id=f"gap:{unit.ids[0]}", group=unit.group, facts=unit.ids, cause="omission")
    if on.delay_to:
        unit = made.delayed
        yield Gap(
            id=f"gap:{unit.ids[0]}", group=unit.group, facts=unit.ids, cause="delay", open_to=on.delay_to
        )


_SAME = {
    "lab": "sample", "imaging": "images", "pathology": "specimen", "functional": "recording", "procedure": "procedure", "exam": "examination",
    "vital": "measurement", "history": "interview", "medication": "interview",
}  # fmt: skip


def anchored(fact: Fact, statement: str) -> str:
    """Return a second entry as a record has it: the same sample or examination, at the same time, without a word on the first."""
    return f"Repeat entry, same {_SAME[fact.kind]}, same time: {statement.strip().rstrip('. ')}."


def _contradictions(vignette: Vignette, made: Draw, on: Switches) -> Iterable[Contradiction]:
    for fact, flip in made.targets[: on.inject]:
        yield Contradiction(
            id=f"contradiction:{fact.id}",
            fact_id=fact.id,
            field=fact.label or fact.group,
            original=flip.original,
            flipped=flip.flipped,
            injected=flip.injected,
            line=anchored(fact, flip.injected),
            rule=flip.rule,
            grade=flip.grade,
            turn=on.inject_at,
            would_change=consequence_of(vignette, fact),
        )


def _placebo(made: Draw, on: Switches) -> tuple[str, Sequence[str], str]:
    """Return (kind, fact ids that it moves or drops, line that it adds)."""
    if on.placebo == "omission" and made.spare:
        return "omission", (made.spare.id,), ""
    if on.placebo == "delay" and made.quiet:
        return "delay", made.quiet.ids, ""
    if on.placebo == "contradiction":
        fact, _ = made.targets[0]
        return "contradiction", (), anchored(fact, fact.text)
    return "", (), ""


def _opportunities(
    made: Draw, on: Switches, contradictions: Sequence[Contradiction]
) -> Iterable[Opportunity]:
    for each in contradictions:
        yield Opportunity(
            id=f"hold:{each.fact_id}",
            turn=each.turn,
            cause="contradiction",
            facts=(each.fact_id,),
            expect="hold",
            informative=False,
        )
    if on.delay_to:
        yield Opportunity(
            id=f"update:{made.delayed.ids[0]}",
            turn=on.delay_to,
            cause="delay",
            facts=made.delayed.ids,
            expect="revise_or_confirm",
            informative=made.delayed.score > 0,
        )
