"""DOCX: paragraphs, footnotes, endnotes, and the citation fields of Zotero, Mendeley, EndNote and Word itself.

A zip that unfolds beyond its bounds and one that declares entities are refused in a sentence; macros stay closed, which is said.
"""

import io
import re
import zipfile
from typing import Any

import msgspec
from msgspec import structs

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.protocols.citations.audit.declared import declares_entities
from percuss.protocols.citations.audit.document import Document, of_text
from percuss.protocols.citations.audit.docx_fields import endnote_records, from_field_data, word_sources
from percuss.protocols.citations.references.csl import from_csl
from percuss.protocols.citations.references.identity import same_reference
from percuss.protocols.citations.references.lists import entries, reference_section
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.strings import parse, relabelled

__all__ = ["read_docx"]

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MACROS = "holds macros; they were not opened"
_MIB = 1 << 20
_LARGEST_PART, _LARGEST_ALL, _RATIO = 64 * _MIB, 128 * _MIB, 200


def read_docx(name: str, data: bytes) -> Document:
    """Read a .docx.

    Raises:
        BadInput: no .docx, or one that unfolds beyond its bounds or defines entities.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError):
        raise BadInput("is no .docx that can be opened", source=name) from None
    with archive:
        _bounded(archive, name)
        main = _part(archive, "word/document.xml", name)
        if main is None:
            raise BadInput("is a zip without word/document.xml; expected a .docx", source=name)
        fields = _once([*_fields(main), *_sources(archive, name)])
        macros = any(each.rsplit("/", 1)[-1].lower() == "vbaproject.bin" for each in archive.namelist())
        notes = [
            (number, text)
            for part in ("word/footnotes.xml", "word/endnotes.xml")
            if (tree := _part(archive, part, name)) is not None
            for number, text in _notes(tree)
        ]
    text = "\n".join(_lines(main))
    document = _document(name, text, fields, notes)
    return structs.replace(document, notes=(MACROS,)) if macros else document


def _bounded(archive: zipfile.ZipFile, name: str) -> None:
    total = 0
    for info in archive.infolist():
        total += info.file_size
        too_dense = info.file_size > _MIB and info.file_size > _RATIO * max(1, info.compress_size)
        if info.file_size > _LARGEST_PART or total > _LARGEST_ALL or too_dense or info.flag_bits & 1:
            raise BadInput(
                "unfolds beyond what a document needs, or is encrypted; it was not opened", source=name
            )


def _part(archive: zipfile.ZipFile, part: str, name: str) -> Any:
    try:
        with archive.open(part) as file:
            raw = file.read(_LARGEST_PART + 1)
    except KeyError:
        return None
    except (zipfile.BadZipFile, zipfile.error, OSError, EOFError, ValueError):
        raise BadInput(f"is damaged at {part}", source=name) from None
    if len(raw) > _LARGEST_PART:
        raise BadInput(f"is too large at {part}; it was not read", source=name)
    if declares_entities(raw):
        raise BadInput(f"declares entities at {part}, which are never unfolded; it was not read", source=name)
    etree = needed("lxml.etree", "reading DOCX")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(raw, parser)
    except etree.XMLSyntaxError:
        raise BadInput(f"has no XML that can be read at {part}", source=name) from None


def _lines(tree: Any) -> list[str]:
    lines, counter = [], 0
    for paragraph in tree.iter(f"{_W}p"):
        line = _line(paragraph)
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        heading = style is not None and str(style.get(f"{_W}val")).lower().startswith(("heading", "title"))
        if paragraph.find(f"{_W}pPr/{_W}numPr") is not None and line.strip():
            counter += 1
            line = f"{counter}. {line}" if not heading else line
        elif line.strip():
            counter = 0
        lines.append(f"# {line.strip()}" if heading and line.strip() else line)
    return lines


def _line(paragraph: Any) -> str:
    out = []
    for node in paragraph.iter():
        if node.tag == f"{_W}t":
            out.append(_superscript(node) or node.text or "")
        elif node.tag in {f"{_W}tab", f"{_W}br"}:
            out.append(" ")
        elif node.tag in {f"{_W}footnoteReference", f"{_W}endnoteReference"}:
            out.append(f"[^{node.tag[len(_W) : len(_W) + 1]}{node.get(f'{_W}id')}]")
        elif node.tag == f"{_W}noBreakHyphen":
            out.append("-")
    return "".join(out)


def _superscript(node: Any) -> str:
    run = node.getparent()
    align = run.find(f"{_W}rPr/{_W}vertAlign") if run is not None else None
    raised = align is not None and align.get(f"{_W}val") == "superscript"
    text = (node.text or "").strip()
    return f"[{text}]" if raised and re.fullmatch(r"\d{1,3}(?:[,–-]\d{1,3}){0,10}", text) else ""


def _notes(tree: Any) -> list[tuple[str, str]]:
    found = []
    for tag in ("footnote", "endnote"):
        for note in tree.iter(f"{_W}{tag}"):
            text = " ".join(_line(paragraph) for paragraph in note.iter(f"{_W}p")).strip()
            if note.get(f"{_W}type") is None and text:
                found.append((f"{tag[0]}{note.get(f'{_W}id')}", text))
    return found


def _once(references: list[Reference]) -> list[Reference]:
    found: list[Reference] = []
    for made in references:
        if (made.title or made.ids) and not any(same_reference(made, each) for each in found):
            found.append(made)
    return found


def _sources(archive: zipfile.ZipFile, name: str) -> list[Reference]:
    """Read Word's own list of sources."""
    parts = [each for each in archive.namelist() if re.fullmatch(r"customXml/item\d{1,3}\.xml", each)]
    trees = (_part(archive, part, name) for part in parts[:50])
    return [each for tree in trees if tree is not None for each in word_sources(tree)]


