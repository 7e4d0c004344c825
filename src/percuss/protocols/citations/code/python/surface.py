"""What one module offers, read from its source or stub: every binding, also those of branches that exclude each other.

Griffe's visitor keeps the last definition of a name only (2.4: of two branches by `sys.version_info` one is lost), and a
function that takes an argument in one Python and not in another would read as never taking it. So all are kept here.
"""

import ast
import re
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Binding", "ClassSurface", "ModuleSurface", "class_surface", "module_surface"]

BindingKind = Literal["function", "class", "module", "from", "value"]
# Writing to sys.modules, or handing it to something that may; reading it changes nothing.
_CHANGES_MODULES = re.compile(
    r"sys\.modules(?:\[[^\]\n]*\](?:\.\w+)?\s*=(?!=)|\.(?:setdefault|update|pop|__setitem__)\b|\s*$|\s*[,)])"
    r"|setattr\(\s*sys\.modules",
    re.MULTILINE,
)
_NAMESPACES = frozenset({"globals", "locals", "vars"})


@dataclass(frozen=True, slots=True)
class Binding:
    """One way in which a name is bound.

    `target` is the module of an import, `name` the name taken from it. `expression` and `annotation` are those of an
    assignment, None where they are missing or mean nothing (a loop's target). `private` marks an import that a stub
    makes for its own use (PEP 484: not re-exported unless renamed to itself).
    """

    kind: BindingKind
    node: ast.AST
    target: str = ""
    name: str = ""
    expression: ast.expr | None = None
    annotation: ast.expr | None = None
    private: bool = False


@dataclass(slots=True, eq=False)
class ModuleSurface:
    """A module's bindings by name, its star imports and whether it can hold more than can be read (`open_reason`)."""

    name: str
    path: str
    is_package: bool
    is_stub: bool
    text: str = ""
    names: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    exports: frozenset[str] | None = None
    exports_known: bool = True
    open_reason: str = ""
    patched: set[str] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class ClassSurface:
    """A class's own bindings by name, and whether it can hold more than can be read (`open_reason`).

    `shapes` are the forms of names that its methods put together: `setattr(cls, f"set_{method}_request", ..)`.
    """

    names: dict[str, list[Binding]] = field(default_factory=dict)
    fields: list[tuple[str, ast.AnnAssign]] = field(default_factory=list)
    open_reason: str = ""
    shapes: list[re.Pattern[str]] = field(default_factory=list)

    def may_hold(self, name: str) -> str:
        """Return why a class may hold a name that it doesn't write down; "" where it can't."""
        made = any(shape.fullmatch(name) for shape in self.shapes)
        return self.open_reason or ("it may be put together at run time" if made else "")


def module_surface(tree: ast.Module, *, name: str, path: str, is_package: bool, text: str) -> ModuleSurface:
    """Return the surface of a parsed module.

    Args:
        tree: of the source or stub.
        name: dotted name, for relative imports.
        path: what evidence calls the file.
        is_package: True for an `__init__` file.
        text: the source, for names that a module-level `__getattr__` may give.
    """
    surface = ModuleSurface(
        name=name, path=path, is_package=is_package, is_stub=path.endswith(".pyi"), text=text
    )
    _ModuleReader(surface).read(tree.body)
    if "__getattr__" in surface.names:
        surface.open_reason = "the module has a __getattr__ of its own"
    elif _CHANGES_MODULES.search(text):
        surface.open_reason = "the module changes sys.modules"
    return surface


