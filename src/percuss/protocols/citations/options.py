"""Settings of a citations run; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from percuss.core.prompts import in_force
from percuss.core.protocol import Options

__all__ = ["DOMAINS", "RATER", "SHORT", "CitationsOptions", "prompt", "raters"]

PROMPTS = Path(__file__).parent / "prompts"
RATER = "rule:citations"
DOMAINS = ("medical_guidelines", "research_questions", "legal_cases", "coding")
SHORT = "short_form"
"""Short questions without a request to cite: asked only where they are named (papers/2 section 6)."""


class CitationsOptions(Options):
    """Settings of a citations run."""

    max_tokens: Annotated[int, Meta(description="Tokens of one turn's answer at the most.", ge=1)] = 1_500
    turns: Annotated[
        int, Meta(description="Turns of a conversation, the seed question included.", ge=1, le=8)
    ] = 3
    followups: Annotated[
        Literal["file", "live", "replay"],
        Meta(
            description="Later questions: those written with each seed, asked live by --role user=MODEL, or those of --replay."
        ),
    ] = "file"
    replay: Annotated[str, Meta(description="Run whose later questions are asked again.")] = ""
    domain: Annotated[
        str,
        Meta(description="Domains of the bundled questions, as a comma list; empty takes all."),
    ] = ""
    short_items: Annotated[
        int,
        Meta(
            description="Short questions about things that don't exist, per domain (--domain short_form).",
            ge=1,
        ),
    ] = 5
    niche: Annotated[
        str,
        Meta(
            description="File of short questions with accepted answers, beside those (--domain short_form)."
        ),
    ] = ""
    short_index: Annotated[
        str,
        Meta(
            description="Library (.bib, CSL-JSON, JSONL, Parquet) in which nothing made up may stand (--domain short_form)."
        ),
    ] = ""
    web: Annotated[bool, Meta(description="Ask also with the provider's own web search (arm web).")] = False
    history: Annotated[
        bool,
        Meta(description="Ask the last turn again with its own, a redacted and a control history."),
    ] = False
    temperatures: Annotated[
        str, Meta(description="Further temperatures at which the same questions are asked, as a comma list.")
    ] = ""
    efforts: Annotated[
        str,
        Meta(
            description="Reasoning efforts with which the same questions are asked: none, minimal, low, medium, high, xhigh."
        ),
    ] = ""
    claims_per_turn: Annotated[
        int, Meta(description="Citations judged per turn, drawn by the seed; 0 judges all.", ge=0)
    ] = 5
    strategy: Annotated[
        Literal["full_text", "snippet", "provider_search"],
        Meta(
            description="How --judge reads: pages in full, five searches' extracts, or with its own web search."
        ),
    ] = "full_text"
    package_index: Annotated[
        str, Meta(description="File of `percuss citations packages`: which packages and versions exist.")
    ] = ""
    wheels: Annotated[
        str,
        Meta(description="Wheel, or folder of wheels, against which Python code is read; never installed."),
    ] = ""
    strict: Annotated[
        bool,
        Meta(description="Both pages must agree, and an ambiguous reference counts as wrong (the paper)."),
    ] = False
    abstentions: Annotated[
        Literal["out", "in"],
        Meta(
            description="Cited sentences that only say that the writer doesn't know: left out, or counted as not hallucinated."
        ),
    ] = "out"
    per_language: Annotated[
        int,
        Meta(
            description="Coding questions of a file asked per language, drawn by the seed; 0 asks all.", ge=0
        ),
    ] = 0
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000


def prompt(options: CitationsOptions, name: str) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name)


def raters(options: CitationsOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    del options
    return (RATER,)
