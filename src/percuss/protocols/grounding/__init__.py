"""Protocol `grounding`: how much of a model's hallucination does the evidence suppress? (papers/0)."""

from pathlib import Path

from percuss.core.protocol import protocol
from percuss.protocols.grounding.annotate import items
from percuss.protocols.grounding.arms import arms, pose
from percuss.protocols.grounding.ask import ask
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.check import claims, verdicts
from percuss.protocols.grounding.estimate import cells, estimates, sections
from percuss.protocols.grounding.options import GroundingOptions, raters

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(
    Path(__file__).parent,
    options=GroundingOptions,
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
)
