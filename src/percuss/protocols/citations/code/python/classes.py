"""Classes as their sources and stubs describe them: bases, members, what annotations name and what calls return."""

import ast
from typing import TYPE_CHECKING

from percuss.protocols.citations.code.python.surface import ClassSurface, ModuleSurface, class_surface
from percuss.protocols.citations.code.python.values import (
    Absent,
    Class,
    Function,
    Instance,
    Opaque,
    Pending,
    Value,
    Values,
    merged,
)

if TYPE_CHECKING:
    from percuss.protocols.citations.code.python.resolve import Resolver

__all__ = ["PROPERTIES", "Classes", "decorator_names"]

PROPERTIES = frozenset(
    {"property", "cached_property", "cache_readonly", "abstractproperty", "deprecated_property"}
)
# Annotations by these name what an object can do at least: the object itself may do more.
_AT_LEAST = frozenset(
    {"typing", "typing_extensions", "_typeshed", "collections.abc", "_collections_abc", "abc", "types"}
)
_PLAIN_METACLASSES = frozenset({"ABCMeta", "EnumMeta", "EnumType", "type"})
# Named where any subclass may come: an exception that is caught, a tuple with named fields.
_BROAD = frozenset({"object", "type", "tuple", "Exception", "BaseException"})
_MOST_BASES = 60
_UNTYPED = Opaque("its result has no type that can be read")


