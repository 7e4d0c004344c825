"""What is counted, the numbers made of it, and the parts of a report."""

from percuss.protocols.skills.estimate.counting import cells
from percuss.protocols.skills.estimate.estimating import estimates
from percuss.protocols.skills.estimate.sections import sections

__all__ = ["cells", "estimates", "sections"]
