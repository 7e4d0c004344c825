"""The parts of a stressors report, in the order in which they are read."""

from collections.abc import Iterator, Sequence

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.protocols.stressors.estimate.sections.differing import differing
from percuss.protocols.stressors.estimate.sections.findings import findings
from percuss.protocols.stressors.estimate.sections.judged import judged
from percuss.protocols.stressors.estimate.sections.left_out import left_out
from percuss.protocols.stressors.estimate.sections.method import method
from percuss.protocols.stressors.estimate.sections.reader import reader
from percuss.protocols.stressors.estimate.sections.shelf import Shelf
from percuss.protocols.stressors.estimate.sections.stressors import stressing
from percuss.protocols.stressors.estimate.sections.where import where
from percuss.protocols.stressors.options import StressorsOptions

__all__ = ["sections"]


def sections(run: RunView, estimates: Sequence[Estimate], options: StressorsOptions) -> Iterator[Section]:
    """Yield the sections of a scoring: eight places of a report.

    Args:
        run: all rows of the scoring. estimates: made of them.
        options: settings of the scoring.
    """
    shelf = Shelf(run, estimates, options)
    for part in (findings, differing, stressing, where, left_out, reader, judged, method):
        yield from part(shelf)
