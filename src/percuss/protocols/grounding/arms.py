"""The arms: how much of the evidence a case is posed with. The prompt is otherwise the same, bit for bit."""

import re

from percuss.core.prompts import fill
from percuss.core.records import Arm, Case, Earlier, Message, NotApplicable, Posed, Tool
from percuss.protocols.grounding.options import GroundingOptions, prompt
from percuss.protocols.grounding.record import Grounding, evidence_json, given, reading, shown_layers
from percuss.protocols.grounding.speaking import question_of

__all__ = ["LITERATURE_TOOL", "arms", "pose"]

LITERATURE_TOOL = Tool(
    name="search_literature",
    description="Search published biomedical literature. Use it only when literature is asked for.",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "Search terms"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)
LAYERED = ("pathology_only", "pathology_rna", "full_multimodal")
_DELIMITER = re.compile(r"<(\s*/?\s*evidence\s*)>", re.IGNORECASE)


def arms(options: GroundingOptions) -> tuple[Arm, ...]:
    """Return the arms in order of evidence; `full` stands for the three depths where evidence has no layers.

    Args:
        options: `shuffled`, `no_id` and `literature` add an arm each.
    """
    names = [*LAYERED, "full", "ungrounded"]
    names += [name for name in ("shuffled", "no_id", "literature") if getattr(options, name)]
    return tuple(Arm(name=name, baseline=name == "ungrounded") for name in names)


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: GroundingOptions, seed: int
) -> Posed | NotApplicable:
    """Pose a case in an arm; pure. Only the evidence differs between arms (papers/0 section 3, matched prompting).

    Args:
        case: of this protocol.
        arm: one of `arms`.
        earlier: None; no arm follows another.
        options: settings of the run.
        seed: not used: donors were drawn with the cases.
    """
    del earlier, seed
    content = reading(case)
    if reason := _not_applicable(content, arm.name):
        return NotApplicable(reason=reason)
    question = question_of(case, options)
    if arm.name == "literature":
        question = f"{question}\n\n{prompt(options, 'literature')}"
    user = fill(
        prompt(options, "ask"),
        {
            "question": question,
            "case": _header(case, content, arm.name),
            "evidence": _evidence(content, arm.name, options),
        },
    ).rstrip("\n")
    system = _system(options, arm.name)
    messages = [Message.of("system", system)] if system else []
    return Posed(
        messages=(*messages, Message.of("user", user)), tools=(LITERATURE_TOOL,) if options.literature else ()
    )


def _not_applicable(content: Grounding, arm: str) -> str | None:
    if arm in LAYERED and not content.layered:
        return "the evidence has no layers; the arm `full` shows all of it"
    if arm == "full" and content.layered:
        return "the evidence has layers; the arm `full_multimodal` shows all of it"
    if arm == "shuffled" and content.donor_packet is None:
        return "no other case could lend its evidence"
    return None


def _system(options: GroundingOptions, arm: str) -> str:
    """One system message for all arms, unless a prompt set (papers/0 Appendix D) gives the bare arms their own."""
    own = prompt(options, "system_ungrounded", "") if arm in {"ungrounded", "no_id"} else ""
    return own or prompt(options, "system", "")


def _header(case: Case, content: Grounding, arm: str) -> str:
    """The lines that name the case, in every arm but `no_id`."""
    lines = [] if arm == "no_id" else [f"Case ID: {case.id}"]
    if content.cohort:
        lines.append(f"Cohort: {content.cohort}")
    return "\n".join(lines)


def _evidence(content: Grounding, arm: str, options: GroundingOptions) -> str:
    packet = given(content, arm)
    if not packet.facts and not packet.texts:
        return ""
    shown = packet.layers if arm == "shuffled" else shown_layers(content, arm)
    text = _DELIMITER.sub(r"‹\1›", evidence_json(packet, shown))
    return "\n" + fill(prompt(options, "evidence"), {"packet": text})
