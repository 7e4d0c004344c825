"""Settings of a grounding run; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from percuss.core.prompts import in_force
from percuss.core.protocol import Options

__all__ = ["GroundingOptions", "prompt", "raters"]

REPLICATE = frozenset({"extended", "paper", "strict"})
"""Rule sets that count every sentence, as the paper does."""
PROMPTS = Path(__file__).parent / "prompts"


class GroundingOptions(Options):
    """Settings of a grounding run (papers/0 Appendix Q for the request policy, Appendix E for the resamples)."""

    temperature: Annotated[float, Meta(description="Sampling temperature of the model under test.", ge=0)] = (
        0.2
    )
    rules: Annotated[
        str,
        Meta(
            pattern=r"^(support-2|extended|paper|strict|python/\S+)$",
            extra_json_schema={"choices": ["support-2", "extended", "paper", "strict"]},
            description="Rule checker: `support-2` holds assertions against one reference, the same in every arm; `paper` "
            "(in older runs `strict`) and `extended` count every sentence as the paper does, for replication.",
        ),
    ] = "support-2"
    reference: Annotated[
        Literal["full", "given"],
        Meta(
            description="What claims are checked against: the case's full evidence, or what the arm showed."
        ),
    ] = "full"
    map: Annotated[
        tuple[str, ...],
        Meta(
            description="Columns of --cases and --responses under other names: question=..,evidence=a+b,id=..,response=.."
        ),
    ] = ()
    shuffled: Annotated[
        bool, Meta(description="Add the arm `shuffled`: each case with another case's evidence.")
    ] = False
    no_id: Annotated[
        bool, Meta(description="Add the arm `no_id`: without evidence and without the case's identifier.")
    ] = False
    literature: Annotated[
        bool, Meta(description="Offer a literature search in every arm, and add the arm that asks for it.")
    ] = False
    judge_abstention: Annotated[
        bool, Meta(description="Ask the judge of each whole answer, too, whether it abstains.")
    ] = False
    thresholds: Annotated[
        str,
        Meta(
            description="From which probabilities on a verifier's word is a label, SUPPORTED/UNSUPPORTED@SOURCE, as `percuss "
            "grounding calibrate` prints them; default: those that ship for it."
        ),
    ] = ""
    margin: Annotated[
        float,
        Meta(
            description="Largest difference of the unsupported share that is of no importance; another one than 0.05 marks the run.",
            gt=0,
            le=0.5,
        ),
    ] = 0.05
    interval: Annotated[
        Literal["percentile", "basic", "bca"],
        Meta(description="How intervals of many cases are read from the resamples."),
    ] = "bca"
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000

    @property
    def replicates(self) -> bool:
        """Whether every sentence is counted as in the paper: its results compare with no others and get no word."""
        return self.rules in REPLICATE or self.reference == "given"


def prompt(options: GroundingOptions, name: str, default: str | None = None) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name, default)


def raters(options: GroundingOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    return (f"rule:{options.rules}",)
