"""Finding a protocol's functions in its package, by convention: a protocol's `__init__` names nothing twice."""

import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.protocol import Options, Protocol
from percuss.core.protocol import protocol as bound
from percuss.kit.asking import ask
from percuss.kit.claiming import sentences
from percuss.kit.people import items

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
    "vetted": ("vetted",),
}
"""Function -> submodules in which it is looked for, where the package itself has none of that name."""


def protocol(module: str, *, manifest: str = "protocol.toml", **own: Any) -> Protocol[Any]:
    """Bind the functions of a package (or of one module) to its manifest; call it with `__name__`.

    Args:
        module: name of the package. A function is taken from `own`, else from the package itself, else from the submodule
            that convention names (`cases`, `conditions`, `ask`, `check`, `annotate`, `numbers`, `sections`, `vetted`,
            `options`, `commands`).
        manifest: file beside it; a folder may bind several protocols, each with a manifest of its own.
        own: functions, `options` or `commands` of this protocol where convention would take another one's.

    Where it has none of `ask`, `claims`, `items`, `sections`, `raters`, the kit's own is taken; `cells` and `estimates` too
    where the manifest declares rates (`[[rate]]`), and `cases` where a table `cases.jsonl` or `cases.csv` lies beside it.

    Raises:
        UsageError: a function is missing or takes other parameters than the contract says, or there is no manifest.

    >>> from percuss.protocols.grounding import PROTOCOL
    >>> PROTOCOL.pose.__module__
    'percuss.protocols.grounding.arms'
    """
    package = sys.modules[module]
    folder = Path(package.__file__ or module).parent
    if not (folder / manifest).is_file():
        raise UsageError(f"{module} has no {manifest} beside it; docs/protocols.md shows one")
    parts = dict(own)
    for name, rooms in WHERE.items():
        found = parts.get(name) or _found(package, name, rooms)
        if found is not None:
            parts[name] = found
    parts.setdefault("options", _options(package))
    parts.setdefault("commands", _value(package, "COMMANDS", ("commands", "prepare")) or {})
    for name, made in _defaults(folder, manifest).items():
        parts.setdefault(name, made)
    return bound(folder, manifest=manifest, module=module, **parts)


def _defaults(folder: Path, manifest: str) -> dict[str, Callable[..., Any]]:
    """Return what a protocol gets where it wrote none of it."""
    toml = tomllib.loads((folder / manifest).read_text(encoding="utf-8"))

    def sections(run: Any, estimates: Any, options: Any) -> Any:
        from percuss.kit.report import default  # what a report needs is loaded with the first report

        return default(toml, folder)(run, estimates, options)

    def raters(options: Options) -> tuple[str, ...]:
        del options
        return tuple(toml.get("raters", [f"rule:{toml['name']}"]))

    made: dict[str, Callable[..., Any]] = {
        "ask": ask,
        "claims": sentences,
        "items": items,
        "sections": sections,
        "raters": raters,
        "read_right": _passports(toml.get("readers", {})),
    }
    if toml.get("rate"):
        made |= _rates(toml)
    table = next(
        (folder / f"cases{end}" for end in (".jsonl", ".csv") if (folder / f"cases{end}").is_file()), None
    )
    if table is not None:
        made["cases"] = _cases(table, tuple(toml.get("case_needs", ())))
    return made


def _passports(readers: Mapping[str, Any]) -> Callable[..., Any]:
    """Return what finds the passport of an estimate's reader, where `[readers]` of the manifest says on what it was read."""

    def read_right(run: Any, name: str, labels: str) -> Any:
        from percuss.judging.passport import read_right_of

        reader = str(readers.get(name, labels))
        return read_right_of(run, reader, readers.get("corpora", ())) if labels.startswith("rule:") else None

    return read_right


def _rates(toml: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    from percuss.core.protocol import primary_of
    from percuss.kit.estimating import Counted, Rates

    rates = Rates([Counted.of(row) for row in toml["rate"]], primary_of(toml))
    return {"cells": rates.cells, "estimates": rates.estimates}


def _cases(bundled: Path, needs: tuple[str, ...]) -> Callable[..., Any]:
    def cases(source: str | None, options: Options, seed: int) -> Any:
        from percuss.kit.rows import cases_from

        del options, seed
        return cases_from(bundled if source is None else Path(source), needs=needs)

    return cases


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
