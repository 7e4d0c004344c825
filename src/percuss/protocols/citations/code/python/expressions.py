"""What expressions of a snippet stand for, noting each call and each attribute that is not there."""

import ast
from collections.abc import Callable

from percuss.protocols.citations.code.python.findings import Gathered, was_removed
from percuss.protocols.citations.code.python.names import is_python2_builtin
from percuss.protocols.citations.code.python.packages import Packages
from percuss.protocols.citations.code.python.resolve import Resolver
from percuss.protocols.citations.code.python.scope import Context, Scope
from percuss.protocols.citations.code.python.signature import Fit, chosen, fits, shape_of
from percuss.protocols.citations.code.python.values import (
    Absent,
    Class,
    Function,
    Instance,
    Local,
    Module,
    Opaque,
    Pending,
    Value,
    Values,
    merged,
)
from percuss.protocols.citations.code.records import Status

__all__ = ["Expressions", "dotted"]

_LITERALS: dict[type, str] = {
    str: "str",
    bytes: "bytes",
    bool: "bool",
    int: "int",
    float: "float",
    complex: "complex",
}
_DISPLAYS: dict[type, str] = {
    ast.JoinedStr: "str",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNKNOWN = Opaque("a value of unknown type")


class Expressions:
    """Evaluates expressions of one answer.

    Args:
        resolver: members of packages.
        packages: which packages exist.
        gathered: where findings go.
        context: what is known of the answer.
    """

    def __init__(self, resolver: Resolver, packages: Packages, gathered: Gathered, context: Context) -> None:
        self.resolver = resolver
        self.packages = packages
        self.gathered = gathered
        self.context = context
        self.scope = Scope()
        self._kinds: dict[type, Callable[[ast.expr], Values]] = {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Constant: self._constant,
            ast.BinOp: self._operation,
            ast.IfExp: self._choice,
            ast.BoolOp: self._choice,
            ast.NamedExpr: self._walrus,
            ast.Lambda: self._lambda,
            ast.Await: self._inside,
            ast.Starred: self._inside,
            ast.Subscript: self._subscript,
        }

    def value(self, node: ast.expr) -> Values:
        """Return what an expression can stand for; calls and missing attributes inside it are noted."""
        kind = self._kinds.get(type(node))
        if kind is not None:
            return kind(node)
        if isinstance(node, _COMPREHENSIONS):
            self._comprehension(node)
        else:
            self.parts(node)
        return self._builtin(_DISPLAYS[type(node)]) if type(node) in _DISPLAYS else (_UNKNOWN,)

    def parts(self, node: ast.AST) -> None:
        """Evaluate all expressions inside a node for what they call."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            else:
                self.parts(child)

    def bind_targets(self, target: ast.AST, values: Values = (_UNKNOWN,)) -> None:
        """Bind the names of an assignment's target; a single name gets the values, the parts of a tuple are unknown."""
        if isinstance(target, ast.Name):
            self.scope.bind(target.id, values)
            return
        if isinstance(target, ast.Attribute):
            self.context.touched.add(target.attr)
            self.value(target.value)
            return
        for child in ast.iter_child_nodes(target):
            if isinstance(child, ast.expr):
                self.bind_targets(child)

    def _builtin(self, name: str) -> Values:
        return self.resolver.classes.instances(self.resolver.member("builtins", name))

    def _name(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Name)
        if isinstance(node.ctx, ast.Store):
            self.scope.bind(node.id, (_UNKNOWN,))
            return (_UNKNOWN,)
        values = self.scope.find(node.id)
        if values is not None:
            return values
        unsure = self.scope.unsure()
        found = self.resolver.member("builtins", node.id)
        if not isinstance(found[0], Absent):
            return (Opaque(unsure),) if unsure else found
        if is_python2_builtin(node.id):
            return (Opaque("a builtin of Python 2"),)
        return (Opaque(unsure or "the answer does not say where this name comes from"),)

    def _attribute(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Attribute)
        base = self.value(node.value)
        if isinstance(node.ctx, ast.Store):
            self.context.touched.add(node.attr)
            return (_UNKNOWN,)
        found = self.resolver.attribute(base, node.attr)
        if isinstance(found[0], Absent):
            self._missing(node, base, found[0])
        return found

    def _missing(self, node: ast.Attribute, base: Values, absent: Absent) -> None:
        name = dotted(node) or f"{absent.where}.{absent.name}"
        places = (
            f"{value.of.name}" if isinstance(value, Instance) else getattr(value, "name", "")
            for value in base
        )
        when = was_removed([f"{absent.where}.{absent.name}", *(f"{place}.{absent.name}" for place in places)])
        why = self.excuse(absent.where, absent.name) or (f"it was there until {when}" if when else "")
        reason = why or f"{absent.where} has no {absent.name}"
        status: Status = "not_checkable" if why else "nonexistent"
        self.gathered.add(
            "call",
            status,
            node,
            name=name,
            spelled=node.attr,
            reason=reason,
            as_of=self.packages.version(absent.where),
        )

    def excuse(self, where: str, name: str = "") -> str:
        """Return why the absence of a name from a module or class says nothing; "" where it does."""
        if name and name in self.context.touched:
            return "the answer sets it or asks whether it is there"
        pinned = self.context.pinned.get(where.split(".", maxsplit=1)[0])
        return f"the answer asks for version {pinned}, which is not the one at hand" if pinned else ""

    def _call(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Call)
        self._note_guards(node)
        target = self.value(node.func)
        for argument in node.args:
            self.value(argument)
        for keyword in node.keywords:
            self.value(keyword.value)
        if not isinstance(target[0], Absent):
            self._note(node, target)
        if isinstance(target[0], Local):
            return (Opaque("it comes from code of the answer"),)
        if isinstance(target[0], Absent):
            return (_UNKNOWN,)
        return self.resolver.classes.result(chosen(target, shape_of(node)))

    def _note_guards(self, node: ast.Call) -> None:
        """Take note of what the code asks about at run time: after that, what is written down says less."""
        first = node.args[0] if node.args else None
        asked = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        if asked and isinstance(first, ast.Name) and self.scope.find(first.id) is not None:
            self.scope.bind(first.id, (_UNKNOWN,))
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in {"hasattr", "setattr", "getattr"}
            and len(node.args) > 1
        ):
            name = node.args[1]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                self.context.touched.add(name.value)

    def _note(self, node: ast.Call, target: Values) -> None:
        name = dotted(node.func) or f"{_spelled(node.func)}"
        spelled = _spelled(node.func)
        if all(isinstance(value, Local) for value in target):
            self.gathered.add(
                "call", "ok", node.func, name=name, spelled=spelled, reason="the answer defines it"
            )
            return
        fit = fits(target, shape_of(node), self.resolver.classes)
        where = next((_home(value) for value in target if _home(value)), "")
        as_of = self.packages.version(where) if where else ""
        if fit.state == "ok":
            self.gathered.add(
                "call",
                "ok",
                node.func,
                name=name,
                spelled=spelled,
                reason="it exists and takes these arguments",
                as_of=as_of,
            )
        elif fit.state == "unknown":
            self.gathered.add(
                "call",
                "not_checkable",
                node.func,
                name=name,
                spelled=spelled,
                reason=fit.problem,
                evidence=fit.evidence,
                as_of=as_of,
            )
        else:
            self._unfit(node, target, fit, name)

    def _unfit(self, node: ast.Call, target: Values, fit: Fit, name: str) -> None:
        where = next((_home(value) for value in target if _home(value)), "")
        paths = [
            self._written_path(node.func, target),
            *(f"{_home(value)}.{_own_name(value)}" for value in target),
        ]
        for argument in fit.strange or ("",):
            when = was_removed(paths, [argument]) if argument else None
            why = self.excuse(where) or (f"it took {argument} until {when}" if when else "")
            self.gathered.add(
                "call",
                "not_checkable" if why else "nonexistent",
                next((k for k in node.keywords if k.arg == argument), node.func) if argument else node.func,
                name=f"{name}({argument}=)" if argument else name,
                spelled=argument or _spelled(node.func),
                reason=why or (f"it has no argument {argument}" if argument else fit.problem),
                evidence=fit.evidence,
                as_of=self.packages.version(where),
            )

    def _written_path(self, func: ast.expr, target: Values) -> str:
        """Return the public dotted path of what is called: `pd.read_csv` is pandas.read_csv wherever it is defined."""
        if isinstance(func, ast.Attribute):
            saved, self.gathered.silent = self.gathered.silent, True
            base = self.value(func.value)
            self.gathered.silent = saved
            for value in base:
                if isinstance(value, Module):
                    return f"{value.name}.{func.attr}"
        return next((f"{_home(v).split('.')[0]}.{_own_name(v)}" for v in target if _home(v)), "")

    def _constant(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Constant)
        name = _LITERALS.get(type(node.value))
        return self._builtin(name) if name else (_UNKNOWN,)

    def _operation(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.BinOp)
        left, right = self.value(node.left), self.value(node.right)
        text = self._builtin("str")
        if left == text and (isinstance(node.op, ast.Mod) or right == text):
            return text
        return (_UNKNOWN,)

    def _choice(self, node: ast.expr) -> Values:
        if isinstance(node, ast.IfExp):
            self.value(node.test)
            return merged(self.value(node.body), self.value(node.orelse))
        assert isinstance(node, ast.BoolOp)
        return merged(*(self.value(part) for part in node.values))

    def _walrus(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.NamedExpr)
        values = self.value(node.value)
        self.scope.bind(node.target.id, values)
        return values

    def _inside(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Await | ast.Starred)
        values = self.value(node.value)
        return self.awaited(values) if isinstance(node, ast.Await) else (_UNKNOWN,)

    @staticmethod
    def awaited(values: Values) -> Values:
        """Return what awaiting some values gives: of a coroutine function what it says that it returns."""
        return merged(*(value.values if isinstance(value, Pending) else (_UNKNOWN,) for value in values))

    def _subscript(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Subscript)
        base = self.value(node.value)
        self.value(node.slice)
        if all(isinstance(value, Class) for value in base):
            return base
        return base if base == self._builtin("str") else (_UNKNOWN,)

    def _lambda(self, node: ast.expr) -> Values:
        assert isinstance(node, ast.Lambda)
        saved = self.scope.copy()
        for argument in arguments_of(node.args):
            self.scope.names[argument.arg] = (_UNKNOWN,)
        self.value(node.body)
        self.scope.names = saved
        return (Local("lambda"),)

    def _comprehension(self, node: ast.expr) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        saved = self.scope.copy()
        for generator in node.generators:
            self.value(generator.iter)
            for part in ast.walk(generator.target):
                if isinstance(part, ast.Name):
                    self.scope.names[part.id] = (_UNKNOWN,)
            for test in generator.ifs:
                self.value(test)
        if isinstance(node, ast.DictComp):
            self.value(node.key)
            self.value(node.value)
        else:
            self.value(node.elt)
        self.scope.names = saved


def arguments_of(arguments: ast.arguments) -> list[ast.arg]:
    """Return all parameters of a function, with `*args` and `**kwargs`."""
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*named, *(each for each in (arguments.vararg, arguments.kwarg) if each is not None)]


def dotted(node: ast.expr) -> str:
    """Return an expression of names and dots as text; "" for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _spelled(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else "a call"


def _home(value: Value) -> str:
    if isinstance(value, Function | Class):
        return value.home.name
    return value.of.home.name if isinstance(value, Instance) else ""


def _own_name(value: Value) -> str:
    if isinstance(value, Function):
        return f"{value.owner.node.name}.{value.node.name}" if value.owner else value.node.name
    return value.node.name if isinstance(value, Class) else ""
