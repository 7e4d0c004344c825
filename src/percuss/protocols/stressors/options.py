"""Settings of a stressors run; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from percuss.core.prompts import in_force
from percuss.core.protocol import Options

__all__ = ["RATER", "StressorsOptions", "prompt", "raters"]

PROMPTS = Path(__file__).parent / "prompts"
RATER = "rule:flow"


Stressed = Literal[
    "baseline", "omission", "contradiction", "delay", "omission+contradiction", "omission+delay", "contradiction+delay",
    "omission+contradiction+delay",
]  # fmt: skip
"""The eight arms of the factorial by name."""


class StressorsOptions(Options):
    """Settings of a stressors run."""

    max_tokens: Annotated[int, Meta(description="Tokens of one turn's answer at the most.", ge=1)] = 500
    placebos: Annotated[
        bool, Meta(description="Add one placebo arm a stressor: a harmless omission, restatement and delay.")
    ] = False
    ungrounded: Annotated[
        bool, Meta(description="Add the arm `ungrounded`: demographics and the name of the disease only.")
    ] = False
    dose: Annotated[
        bool,
        Meta(description="Add arms with two and three omitted units, two injected lines, and other delays."),
    ] = False
    counterfactual: Annotated[
        int,
        Meta(
            description="Replays of each case with one of the model's own unsupported statements struck, and as many with a supported "
            "one struck; 3 or more, 0 for none.",
            ge=0,
            le=20,
        ),
    ] = 0
    replayed: Annotated[
        Stressed,
        Meta(description="Arm that --counterfactual replays: baseline, or one with stressors."),
    ] = "baseline"
    probe: Annotated[
        bool, Meta(description="Ask in every turn what is missing and what conflicts; report it apart.")
    ] = False
    inject_at: Annotated[
        int,
        Meta(
            description="Turn at which the contradiction comes; at 1 there is no claim that it could suppress.",
            ge=1,
            le=3,
        ),
    ] = 2
    layout_check: Annotated[
        bool,
        Meta(
            description="On cases that aren't bundled: run the simulated clinician on a sample of them first, and withhold what isn't "
            "read back; the report says where it was off."
        ),
    ] = True
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000


def prompt(options: StressorsOptions, name: str, default: str | None = None) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name, default)


def raters(options: StressorsOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    del options
    return (RATER,)
