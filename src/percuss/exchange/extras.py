"""Libraries of an extra, loaded where they are used; one that is not installed is named with the command that installs it."""

from importlib import import_module
from typing import Any

from percuss.core.errors import UsageError

__all__ = ["needed"]


def needed(module: str, what: str, extra: str) -> Any:
    """Import a library of an extra.

    Args:
        module: dotted name. what: what it is needed for, for the sentence. extra: name of the extra that has it.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            f"{what} needs {module.partition('.')[0]}; install it by: pip install 'percuss[{extra}]'"
        ) from None