class Classes:
    """Looks into classes.

    Args:
        resolver: finds what the names in bases and annotations stand for.
    """

    def __init__(self, resolver: "Resolver") -> None:
        self.resolver = resolver
        self._surfaces: dict[ast.ClassDef, ClassSurface] = {}

    def surface(self, of: Class) -> ClassSurface:
        """Return what a class holds by itself."""
        if of.node not in self._surfaces:
            self._surfaces[of.node] = class_surface(of.node, is_stub=of.home.is_stub)
        return self._surfaces[of.node]

    def order(self, of: Class) -> tuple[tuple[Class, ...], str]:
        """Return the class and its bases, nearest first, and why there may be more ("" where there can't)."""
        circle = ((of,), "its bases go in a circle")
        order: tuple[tuple[Class, ...], str] = self.resolver.memory.recall(
            ("order", of.node), lambda: self._order(of), circle
        )
        return order

    def _order(self, of: Class) -> tuple[tuple[Class, ...], str]:
        order, reason = [of], ""
        for base in of.node.bases:
            values = self.resolver.evaluate(of.home, base)
            classes = [value for value in values if isinstance(value, Class)]
            if len(classes) < max(1, len(values)) and not _is_special(base):
                reason = f"a base of {of.node.name} can't be read"
            for parent in classes:
                above, unsure = self.order(parent)
                order += [each for each in above if each not in order]
                reason = reason or unsure
        if of.node.name in of.home.patched or "*" in of.home.patched:
            reason = reason or f"{of.home.name} changes {of.node.name} after its definition"
        return tuple(order[:_MOST_BASES]), reason

    def member(self, of: Class, name: str, *, on_instance: bool) -> Values:
        """Return a member of a class or of its objects: absent only where all bases could be read."""
        order, reason = self.order(of)
        for holder in order:
            bindings = self.surface(holder).names.get(name)
            if bindings:
                found = (
                    self._held(holder, binding.node, name, of, on_instance) for binding in bindings[-12:]
                )
                typed = (
                    self._typed(holder, binding.annotation, of) if binding.annotation is not None else known
                    for binding, known in zip(bindings[-12:], found, strict=True)
                )
                return merged(*typed)
        if name.startswith("__") and name.endswith("__"):
            return (Opaque("a special name"),)
        if not on_instance and (name == "register" or self._of_every_class(name)):
            return (Opaque("a name that classes have"),)
        for holder in order:
            reason = (
                reason
                or self.surface(holder).may_hold(name)
                or self._injected(holder, on_instance=on_instance)
            )
        if name.startswith("_") and any(holder.home.is_stub for holder in order):
            return (Opaque("stubs leave private names out"),)
        return (Opaque(reason),) if reason else (Absent(name, of.name),)

    def _of_every_class(self, name: str) -> bool:
        values = self.resolver.member("builtins", "type")
        return any(isinstance(value, Class) and name in self.surface(value).names for value in values)

    def _injected(self, holder: Class, *, on_instance: bool) -> str:
        for keyword in holder.node.keywords:
            metaclass = (
                keyword.value.attr
                if isinstance(keyword.value, ast.Attribute)
                else getattr(keyword.value, "id", "")
            )
            if keyword.arg == "metaclass" and metaclass not in _PLAIN_METACLASSES:
                return f"{holder.node.name} has a metaclass of its own"
            if keyword.arg == "metaclass" and metaclass.startswith("Enum") and not on_instance:
                return ""
        known = {
            "dataclass",
            "final",
            "runtime_checkable",
            "total_ordering",
            "deprecated",
            "disjoint_base",
            "unique",
        }
        known |= {"set_module", "type_check_only", "doc", "Substitution", "Appender", "inherit_doc"}
        strange = [each for each in decorator_names(holder.node) if each not in known]
        return f"{holder.node.name} is decorated by {strange[0]}" if strange else ""

    def _held(self, holder: Class, node: ast.AST, name: str, of: Class, on_instance: bool) -> Values:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = decorator_names(node)
            if PROPERTIES & set(names) or any(each.endswith(".setter") for each in names):
                return self._returned(holder.home, node, of) if on_instance else (_UNTYPED,)
            static, class_bound = (
                "staticmethod" in names,
                "classmethod" in names or name == "__init_subclass__",
            )
            bound = not static and (on_instance or class_bound)
            return (Function(node, holder.home, of, bound),)
        if isinstance(node, ast.ClassDef):
            return (Class(node, holder.home),)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            same = self.surface(holder).names.get(node.value.id, [])
            if same and node.value.id != name:
                return merged(*(self._held(holder, each.node, name, of, on_instance) for each in same))
        return (Opaque("an attribute whose type is not written down"),)

    def _typed(self, holder: Class, annotation: ast.expr, of: Class) -> Values:
        return self.annotated(holder.home, annotation, owner=of)

    def annotated(self, home: ModuleSurface, annotation: ast.expr, owner: Class | None = None) -> Values:
        """Return objects of the type that an annotation names; opaque where it names no one class."""
        inner = _unwrapped(annotation)
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.BitOr):
            sides = [side for side in (inner.left, inner.right) if not _is_none(side)]
            return merged(*(self.annotated(home, side, owner) for side in sides))
        if isinstance(inner, ast.Tuple):
            sides = [side for side in inner.elts if not _is_none(side)]
            return merged(*(self.annotated(home, side, owner) for side in sides))
        name = _last_name(inner)
        if name == "Self" and owner is not None:
            return (Instance(owner),)
        if name == "LiteralString":
            return self.instances(self.resolver.member("builtins", "str"))
        if not isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
            return (_UNTYPED,)
        return self.instances(self.resolver.evaluate(home, inner))

    def own_constructors(self, holder: Class, of: Class) -> list[Function]:
        """Return the constructors that a class writes itself, as bound to objects of `of`."""
        names = self.surface(holder).names
        nodes = [binding.node for name in ("__init__", "__new__") for binding in names.get(name, [])]
        return [Function(n, holder.home, of, bound=True) for n in nodes if isinstance(n, ast.FunctionDef)]

    def constructors(self, of: Class) -> list[Function]:
        """Return the nearest constructors of a class; none where they are not written."""
        for holder in self.order(of)[0]:
            own = self.own_constructors(holder, of)
            if own and holder.node.name != "object":
                return own
        return []

    def named(self, dotted: str) -> Values:
        """Return what a full dotted name stands for: the longest part of it that is a module, then its members."""
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            if self.resolver.sources.find(".".join(parts[:cut])).state == "known":
                values = self.resolver.member(".".join(parts[:cut]), parts[cut])
                for part in parts[cut + 1 :]:
                    values = self.resolver.attribute(values, part)
                return values
        return (_UNTYPED,)

    def unpacked(self, home: ModuleSurface, annotation: ast.expr) -> frozenset[str]:
        """Return the names that `**kwargs: Unpack[SomeTypedDict]` takes; none where it can't be read (PEP 692)."""
        if not isinstance(annotation, ast.Subscript) or _last_name(annotation.value) != "Unpack":
            return frozenset()
        names: set[str] = set()
        for value in self.resolver.evaluate(home, annotation.slice):
            if not isinstance(value, Class):
                return frozenset()
            order, reason = self.order(value)
            if reason and not all(
                _last_name(base) in {"TypedDict", "Generic"} or len(order) > 1 for base in value.node.bases
            ):
                return frozenset()
            names |= {name for each in order for name, _ in self.surface(each).fields}
        return frozenset(names)

    def callables(self, home: ModuleSurface, annotation: ast.expr) -> Values:
        """Return the `__call__` of a protocol that an annotation names, for functions that stubs declare as values."""
        inner = _unwrapped(annotation)
        if not isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
            return ()
        found: list[Value] = []
        for value in self.resolver.evaluate(home, inner):
            if not isinstance(value, Class) or "Protocol" not in {
                _last_name(base) for base in value.node.bases
            }:
                return ()
            calls = [binding.node for binding in self.surface(value).names.get("__call__", [])]
            found += [
                Function(n, value.home, value, bound=True) for n in calls if isinstance(n, ast.FunctionDef)
            ]
        return tuple(found)

    def instances(self, values: Values) -> Values:
        """Return objects of the classes among some values; types that say only what an object can do at least are opaque."""
        return merged(*(self._object(value) for value in values))

    def _object(self, value: Value) -> Values:
        return (Instance(value),) if isinstance(value, Class) and self._is_exact(value) else (_UNTYPED,)

    def _is_exact(self, value: Class) -> bool:
        """Return whether an object that is said to be of a class is of no subclass that does more."""
        if value.home.name in _AT_LEAST or value.node.name in _BROAD:
            return False
        # The standard library's stubs derive plain containers from abstract ones; other packages mean it.
        above = () if value.home.is_stub else [each for each in self.order(value)[0] if not each.home.is_stub]
        named = value.node.name.lstrip("_").startswith(("Base", "Abstract", "Supports"))
        return not named and not any(_is_abstract(each) for each in (value, *above))

    def result(self, values: Values) -> Values:
        """Return what calling some values gives back."""
        return merged(*(self._result(value) for value in values))

    def _result(self, value: Value) -> Values:
        if isinstance(value, Class):
            return (Instance(value),) if value.node.name not in {"type", "super", "object"} else (_UNTYPED,)
        if isinstance(value, Function):
            strange = set(decorator_names(value.node)) - {
                "overload",
                "classmethod",
                "staticmethod",
                "set_module",
                "final",
                "deprecated",
                "abstractmethod",
                "doc",
                "lru_cache",
                "cache",
            }
            given = (_UNTYPED,) if strange else self._returned(value.home, value.node, value.owner)
            return (Pending(given),) if isinstance(value.node, ast.AsyncFunctionDef) else given
        return (value,) if isinstance(value, Opaque) else (_UNTYPED,)

    def _returned(
        self, home: ModuleSurface, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Class | None
    ) -> Values:
        if node.returns is None:
            return (_UNTYPED,)
        if owner is not None and _gives_itself(node):
            return (Instance(owner),)
        return self.annotated(home, node.returns, owner)


