"""What is judged of a citation, and the two labels of the derived aspect."""

from percuss.core.labels import Support

__all__ = ["BAD", "CONTENT", "GOOD", "REFERENCE", "SUPPORT"]

REFERENCE, CONTENT, SUPPORT = "reference", "content", "support"
GOOD, BAD = Support.SUPPORTED.value, Support.UNSUPPORTED.value
