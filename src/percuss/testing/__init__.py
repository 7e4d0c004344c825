"""What somebody who writes a protocol tests it with."""

from percuss.testing.sessions import TrialSession

__all__ = ["TrialSession"]
