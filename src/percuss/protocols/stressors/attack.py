"""`percuss stressors attack`: which cases need what is withheld, and of which models name the diagnosis without it.

Sufficient sets are said by one author. A run of several models over the arms with a gap puts them to the test, or a model at a time
without a run (`--role model=M`): who names the diagnosis, definite or probable, while a gap is open and nothing told settles it,
needed no gap closed.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import Model, RunView, ScoredResponse, Session
from percuss.core.protocol import Command, CommandResult
from percuss.core.records import Record
from percuss.models.providers import family_of
from percuss.protocols.stressors.attacking import attacks, put
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.check.nodes import is_gold
from percuss.protocols.stressors.check.trajectory import Trajectory, trajectory
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.vignettes import Vignette
from percuss.store import RunStore

__all__ = ["ARMS", "COMMANDS", "AttackOptions", "Attacked", "attacked"]

ARMS = ("omission", "delay", "omission+delay")
"""Arms in which something is missing and nothing is contradicted."""
FAMILIES, DRAWS = 3, 5
"""Families of models that attack a case, and answers of each (definitions, version 2, vignettes)."""
_SURE = frozenset({"definite", "probable"})


class AttackOptions(Record):
    """Settings of `percuss stressors attack`."""

    run: Annotated[
        str,
        Meta(description="Folder of a run with the arms omission and delay, several models, and --epochs 5."),
    ] = ""
    cases: Annotated[
        str,
        Meta(
            description="Without a run: file of vignettes that --role model=MODEL attacks; the bundled ones unless given."
        ),
    ] = ""
    draws: Annotated[int, Meta(description="Without a run: answers to each vignette.", ge=1, le=100)] = 5
    out: Annotated[
        str, Meta(description="Vignette file to write (JSONL), each with who needed no gap closed.")
    ] = "attacked.jsonl"


class Attacked(Record):
    """What the models of a run made of one vignette.

    Args:
        vignette: with the families that named its diagnosis in `gap_not_needed`. families: how often each answered, in the arms
            with a gap.
    """

    vignette: Vignette
    families: dict[str, int]


def attacked(run: RunView, inject_at: int) -> Iterator[Attacked]:
    """Yield the vignettes of a run that have sufficient sets, with the families that named the diagnosis while a gap was open.

    Args:
        run: one scoring, or none. inject_at: turn of the injected line, as the run has it.
    """
    asked: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    named: dict[str, set[str]] = defaultdict(set)
    for model in run.models:
        for arm in ARMS:
            for item in run.assessed(model=model, arm=arm):
                if item.response.status == "done":
                    family = family_of(model)
                    asked[item.case.id][family] += 1
                    if _names_it(item, run.seed, inject_at):
                        named[item.case.id].add(family)
    for case in run.cases():
        vignette = reading(case)
        if vignette.sufficient_sets and case.id in asked:
            found = msgspec.structs.replace(vignette, gap_not_needed=tuple(sorted(named[case.id])))
            yield Attacked(vignette=found, families=dict(asked[case.id]))


def _names_it(item: ScoredResponse, seed: int, inject_at: int) -> bool:
    t = trajectory(item.case, item.response, seed=seed, inject_at=inject_at)
    return any(
        said.certainty in _SURE and said.diagnosis is not None and bool(is_gold(t, said.diagnosis))
        for said in t.said
        if _open(t, said.n)
    )


def _open(t: Trajectory, turn: int) -> bool:
    told = [fact.id for fact in t.told_facts(turn)]
    return any(gap.is_open(turn) for gap in t.scenario.gaps) and not t.vignette.settled_by(told)


async def attack(options: AttackOptions, session: Session) -> CommandResult:
    """Write the vignettes of a run with who needed no gap closed, and return the count in one sentence.

    Args:
        options: run, or vignettes, and target. session: its role `model` answers where no run is named.

    Raises:
        UsageError: neither a run nor a model was named, or the run holds no answer in an arm with a gap.
    """
    attacker = session.roles.models.get("model")
    if not options.run and attacker is not None:
        return await _direct(options, attacker, session)
    if not options.run:
        raise UsageError("no run was named; expected --run FOLDER, or --role model=MODEL")
    target = Path(options.out)
    if session.dry_run:
        return CommandResult(f"would read {options.run} and write {target}")
    found = await asyncio.to_thread(_read, Path(options.run))
    if not found:
        raise UsageError(
            f"{options.run} has no answer about a vignette with sufficient sets in an arm with a gap; "
            "run percuss run stressors --arms omission,delay --epochs 5 with several models first"
        )
    await asyncio.to_thread(_write, target, [each.vignette for each in found])
    marked = [each.vignette.id for each in found if each.vignette.needs_no_gap]
    families = sorted({family for each in found for family in each.families})
    fewest = min(each.families.get(family, 0) for each in found for family in families)
    said = (
        f"{target}: {len(found)} vignettes attacked by {', '.join(families)}, at least {fewest} answers of each; "
        f"gap not needed in {len(marked)}{''.join(f', {name}' for name in marked)}"
    )
    if len(families) < FAMILIES or fewest < DRAWS:
        said += f"; a whole attack takes {FAMILIES} families and {DRAWS} answers of each"
    data = {"vignettes": len(found), "families": families, "answers": fewest, "marked": marked}
    return CommandResult(said, files=(target,), data=data)


async def _direct(options: AttackOptions, attacker: Model, session: Session) -> CommandResult:
    """One model attacks vignettes; the families that a file already names stay, so that attacks add up."""
    target, family = Path(options.out), family_of(attacker.id)
    held = [reading(case) for case in cases(options.cases or None, StressorsOptions(), session.roles.seed)]
    shots = list(attacks(held, options.draws))
    if not shots:
        raise UsageError("none of these vignettes says which facts settle its diagnosis (`sufficient_sets`)")
    if session.dry_run:
        told = f"would ask {attacker.id} {len(shots)} times and write {target}"
        return CommandResult(told, data={"calls": len(shots)})
    found = await put(shots, attacker, session)
    fell = {each.vignette for each in found if each.settles}
    written = [
        msgspec.structs.replace(v, gap_not_needed=tuple(sorted({*v.gap_not_needed, family})))
        if v.id in fell
        else v
        for v in held
    ]
    await asyncio.to_thread(_write, target, written)
    counts = {
        "vignettes": len({shot.vignette.id for shot in shots}), "answers": len(found), "settled": sorted(fell),
        "named": sum(each.diagnosis is not None for each in found), "right": sum(each.standing == "gold" for each in found),
        "certain": sum(each.certainty is not None for each in found), "marked": [v.id for v in written if v.needs_no_gap],
    }  # fmt: skip
    said = f"{target}: {_told(counts, family, options.draws)}"
    return CommandResult(said, files=(target,), data={"family": family, **counts})


def _told(counts: Mapping[str, Any], family: str, draws: int) -> str:
    """What a direct attack found, in words."""
    fell, marked = counts["settled"], counts["marked"]
    return (
        f"{counts['vignettes']} vignettes attacked by {family}, {draws} answers to each: of {counts['answers']} answers {counts['named']} name a diagnosis, "
        f"{counts['right']} the right one, {counts['certain']} a certainty; settled in {len(fell)}{''.join(f', {name}' for name in fell)}; "
        f"gap not needed (two families) in {len(marked)}{''.join(f', {name}' for name in marked)}"
    )


def _write(target: Path, vignettes: list[Vignette]) -> None:
    target.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in vignettes))


def _read(folder: Path) -> list[Attacked]:
    with RunStore.open(folder) as store:
        options: dict[str, Any] = store.manifest().get("options", {})
        return list(attacked(store.view(""), int(options.get("inject_at", 2))))


COMMANDS = {
    "attack": Command(
        AttackOptions,
        attack,
        "Which vignettes do models settle while a gap is open, in a run or asked at once? Writes them with who did.",
        output=lambda options: Path(options.out),
    )
}
