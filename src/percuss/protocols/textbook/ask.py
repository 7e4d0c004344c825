"""Ask the model under test: one call a question."""

from percuss.kit import ask

__all__ = ["ask"]
