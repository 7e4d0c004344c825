"""Section 8, what only the protocol can say: what was measured, by which formulas, and what it cannot tell."""

from collections.abc import Iterator

from percuss.core.sections import Prose, Section
from percuss.protocols.grounding.estimate.sections.shelf import Shelf

__all__ = ["method"]

FORMULAS = """\
- **Unsupported** = unsupported claims / scored claims (supported, partial, unsupported, unknown). What was left out is counted beside it.
- **HDI** = 1 - (unsupported with evidence) / (unsupported without), counts summed over cases. 1: the evidence takes away every unsupported claim; 0: it changes nothing; below 0: there are more with it.
- **Reference**: numbers and values of every arm are checked against the case's {reference} evidence; words that name a kind of data, against what the arm showed.
- **Abstention** = answers that say what is missing and commit to no number, tier or source.
- **Prompts** differ between arms in the evidence alone{prompts}."""

CANNOT = """\
It measures departure from the evidence given, not from the truth; it says nothing of safety, and it is no licence to deploy.
The score behind the strata of the bundled cohort stratifies cases; it is not a clinical score."""


def method(shelf: Shelf) -> Iterator[Section]:
    """Yield the formulas and the limits."""
    options = shelf.manifest.get("options", {})
    matched = options.get("prompt_set", shelf.manifest.get("prompt_set", "default")) != "paper"
    text = FORMULAS.format(
        reference="full" if options.get("reference", "full") == "full" else "given",
        prompts=""
        if matched
        else "; **not here**: the arms without evidence have a system message of their own (`system_prompt_matched: false`)",
    )
    yield Section.of("how", "What was measured?", Prose(markdown=text))
    yield Section.of("how", "What can it not tell you?", Prose(markdown=CANNOT))
