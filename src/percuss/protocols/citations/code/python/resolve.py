"""From dotted names to what stands behind them, over module surfaces, without importing anything."""

import ast

from percuss.protocols.citations.code.python.classes import Classes
from percuss.protocols.citations.code.python.memory import Memory
from percuss.protocols.citations.code.python.sources import Sources
from percuss.protocols.citations.code.python.surface import Binding, ModuleSurface
from percuss.protocols.citations.code.python.values import (
    Absent,
    Class,
    Function,
    Instance,
    Module,
    Opaque,
    Values,
    merged,
)

__all__ = ["Resolver"]

# Chains of re-exports are a handful long; a cycle is endless.
_DEEPEST = 40


class Resolver:
    """Looks members up in modules, classes and objects.

    Args:
        sources: the modules that can be read.
    """

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.classes = Classes(self)
        self.memory = Memory()
        self._depth = 0

    def module(self, name: str) -> Values:
        """Return a module by its dotted name: itself, absent, or opaque with a reason."""
        found = self.sources.find(name)
        if found.state == "known":
            return (Module(name),)
        if found.state == "absent":
            parent, _, last = name.rpartition(".")
            return (Absent(last, parent),)
        return (Opaque(found.reason or f"the package {name.split('.', maxsplit=1)[0]} is not at hand"),)

    def member(self, module: str, name: str) -> Values:
        """Return a member of a module: what all its branches bind it to, a submodule, or absent."""
        if self._depth > _DEEPEST:
            self.memory.cut_short()
            return (Opaque("its definition is too many imports away"),)
        self._depth += 1
        try:
            circle = (Opaque("it is defined in a circle"),)
            values: Values = self.memory.recall(
                ("member", module, name), lambda: self._member(module, name), circle
            )
        finally:
            self._depth -= 1
        return values

    def _member(self, module: str, name: str) -> Values:
        found = self.sources.find(module)
        if found.state != "known":
            return self.module(module)
        reasons: list[str] = []
        for surface in found.surfaces:
            values = self._in_surface(surface, name, reasons, outside=True)
            if values:
                return values
        below = self.sources.find(f"{module}.{name}")
        if below.state == "known":
            return (Module(f"{module}.{name}"),)
        if below.state == "opaque" and below.reason and not self._stubbed(found.surfaces):
            return (Opaque(below.reason),)
        if name.startswith("__") and name.endswith("__"):
            return (Opaque("a name that Python gives every module"),)
        return self._missing(module, name, found.surfaces, reasons)

    @staticmethod
    def _stubbed(surfaces: tuple[ModuleSurface, ...]) -> bool:
        return any(surface.is_stub and not surface.open_reason for surface in surfaces)

    def _missing(
        self, module: str, name: str, surfaces: tuple[ModuleSurface, ...], reasons: list[str]
    ) -> Values:
        # A package's own stub lists what it offers; a name that its source does not even spell is not there.
        written = any(
            name in surface.text for surface in surfaces if not surface.is_stub and surface.open_reason
        )
        for surface in surfaces:
            if surface.open_reason and (surface.is_stub or written or not self._stubbed(surfaces)):
                return (Opaque(surface.open_reason),)
        stubbed = any(surface.is_stub for surface in surfaces)
        if stubbed and (name.startswith("_") or ("._" in module and not self.sources.is_standard(module))):
            return (Opaque("stubs leave private names out"),)
        return (Opaque(reasons[0]),) if reasons else (Absent(name, module),)

    def _in_surface(
        self, surface: ModuleSurface, name: str, reasons: list[str], *, outside: bool = False
    ) -> Values:
        bindings = surface.names.get(name, [])[-12:]
        hidden = outside and name not in (surface.exports or ())
        shown = [binding for binding in bindings if not (binding.private and hidden)]
        if shown:
            return merged(*(self.bound(surface, binding) for binding in shown))
        if bindings:
            reasons.append("the stub imports it for its own use")
        for star in surface.stars:
            values = self._through_star(star, name)
            if values and isinstance(values[0], Opaque):
                reasons.append(f"it may come from `from {star} import *`")
            elif values:
                return values
        return ()

    def _through_star(self, star: str, name: str) -> Values:
        found = self.sources.find(star)
        if found.state != "known":
            return (Opaque("the module behind a star import can't be read"),)
        listed = any(name in (surface.exports or ()) for surface in found.surfaces)
        closed = all(s.exports is not None and s.exports_known for s in found.surfaces)
        if not listed and (closed or name.startswith("_")):
            return ()
        values = self.member(star, name)
        return () if isinstance(values[0], Absent) else values

    def bound(self, surface: ModuleSurface, binding: Binding) -> Values:
        """Return what one binding of a module stands for."""
        node = binding.node
        if binding.kind == "function" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return (Function(node, surface),)
        if binding.kind == "class" and isinstance(node, ast.ClassDef):
            return (Class(node, surface),)
        if binding.kind == "module":
            return self._present(self.module(binding.target))
        if binding.kind == "from":
            return self._present(self._taken(surface, binding))
        if binding.expression is not None and _is_alias(binding):
            return self._present(self.evaluate(surface, binding.expression))
        if binding.annotation is not None:
            called = self.classes.callables(surface, binding.annotation)
            return called or self.classes.annotated(surface, binding.annotation)
        return (Opaque("a value whose type is not written down"),)

    def _taken(self, surface: ModuleSurface, binding: Binding) -> Values:
        # `from . import path as _path; path = _path`: what a package takes from itself is its submodule.
        if (
            binding.target == surface.name
            and self.sources.find(f"{binding.target}.{binding.name}").state == "known"
        ):
            return (Module(f"{binding.target}.{binding.name}"),)
        values = self.member(binding.target, binding.name)
        hidden = isinstance(values[0], Opaque) and values[0].reason == "the stub imports it for its own use"
        return self._inside(binding.target, binding.name) if hidden else values

    def restart(self) -> None:
        """Forget how deep the last question was: it was cut off by Python's own limit."""
        self._depth = 0

    def _inside(self, module: str, name: str) -> Values:
        """Return a name that a stub imports for its own use, for another stub that takes it from there."""
        for surface in self.sources.find(module).surfaces:
            if name in surface.names and self._depth < _DEEPEST:
                self._depth += 1
                try:
                    return self._in_surface(surface, name, [])
                finally:
                    self._depth -= 1
        return (Opaque("the stub imports it for its own use"),)

    @staticmethod
    def _present(values: Values) -> Values:
        # Real packages import what exists: a name that is not found there was read wrongly, not invented.
        if isinstance(values[0], Absent):
            return (Opaque("a name whose definition was not found"),)
        return values

    def evaluate(self, surface: ModuleSurface, expression: ast.expr) -> Values:
        """Return what an expression at module level stands for: names, attributes and calls of known things."""
        if self._depth > _DEEPEST:
            self.memory.cut_short()
            return (Opaque("its definition is too many steps away"),)
        self._depth += 1
        try:
            if isinstance(expression, ast.Name):
                return self.lookup(surface, expression.id)
            if isinstance(expression, ast.Attribute):
                return self.attribute(self.evaluate(surface, expression.value), expression.attr)
            if isinstance(expression, ast.Call):
                return self.classes.result(self.evaluate(surface, expression.func))
            if isinstance(expression, ast.Subscript):
                return self.evaluate(surface, expression.value)
        finally:
            self._depth -= 1
        return (Opaque("a value whose type is not written down"),)

    def lookup(self, surface: ModuleSurface, name: str) -> Values:
        """Return what a name means inside a module: its own bindings, its star imports, then the builtins."""
        found = self._in_surface(surface, name, [])
        return found or self.member("builtins", name)

    def attribute(self, values: Values, name: str) -> Values:
        """Return `value.name` for whatever the value can stand for."""
        return merged(*(self._attribute(value, name) for value in values))

    def _attribute(self, value: object, name: str) -> Values:
        if isinstance(value, Module):
            return self.member(value.name, name)
        if isinstance(value, Class):
            return self.classes.member(value, name, on_instance=False)
        if isinstance(value, Instance):
            return self.classes.member(value.of, name, on_instance=True)
        if isinstance(value, Opaque):
            return (value,)
        return (Opaque("an attribute of something whose attributes can't be read"),)


def _is_alias(binding: Binding) -> bool:
    """Tell `name = other.name` and `Name: TypeAlias = ..` from a variable that says its type."""
    if binding.annotation is None:
        return isinstance(binding.expression, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    last = binding.annotation.attr if isinstance(binding.annotation, ast.Attribute) else ""
    return "TypeAlias" in {last, getattr(binding.annotation, "id", "")}
