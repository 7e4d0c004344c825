"""Surface files: what a package offers as griffe writes it (`griffe dump PACKAGE`), for packages that are not at hand.

Griffe keeps one definition per name, so branches by version are lost in such a file: a wheel says more.
"""

from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput

__all__ = ["SurfaceFile", "write_surface"]

_LARGEST = 128_000_000
_DEEPEST_CLASS = 8


class SurfaceFile:
    """A tree of sources rebuilt from a file of griffe's: signatures without bodies.

    Args:
        path: JSON of one package.

    Raises:
        BadInput: the file is not what griffe writes, or griffe is not installed.
    """

    def __init__(self, path: Path) -> None:
        self.label = path.name
        self._files: dict[str, str] = {}
        self._children: dict[str, set[str]] = {}
        self._add(_loaded(path), "")

    def read(self, path: str) -> str | None:
        """Return the rebuilt source of a module; None where there is none."""
        return self._files.get(path)

    def children(self, path: str) -> frozenset[str]:
        """Return the names in a folder; folders end in a slash."""
        return frozenset(self._children.get(path, ()))

    def _add(self, module: Any, folder: str) -> None:
        below = [member for member in module.members.values() if not member.is_alias and member.is_module]
        name = str(module.name)
        if below or not folder:
            self._children.setdefault(folder, set()).add(f"{name}/")
            inside = f"{folder}/{name}" if folder else name
            self._children.setdefault(inside, set()).add("__init__.py")
            self._files[f"{inside}/__init__.py"] = _source(module)
            for each in below:
                self._add(each, inside)
        else:
            self._children.setdefault(folder, set()).add(f"{name}.py")
            self._files[f"{folder}/{name}.py"] = _source(module)


def write_surface(package: str, path: Path, *, folders: tuple[Path, ...]) -> None:
    """Write the surface file of a package, read statically: it is not imported.

    Args:
        package: import name.
        path: where to write.
        folders: where the package lies: unpacked wheels, site-packages.

    Raises:
        BadInput: the package is not in the folders, or griffe is not installed.
    """
    griffe = _griffe()
    loader = griffe.GriffeLoader(search_paths=[str(each) for each in folders], allow_inspection=False)
    try:
        loaded = loader.load(package, try_relative_path=False)
    except (ImportError, griffe.GriffeError) as error:
        raise BadInput(f"{package} can't be read: {error}") from None
    path.write_text(loaded.as_json(full=False), encoding="utf-8")


def _griffe() -> Any:
    try:
        import griffe
    except ImportError:
        raise BadInput("surface files need griffe; pip install 'percuss[citations]'") from None
    return griffe


def _loaded(path: Path) -> Any:
    griffe = _griffe()
    if path.stat().st_size > _LARGEST:
        raise BadInput(f"this surface file is larger than {_LARGEST:,} bytes", source=path.name)
    try:
        module = griffe.Module.from_json(path.read_text(encoding="utf-8"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        module = None
    if not getattr(module, "is_module", False):
        raise BadInput("this is no surface file; write one with `griffe dump PACKAGE`", source=path.name)
    return module


def _source(module: Any) -> str:
    lines: list[str] = []
    for name, member in module.members.items():
        lines += _member(str(name), member, "")
    return "\n".join(lines) + "\n"


def _member(name: str, member: Any, indent: str) -> list[str]:
    if member.is_alias:
        return _imported(name, str(member.target_path), indent)
    if not name.isidentifier():
        return []
    if member.is_function:
        return _function(name, member, indent)
    if member.is_class:
        return _class(name, member, indent)
    return [] if member.is_module else [f"{indent}{name}: {_annotation(member.annotation)}"]


def _imported(name: str, target: str, indent: str) -> list[str]:
    if name.endswith("/*"):
        return [f"{indent}from {target} import *"]
    home, _, last = target.rpartition(".")
    if not name.isidentifier() or not last.isidentifier():
        return []
    return [f"{indent}from {home} import {last} as {name}" if home else f"{indent}import {last} as {name}"]


def _function(name: str, function: Any, indent: str) -> list[str]:
    marks = [f"{indent}@{decorator.value}" for decorator in function.decorators]
    returns = f" -> {_annotation(function.returns)}" if function.returns is not None else ""
    own = f"{indent}def {name}({_parameters(function.parameters)}){returns}: ..."
    overloads = [
        f"{indent}def {name}({_parameters(each.parameters)}): ..." for each in function.overloads or ()
    ]
    return [*overloads, *marks, own]


def _class(name: str, of: Any, indent: str) -> list[str]:
    if len(indent) > 4 * _DEEPEST_CLASS:
        return [f"{indent}{name}: object"]
    marks = [f"{indent}@{decorator.value}" for decorator in of.decorators]
    bases = ", ".join(str(base) for base in of.bases)
    lines = [*marks, f"{indent}class {name}({bases}):", f"{indent}    __slots__: object"]
    for inside, member in of.members.items():
        lines += _member(str(inside), member, indent + "    ")
    return lines


def _parameters(parameters: Any) -> str:
    shown: list[str] = []
    before = ""
    for parameter in parameters:
        kind = parameter.kind.value
        if before == "positional-only" and kind != before:
            shown.append("/")
        if kind == "keyword-only" and before not in {kind, "variadic positional"}:
            shown.append("*")
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        default = "=..." if parameter.default is not None and not stars else ""
        shown.append(f"{stars}{parameter.name}{default}")
        before = kind
    return ", ".join([*shown, *(["/"] if before == "positional-only" else [])])


def _annotation(annotation: Any) -> str:
    return "object" if annotation is None else " ".join(str(annotation).split())
