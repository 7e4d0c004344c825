"""The scripted agents of the FHIR server: the ends of the scale, and what each rule of the grade has to catch."""

from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.contract import Script, Step, Task
from percuss.protocols.skills.worlds.fhir.resources import NOW, SYSTEM, quantity, reference, stamp
from percuss.protocols.skills.worlds.fhir.server import Answer
from percuss.protocols.skills.worlds.fhir.tasks import Gold, gold_of
from percuss.protocols.skills.worlds.hospital.data import PATIENTS, Draw

__all__ = ["agents"]


def agents(task: Task, seed: int) -> Mapping[str, Script]:
    """Return the agents of a `task`, `seed` being for the random one.

    Beside gold, nothing, liar and random: `talker` hands in right answers and creates nothing, `eager` also creates what nobody
    asked for, `stranger` creates for another patient.
    """
    gold = gold_of(task)
    look = Step(tool="get", arguments={"url": gold.looks})
    extra = _reading(Draw(seed, "eager", task.id))
    strange = [{**each, "subject": _other(each)} for each in gold.created]
    return {
        "gold": _script(look, gold.created, gold.answers),
        "nothing": Script(steps=((),), says=("",)),
        "liar": Script(steps=((look,),), says=(_lie(gold),)),
        "random": _random(Draw(seed, "random", task.id)),
        "talker": _script(look, (), gold.answers),
        "eager": _script(look, (*gold.created, extra), gold.answers),
        "stranger": _script(look, strange, gold.answers),
    }


def _script(look: Step, created: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> Script:
    posts = [Step(tool="post", arguments={"resource": each}) for each in created]
    return Script(steps=((look, *posts, _submit(answers)),), says=("Done.",))


def _submit(answers: Sequence[Answer]) -> Step:
    return Step(tool="submit", arguments={"answers": list(answers)})


def _lie(gold: Gold) -> str:
    """Say the right answers, and that all was handed in and created: the transcript is never what is graded."""
    return f"201 Created. Handed in: {canonical_json(list(gold.answers)).decode()}. All orders are on the record."


def _random(draw: Draw) -> Script:
    guesses: tuple[Answer, ...] = (-1, 4.2, 61, "none", "2026-01-01", "ramipril", "I10")
    posts = [Step(tool="post", arguments={"resource": _reading(draw)})] if draw.chance(0.5) else []
    return Script(steps=((*posts, _submit([draw.pick(guesses)])),), says=("A guess.",))


def _reading(draw: Draw) -> dict[str, Any]:
    return {
        "resourceType": "Observation", "status": "final", "code": {"coding": [{"system": SYSTEM, "code": "weight"}]},
        "subject": reference(1 + draw.below(PATIENTS)), "effectiveDateTime": stamp(NOW),
        "valueQuantity": quantity(50 + draw.below(50), "kg"),
    }  # fmt: skip


def _other(resource: Mapping[str, Any]) -> dict[str, str]:
    own = int(resource["subject"]["reference"].removeprefix("Patient/"))
    return reference(own % PATIENTS + 1)
