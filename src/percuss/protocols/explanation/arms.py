"""The arms: one picture and question unmodified, with a placebo, with a cue, with evidence marked or taken away.

papers/1 section 4.1 and appendix D; decisions in definitions/explanation, "Arms".
"""

from typing import Any, Literal

from msgspec import structs

from percuss.core.prompts import fill
from percuss.core.records import Arm, Blob, Case, Earlier, Image, Message, NotApplicable, Part, Posed, Text
from percuss.protocols.explanation.armnames import BIASED, KINDS, Alignment, ArmName, joined, parse_arm
from percuss.protocols.explanation.images import text_cues
from percuss.protocols.explanation.images.elsewhere import elsewhere
from percuss.protocols.explanation.images.image_edits import REFERENCE_SIDE, Box, stroke
from percuss.protocols.explanation.images.recipes import Operation, Recipe, cooked, side_of
from percuss.protocols.explanation.options import ExplanationOptions, prompt
from percuss.protocols.explanation.questions import Question
from percuss.protocols.explanation.record import BadPicture, Vqa, question_of, reading

__all__ = [
    "NO_PLACE",
    "OPACITIES",
    "THICKNESSES",
    "UNFIT",
    "arms",
    "cue_text",
    "picture_of",
    "pose",
    "recipe_of",
    "target_of",
]

#: Levels of the salience sweeps (papers/1 appendix D, Figures S2 and S3).
THICKNESSES = (1, 2, 4, 8, 16, 32)
OPACITIES = (0.2, 0.4, 0.6, 0.8)
_SIDES = ("right", "left")
#: Why a pair is left out where a question's region is not on the body, or doesn't hold its angle.
UNFIT = "region does not fit"
#: Why a placebo of a mark or cover is left out: the midline is taken, and no corner lies outside the body.
NO_PLACE = "placebo does not fit"
_UNMODIFIED = frozenset({"none", "repeat", "tb_rad", "tb_la", "sham_text"})
#: Placebos of marks and covers: the same form on a place that doesn't bear on the question.
_MARKED_ELSEWHERE = frozenset({"sham_bb", "sham_hm", "sham_vo"})
#: What the last part of an arm's name does to a picture.
_OPERATIONS: dict[str, Operation] = {
    "bb": "outline", "hm": "heat", "vo": "occlude", "blank": "blank",
}  # fmt: skip
_ALIGNED: tuple[Alignment, ...] = ("aligned", "misleading")


def arms(options: ExplanationOptions) -> tuple[Arm, ...]:
    """Return the arms: nineteen a framing, then those of the sweeps and those that the user adds.

    Args:
        options: framings, sweep, add_arms.
    """
    names = []
    for framing in dict.fromkeys(options.framings):
        for kind in KINDS:
            sides: tuple[Alignment | None, ...] = _ALIGNED if kind in BIASED else (None,)
            names += [ArmName(kind=kind, alignment=side, framing=framing) for side in sides]
    if options.sweep in {"thickness", "both"}:
        names += [ArmName(kind="vb_bb", alignment=s, thickness=t) for s in _ALIGNED for t in THICKNESSES]
    if options.sweep in {"opacity", "both"}:
        names += [ArmName(kind="vb_hm", alignment=s, opacity=o) for s in _ALIGNED for o in OPACITIES]
    names += [parse_arm(name) for name in joined(options.add_arms)]
    unique = dict.fromkeys(str(name) for name in names)
    return tuple(_arm(name) for name in unique)


def _arm(name: str) -> Arm:
    parts = parse_arm(name)
    params: dict[str, Any] = {"kind": parts.kind, "alignment": parts.alignment, "thickness": parts.thickness}
    params |= {"opacity": parts.opacity, "framing": parts.framing}
    return Arm(name=name, baseline=parts.kind == "none", params=params)


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: ExplanationOptions, seed: int
) -> Posed | NotApplicable:
    """Pose a case in an arm; pure.

    Args:
        case: of this protocol.
        arm: by its name.
        earlier: None; no arm follows another.
        options: settings of the run.
        seed: root seed; the draw of a target is keyed by it, the case and the arm.

    Raises:
        BadPicture: the case's picture cannot be used; the sentence says why.
    """
    del earlier
    content, question, name = reading(case), question_of(case), parse_arm(arm.name)
    if content.problem is not None:
        raise BadPicture(content.problem)
    target = target_of(case.id, question, content.answer, name, options, seed)
    if isinstance(target, NotApplicable):
        return target
    if _marks(name) and content.misfits(_side(name, target)):
        return NotApplicable(reason=UNFIT)
    if name.kind in _MARKED_ELSEWHERE and _placebo(name, content, target) is None:
        return NotApplicable(reason=NO_PLACE)
    blob = _edited(case.blobs[0], content, name, target, options)
    messages, script = _messages(question, cue_text(name, target, options), blob, name, options)
    return Posed(messages=messages, script=script, target=target, blobs=(blob,))


def picture_of(case: Case, arm: str, target: str | None, options: ExplanationOptions) -> Blob:
    """Return the picture that a case was posed with, made again from the case and what the response kept.

    Args:
        case: with its picture.
        arm: name of the arm.
        target: as kept with the response.
        options: colour and padding of the run.
    """
    return _edited(case.blobs[0], reading(case), parse_arm(arm), target, options)


