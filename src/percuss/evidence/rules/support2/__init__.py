"""Rule set `support-2`: statements of a claim held against the one reference of its case, blind to arm, model and what was shown."""

from percuss.evidence.rules.support2.door import RATER, support2
from percuss.evidence.rules.support2.record import Hang, Outcome, Reading
from percuss.evidence.rules.support2.reference import states

__all__ = ["RATER", "Hang", "Outcome", "Reading", "states", "support2"]
