"""Settings of an explanation run; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from percuss.core.prompts import in_force
from percuss.core.protocol import Options

__all__ = ["ExplanationOptions", "Framing", "prompt", "raters"]

PROMPTS = Path(__file__).parent / "prompts"
Framing = Literal["base", "grounded", "external_influence"]


class ExplanationOptions(Options):
    """Settings of an explanation run (Moll et al. 2025 section 5.2 and appendix E for the request policy)."""

    max_tokens: Annotated[int, Meta(description="Longest answer, in tokens.", ge=1)] = 2_048
    script: Annotated[
        Literal["single", "three_turn"],
        Meta(
            description="One message, or three turns: describe, reason, answer (Moll et al. 2025 appendix E)."
        ),
    ] = "single"
    framings: Annotated[
        tuple[Framing, ...], Meta(description="Prompt framings; each has its own unmodified arm and shams.")
    ] = ("base",)
    sweep: Annotated[
        Literal["none", "thickness", "opacity", "both"],
        Meta(description="Add arms that sweep how salient a box (thickness) or heat map (opacity) is."),
    ] = "none"
    colour: Annotated[Literal["red", "black"], Meta(description="Colour of boxes; the paper names none.")] = (
        "red"
    )
    vb_targets: Annotated[
        Literal["sides", "all"],
        Meta(
            description="What a box on a comparison may point at: a side, or also `same severity` (both sides marked)."
        ),
    ] = "sides"
    pad: Annotated[
        Literal["none", "square"],
        Meta(description="Pad pictures to a square, after the edit (Moll et al. 2025 appendix E)."),
    ] = "none"
    add_arms: Annotated[
        tuple[str, ...], Meta(description="More arms by name, e.g. `vb_bb:misleading,thickness=8`.")
    ] = ()
    chests: Annotated[int, Meta(description="How many synthetic chests, where no cases are named.", ge=1)] = (
        12
    )
    mix: Annotated[
        Literal["balanced", "icu"],
        Meta(
            description="Findings of the synthetic chests: every value often, or as in the paper's Tables S1-S4."
        ),
    ] = "balanced"
    sample: Annotated[
        int, Meta(description="Draw this many pictures, stratified over findings; 0 takes all.", ge=0)
    ] = 0
    regions: Annotated[
        str,
        Meta(
            description="Regions on your pictures: COCO JSON, a DICOM SEG or GSPS, or a folder of these; empty for the lung field found in each."
        ),
    ] = ""
    knowledge: Annotated[str, Meta(description="A knowledge base of your own (JSON); empty for ours.")] = ""
    keep_pictures: Annotated[
        bool,
        Meta(
            description="Keep the bytes of every edited picture, for archives; else how each is made again."
        ),
    ] = False
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000


def prompt(options: ExplanationOptions, name: str, default: str | None = None) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name, default)


def raters(options: ExplanationOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    del options
    return ("rule:answer", "rule:cf", "rule:ca", "rule:ct", "rule:disclosure-2", "rule:strict")