class _ModuleReader:
    """Walks the statements of a module that run on import, in all branches."""

    def __init__(self, surface: ModuleSurface) -> None:
        self.surface = surface

    def read(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.bind(node.name, Binding("function", node))
            self._globals(node)
            if _fills_from_within(node):
                self.surface.open_reason = "the module fills its names at run time (globals)"
        elif isinstance(node, ast.ClassDef):
            self.bind(node.name, Binding("class", node))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._imports(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._assignment(node)
        else:
            self._other(node)

    def bind(self, name: str, binding: Binding) -> None:
        self.surface.names.setdefault(name, []).append(binding)

    def _imports(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name if alias.asname else alias.name.split(".")[0]
                private = self.surface.is_stub and alias.asname != alias.name
                self.bind(alias.asname or top, Binding("module", node, target=top, private=private))
            return
        target = absolute(node, self.surface.name, is_package=self.surface.is_package)
        for alias in node.names:
            if alias.name == "*":
                self.surface.stars.append(target)
            else:
                private = self.surface.is_stub and alias.asname != alias.name
                binding = Binding("from", node, target=target, name=alias.name, private=private)
                self.bind(alias.asname or alias.name, binding)

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
        for target in targets:
            if isinstance(target, ast.Name):
                value = None if isinstance(node, ast.AugAssign) else node.value
                self.bind(target.id, Binding("value", node, expression=value, annotation=annotation))
                if target.id == "__all__":
                    self._exports(node)
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                self.surface.patched.add(target.value.id)
            elif isinstance(target, ast.Subscript) and _is_namespace(target.value):
                self.surface.open_reason = "the module fills its names at run time (globals)"
            else:
                self._stores(target, node)
        if node.value is not None:
            self._fills(node.value)

    def _exports(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        elements = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else None
        strings = {
            e.value for e in elements or () if isinstance(e, ast.Constant) and isinstance(e.value, str)
        }
        self.surface.exports = (self.surface.exports or frozenset()) | strings
        if elements is None or len(strings) < len(elements):
            self.surface.exports_known = False

    def _stores(self, target: ast.AST, node: ast.AST) -> None:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.bind(part.id, Binding("value", node))

    def _other(self, node: ast.stmt) -> None:
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt):
                    self.statement(child)
                elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                    self.read(child.body)
                elif isinstance(child, ast.withitem):
                    self._stores(child, node)
                elif isinstance(child, ast.expr):
                    self._stores(child, node)
                    if name != "test":
                        self._fills(child)

    def _fills(self, expression: ast.expr) -> None:
        """Note what an expression may bind without saying so: globals(), exec, setattr on something of the module."""
        for part in ast.walk(expression):
            if isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "__all__":
                self.surface.exports_known = False
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and _is_namespace(part.func.value)
            ) and part.func.attr in {"update", "setdefault", "__setitem__"}:
                self.surface.open_reason = "the module fills its names at run time (globals)"
            if not (isinstance(part, ast.Call) and isinstance(part.func, ast.Name)):
                continue
            if part.func.id == "exec":
                self.surface.open_reason = "the module fills its names at run time (exec)"
            elif part.func.id == "setattr" and part.args:
                first = part.args[0]
                self.surface.patched.add(first.id if isinstance(first, ast.Name) else "*")

    def _globals(self, node: ast.AST) -> None:
        named = {name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names}
        for name in named:
            self.bind(name, Binding("value", node))


def _is_namespace(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMESPACES


def _fills_from_within(node: ast.AST) -> bool:
    """Say whether a function stores into the module's names: `globals()[name] = ..`, or so under a name of its own."""
    parts = list(ast.walk(node))
    named = {
        target.id
        for part in parts
        if isinstance(part, ast.Assign) and _is_globals(part.value)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    held = [
        part.value
        for part in parts
        if (isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store))
        or (isinstance(part, ast.Attribute) and part.attr in {"update", "setdefault", "__setitem__"})
    ]
    return any(_is_globals(each) or (isinstance(each, ast.Name) and each.id in named) for each in held)


def _is_globals(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals"


def class_surface(node: ast.ClassDef, *, is_stub: bool) -> ClassSurface:
    """Return what a class holds by itself: methods, attributes, and what its methods assign to `self`.

    Args:
        node: the class.
        is_stub: True where the class stands in a stub, which assigns nothing in methods.
    """
    surface = ClassSurface()
    reader = _ModuleReader(
        ModuleSurface(name="", path="", is_package=False, is_stub=is_stub, names=surface.names)
    )
    reader.read(node.body)
    surface.fields = [
        (part.target.id, part)
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    ]
    if reader.surface.open_reason or reader.surface.patched:
        surface.open_reason = "the class body fills its names at run time"
    for special in ("__getattr__", "__getattribute__"):
        if special in surface.names:
            surface.open_reason = f"{node.name} has a {special}"
    if not is_stub:
        _own_attributes(node, surface)
    return surface


# Methods that restore or set what an object has already.
_RESTORING = frozenset(
    {
        "set_params",
        "__setstate__",
        "__getstate__",
        "__reduce__",
        "__deepcopy__",
        "__copy__",
        "__sklearn_clone__",
    }
)


def _own_attributes(node: ast.ClassDef, surface: ClassSurface) -> None:
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
            parts = list(ast.walk(method))
            for part in parts:
                if (
                    isinstance(part, ast.Attribute)
                    and isinstance(part.ctx, ast.Store)
                    and _is_self(part.value)
                ):
                    surface.names.setdefault(part.attr, []).append(Binding("value", part))
                elif isinstance(part, ast.Call) and method.name not in _RESTORING and _sets_by_name(part):
                    _set_by_name(part, parts, node, surface)


def _set_by_name(call: ast.Call, parts: list[ast.AST], node: ast.ClassDef, surface: ClassSurface) -> None:
    """Note what `setattr(self, name, ..)` may set: the name where it is written, its form where it is put together."""
    name = call.args[1] if isinstance(call.func, ast.Name) and len(call.args) > 1 else None
    if isinstance(name, ast.Name):
        name = _bound_once(name.id, parts)
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        surface.names.setdefault(name.value, []).append(Binding("value", call))
    elif isinstance(name, ast.JoinedStr) and any(_written(each).strip("_") for each in name.values):
        shape = "".join(re.escape(_written(each)) or ".+" for each in name.values)
        surface.shapes.append(re.compile(shape))
    else:
        surface.open_reason = f"{node.name} sets attributes by name"


def _bound_once(name: str, parts: list[ast.AST]) -> ast.expr | None:
    """Return the expression that a method binds a name to, where it does so once; None for a parameter or a loop's name."""
    stores = [
        part
        for part in parts
        if (isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store))
        or (isinstance(part, ast.arg) and part.arg == name)
    ]
    for part in parts:
        if isinstance(part, ast.Assign) and part.targets == stores:
            return part.value
    return None


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def _written(part: ast.expr) -> str:
    """Return the words of a piece of an f-string; "" where it is put in at run time."""
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""


def _sets_by_name(call: ast.Call) -> bool:
    """Tell `setattr(self, ..)`, `vars(self)` and `self.__dict__.update(..)` from other calls."""
    if isinstance(call.func, ast.Name):
        return call.func.id in {"setattr", "vars"} and bool(call.args) and _is_self(call.args[0])
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(held, ast.Attribute) and held.attr == "__dict__"


def absolute(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    """Return the dotted name of the module that a `from .. import` names.

    Args:
        node: the statement.
        module: where it stands.
        is_package: whether that is a package's `__init__`.
    """
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + (1 if is_package else 0)]
    return ".".join([*kept, *([node.module] if node.module else [])])
