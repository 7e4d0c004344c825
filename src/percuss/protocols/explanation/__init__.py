"""Protocol `explanation`: does the explanation of a vision-language model tell what drove the answer? (papers/1)."""

from percuss.kit import protocol

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(__name__)
