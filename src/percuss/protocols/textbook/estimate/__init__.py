"""What is counted, the numbers made of it, and the parts of a report."""

from percuss.protocols.textbook.estimate.counting import cells
from percuss.protocols.textbook.estimate.estimating import estimates
from percuss.protocols.textbook.estimate.sections import sections

__all__ = ["cells", "estimates", "sections"]
