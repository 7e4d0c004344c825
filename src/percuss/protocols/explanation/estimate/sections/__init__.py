"""The parts of an explanation report, in the order of its places."""

from collections.abc import Iterator, Sequence

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.protocols.explanation.estimate.sections.comparing import differences, evidence
from percuss.protocols.explanation.estimate.sections.findings import findings
from percuss.protocols.explanation.estimate.sections.judged import judged
from percuss.protocols.explanation.estimate.sections.left_out import left_out
from percuss.protocols.explanation.estimate.sections.method import method
from percuss.protocols.explanation.estimate.sections.reader import reader
from percuss.protocols.explanation.estimate.sections.shelf import Shelf
from percuss.protocols.explanation.estimate.sections.where import where
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["sections"]


def sections(run: RunView, estimates: Sequence[Estimate], options: ExplanationOptions) -> Iterator[Section]:
    """Yield the sections of a report.

    Args:
        run: one scoring.
        estimates: made of it.
        options: settings of the scoring.
    """
    shelf = Shelf(run, estimates, options)
    for part in (findings, differences, evidence, where, left_out, reader, judged, method):
        yield from part(shelf)
