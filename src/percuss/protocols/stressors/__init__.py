"""Protocol `stressors`: where does clinical reasoning break when information is missing, contradictory or late? (papers/3)."""

from pathlib import Path

from percuss.core.protocol import Command, protocol
from percuss.protocols.stressors.annotate import items
from percuss.protocols.stressors.arms import arms, pose
from percuss.protocols.stressors.ask import ask
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.check import claims, verdicts
from percuss.protocols.stressors.estimate import cells, estimates, sections
from percuss.protocols.stressors.options import StressorsOptions, raters
from percuss.protocols.stressors.prepare import PrepareOptions, prepare

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(
    Path(__file__).parent,
    options=StressorsOptions,
    cases=cases,
    arms=arms,
    pose=pose,
    ask=ask,
    claims=claims,
    verdicts=verdicts,
    items=items,
    cells=cells,
    estimates=estimates,
    sections=sections,
    raters=raters,
    commands={
        "prepare": Command(
            PrepareOptions,
            prepare,
            "Split a free-text case into a vignette file; --role builder=MODEL does it.",
        )
    },
)
