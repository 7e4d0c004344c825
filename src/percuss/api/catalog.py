"""Protocols by name: entry points of the group `percuss.protocols`, ours and plug-ins alike."""

import difflib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from percuss.core.errors import UsageError
from percuss.core.protocol import API, Options, Protocol, primary_of

__all__ = ["GROUP", "Face", "face", "load", "names", "protocols", "require_api"]

GROUP = "percuss.protocols"


class Face(NamedTuple):
    """What the command line shows of a protocol: name, question, primary estimate in words, roles, class of its options."""

    name: str
    question: str
    primary: str
    roles: Mapping[str, str]
    options: type[Options]


@cache
def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def names() -> tuple[str, ...]:
    """Return the names of all protocols that are installed."""
    return tuple(_points())


def load(name: str) -> Protocol[Any]:
    """Return a protocol by name or alias.

    Raises:
        UsageError: no such protocol, or one made for another version of the contract.
    """
    points = _points()
    if name in points:
        return _loaded(points[name])
    for protocol in protocols():
        if name in protocol.aliases:
            return protocol
    near = difflib.get_close_matches(name, points, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UsageError(f"got the protocol {name!r}; expected one of {', '.join(points)}{hint}")


def face(name: str) -> Face:
    """Return what the command line shows of a protocol, without loading what it asks and reads with.

    Args:
        name: its name or an alias.

    Raises:
        UsageError: no such protocol, or one made for another version of the contract.
    """
    point = _points().get(name)
    found = None if point is None else _face_of(point)
    if found is not None:
        return found
    protocol = load(name)
    return Face(protocol.name, protocol.question, protocol.primary.words, protocol.roles, protocol.options)


def _face_of(point: EntryPoint) -> Face | None:
    """Read a protocol's manifest and its room `options`; None where it keeps them elsewhere, so that it must be loaded."""
    try:
        spec = find_spec(point.module)
        manifest = Path(str(spec and spec.origin)).parent / "protocol.toml"
        toml = tomllib.loads(manifest.read_text(encoding="utf-8"))
        room = import_module(f"{point.module}.options")
    except (ImportError, OSError, ValueError):
        return None
    made = [
        each
        for each in vars(room).values()
        if isinstance(each, type) and issubclass(each, Options) and each.__module__ == room.__name__
    ]
    if len(made) != 1 or toml.get("name") != point.name:
        return None
    roles = toml.get("roles", {"model": "required"})
    return Face(toml["name"], toml["question"], primary_of(toml).words, roles, made[0])


def protocols() -> tuple[Protocol[Any], ...]:
    """Return all protocols that are installed."""
    return tuple(_loaded(point) for point in _points().values())


def require_api(protocol: Any, name: str) -> Protocol[Any]:
    """Return a protocol that speaks this contract.

    Args:
        protocol: what the entry point leads to. name: of the entry point.

    Raises:
        UsageError: it was made for another version of the contract.
    """
    if getattr(protocol, "api", None) != API:
        raise UsageError(
            f"the protocol {name} was made for contract {getattr(protocol, 'api', '?')}, this percuss speaks {API}: "
            "docs/protocols.md says what a protocol of today looks like"
        )
    checked: Protocol[Any] = protocol
    return checked


def _loaded(point: EntryPoint) -> Protocol[Any]:
    try:
        return require_api(point.load(), point.name)
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"the protocol {point.name} ({point.value}) cannot be loaded: {error}; docs/protocols.md says what a "
            "protocol of today looks like"
        ) from error
