"""Markdown that cites by keys of a .bib beside it, as Pandoc and Quarto read it: [@granger2011; @patel2011, p. 3]."""

import re
from collections.abc import Sequence
from pathlib import Path

from percuss.protocols.citations.audit.document import Document, Use
from percuss.protocols.citations.references.bibtex import read_bibtex

__all__ = ["read_keyed"]

_KEY = re.compile(r"(?<![\w`@./])-?@\{?([A-Za-z0-9_](?:[\w:.#$%&+?<>~/-]*\w)?)\}?")
_BRACKETS = re.compile(r"\[[^\[\]]{0,600}@[^\[\]]{0,600}\]")
_NAMED = re.compile(r"^bibliography:[ \t]*[\"']?([^\s\"'\[\],]+\.bib)[\"']?[ \t]*$", re.MULTILINE)
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]{1,200}`", re.MULTILINE | re.DOTALL)
_HEAD = 4000
"""Characters in which a document names its .bib."""


def read_keyed(path: Path, text: str, given: Sequence[Path]) -> tuple[Document, set[Path]] | None:
    """Read a Markdown file against the .bib that it cites; None where it cites none by key.

    Args:
        path, text: of the file. given: other files of the call; without a .bib among them, the one that its head names.

    Returns:
        the document, and the given files that were used for it.
    """
    bare = _CODE.sub(lambda match: " " * len(match[0]), text)
    found = list(_KEY.finditer(bare))
    files = [each for each in given if each.suffix.lower() == ".bib"]
    named = _NAMED.search(text[:_HEAD])
    beside = path.parent / Path(named[1]).name if named else None
    if not files and beside is not None and beside.is_file():
        files = [beside]
    if not found or not files:
        return None
    references = [
        each
        for file in files
        for each in read_bibtex(file.read_text(encoding="utf-8", errors="replace"), file.name)
    ]
    keys = {each.key for each in references}
    uses = [
        Use(start=match.start(), stop=match.end(), keys=(match[1],), written=match[0])
        for match in found
        if match[1] in keys
    ]
    if not uses:
        return None
    inside = [(match.start(), match.end()) for match in _BRACKETS.finditer(bare)]
    # outside of brackets an @name may be a person
    missing = [
        match[1]
        for match in found
        if match[1] not in keys and any(low < match.start() < high for low, high in inside)
    ]
    document = Document(
        name=path.name, text=text, references=tuple(references), uses=tuple(uses), dangling=tuple(dict.fromkeys(missing))
    )  # fmt: skip
    return document, set(files) & set(given)
