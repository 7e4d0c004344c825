"""Names of phantoms: `phantom/<profile>?key=value` -> a simulated model; a protocol's own are `PHANTOMS` of its `phantom`."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qsl

from percuss.core.errors import UsageError
from percuss.core.ports import Model
from percuss.phantoms.plan import Entry, Phantom

__all__ = ["names", "parse", "phantom"]

PREFIX = "phantom/"
PROTOCOLS = "percuss.protocols"


@cache
def entries() -> dict[str, Entry]:
    """Return every phantom by its name without the prefix."""
    from percuss.phantoms import judge

    found = dict(judge.PHANTOMS)
    for point in entry_points(group=PROTOCOLS):
        package = import_module(point.module)
        room = f"{point.module}.phantom"
        there = hasattr(package, "__path__") and find_spec(room) is not None
        found.update(getattr(import_module(room) if there else package, "PHANTOMS", {}))
    return found


def names() -> tuple[str, ...]:
    """Return the names of all phantoms, with the prefix."""
    return tuple(PREFIX + name for name in sorted(entries()))


def parse(text: str, known: Mapping[str, Entry] | None = None) -> tuple[str, dict[str, float]]:
    """Split `phantom/<profile>?key=value&..` into profile and parameters.

    Args:
        text: the model string; the prefix may be missing.
        known: phantoms by name; None takes those of all installed protocols.

    Raises:
        UsageError: unknown profile, unknown key, or a value that is not a share in 0..1; a list of another length than
            its key has turns.

    A list stands for the keys of its turns: `wrong_content=0.1,0.2` is `wrong_content_1=0.1&wrong_content_2=0.2`.
    """
    name, _, query = text.removeprefix(PREFIX).partition("?")
    known = entries() if known is None else known
    if name not in known:
        raise UsageError(
            f"no phantom is called {name!r}; the phantoms are {', '.join(PREFIX + each for each in sorted(known))}"
        )
    keys = known[name].keys
    given: dict[str, float] = {}
    for key, value in _spread(name, parse_qsl(query, keep_blank_values=True), keys):
        if key not in keys:
            raise UsageError(f"phantom/{name} has no key {key!r}; its keys are {', '.join(keys) or 'none'}")
        try:
            given[key] = float(value)
        except ValueError:
            given[key] = -1.0
        if not 0 <= given[key] <= 1:
            raise UsageError(f"phantom/{name}: {key}={value!r} is not a share between 0 and 1")
    return name, given


def _spread(name: str, pairs: Iterable[tuple[str, str]], keys: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield key and value of a query, a list of values under the keys of its turns."""
    for key, value in pairs:
        turns = [each for each in keys if re.fullmatch(rf"{re.escape(key)}_\d+", each)]
        values = value.split(",")
        if len(values) == 1 or not turns:
            yield key, value
            continue
        if len(values) != len(turns):
            raise UsageError(
                f"phantom/{name}: {key}={value!r} has {len(values)} shares; expected one, or {len(turns)}, one per turn"
            )
        yield from zip(turns, values, strict=True)


def phantom(
    text: str,
    *,
    seed: int,
    extra: Mapping[str, Any] | None = None,
    known: Mapping[str, Entry] | None = None,
) -> Phantom:
    """Make a phantom by its model string.

    Args:
        text: `phantom/recycler?reuse=0.8`; an absent key keeps the profile's planted rate.
        seed: root of its draws.
        extra: what it is constructed with, by name: `memory` (case id -> evidence packet as nested mappings) for a memoriser,
            `rule` ((evidence, claim) -> label) for a judge.
        known: phantoms by name; None takes those of all installed protocols.

    Raises:
        UsageError: as in `parse`.
    """
    name, given = parse(text, known)
    query = "&".join(f"{key}={given[key]:g}" for key in sorted(given))
    planner = (entries() if known is None else known)[name].make(given, seed, extra or {})
    return Phantom(id=PREFIX + name + (f"?{query}" if query else ""), planner=planner)


def _is_model(candidate: Phantom) -> Model:
    """Let the type checker confirm that a phantom is a model."""
    return candidate
