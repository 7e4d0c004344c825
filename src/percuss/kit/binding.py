"""Finding a protocol's functions in its package, by convention: a protocol's `__init__` names nothing twice."""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.protocol import Options, Protocol
from percuss.core.protocol import protocol as bound

__all__ = ["protocol"]

WHERE: Mapping[str, tuple[str, ...]] = {
    "cases": ("cases",),
    "arms": ("conditions", "arms"),
    "pose": ("conditions", "arms"),
    "ask": ("ask",),
    "claims": ("check",),
    "verdicts": ("check",),
    "raters": ("check", "options"),
    "items": ("annotate",),
    "cells": ("numbers", "estimate"),
    "estimates": ("numbers", "estimate"),
    "sections": ("sections", "estimate"),
}
"""Function -> submodules in which it is looked for, where the package itself has none of that name."""


def protocol(module: str, *, manifest: str = "protocol.toml", **own: Any) -> Protocol[Any]:
    """Bind the functions of a package (or of one module) to its manifest; call it with `__name__`.

    Args:
        module: name of the package. A function is taken from `own`, else from the package itself, else from the submodule
            that convention names (`cases`, `conditions`, `ask`, `check`, `annotate`, `numbers`, `sections`, `options`,
            `commands`).
        manifest: file beside it; a folder may bind several protocols, each with a manifest of its own.
        own: functions, `options` or `commands` of this protocol where convention would take another one's.

    Raises:
        UsageError: a function is missing or takes other parameters than the contract says, or there is no manifest.

    >>> from percuss.protocols.grounding import PROTOCOL
    >>> PROTOCOL.pose.__module__
    'percuss.protocols.grounding.arms'
    """
    package = sys.modules[module]
    if package.__file__ is None:
        raise UsageError(
            f"{module} has no file; a protocol is a package with {manifest} beside its __init__.py"
        )
    parts = dict(own)
    for name, rooms in WHERE.items():
        found = parts.get(name) or _found(package, name, rooms)
        if found is not None:
            parts[name] = found
    parts.setdefault("options", _options(package))
    parts.setdefault("commands", _value(package, "COMMANDS", ("commands", "prepare")) or {})
    folder = Path(package.__file__).parent
    if not (folder / manifest).is_file():
        raise UsageError(f"{module} has no {manifest}; docs/protocols.md shows one")
    return bound(folder, manifest=manifest, **parts)


def _found(package: ModuleType, name: str, rooms: tuple[str, ...]) -> Any:
    found = _value(package, name, rooms)
    return found if callable(found) else None


def _value(package: ModuleType, name: str, rooms: tuple[str, ...]) -> Any:
    """Return what the package calls so, unless that is its submodule of the same name; else what a room calls so."""
    own = vars(package).get(name)
    if own is not None and not isinstance(own, ModuleType):
        return own
    for room in rooms:
        found = getattr(_room(package, room), name, None)
        if found is not None and not isinstance(found, ModuleType):
            return found
    return None


def _room(package: ModuleType, room: str) -> ModuleType | None:
    if not hasattr(package, "__path__"):
        return None
    name = f"{package.__name__}.{room}"
    return import_module(name) if find_spec(name) is not None else None


def _options(package: ModuleType) -> type[Options]:
    """Return the one subclass of `Options` that the package or its room `options` defines, else `Options` itself."""
    for room in (_room(package, "options"), package):
        made = (
            [
                each
                for each in vars(room).values()
                if isinstance(each, type) and issubclass(each, Options) and each.__module__ == room.__name__
            ]
            if room is not None
            else []
        )
        if len(made) == 1:
            return made[0]
    return Options
