"""Protocol `stressors`: where does clinical reasoning break when information is missing, contradictory or late? (papers/3)."""

from percuss.kit import protocol

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(__name__)