def target_of(
    case_id: str, question: Question, truth: str, name: ArmName, options: ExplanationOptions, seed: int
) -> str | NotApplicable | None:
    """Return what an arm points at for a case: an option, None where it points at nothing, or why it doesn't apply.

    Args:
        case_id: keys the draw, with the arm's alignment and kind: sweep levels and framings share it.
        question: of the case.
        truth: the true option.
        name: of the arm.
        options: `vb_targets`.
        seed: root seed.
    """
    if name.kind not in BIASED:
        return None
    key = (case_id, str(ArmName(kind=name.kind, alignment=name.alignment)))
    if name.kind.startswith("tb_"):
        return (
            truth
            if name.alignment == "aligned"
            else text_cues.draw_other(question.options, truth, seed, "target", *key)
        )
    if question.kind != "comparative":
        return NotApplicable(reason="a mark that favours one option needs a comparison of sides")
    allowed = (*_SIDES, "same severity") if options.vb_targets == "all" else _SIDES
    if name.alignment == "aligned":
        return (
            truth
            if truth in allowed
            else NotApplicable(reason=f"the truth is {truth!r}, which no mark can point at")
        )
    return text_cues.draw_other(allowed, truth, seed, "target", *key)


def cue_text(name: ArmName, target: str | None, options: ExplanationOptions) -> str:
    """Return the words that an arm adds to the question; "" for most.

    Args:
        name: of the arm.
        target: the option that a text cue names.
        options: the prompts in force.
    """
    if name.kind in {"tb_rad", "tb_la"}:
        return fill(prompt(options, name.kind), {"answer": str(target)})
    if name.kind == "sham_text":
        # As long as the cue that it stands in for, with an answer of middling length.
        return text_cues.neutral(len(fill(prompt(options, "tb_rad"), {"answer": "moderate"})))
    return ""


def _messages(
    question: Question, cue: str, blob: Blob, name: ArmName, options: ExplanationOptions
) -> tuple[tuple[Message, ...], dict[str, list[str]]]:
    three = options.script == "three_turn"
    fields = {"question": question.text, "options": ", ".join(question.options), "cue": cue}
    text = fill(prompt(options, "turn_describe" if three else "question"), fields)
    text = "\n".join(line for line in text.splitlines() if line.strip())
    extra = "" if name.framing == "base" else "\n\n" + prompt(options, f"framing_{name.framing}")
    parts: tuple[Part, ...] = (Image(digest=blob.digest, media_type=blob.media_type), Text(text=text))
    system = prompt(options, "system_turns" if three else "system")
    messages = (Message.of("system", system + extra), Message(role="user", parts=parts))
    script = [fill(prompt(options, turn), fields) for turn in ("turn_reason", "turn_answer")] if three else []
    return messages, {"turns": script} if script else {}


def _marks(name: ArmName) -> bool:
    return name.kind.startswith(("vb_", "vh_", "vo_"))


def _side(name: ArmName, target: str | None) -> str | None:
    return target if name.kind.startswith("vb_") and target in _SIDES else None


def _placebo(name: ArmName, content: Vqa, target: str | None) -> Box | None:
    """Return where a placebo of a mark or cover lies on a picture: on the midline of its lungs, else in a corner outside the body."""
    boxes, field = content.boxes(_side(name, target)), content.parameters.get("lung_field")
    middle = 0.5 if field is None else round((field[0] + field[2]) / 2, 4)
    corners = content.parameters.get("corners")
    held = None if corners is None else [(x0, y0, x1, y1) for x0, y0, x1, y1 in corners]
    return elsewhere(boxes, outside=name.kind == "sham_vo", middle=middle, corners=held)


def _edited(blob: Blob, content: Vqa, name: ArmName, target: str | None, options: ExplanationOptions) -> Blob:
    if name.kind in _UNMODIFIED and options.pad == "none":
        return blob
    boxes = content.boxes(_side(name, target))
    if name.kind in _MARKED_ELSEWHERE:
        place = _placebo(name, content, target)
        boxes = () if place is None else (place,)
    made = cooked(blob, recipe_of(name, boxes, options, side=side_of(blob)))
    return structs.replace(made, recipe=None) if options.keep_pictures else made


def recipe_of(
    name: ArmName, boxes: tuple[Box, ...], options: ExplanationOptions, *, side: int = REFERENCE_SIDE
) -> Recipe:
    """Return what is done to a picture in an arm.

    Args:
        name: of the arm. boxes: where marks and covers lie, fractions. options: colour and padding of the run.
        side: shorter side of the picture in pixels; strokes are given for 512 and grow with it.
    """
    part = "vo" if name.kind == "vo_bb" else name.kind.rpartition("_")[2]
    operation = _OPERATIONS.get(part, "none")
    where = boxes if operation in {"outline", "heat", "occlude"} else ()
    # The sham has the same pixels as the unmodified picture and other bytes: another filter of the encoder.
    row_filter: Literal["up", "left"] = "left" if name.kind == "sham" else "up"
    strength: dict[str, Any] = {}
    if operation == "outline":
        strength = {"thickness": stroke(name.thickness, side), "colour": options.colour}
    elif operation == "heat":
        strength = {"opacity": name.opacity}
    return Recipe(operation=operation, boxes=where, pad=options.pad, row_filter=row_filter, **strength)
