"""From the rows of a scoring to cells, estimates and the parts of a report."""

from percuss.protocols.explanation.estimate.counting import cells
from percuss.protocols.explanation.estimate.numbers import estimates
from percuss.protocols.explanation.estimate.sections import sections

__all__ = ["cells", "estimates", "sections"]