def _gives_itself(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell `def __enter__(self: T) -> T`: the same name for what comes in before the dot and for what goes out."""
    first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
    if first is None or first.annotation is None or node.returns is None:
        return False
    given, back = _unwrapped(first.annotation), _unwrapped(node.returns)
    if isinstance(given, ast.Subscript) and _last_name(given.value).lower() == "type":
        given = _unwrapped(given.slice)
    return isinstance(given, ast.Name) and isinstance(back, ast.Name) and given.id == back.id


def _is_abstract(of: Class) -> bool:
    bases = {_last_name(base) for base in of.node.bases}
    marked = any(keyword.arg == "metaclass" for keyword in of.node.keywords)
    return marked or bool(bases & {"Protocol", "ABC", "TypedDict"})


def decorator_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    """Return the last name of each decorator; `x.setter` keeps its dot."""
    names = []
    for decorator in node.decorator_list:
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        last = _last_name(inner)
        names.append(f".{last}" if last in {"setter", "deleter"} else last)
    return names


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_special(base: ast.expr) -> bool:
    return _last_name(base) in {"Generic", "Protocol", "object", "TypedDict"}


def _unwrapped(annotation: ast.expr) -> ast.expr:
    """Return the annotation without quotes, Optional, Union, Annotated, Final and ClassVar around it."""
    if (
        isinstance(annotation, ast.Constant)
        and isinstance(annotation.value, str)
        and len(annotation.value) < 500
    ):
        try:
            return _unwrapped(ast.parse(annotation.value, mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return annotation
    if isinstance(annotation, ast.Subscript):
        name, inside = _last_name(annotation.value), annotation.slice
        if name in {"Optional", "Final", "ClassVar", "Required", "NotRequired"}:
            return _unwrapped(inside)
        if name == "Annotated" and isinstance(inside, ast.Tuple) and inside.elts:
            return _unwrapped(inside.elts[0])
        if name == "Union":
            return inside
    return annotation
