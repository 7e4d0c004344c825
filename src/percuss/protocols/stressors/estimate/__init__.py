"""From the rows of a scoring to cells, estimates and the parts of a report."""

from percuss.protocols.stressors.estimate.numbers import estimates
from percuss.protocols.stressors.estimate.proving import cells
from percuss.protocols.stressors.estimate.sections import sections

__all__ = ["cells", "estimates", "sections"]
