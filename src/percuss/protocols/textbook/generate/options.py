"""Settings of a generation; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from percuss.core.prompts import in_force
from percuss.core.protocol import Options

__all__ = ["STRUCTURE", "SUPPORT_RULE", "GenerateOptions", "prompt", "raters"]

PROMPTS = Path(__file__).parent / "prompts"
STRUCTURE, SUPPORT_RULE = "rule:structure-1", "rule:quoted-1"


class GenerateOptions(Options):
    """Settings of a generation."""

    temperature: Annotated[float, Meta(description="Sampling temperature (the paper's 0.7).", ge=0)] = 0.7
    top_p: Annotated[float, Meta(description="Nucleus sampling (the paper's 0.9).", gt=0, le=1)] = 0.9
    max_tokens: Annotated[
        int, Meta(description="Tokens of one reply at the most (the paper's 2048).", ge=1)
    ] = 2_048
    types: Annotated[str, Meta(description="Types of question, as a comma list; empty takes all.")] = ""
    paired: Annotated[
        bool, Meta(description="Make the forward question of the same passage before each inverse one.")
    ] = False
    resamples_of_item: Annotated[
        int, Meta(description="Times that an invalid question is asked for again.", ge=0, le=10)
    ] = 3
    distractors: Annotated[
        bool,
        Meta(description="Ask for stronger wrong options of multiple choice and lists in a call of its own."),
    ] = False
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000


def prompt(options: Options, name: str) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name)


def raters(options: GenerateOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    del options
    return (STRUCTURE, SUPPORT_RULE)
