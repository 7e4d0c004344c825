"""Protocol `grounding`: how much of a model's hallucination does the evidence suppress? (papers/0)."""

from percuss.kit import protocol

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(__name__)
