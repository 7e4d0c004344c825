"""Protocol `stressors`: where does clinical reasoning break when information is missing, contradictory or late? (papers/3)."""

from percuss.core.later import made_on_first_use

__all__ = ["PROTOCOL"]

__getattr__ = made_on_first_use(__name__, PROTOCOL="percuss.kit:protocol")
