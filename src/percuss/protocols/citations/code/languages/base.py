"""What R, Scala and Elixir share: packages named in code, looked up in the registries' answers."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from percuss.protocols.citations.code.index import Ecosystem, PackageIndex
from percuss.protocols.citations.code.records import Block, Finding, FindingKind, Status
from percuss.protocols.citations.code.versions import never_published

__all__ = ["Mention", "Reader", "blanked", "judged", "lines_of", "names_in", "uncommented", "without"]

_DATA = Path(__file__).parents[1] / "data"
_REGISTRIES = {
    "pypi": "PyPI",
    "npm": "npm",
    "apt": "the package lists of the distribution",
    "cargo": "crates.io",
    "maven": "Maven Central",
    "hex": "Hex",
    "cran": "CRAN",
    "bioconductor": "Bioconductor",
    "conda": "conda",
}


class Mention(NamedTuple):
    """A package that code installs or imports.

    `known` says why it needs no look-up (part of the language, defined in the answer); `unknown` why none can help.
    """

    kind: FindingKind
    name: str
    start: int
    ecosystems: tuple[Ecosystem, ...]
    version: str = ""
    known: str = ""
    unknown: str = ""


Reader = Callable[[tuple[Block, ...]], list[Mention]]


def names_in(file: str) -> frozenset[str]:
    """Return the names of a data file, one or several per line, `#` before comments."""
    text = (_DATA / file).read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() for word in line.split("#", 1)[0].split())


def uncommented(line: str, mark: str) -> str:
    """Return a line with its comment blanked out; marks inside quotes are text."""
    quote = ""
    for position, character in enumerate(line):
        if quote:
            quote = "" if character == quote and line[position - 1] != "\\" else quote
        elif character in "\"'":
            quote = character
        elif line.startswith(mark, position):
            return line[:position]
    return line


def blanked(text: str) -> str:
    """Return text with the inside of plain quotes replaced by spaces, so that words in strings are no code."""
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda match: '"' + " " * (len(match[0]) - 2) + '"', text)


def without(block: Block, *parts: re.Pattern[str]) -> Block:
    """Return a block with what some patterns match replaced by spaces, line by line: comments and texts over lines.

    Args:
        block: of any language. parts: what is no code.
    """
    code = block.code
    for part in parts:
        code = part.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), code)
    return Block(
        language=block.language,
        code=code,
        start=block.start,
        lines=block.lines,
        file=block.file,
        closed=block.closed,
    )


def lines_of(block: Block, mark: str) -> Iterable[tuple[str, int]]:
    """Yield each line of a block without its comment, with its offset in the answer."""
    for number, line in enumerate(block.code.split("\n")):
        if len(line) < 5_000:
            yield uncommented(line, mark), block.lines[number]


def judged(mentions: Iterable[Mention], *, language: str, index: PackageIndex) -> list[Finding]:
    """Return a finding per mention: what the language knows, else what the registries said.

    A package is nonexistent only where every registry that could hold it was asked and has none.

    Args:
        mentions: of one answer, in any order.
        language: to note with each.
        index: answers of registries.
    """
    found = []
    for mention in mentions:
        status, reason, evidence, date = _standing(mention, index)
        found.append(
            Finding(
                kind=mention.kind,
                status=status,
                name=mention.name + (f" {mention.version}" if mention.version else ""),
                language=language,
                start=mention.start,
                end=mention.start + len(mention.name),
                reason=reason,
                evidence=evidence,
                as_of=date,
            )
        )
    return found


def _standing(mention: Mention, index: PackageIndex) -> tuple[Status, str, str, str]:
    if mention.known:
        return "ok", mention.known, "", ""
    if mention.unknown:
        return "not_checkable", mention.unknown, "", ""
    answers = [(each, index.look(each, mention.name)) for each in mention.ecosystems]
    there = next((answer for _, answer in answers if answer is not None and answer.exists), None)
    if there is not None:
        said = f"{_REGISTRIES[there.ecosystem]} on {there.date}"
        if mention.version and never_published(mention.version, there.versions):
            return "nonexistent", f"{mention.name} was never published as {mention.version}", said, there.date
        if mention.version and not there.versions:
            return "not_checkable", "the package exists; its versions are not at hand", said, there.date
        return "ok", "the package exists", said, there.date
    dates = [answer.date for _, answer in answers if answer is not None]
    if not answers or len(dates) < len(answers):
        return "not_checkable", "the registry was not asked", "", ""
    names = " and ".join(_REGISTRIES[each] for each, _ in answers)
    verb = "have" if len(answers) > 1 or names == "the package lists of the distribution" else "has"
    return "nonexistent", f"{names} {verb} no package {mention.name}", f"{names} on {min(dates)}", min(dates)
