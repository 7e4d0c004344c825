"""Protocol `grounding`: how much of a model's hallucination does the evidence suppress? (papers/0)."""

from percuss.core.later import made_on_first_use

__all__ = ["PROTOCOL"]

__getattr__ = made_on_first_use(__name__, PROTOCOL="percuss.kit:protocol")
