"""The arms: which stressors are on. Every arm has four turns and the same neutral prompts."""

from typing import Any

from percuss.core.prompts import fill
from percuss.core.records import Arm, Case, Earlier, Image, Message, NotApplicable, Posed, Text
from percuss.protocols.stressors.options import StressorsOptions, prompt
from percuss.protocols.stressors.record import reading, scenario_of, topics
from percuss.protocols.stressors.replaying import BASE, base_of, is_replay, replay_arms
from percuss.protocols.stressors.replays import replayed
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS, UNGROUNDED, Unbuildable
from percuss.protocols.stressors.scenario.vignettes import Scenario, Vignette

__all__ = ["DOSES", "arms", "pose"]

DOSES = ("omission:units=2", "omission:units=3", "contradiction:lines=2", "delay:turn=2", "delay:turn=4")


def arms(options: StressorsOptions) -> tuple[Arm, ...]:
    """Return the eight arms of the factorial; placebos, doses, `ungrounded` and replays where they are asked for.

    Args:
        options: `placebos`, `dose`, `ungrounded` and `counterfactual` (of the arm `replayed`) add arms.
    """
    names = list(FACTORIAL)
    names += PLACEBOS if options.placebos else ()
    names += DOSES if options.dose else ()
    names += [UNGROUNDED] if options.ungrounded else []
    return (
        *(Arm(name=name, baseline=name == BASE) for name in names),
        *replay_arms(options.counterfactual, options.replayed),
    )


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: StressorsOptions, seed: int
) -> Posed | NotApplicable:
    """Pose a case in an arm; pure. What is omitted is in no part of the pose.

    Args:
        case: of this protocol. arm: one of `arms`. earlier: the answer that a replay replays.
        options: settings of the run. seed: root seed of the draw.
    """
    if is_replay(arm.name):
        base = _posed(case, base_of(arm.name), options, seed)
        return base if isinstance(base, NotApplicable) else replayed(base, case, arm, earlier, options)
    return _posed(case, arm.name, options, seed)


def _posed(case: Case, arm: str, options: StressorsOptions, seed: int) -> Posed | NotApplicable:
    vignette = reading(case)
    try:
        scenario = scenario_of(case, arm, seed, options.inject_at)
    except Unbuildable as error:
        return NotApplicable(reason=str(error))
    system = prompt(options, "system", "")
    opening = _opening(vignette, scenario, prompt(options, "opening"))
    first = fill(_template(options, final=False), {"content": opening})
    messages = [Message.of("system", system)] if system else []
    later = [
        {"template": _template(options, final=turn.n == len(scenario.turns)), "content": turn.user_text}
        for turn in scenario.turns[1:]
    ]
    pictures = case.blobs if arm != UNGROUNDED else ()
    shown = tuple(Image(digest=each.digest, media_type=each.media_type) for each in pictures)
    return Posed(
        messages=(*messages, Message(role="user", parts=(*shown, Text(text=first)))),
        blobs=pictures,
        script={
            "turns": later,
            "record": _record(vignette, scenario),
            "template": prompt(options, "record_answer"),
        },
    )


def _template(options: StressorsOptions, *, final: bool) -> str:
    text = prompt(options, "turn_final" if final else "turn")
    return f"{text}\n\n{prompt(options, 'probe')}" if options.probe else text


def _opening(vignette: Vignette, scenario: Scenario, template: str) -> str:
    options = "\n".join(f"{key}. {text}" for key, text in (vignette.options or {}).items())
    asked = "\n\n".join(part for part in (vignette.question, options) if part)
    fields = {"record": scenario.turns[0].user_text, "question": asked, "options": options}
    return fill(template, fields).rstrip("\n")


def _record(vignette: Vignette, scenario: Scenario) -> list[dict[str, Any]]:
    """What the simulated record may answer from: names of everything, texts of what may be told and from which turn."""
    entries: list[dict[str, Any]] = []
    gaps = {fact: gap for gap in scenario.gaps for fact in gap.facts}
    bare = scenario.arm == UNGROUNDED
    dropped = scenario.placebo == "omission"
    told = {fact: turn.n for turn in scenario.turns for fact in turn.released}
    groups: dict[str, list[str]] = {}
    for fact in vignette.facts:
        key = f"{fact.group}\0{gaps[fact.id].id if fact.id in gaps else ''}\0{fact.askable}"
        groups.setdefault(key, []).append(fact.id)
    for ids in groups.values():
        fact = vignette.fact(ids[0])
        gap = gaps.get(fact.id)
        if bare or (dropped and not fact.askable and fact.id not in told):
            continue
        hidden = gap is not None and gap.open_to is None
        entries.append(
            {
                "gap": None if gap is None else gap.id,
                "names": list(topics(vignette, ids)),
                "kind": fact.kind,
                "askable": fact.askable,
                "objective": fact.objective,
                "from": None if hidden else (1 if fact.askable else min(told.get(i, 1) for i in ids)),
                "facts": [] if hidden else [{"id": i, "text": vignette.fact(i).text} for i in ids],
            }
        )
    return entries
