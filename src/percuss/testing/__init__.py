"""What somebody who writes a protocol tests it with: `check(protocol)` tries every law that holds for all of them."""

from percuss.testing.check import Checked, Outcome, capabilities, check
from percuss.testing.sessions import TrialSession

__all__ = ["Checked", "Outcome", "TrialSession", "capabilities", "check"]
