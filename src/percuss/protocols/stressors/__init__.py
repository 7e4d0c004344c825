"""Protocol `stressors`: where does clinical reasoning break when information is missing, contradictory or late? (papers/3)."""

from functools import cache
from typing import Any

__all__ = ["PROTOCOL"]


@cache
def _bound() -> Any:
    from percuss.kit import protocol

    return protocol(__name__)


def __getattr__(name: str) -> Any:
    """Return the protocol, bound with its functions on first use: the help of a command needs none of them."""
    if name == "PROTOCOL":
        return _bound()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
