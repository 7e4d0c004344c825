"""Statements of a snippet in order: bindings, branches, loops, functions read after the code around them."""

import ast
from collections.abc import Callable

from percuss.protocols.citations.code.python.expressions import arguments_of
from percuss.protocols.citations.code.python.imports import Imports
from percuss.protocols.citations.code.python.scope import Scope
from percuss.protocols.citations.code.python.values import Class, Instance, Local, Opaque, Values, merged

__all__ = ["Walk"]

_UNKNOWN = Opaque("a value of unknown type")
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Walk(Imports):
    """Reads the statements of an answer's blocks, one block after the other in one namespace."""

    deferred: list[tuple[_FunctionNode, Scope]]

    def read(self, tree: ast.Module) -> None:
        """Read a block: its statements, then the bodies of the functions that it defines."""
        self.deferred = []
        self.body(tree.body)
        while self.deferred:
            function, scope = self.deferred.pop(0)
            self._function_body(function, scope)

    def body(self, statements: list[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Read one statement."""
        kinds: dict[type, Callable[..., None]] = {
            ast.Import: self.import_modules,
            ast.ImportFrom: self.import_names,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.For: self._loop,
            ast.AsyncFor: self._loop,
            ast.While: self._loop,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: self._try,
            ast.Match: self._match,
            ast.Global: self._global,
        }
        kind = kinds.get(type(node))
        if kind is not None:
            kind(node)
        elif isinstance(node, ast.TryStar):
            self._try(node)
        else:
            self.parts(node)

    def _assign(self, node: ast.Assign) -> None:
        values = self.value(node.value)
        for target in node.targets:
            self.bind_targets(target, values)

    def _annotated(self, node: ast.AnnAssign) -> None:
        self.value(node.annotation)
        values = self.value(node.value) if node.value is not None else (_UNKNOWN,)
        if isinstance(values[0], Opaque):
            values = self._objects(node.annotation)
        self.bind_targets(node.target, values)

    def _augmented(self, node: ast.AugAssign) -> None:
        self.value(node.value)
        if not isinstance(node.target, ast.Name):
            self.parts(node.target)
        elif self.scope.find(node.target.id) != self._builtin("str"):
            self.scope.bind(node.target.id, (_UNKNOWN,))

    def _objects(self, annotation: ast.expr | None) -> Values:
        """Return objects of the class that an annotation of the snippet names, where it is exactly one of a package."""
        saved, self.gathered.silent = self.gathered.silent, True
        values = self.value(annotation) if isinstance(annotation, ast.Name | ast.Attribute) else (_UNKNOWN,)
        self.gathered.silent = saved
        if len(values) == 1 and isinstance(values[0], Class):
            return self.resolver.classes.instances(values)
        return (_UNKNOWN,)

    def _function(self, node: _FunctionNode) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
        for default in [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]:
            self.value(default)
        for argument in arguments_of(node.args):
            if argument.annotation is not None:
                self.value(argument.annotation)
        if node.returns is not None:
            self.value(node.returns)
        self.scope.bind(node.name, (Local(node.name),))
        self.deferred.append((node, self.scope))

    def _function_body(self, node: _FunctionNode, above: Scope) -> None:
        outer, self.scope = self.scope, Scope(above=above)
        for argument in arguments_of(node.args):
            plain = argument not in (node.args.vararg, node.args.kwarg)
            self.scope.bind(argument.arg, self._objects(argument.annotation) if plain else (_UNKNOWN,))
        self.body(node.body)
        self.scope = outer

    def _class(self, node: ast.ClassDef) -> None:
        for each in [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]:
            self.value(each)
        self.scope.bind(node.name, (Local(node.name),))
        outer, self.scope = self.scope, Scope(above=self.scope)
        self.body(node.body)
        # Methods see the names around the class, not those inside it.
        self.deferred = [(f, outer if s is self.scope else s) for f, s in self.deferred]
        self.scope = outer

    def _if(self, node: ast.If) -> None:
        self.value(node.test)
        before = self.scope.copy()
        self.body(node.body)
        after = self.scope.copy()
        self.scope.names = dict(before)
        self.body(node.orelse)
        if _leaves(node.body):
            return
        if node.orelse and _leaves(node.orelse):
            self.scope.names = after
            return
        self.scope.join(after, self.scope.copy())

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        self.value(node.iter if not isinstance(node, ast.While) else node.test)
        # A name that the body binds anew may already hold that when the body starts again.
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in self.scope.names:
                self.scope.bind(part.id, merged(self.scope.names[part.id], (_UNKNOWN,)))
        if not isinstance(node, ast.While):
            self.bind_targets(node.target)
        before = self.scope.copy()
        self.body(node.body)
        self.scope.join(before, self.scope.copy())
        self.body(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            values = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind_targets(item.optional_vars, self._entered(values, node))
        self.body(node.body)

    def _entered(self, values: Values, node: ast.With | ast.AsyncWith) -> Values:
        if not all(isinstance(value, Instance) for value in values):
            return (_UNKNOWN,)
        if isinstance(node, ast.AsyncWith):
            entered = self.resolver.classes.result(self.resolver.attribute(values, "__aenter__"))
            return self.awaited(entered)
        return self.resolver.classes.result(self.resolver.attribute(values, "__enter__"))

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        outer = self.guard
        if any(_catches_imports(handler) and _falls_back(handler) for handler in node.handlers):
            self.guard = "the code says what to do where it can't be imported"
        before = self.scope.copy()
        self.body(node.body)
        self.body(node.orelse)
        ends = [self.scope.copy()]
        for handler in node.handlers:
            self.scope.names = dict(before)
            if handler.type is not None:
                self.value(handler.type)
            if handler.name:
                self.scope.bind(handler.name, (_UNKNOWN,))
            self.body(handler.body)
            if not _leaves(handler.body):
                ends.append(self.scope.copy())
        self.guard = outer
        self.scope.join(*ends)
        self.body(node.finalbody)

    def _match(self, node: ast.Match) -> None:
        self.value(node.subject)
        before = self.scope.copy()
        ends = [before]
        for case in node.cases:
            self.scope.names = dict(before)
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.scope.bind(name, (_UNKNOWN,))
            if case.guard is not None:
                self.value(case.guard)
            self.body(case.body)
            ends.append(self.scope.copy())
        self.scope.join(*ends)

    def _global(self, node: ast.Global) -> None:
        top = self.scope
        while top.above is not None:
            top = top.above
        for name in node.names:
            top.bind(name, (_UNKNOWN,))
            self.scope.bind(name, (_UNKNOWN,))


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _catches_imports(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in _IMPORT_ERRORS for kind in kinds)


def _falls_back(handler: ast.ExceptHandler) -> bool:
    """Tell a handler that goes on in another way from one that complains and stops."""
    kinds = (
        ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign | ast.Pass | ast.FunctionDef | ast.ClassDef
    )
    return any(isinstance(statement, kinds) for statement in handler.body)
