"""From the rows of a scoring to cells, estimates and the parts of a report."""

from percuss.protocols.grounding.estimate.counting import cells
from percuss.protocols.grounding.estimate.numbers import estimates
from percuss.protocols.grounding.estimate.sections import sections

__all__ = ["cells", "estimates", "sections"]
