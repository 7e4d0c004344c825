"""Where findings are gathered: placed in the answer, each once, with what would make a wrong accusation taken back."""

import ast
from collections.abc import Iterable

from percuss.protocols.citations.code.python.names import removed, removed_argument
from percuss.protocols.citations.code.records import Block, Finding, FindingKind, Status

__all__ = ["Gathered"]

# An answer with more is no answer.
_MOST = 5_000


class Gathered:
    """Collects the findings of one answer's Python."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int, str], Finding] = {}
        self.silent = False
        self.block: Block | None = None

    def add(
        self,
        kind: FindingKind,
        status: Status,
        node: ast.AST,
        *,
        name: str,
        reason: str,
        spelled: str = "",
        evidence: str = "",
        as_of: str = "",
    ) -> None:
        """Note one finding at a node of the block that is being read.

        Args:
            kind, status, name, reason, evidence, as_of: see `Finding`.
            node: where it stands.
            spelled: the text to point at inside the node's line; `name` where it is empty.
        """
        if self.silent or self.block is None or len(self.found) >= _MOST:
            return
        start, end = _place(self.block, node, spelled or name)
        key = (kind, start, name)
        before = self.found.get(key)
        if before is not None and (before.status == "nonexistent" or status != "nonexistent"):
            return
        self.found[key] = Finding(
            kind=kind,
            status=status,
            name=name,
            language="python",
            start=start,
            end=end,
            reason=reason,
            evidence=evidence,
            as_of=as_of,
        )

    def ordered(self) -> tuple[Finding, ...]:
        """Return all findings in the order of the text."""
        return tuple(sorted(self.found.values(), key=lambda item: (item.start, item.kind, item.name)))


def _place(block: Block, node: ast.AST, spelled: str) -> tuple[int, int]:
    first = getattr(node, "lineno", 1)
    last = getattr(node, "end_lineno", None) or first
    lines = block.code.split("\n")
    for number in range(first - 1, min(last, len(lines))):
        column = lines[number].find(spelled)
        if column >= 0:
            return block.lines[number] + column, block.lines[number] + column + len(spelled)
    number = min(max(first - 1, 0), len(lines) - 1)
    return block.lines[number], block.lines[number] + len(lines[number])


def was_removed(names: Iterable[str], arguments: Iterable[str] = ()) -> str | None:
    """Return when something was removed, for any of the dotted names it goes by; None where it never was there."""
    for name in names:
        asked = [removed_argument(name, argument) for argument in arguments] if arguments else [removed(name)]
        when = next((each for each in asked if each), None)
        if when:
            return when
    return None
