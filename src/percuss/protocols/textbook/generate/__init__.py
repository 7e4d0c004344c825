"""Questions made from passages: one a passage, its type chosen by rule, schema-constrained, checked, resampled (papers/4, experiment 1).

`PROTOCOL` is bound when it is first asked for.
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
