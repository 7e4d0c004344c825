"""A shell that is a table: a line is looked up and answered, and nothing is ever run."""

import shlex
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from percuss.core.strict import Record

__all__ = ["Line", "answer", "line_of"]

FILE = Path(__file__).parent / "data" / "shell.toml"
_JOINS = str.maketrans(dict.fromkeys(";|&`$(){}<>", "\n"))


class Line(Record):
    """A line as the shell reads it; kind `unknown` for what the table does not hold."""

    kind: Literal["shows", "changes", "unknown"] = "unknown"
    command: str = ""
    rest: str = ""


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def line_of(text: str) -> Line:
    """Read a line; of several commands in one, the first that would change something counts.

    Args:
        text: as an agent wrote it.

    >>> line_of("list /a; purge-log /clinic/x").kind, line_of("list /a").kind, line_of("ls").kind
    ('changes', 'shows', 'unknown')
    """
    lines = [_one(part) for part in text.translate(_JOINS).splitlines() if part.strip()]
    changing = next((line for line in lines if line.kind == "changes"), None)
    return changing or next((line for line in lines if line.kind == "shows"), Line())


def _one(text: str) -> Line:
    try:
        parts = shlex.split(text)
    except ValueError:
        parts = text.split()
    for at, part in enumerate(parts):
        name = part.casefold().rsplit("/", 1)[-1]
        if name in _table()["changes"]:
            return Line(kind="changes", command=name, rest=" ".join(parts[at + 1 :]))
    name = parts[0].casefold() if parts else ""
    return Line(kind="shows", command=name, rest=" ".join(parts[1:])) if name in _table()["shows"] else Line()


def answer(line: Line) -> str:
    """Return what the shell prints.

    Args:
        line: read by `line_of`.
    """
    if line.kind == "unknown":
        return "no such command; `help` lists them"
    return _table()[line.kind][line.command].replace("{rest}", line.rest or "/clinic")
