"""The arms are the types of question; a passage is asked for the one that was chosen for it."""

from percuss.core.prompts import fill, neutralise
from percuss.core.records import Arm, Case, Earlier, Message, NotApplicable, Posed
from percuss.protocols.textbook.generate.cases import Source, source_of
from percuss.protocols.textbook.generate.options import GenerateOptions, prompt
from percuss.protocols.textbook.items.item import FORWARD
from percuss.protocols.textbook.options import wanted_types

__all__ = ["arms", "pose"]


def arms(options: GenerateOptions) -> tuple[Arm, ...]:
    """Return one arm a type; with `paired` an inverse one follows its forward one.

    Args:
        options: `types`, `paired`.
    """
    wanted = wanted_types(options.types)
    needed = [*wanted, *(FORWARD[kind] for kind in wanted if kind in FORWARD and options.paired)]
    return tuple(
        Arm(name=kind, after=FORWARD.get(kind) if options.paired else None) for kind in dict.fromkeys(needed)
    )


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: GenerateOptions, seed: int
) -> Posed | NotApplicable:
    """Ask for a question of a type from a passage.

    Args:
        case: a passage. arm: the type. earlier: the forward question, for a paired inverse one. options: prompts, `paired`.
        seed: not used.
    """
    del seed
    source = source_of(case)
    forward_too = options.paired and FORWARD.get(source.type) == arm.name
    if source.type != arm.name and not forward_too:
        return NotApplicable(reason="another type was chosen for this passage")
    is_statement = arm.name == "true_false"
    fields = {"passage": neutralise(source.passage.text), "forward": "", "focus": _focus(source, options)}
    if earlier is not None:
        fields["forward"] = (
            f"\nKeep the question of this one, and turn it round:\n{neutralise(earlier.response.text)}\n"
        )
    name = "true_false_wrong" if is_statement and source.truth == "false" else arm.name
    text = fill(prompt(options, name), fields)
    script = {
        "type": arm.name, "passage": source.passage.text, "passage_id": source.passage.id, "domain": source.passage.domain,
        "distractors": prompt(options, "distractors"), "truth": source.truth if is_statement else "",
    }  # fmt: skip
    return Posed(
        messages=(Message.of("system", prompt(options, "system")), Message.of("user", text)), script=script
    )


def _focus(source: Source, options: GenerateOptions) -> str:
    if not source.focus:
        return ""
    return fill(prompt(options, "focus"), {"sentence": neutralise(source.focus)})
