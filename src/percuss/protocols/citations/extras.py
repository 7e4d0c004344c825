"""Libraries of the extra `citations`, loaded where they are used."""

from importlib import import_module
from typing import Any

from percuss.core.errors import UsageError

__all__ = ["needed"]


def needed(module: str, what: str) -> Any:
    """Import a library of the extra.

    Args:
        module: dotted name. what: what it is needed for, for the sentence.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            f"{what} needs {module.partition('.')[0]}; install it by: pip install 'percuss[citations]'"
        ) from None
