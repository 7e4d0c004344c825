"""Libraries of extras, loaded where they are used."""

from importlib import import_module
from typing import Any

from percuss.core.errors import UsageError

__all__ = ["needed"]


def needed(module: str, what: str, extra: str = "citations") -> Any:
    """Import a library of an extra.

    Args:
        module: dotted name. what: what it is needed for, for the sentence. extra: that brings it.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            f"{what} needs {module.partition('.')[0]}; install it by: pip install 'percuss[{extra}]'"
        ) from None
