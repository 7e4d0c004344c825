"""The parts of a stressors report, in the order in which they are read."""

from collections.abc import Iterator, Sequence

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section

__all__ = ["sections"]


def sections(run: RunView, estimates: Sequence[Estimate]) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them.
    """
    del run, estimates
    yield from ()
