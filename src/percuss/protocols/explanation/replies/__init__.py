"""Any reply taken apart: tags, JSON however nested or cut, or prose; no character of text is lost.

One parser for every reply (definitions/explanation, version 2, "Replies and explanations").
"""

from percuss.protocols.explanation.replies.parser import parse, reasoning_of
from percuss.protocols.explanation.replies.parts import Parsed, Stretch

__all__ = ["Parsed", "Stretch", "parse", "reasoning_of"]
