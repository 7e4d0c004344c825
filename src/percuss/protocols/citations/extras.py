"""Libraries of the extra `citations`, loaded where they are used."""

from typing import Any

from percuss.exchange.extras import needed as of_extra

__all__ = ["needed"]


def needed(module: str, what: str) -> Any:
    """Import a library of the extra.

    Args:
        module: dotted name. what: what it is needed for, for the sentence.

    Raises:
        UsageError: it is not installed.
    """
    return of_extra(module, what, "citations")
