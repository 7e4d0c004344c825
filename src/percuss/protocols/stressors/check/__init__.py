"""Split trajectories into claims and label them: by rule first, then by a judge where there is one."""

from percuss.protocols.stressors.check.claiming import claims
from percuss.protocols.stressors.check.judging import verdicts

__all__ = ["claims", "verdicts"]
