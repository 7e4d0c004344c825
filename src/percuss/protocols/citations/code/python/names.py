"""Facts about Python names that no stub holds: import names, names of the reader's own files, what was removed."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

__all__ = [
    "distribution_of",
    "forwards_to",
    "is_local_name",
    "is_python2_builtin",
    "is_python2_module",
    "is_shared",
    "modules_of",
    "removed",
    "removed_argument",
]

_FILE = Path(__file__).parents[1] / "data" / "python_names.toml"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def distribution_of(module: str) -> str:
    """Return the distribution that an import name comes from; the name itself where the two are the same.

    >>> distribution_of("yaml"), distribution_of("numpy")
    ('PyYAML', 'numpy')
    """
    imports: dict[str, str] = _table()["imports"]
    return imports.get(module, module)


def modules_of(distribution: str) -> tuple[str, ...]:
    """Return the import names of a distribution that are not its own name."""
    folded = distribution.lower().replace("_", "-")
    imports: dict[str, str] = _table()["imports"]
    return tuple(module for module, name in imports.items() if name.lower() == folded)


def is_shared(module: str) -> bool:
    """Return whether many distributions share a first name, so that none can be called missing."""
    return module in _table()["shared"]["names"]


def is_local_name(module: str) -> bool:
    """Return whether answers commonly use a name for the reader's own files."""
    local = _table()["local"]
    return module in local["names"] or module.startswith(tuple(local["prefixes"]))


def is_python2_module(module: str) -> bool:
    """Return whether a module was of Python 2 alone."""
    return module in _table()["python2"]["modules"]


def is_python2_builtin(name: str) -> bool:
    """Return whether a builtin was of Python 2 alone."""
    return name in _table()["python2"]["builtins"]


def forwards_to(dotted: str) -> str | None:
    """Return where a function hands its `**kwargs` on to by its documentation; None where that isn't known."""
    target: str | None = _table()["forwards"].get(dotted)
    return target


def removed(dotted: str) -> str | None:
    """Return when a name that once existed was removed; None where it is not known to have existed."""
    when: str | None = _table()["removed"].get(dotted)
    return when


def removed_argument(dotted: str, argument: str) -> str | None:
    """Return when an argument that a function once took was removed; None where it is not known to have been taken."""
    arguments: dict[str, str] = _table()["removed_arguments"].get(dotted, {})
    return arguments.get(argument)
