"""Names while code is read in order: what each stands for now, and all that it stands for anywhere in its scope."""

from dataclasses import dataclass, field

from percuss.protocols.citations.code.python.values import Local, Opaque, Values, merged

__all__ = ["Context", "Scope"]


@dataclass(slots=True)
class Context:
    """What is known of an answer before its code is read.

    `files` holds the names of modules that the answer itself gives, `installs` the distributions that it installs,
    `pinned` the import names whose asked version is not the one at hand, `touched` the attributes that it sets or
    asks for by name, so that their absence says nothing.
    """

    files: frozenset[str] = frozenset()
    installs: tuple[str, ...] = ()
    pinned: dict[str, str] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Scope:
    """Names of one scope; `open_reason` where a star import may have bound any name."""

    above: "Scope | None" = None
    names: dict[str, Values] = field(default_factory=dict)
    seen: dict[str, Values] = field(default_factory=dict)
    open_reason: str = ""

    def bind(self, name: str, values: Values) -> None:
        """Bind a name from here on."""
        self.names[name] = values
        self.seen[name] = merged(self.seen[name], values) if name in self.seen else values

    def find(self, name: str) -> Values | None:
        """Return what a name stands for here, or in a scope above by all that it ever stands for there."""
        if name in self.names:
            return self.names[name]
        above = self.above
        while above is not None:
            if name in above.seen:
                return above.seen[name]
            above = above.above
        return None

    def unsure(self) -> str:
        """Return why a name that is bound nowhere may be bound all the same; "" where it can't."""
        scope: Scope | None = self
        while scope is not None:
            if scope.open_reason:
                return scope.open_reason
            scope = scope.above
        return ""

    def copy(self) -> dict[str, Values]:
        """Return the bindings as they are, to come back to."""
        return dict(self.names)

    def join(self, *branches: dict[str, Values]) -> None:
        """Bind each name to all that it stands for at the end of any of several branches."""
        names = {name for branch in branches for name in branch}
        for name in names:
            ends = [branch[name] for branch in branches if name in branch]
            self.names[name] = _together(ends, everywhere=len(ends) == len(branches))


def _together(ends: list[Values], *, everywhere: bool) -> Values:
    first = ends[0]
    if all(end == first for end in ends):
        return first
    values = merged(*ends)
    if any(isinstance(value, Local) for value in values) and not everywhere:
        return (Opaque("it is bound in one branch only"),)
    return values
