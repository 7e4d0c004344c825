"""Plain text and Markdown: paragraphs parted by blank lines, headings by their marks or their form."""

import re
from collections.abc import Iterator
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.protocols.textbook.ingest.passage import Block, Book, Kind

__all__ = ["read_markdown", "read_text", "text_of"]

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_UNDERLINE = re.compile(r"(?:=+|-{3,})\s*")
_NUMBERED = re.compile(r"(?:chapter|section|part|unit)?\s*\d+(?:\.\d+)*[.:]?\s+\S.*", re.IGNORECASE)


def text_of(path: Path) -> str:
    """Return the text of a file, UTF-8 or else Windows' Latin.

    Raises:
        BadInput: it holds bytes of no text.
    """
    data = path.read_bytes()
    if b"\0" in data[:4096]:
        raise BadInput("holds bytes of no text; expected a text file", source=path.name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_text(path: Path) -> Book:
    """Read plain text: a form feed begins a page; a short line of its own without a full stop is a heading."""
    blocks: list[Block] = []
    section = ""
    pages = text_of(path).split("\f")
    for number, page in enumerate(pages, start=1):
        for part in re.split(r"\n[ \t]*\n", page):
            text = _unwrapped(part)
            if not text:
                continue
            if _is_heading(part.strip()):
                section = text
            else:
                blocks.append(Block(text, section, number if len(pages) > 1 else None))
    return Book(path.stem, "", blocks)


def _is_heading(part: str) -> bool:
    if "\n" in part or len(part.split()) > 10 or part[-1] in ".,;:?!":
        return False
    return part.isupper() or part.istitle() or part[:1].isupper() or bool(_NUMBERED.fullmatch(part))


def _unwrapped(part: str) -> str:
    joined = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", part.strip())
    return " ".join(joined.split())


def read_markdown(path: Path) -> Book:
    """Read Markdown: `#` and underlined headings are sections; tables, code, lists and pictures are told by their marks."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text_of(path), flags=re.DOTALL)
    title, blocks, section = path.stem, list[Block](), ""
    for kind, part in _parts(text):
        heading = _HEADING.fullmatch(part) if kind == "prose" else None
        lines = part.splitlines()
        if heading is None and len(lines) == 2 and _UNDERLINE.fullmatch(lines[1]):
            heading = _HEADING.fullmatch(f"# {lines[0]}")
        if heading is not None:
            section = _bare(heading[2])
            if len(heading[1]) == 1 and not blocks:
                title = section
        else:
            blocks.append(Block(_bare(_unwrapped(part)), section, kind=kind))
    return Book(title, "", [block for block in blocks if block.text])


def _parts(text: str) -> Iterator[tuple[Kind, str]]:
    pieces = re.split(r"(^```.*?^```[ \t]*$)", text, flags=re.MULTILINE | re.DOTALL)
    for piece in pieces:
        if piece.startswith("```"):
            yield "code", piece
            continue
        for part in re.split(r"\n[ \t]*\n|\n(?=#{1,6} )", piece):
            for one in _split_heading(part.strip("\n")):
                if one.strip():
                    yield _kind_of(one), one.strip()


def _split_heading(part: str) -> list[str]:
    """Part a heading from the paragraph that follows it without a blank line."""
    head, _, rest = part.partition("\n")
    return [head, rest] if _HEADING.fullmatch(head.strip()) and rest else [part]


def _kind_of(part: str) -> Kind:
    lines = part.strip().splitlines()
    if sum(line.lstrip().startswith("|") for line in lines) * 2 > len(lines):
        return "table"
    if re.fullmatch(r"!\[[^\]]*\]\([^)]*\)\s*", part.strip()):
        return "caption"
    if all(re.match(r"\s*(?:[-*+]|\d+[.)])\s", line) or line.startswith("  ") for line in lines):
        return "list"
    return "prose"


def _bare(text: str) -> str:
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text).strip()
