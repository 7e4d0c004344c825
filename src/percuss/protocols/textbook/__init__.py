"""Textbook: questions made from a book, the models that answer them, and how often they leave the page (papers/4).

`PROTOCOL` is bound when it is first asked for: reading books needs none of it.
"""

from functools import cache
from typing import Any

__all__ = ["PROTOCOL"]


@cache
def _bound() -> Any:
    from percuss.kit import protocol

    return protocol(__name__)


def __getattr__(name: str) -> Any:
    """Return the protocol, bound with its functions on first use."""
    if name == "PROTOCOL":
        return _bound()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
