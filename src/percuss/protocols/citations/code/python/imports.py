"""Import statements of a snippet: what exists, what does not, and what the names stand for afterwards."""

import ast

from percuss.protocols.citations.code.python.expressions import Expressions
from percuss.protocols.citations.code.python.findings import was_removed
from percuss.protocols.citations.code.python.values import Absent, Local, Opaque, Values
from percuss.protocols.citations.code.records import Status

__all__ = ["Imports"]


class Imports(Expressions):
    """Reads import statements, beside expressions."""

    guard = ""

    def import_modules(self, node: ast.Import) -> None:
        """Read `import a.b as c`."""
        for alias in node.names:
            values = self._module(node, alias.name)
            if alias.asname:
                self.scope.bind(alias.asname, values)
            else:
                top = alias.name.split(".")[0]
                self.scope.bind(top, values if top == alias.name else self._quiet(top))

    def import_names(self, node: ast.ImportFrom) -> None:
        """Read `from a.b import c`."""
        module = node.module or ""
        if node.level:
            self._own_names(node, "." * node.level + module)
            return
        if module == "__future__":
            return
        values = self._module(node, module)
        for alias in node.names:
            if alias.name == "*":
                self._star(module, values)
                continue
            self.scope.bind(alias.asname or alias.name, self._member(node, module, alias.name, values))

    def _own_names(self, node: ast.ImportFrom, shown: str) -> None:
        given = (node.module or "").split(".")[-1] in self.context.files
        status: Status = "ok" if given else "not_checkable"
        reason = "the answer gives this file" if given else "a module of the reader's own project"
        self.gathered.add("import", status, node, name=shown, reason=reason)
        for alias in node.names:
            if alias.name == "*":
                self.scope.open_reason = "a star import of a module that can't be read"
            else:
                self.scope.bind(alias.asname or alias.name, (Local(alias.name),))

    def _quiet(self, module: str) -> Values:
        found = self.resolver.module(module)
        return (Opaque(f"the package {module} is not at hand"),) if isinstance(found[0], Absent) else found

    def _module(self, node: ast.Import | ast.ImportFrom, name: str) -> Values:
        top = name.split(".", maxsplit=1)[0]
        if top in self.context.files:
            self.gathered.add("import", "ok", node, name=name, reason="the answer gives this file")
            return (Local(name),)
        found = self.resolver.sources.find(name)
        as_of = self.packages.version(name)
        if found.state == "known":
            self.gathered.add("import", "ok", node, name=name, reason="the module is at hand", as_of=as_of)
        elif found.state == "absent":
            self._absent(node, name, as_of)
            return (Opaque(f"there is no module {name}"),)
        elif found.state == "opaque":
            # Without an `__init__` of Python the module itself is still there, unless a parent may make it.
            self.gathered.add("import", "not_checkable", node, name=name, reason=found.reason, as_of=as_of)
        else:
            self._unknown(node, name, top)
        return self.resolver.module(name)

    def _absent(self, node: ast.AST, name: str, as_of: str) -> None:
        parent, _, last = name.rpartition(".")
        when = was_removed([name])
        why = self.guard or self.excuse(parent) or (f"it was there until {when}" if when else "")
        status: Status = "not_checkable" if why else "nonexistent"
        reason = why or f"{parent} has no module {last}"
        self.gathered.add("import", status, node, name=name, reason=reason, as_of=as_of)

    def _unknown(self, node: ast.AST, name: str, top: str) -> None:
        standing = self.packages.standing(top, installs=self.context.installs)
        status, reason = standing.status, standing.reason
        if status == "nonexistent" and self.guard:
            status, reason = "not_checkable", self.guard
        shown = top if status == "nonexistent" else name
        if status == "ok" and name != top:
            status, reason = "not_checkable", f"{top} exists, and what is in it is not at hand"
        self.gathered.add(
            "import",
            status,
            node,
            name=shown,
            reason=reason,
            evidence=standing.evidence,
            as_of=standing.as_of,
        )

    def _member(self, node: ast.ImportFrom, module: str, name: str, values: Values) -> Values:
        if any(isinstance(value, Local) for value in values):
            return (Local(name),)
        if isinstance(values[0], Opaque):
            self.gathered.add(
                "import",
                "not_checkable",
                node,
                name=f"{module}.{name}",
                spelled=name,
                reason=values[0].reason,
            )
            return values
        found = self.resolver.member(module, name)
        as_of = self.packages.version(module)
        if not isinstance(found[0], Absent):
            status: Status = "not_checkable" if self._is_guess(found) else "ok"
            reason = (
                found[0].reason
                if status == "not_checkable" and isinstance(found[0], Opaque)
                else f"{module} has it"
            )
            self.gathered.add(
                "import", status, node, name=f"{module}.{name}", spelled=name, reason=reason, as_of=as_of
            )
            return found
        when = was_removed([f"{module}.{name}"])
        why = self.guard or self.excuse(module, name) or (f"it was there until {when}" if when else "")
        self.gathered.add(
            "import",
            "not_checkable" if why else "nonexistent",
            node,
            name=f"{module}.{name}",
            spelled=name,
            reason=why or f"{module} has no {name}",
            as_of=as_of,
        )
        return (Opaque(f"{module} has no {name}"),)

    @staticmethod
    def _is_guess(values: Values) -> bool:
        """Tell a name that may be made at run time from one that is there and has no type."""
        guesses = ("__getattr__", "at run time", "sys.modules", "import *", "stub", "circle", "too many")
        return all(
            isinstance(value, Opaque) and any(mark in value.reason for mark in guesses) for value in values
        )

    def _star(self, module: str, values: Values) -> None:
        found = self.resolver.sources.find(module)
        if isinstance(values[0], Opaque) or found.state != "known":
            self.scope.open_reason = f"it may come from `from {module} import *`"
            return
        names = {name for surface in found.surfaces for name in (surface.exports or surface.names)}
        for surface in found.surfaces:
            if (surface.stars and surface.exports is None) or surface.open_reason:
                self.scope.open_reason = f"it may come from `from {module} import *`"
        for name in sorted(names):
            if not name.startswith("_"):
                self.scope.bind(name, self.resolver.member(module, name))
