"""Protocols by name: entry points of the group `percuss.protocols`, ours and plug-ins alike."""

import difflib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.protocol import API, Protocol

__all__ = ["GROUP", "load", "names", "protocols", "require_api"]

GROUP = "percuss.protocols"


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
