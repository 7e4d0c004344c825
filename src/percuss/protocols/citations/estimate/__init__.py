"""What is counted, the numbers made of it, and the parts of a report."""

from percuss.protocols.citations.estimate.counting import cells
from percuss.protocols.citations.estimate.estimating import estimates
from percuss.protocols.citations.estimate.sections import sections

__all__ = ["cells", "estimates", "sections"]
