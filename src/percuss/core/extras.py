"""Libraries of extras, loaded where they are used."""

import re
from importlib import import_module, metadata
from typing import Any

from percuss.core.errors import UsageError

__all__ = ["extra_of", "needed"]

_CALLED = {
    "PIL": "pillow", "argon2": "argon2-cffi", "multipart": "python-multipart", "vl_convert": "vl-convert-python", "griffe": "griffelib",
}  # fmt: skip
"""Name of an import -> of the package that brings it, where they differ by more than a dash."""


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


def extra_of(module: str) -> str:
    """Return the first extra that brings a module, `all` aside; "" where none does.

    Args:
        module: dotted name of what could not be imported.
    """
    top = module.partition(".")[0]
    package = _CALLED.get(top, top).replace("_", "-").casefold()
    for line in metadata.requires("percuss") or ():
        found = re.match(r"([\w.-]+).*\bextra == ['\"]([\w-]+)['\"]", line)
        if found and found[2] != "all" and found[1].replace("_", "-").casefold() == package:
            return found[2]
    return ""