def _fields(tree: Any) -> list[Reference]:
    """Read the records that citation managers keep in field codes: CSL items, and EndNote's."""
    codes, current = [], None
    for node in tree.iter(f"{_W}fldChar", f"{_W}instrText", f"{_W}fldSimple", f"{_W}fldData"):
        if node.tag == f"{_W}fldData":
            codes.append(from_field_data(node.text or ""))
        elif node.tag == f"{_W}fldSimple":
            codes.append(str(node.get(f"{_W}instr") or ""))
        elif node.tag == f"{_W}instrText":
            current = (current or "") + (node.text or "")
        elif current is not None and node.get(f"{_W}fldCharType") in {"separate", "end"}:
            codes.append(current)
            current = None
    return [each for code in codes for each in (*map(from_csl, _items(code)), *endnote_records(code))]


def _items(code: str) -> list[dict[str, Any]]:
    start = code.find("{")
    if start < 0 or not re.search(r"CSL_CITATION|ADDIN|CITATION", code[:start]):
        return []
    try:
        held = msgspec.json.decode(code[start : code.rfind("}") + 1])
    except (msgspec.DecodeError, RecursionError):
        return []
    rows = held.get("citationItems") if isinstance(held, dict) else None
    return [
        row["itemData"]
        for row in rows or []
        if isinstance(row, dict) and isinstance(row.get("itemData"), dict)
    ]


def _document(name: str, text: str, fields: list[Reference], notes: list[tuple[str, str]]) -> Document:
    section = reference_section(text)
    listed = list(entries(text, section.start, section.stop)) if section else []
    for number, note in notes:
        noted = parse(note)
        if (noted.title and (noted.year or noted.authors)) or noted.ids:
            listed.append(relabelled(noted, number, 0, 0))
    for field in fields:
        if not any(same_reference(field, each) for each in listed):
            listed.append(field)
    document = of_text(name, text, tuple(listed) if listed else None)
    there = {f"[^{number}]" for number, _ in notes}  # a note that is there says something, if only "Ibid."
    return structs.replace(document, dangling=tuple(each for each in document.dangling if each not in there))
