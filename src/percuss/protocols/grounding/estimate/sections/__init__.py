"""The parts of a grounding report, in the order in which they are read."""

from collections.abc import Iterator, Sequence

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.protocols.grounding.estimate.sections.differing import differing
from percuss.protocols.grounding.estimate.sections.evidence import evidence, foremost
from percuss.protocols.grounding.estimate.sections.findings import findings
from percuss.protocols.grounding.estimate.sections.judged import judged
from percuss.protocols.grounding.estimate.sections.left_out import left_out
from percuss.protocols.grounding.estimate.sections.method import method
from percuss.protocols.grounding.estimate.sections.reader import reader
from percuss.protocols.grounding.estimate.sections.shelf import Shelf
from percuss.protocols.grounding.estimate.sections.walk import Walked
from percuss.protocols.grounding.estimate.sections.where import where
from percuss.protocols.grounding.options import GroundingOptions

__all__ = ["sections"]


def sections(run: RunView, estimates: Sequence[Estimate], options: GroundingOptions) -> Iterator[Section]:
    """Yield the sections of a scoring: eight places of a report.

    Args:
        run: all rows of the scoring.
        estimates: made of them.
        options: settings of the scoring.
    """
    shelf = Shelf(run, estimates, options)
    walked = Walked(shelf, foremost(shelf))
    yield from findings(shelf)
    yield from differing(shelf)
    yield from evidence(shelf, walked.by_case)
    yield from where(shelf, walked.failures)
    yield from left_out(shelf, walked.flow)
    yield from reader(walked.cases)
    yield from judged(shelf)
    yield from method(shelf)
