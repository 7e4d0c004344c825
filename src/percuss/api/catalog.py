"""Protocols by name: entry points of the group `percuss.protocols`, ours and plug-ins alike."""

import difflib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.protocol import Protocol

__all__ = ["GROUP", "load", "names", "protocols"]

GROUP = "percuss.protocols"
API = 1


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
        return _checked(points[name].load(), name)
    for protocol in protocols():
        if name in protocol.aliases:
            return protocol
    near = difflib.get_close_matches(name, points, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UsageError(f"got the protocol {name!r}; expected one of {', '.join(points)}{hint}")


def protocols() -> tuple[Protocol[Any], ...]:
    """Return all protocols that are installed."""
    return tuple(_checked(point.load(), name) for name, point in _points().items())


def _checked(protocol: Any, name: str) -> Protocol[Any]:
    if getattr(protocol, "api", None) != API:
        raise UsageError(
            f"the protocol {name} was made for contract {getattr(protocol, 'api', '?')}; this percuss speaks {API}; "
            "upgrade the one that is older"
        )
    checked: Protocol[Any] = protocol
    return checked
