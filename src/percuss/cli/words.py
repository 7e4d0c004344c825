"""Options that several commands share, and how a protocol's settings become options of its own."""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from percuss.api.run.settings import Setting

__all__ = ["LIMIT", "many", "pairs", "processes_for", "setting_options", "shared"]

LIMIT = click.FloatRange(0, min_open=True)
"""A limit of money or time: nothing could be done under one that is not positive."""

MANY_AT_ONCE = 64

F = TypeVar("F", bound=Callable[..., Any])


def many(text: str | None) -> tuple[str, ...]:
    """Split `a,b,c` into its parts; None gives ()."""
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


def processes_for(concurrency: int) -> int:
    """Return how many processes read text out of pages: one per core from `MANY_AT_ONCE` calls at a time on, else none.

    A page of 13 kB takes 8 ms of one core, so that threads of one process would hold up the calls of a large check.
    """
    return (os.cpu_count() or 1) if concurrency >= MANY_AT_ONCE else 0


def pairs(texts: Iterable[str], option: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Read `key=value` options.

    Args:
        texts: one a pair. option, form: named in the error.

    Raises:
        click.UsageError: a part without `=`.
    """
    out = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise click.UsageError(f"{option} got {text!r}; expected {form}")
        out[key.strip()] = value.strip()
    return out


def setting_options(settings: Iterable[Setting], taken: Iterable[str]) -> list[click.Option]:
    """Return one option a setting; those whose name a shared option has taken are left out."""
    names = set(taken)
    return [_option(setting) for setting in settings if setting.name not in names]


def _option(setting: Setting) -> click.Option:
    shown = "" if setting.default in (None, (), "") else f"  [default: {_plain(setting)}]"
    text = (setting.help + shown).strip()
    if setting.kind is bool:
        name = setting.flag.removeprefix("--")
        return click.Option([f"--{name}/--no-{name}", setting.name], default=None, help=text)
    if setting.many:
        return click.Option([setting.flag, setting.name], default=None, metavar="A,B,..", help=text)
    kind: Any = click.Choice(setting.choices) if setting.choices else setting.kind
    return click.Option([setting.flag, setting.name], type=kind, default=None, help=text)


def _plain(setting: Setting) -> str:
    if isinstance(setting.default, bool):
        return "on" if setting.default else "off"
    return ",".join(map(str, setting.default)) if isinstance(setting.default, tuple) else str(setting.default)


def shared(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Join option decorators, the first one shown first."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply
