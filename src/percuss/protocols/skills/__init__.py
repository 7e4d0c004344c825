"""Protocol `skills`: which clinical skills does a model have, task by task, and in environments that it acts in? (papers/3)."""

from percuss.kit import protocol

__all__ = ["PROTOCOL"]

PROTOCOL = protocol(__name__)
