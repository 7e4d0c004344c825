"""Protocol `explanation`: does the explanation of a vision-language model tell what drove the answer? (papers/1)."""

from pathlib import Path

from percuss.core.protocol import protocol
from percuss.protocols.explanation.annotate import items
from percuss.protocols.explanation.arms import arms, pose
from percuss.protocols.explanation.ask import ask
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.check import claims, verdicts
from percuss.protocols.explanation.commands import COMMANDS
from percuss.protocols.explanation.estimate import cells, estimates, sections
from percuss.protocols.explanation.options import ExplanationOptions, raters

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(
    Path(__file__).parent,
    options=ExplanationOptions,
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
    commands=COMMANDS,
)
