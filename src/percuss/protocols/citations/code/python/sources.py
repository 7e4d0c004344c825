"""Where the surface of a module is found: typeshed for the standard library, then packages and wheels at hand."""

import sys
from collections.abc import Iterable
from typing import NamedTuple

from percuss.protocols.citations.code.python.parsing import parse_source
from percuss.protocols.citations.code.python.surface import ModuleSurface, module_surface
from percuss.protocols.citations.code.python.trees import Tree

__all__ = ["Found", "Located", "Sources"]

_BINARY = (".so", ".pyd", ".dylib")


class Located(NamedTuple):
    """Where a dotted name lies: a tree, the path without its ending, and the endings that are there."""

    tree: Tree
    path: str
    endings: frozenset[str]


class Found(NamedTuple):
    """What is known of a module.

    `state` is `known` (with `surfaces`: a stub first where there is one), `absent` (the package is here and has no such
    module), `opaque` (it is here and cannot be read: `reason`) or `unknown` (the package is not at hand).
    """

    state: str
    surfaces: tuple[ModuleSurface, ...] = ()
    reason: str = ""


class Sources:
    """The modules that can be read, and what each is.

    Args:
        trees: folders and wheels with packages; earlier ones win.
        stubs: typeshed's standard library; None where there is none, and the standard library is then only known by name.
    """

    def __init__(self, trees: Iterable[Tree], stubs: Tree | None) -> None:
        self.trees = tuple(trees)
        self.stubs = stubs
        self._found: dict[str, Found] = {}

    def find(self, module: str) -> Found:
        """Return what is known of a module.

        Args:
            module: absolute dotted name.
        """
        if module not in self._found:
            self._found[module] = self._search(module)
        return self._found[module]

    def is_standard(self, module: str) -> bool:
        """Return whether a top-level name belongs to some version of the standard library."""
        top = module.split(".", maxsplit=1)[0]
        if top in sys.stdlib_module_names:
            return True
        return self.stubs is not None and self._locate(self.stubs, top) is not None

    def _search(self, module: str) -> Found:
        if not module or any(not part.isidentifier() for part in module.split(".")):
            return Found("opaque", reason="no module name")
        if self.is_standard(module):
            return self._standard(module)
        return self._packaged(module)

    def _standard(self, module: str) -> Found:
        if self.stubs is None:
            return Found("opaque", reason="no stubs of the standard library are installed")
        located = self._locate(self.stubs, module)
        if located is not None:
            return self._read([located], module)
        parent, _, _ = module.rpartition(".")
        if not parent:
            return Found("opaque", reason="a module of the standard library without a stub")
        above = self.find(parent)
        return above if above.state == "opaque" else Found("absent")

    def _packaged(self, module: str) -> Found:
        top = module.split(".", maxsplit=1)[0]
        home = [tree for tree in self.trees if self._locate(tree, top) is not None]
        if not home:
            return Found("unknown")
        places = [place for tree in home if (place := self._locate(tree, module)) is not None]
        beside = [self._stub_package(tree, module) for tree in self.trees]
        places = [place for place in beside if place is not None] + places
        if places:
            return self._read(places, module)
        return self._below(module)

    def _below(self, module: str) -> Found:
        """Return what a missing submodule is: absent, unless its parent may make it at run time."""
        parent = module.rpartition(".")[0]
        above = self.find(parent)
        if above.state != "known":
            return above
        # A `__getattr__` gives attributes, never modules to import; these two can.
        marks = ("sys.modules", "__path__", "meta_path")
        made = any(
            mark in surface.text for surface in above.surfaces for mark in marks if not surface.is_stub
        )
        return Found("opaque", reason=f"{parent} makes modules at run time") if made else Found("absent")

    def _stub_package(self, tree: Tree, module: str) -> Located | None:
        top, _, rest = module.partition(".")
        if f"{top}-stubs/" not in tree.children(""):
            return None
        return self._locate(tree, f"{top}-stubs" + (f".{rest}" if rest else ""))

    def _locate(self, tree: Tree, module: str) -> Located | None:
        *folders, last = module.split(".")
        folder = ""
        for name in folders:
            if f"{name}/" not in tree.children(folder):
                return None
            folder = f"{folder}/{name}" if folder else name
        names = tree.children(folder)
        path = f"{folder}/{last}" if folder else last
        if f"{last}/" in names:
            inside = tree.children(path)
            endings = {e for e in ("/__init__.pyi", "/__init__.py") if e[1:] in inside}
            if endings or any(name.endswith((".py", ".pyi", "/", *_BINARY)) for name in inside):
                return Located(tree, path, frozenset(endings or {"/"}))
        endings = {ending for ending in (".pyi", ".py") if last + ending in names}
        if any(name.startswith(f"{last}.") and name.endswith(_BINARY) for name in names):
            endings.add(".so")
        return Located(tree, path, frozenset(endings)) if endings else None

    def _read(self, places: list[Located], module: str) -> Found:
        surfaces: list[ModuleSurface] = []
        for place in places:
            for ending in ("/__init__.pyi", ".pyi", "/__init__.py", ".py"):
                if ending in place.endings:
                    surface = _surface(place, ending, module)
                    surfaces += [] if surface is None else [surface]
        if surfaces:
            return Found("known", tuple(surfaces))
        endings = frozenset[str]().union(*(place.endings for place in places))
        if ".so" in endings:
            return Found("opaque", reason="a compiled module without a stub")
        if "/" in endings:
            return Found("opaque", reason="a namespace package, which other distributions may add to")
        return Found("opaque", reason="its source could not be read")


def _surface(place: Located, ending: str, module: str) -> ModuleSurface | None:
    text = place.tree.read(place.path + ending)
    tree = None if text is None else parse_source(text)
    if text is None or tree is None:
        return None
    label = f"{place.path}{ending}"
    return module_surface(tree, name=module, path=label, is_package=ending.startswith("/"), text=text)
