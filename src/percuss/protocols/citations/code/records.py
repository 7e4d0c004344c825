"""The words of the code checks: blocks, findings and what they add up to."""

from typing import Literal

from percuss.core.strict import Record

__all__ = ["Block", "CodeReading", "Finding", "FindingKind", "Status", "Verdict"]

FindingKind = Literal["install", "import", "call"]
Status = Literal["ok", "nonexistent", "not_checkable"]
Verdict = Literal["hallucinated", "clean", "unscored", "no_code"]


class Block(Record):
    """One piece of code in an answer.

    `start` is the offset of the code's first character in the answer. `lines` holds the offset in the answer of each
    line of `code`, since fences inside lists and quotes are indented. `language` is lower case and "" where the
    fence names none. `file` is the file name that the answer gives the block, None where it gives none. `closed` is
    False where the answer ends inside the fence.
    """

    language: str
    code: str
    start: int
    lines: tuple[int, ...]
    file: str | None = None
    closed: bool = True


class Finding(Record):
    """One package, import or call that was looked at: what, where, and why.

    `start` and `end` are offsets in the answer. `reason` is one sentence for people. `evidence` is what it rests on: a
    signature with the file it stands in, or the registry's answer; "" where there is none. `as_of` says of when: a
    package's version as installed, or the date of the registry's answer.
    """

    kind: FindingKind
    status: Status
    name: str
    language: str
    start: int
    end: int
    reason: str
    evidence: str = ""
    as_of: str = ""


class CodeReading(Record):
    """All findings of one answer, in the order of the text, and its verdict.

    `verdict` is `hallucinated` with at least one `nonexistent` finding, `no_code` without a block or command,
    `unscored` where nothing could be checked, else `clean`. `unread` has one sentence per block that could not be
    read.
    """

    findings: tuple[Finding, ...]
    blocks: int
    unread: tuple[str, ...]
    verdict: Verdict

    def first(self, kind: FindingKind) -> Finding | None:
        """Return the first nonexistent finding of a kind: all that the paper's judge would say of it."""
        wrong = (item for item in self.findings if item.kind == kind and item.status == "nonexistent")
        return next(wrong, None)
