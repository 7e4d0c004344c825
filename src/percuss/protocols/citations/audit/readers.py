"""A file of any format into a document: the format is told by its suffix, else by its first bytes."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.protocols.citations.audit.declared import first_mark
from percuss.protocols.citations.audit.document import Document, of_text
from percuss.protocols.citations.references.bibtex import read_bibtex
from percuss.protocols.citations.references.csl import read_csl
from percuss.protocols.citations.references.tagged import read_nbib, read_ris

__all__ = ["SUFFIXES", "read_document", "read_documents"]

_MARKDOWN = {".md", ".markdown"}
_MIB = 1 << 20
_HEAD = 4096
"""Bytes in which a zero byte says that a file is no text."""
LARGEST = 64 * _MIB
"""A document of references has fewer bytes; what is larger is refused."""


def read_documents(paths: Sequence[str | Path], *, standard_input: bytes | None = None) -> list[Document]:
    """Read files; a .tex takes its .bib or .bbl, and Markdown that cites by @key its .bib, from those given beside it, or from the same folder.

    Args:
        paths: files; "-" is `standard_input`.

    Raises:
        BadInput: a file that is not there, is too large, or is of no format that is read.
    """
    out: list[Document] = []
    given = [Path(path) for path in paths if str(path) != "-"]
    taken: set[Path] = set()
    for path in paths:
        if str(path) == "-":
            out.append(_of_input(standard_input or b""))
            continue
        where = Path(path)
        if where in taken:
            continue
        if where.suffix.lower() == ".tex":
            from percuss.protocols.citations.audit.tex import read_tex

            document, used = read_tex(where, _bytes(where).decode("utf-8", errors="replace"), given)
            taken |= used
            out.append(document)
        elif where.suffix.lower() in _MARKDOWN and (keyed := _keyed(where, given)) is not None:
            taken |= keyed[1]
            out.append(keyed[0])
        else:
            out.append(read_document(where))
    return [document for document in out if document.name not in {each.name for each in taken}]


def _of_input(data: bytes) -> Document:
    """Read standard input: a chat answer, or a file of any format that its first bytes tell."""
    if len(data) > LARGEST:
        raise BadInput(f"has more than {LARGEST // _MIB} MiB; expected at most that", source="standard input")
    reader = _by_content(data)
    if reader is None:
        raise BadInput(
            "is of no format that is read; expected text, or one of the formats", source="standard input"
        )
    return reader("stdin", data)


def _keyed(where: Path, given: Sequence[Path]) -> tuple[Document, set[Path]] | None:
    from percuss.protocols.citations.audit.keyed import read_keyed

    return read_keyed(where, _text(_bytes(where)), [each for each in given if each.is_file()])


def read_document(path: str | Path) -> Document:
    """Read one file."""
    where = Path(path)
    data = _bytes(where)
    reader = _READERS.get(where.suffix.lower()) or _by_content(data)
    if reader is None:
        raise BadInput(
            f"is of no format that is read; expected one of {', '.join(SUFFIXES)}, or text on standard input",
            source=str(path),
        )
    return reader(where.name, data)


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise BadInput("is a folder; expected a file", source=str(path))
    if not path.is_file():
        raise BadInput("is not there; expected a file", source=str(path))
    size = path.stat().st_size
    if size > LARGEST:
        raise BadInput(f"has {size // _MIB} MiB; expected at most {LARGEST // _MIB}", source=str(path))
    return path.read_bytes()


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _by_content(data: bytes) -> Callable[[str, bytes], Document] | None:
    head = data[:2048].lstrip(b"\xef\xbb\xbf \r\n\t")
    for start, reader in (
        (b"%PDF-", _pdf), (b"PK\x03\x04", _docx), (b"TY  -", _ris), (b"PMID-", _nbib), (b"<!doctype html", _html), (b"<html", _html),
    ):  # fmt: skip
        if head[: len(start)].lower() == start.lower():
            return reader
    if re.match(rb"@\w+\s*\{", head):
        return _bib
    if head.lower().startswith((b"<?xml", b"<!doctype", b"<svg", b"<!--")):
        text = _text(data)
        first = text[first_mark(text) :][:14].lower()
        if first.startswith(("<html", "<!doctype html")):
            return _html
        if not head.startswith(b"<!--") or first.startswith("<!doctype"):
            return None  # other XML; a text may begin with a comment
    if b"\x00" in data[:_HEAD] or head.startswith(b"{\\rtf"):
        return None
    return _plain


def _bib(name: str, data: bytes) -> Document:
    return Document(name=name, references=read_bibtex(_text(data), name))


def _ris(name: str, data: bytes) -> Document:
    return Document(name=name, references=read_ris(_text(data), name))


def _nbib(name: str, data: bytes) -> Document:
    return Document(name=name, references=read_nbib(_text(data), name))


def _csl(name: str, data: bytes) -> Document:
    return Document(name=name, references=read_csl(_text(data), name))


def _plain(name: str, data: bytes) -> Document:
    if b"\x00" in data[:_HEAD] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput("holds no text that can be read", source=name)
    return of_text(name, _text(data).replace("\r\n", "\n"))


def _notebook(name: str, data: bytes) -> Document:
    try:
        cells = json.loads(_text(data))["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    except (ValueError, KeyError, TypeError, RecursionError) as bad:
        raise BadInput("is no notebook that can be read; expected Jupyter's format 4", source=name) from bad
    return of_text(name, "\n\n".join(texts))


def _html(name: str, data: bytes) -> Document:
    from percuss.protocols.citations.audit.html import read_html

    return read_html(name, data)


def _docx(name: str, data: bytes) -> Document:
    from percuss.protocols.citations.audit.docx import read_docx

    return read_docx(name, data)


def _pdf(name: str, data: bytes) -> Document:
    from percuss.protocols.citations.audit.pdf import read_pdf

    return read_pdf(name, data)


def _bbl(name: str, data: bytes) -> Document:
    from percuss.protocols.citations.audit.tex import read_bbl

    return Document(name=name, references=read_bbl(_text(data)))


_READERS: dict[str, Callable[[str, bytes], Document]] = {
    ".bib": _bib, ".ris": _ris, ".nbib": _nbib, ".json": _csl, ".md": _plain, ".markdown": _plain, ".txt": _plain, ".rst": _plain,
    ".html": _html, ".htm": _html, ".xhtml": _html, ".docx": _docx, ".docm": _docx, ".pdf": _pdf, ".bbl": _bbl,
    ".ipynb": _notebook,
}  # fmt: skip
SUFFIXES = (*_READERS, ".tex")
