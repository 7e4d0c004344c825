"""Settings of a textbook run; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.prompts import in_force
from percuss.core.protocol import Options
from percuss.protocols.textbook.items.item import TYPES

__all__ = ["OVERLAP", "RATER", "TextbookOptions", "prompt", "raters", "wanted_types"]

PROMPTS = Path(__file__).parent / "prompts"
RATER, OVERLAP = "rule:exact-1", "rule:overlap-1"


class TextbookOptions(Options):
    """Settings of a textbook run."""

    max_tokens: Annotated[int, Meta(description="Tokens of one answer at the most.", ge=1)] = 400
    types: Annotated[str, Meta(description="Types of question, as a comma list; empty takes all.")] = ""
    contamination: Annotated[
        bool, Meta(description="Ask too for the continuation of each passage: is the book known by heart?")
    ] = False
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000


def wanted_types(text: str) -> tuple[str, ...]:
    """Return the types of a comma list; all of none.

    Raises:
        UsageError: an unknown type.
    """
    wanted = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in wanted if name not in TYPES]
    if unknown:
        raise UsageError(f"got the type {unknown[0]!r}; expected some of {', '.join(TYPES)}")
    return wanted or TYPES


def prompt(options: Options, name: str) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name)


def raters(options: TextbookOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    del options
    return (RATER, OVERLAP)
