"""Protocol `explanation`: does the explanation of a vision-language model tell what drove the answer? (papers/1)."""

from percuss.kit import protocol
from percuss.protocols.explanation.passports import read_right

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(__name__, read_right=read_right)
