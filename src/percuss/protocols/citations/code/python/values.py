"""What a name can stand for while code is read."""

import ast
from dataclasses import dataclass

from percuss.protocols.citations.code.python.surface import ModuleSurface

__all__ = [
    "Absent",
    "Class",
    "Function",
    "Instance",
    "Local",
    "Module",
    "Opaque",
    "Pending",
    "Value",
    "Values",
    "merged",
]


@dataclass(frozen=True, slots=True)
class Module:
    """A module that can be read."""

    name: str


@dataclass(frozen=True, slots=True)
class Class:
    """A class of a package."""

    node: ast.ClassDef
    home: ModuleSurface

    @property
    def name(self) -> str:
        """The dotted name for people."""
        return f"{self.home.name}.{self.node.name}"


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method of a package; `bound` where its first parameter is filled by the object before the dot."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    home: ModuleSurface
    owner: Class | None = None
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a known class."""

    of: Class


@dataclass(frozen=True, slots=True)
class Local:
    """Something that the answer itself defines."""

    name: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that is or may be there, of which no more can be read; `reason` says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Absent:
    """Something that is surely not there: `name` is not in `where`."""

    name: str
    where: str


@dataclass(frozen=True, slots=True)
class Pending:
    """What a coroutine function gives back: `values` once it is awaited."""

    values: "Values"


Value = Module | Class | Function | Instance | Local | Opaque | Absent | Pending
Values = tuple[Value, ...]

_MOST_VALUES = 24


def merged(*groups: Values) -> Values:
    """Return what a name can stand for when it can stand for any of several; absent ones drop out beside present ones."""
    together = tuple(dict.fromkeys(value for group in groups for value in group))
    present = tuple(value for value in together if not isinstance(value, Absent))
    kept = present or together
    if len(kept) > _MOST_VALUES:
        return (Opaque("it can stand for too many things"),)
    return kept or (Opaque("nothing is known of it"),)
