"""Whatever somebody has, recognised as it comes: which reader a file or folder of cases is for."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.evidence.packet import Packet
from percuss.exchange.cbioportal import FILES, is_cbioportal, read_cbioportal
from percuss.exchange.delimited import encoding_of
from percuss.exchange.entries import Entries, Entry, Notes
from percuss.exchange.evaluation_sets import layout_of, mapped_layout, read_rows, split_form
from percuss.exchange.fhir import ENDINGS, is_fhir, read_fhir
from percuss.exchange.gdc import is_gdc, read_gdc
from percuss.exchange.plain_columns import plain_layout
from percuss.exchange.rows import Row, rows
from percuss.exchange.workbook import ENDINGS as WORKBOOKS

__all__ = ["is_ours", "read_source"]

HEAD = 1 << 16
NOTES = (".txt", ".md")
KNOWN = "ours (id, evidence), plain columns (question, context, answer ..), RAGAS, DeepEval, MedHallu, FHIR, cBioPortal or GDC"


def is_ours(path: Path) -> bool:
    """Tell whether a file is in our own layout: JSON that no other reader claims.

    Args:
        path: a file. A first line that is broken or lacks a field is ours too: the sentence about it comes from there.
    """
    if path.is_dir() or path.suffix.lower() in {".csv", ".tsv", ".txt", ".parquet", ".fhir", *WORKBOOKS}:
        return False
    if is_fhir(_head(path)):
        return False
    try:
        _, first = next(rows(path), (0, {}))
    except BadInput:
        return True
    plain = plain_layout(first)
    claimed = is_gdc(first) or layout_of(first) is not None
    claimed = claimed or (plain is not None and (bool(plain.responses) or "evidence" not in first))
    return not claimed and ("evidence" in first or "id" in first or not first)


def read_source(path: Path, mapping: Mapping[str, str]) -> Entries:
    """Recognise a file or folder that is not in our own layout.

    Args:
        path: where it is. mapping: field -> column as the user named them; {} recognises.

    Returns:
        The entries, read lazily, with the notes that the reader fills.

    Raises:
        BadInput: nobody's layout; the sentence lists the columns and how to name them.
    """
    mapping, form = split_form(mapping)
    if path.is_dir():
        return _folder(path)
    head = _head(path)
    if not mapping and is_fhir(head):
        notes = Notes("FHIR")
        return Entries(path, notes, read_fhir(path, notes))
    if not mapping and is_cbioportal(head):
        notes = Notes("cBioPortal clinical table")
        return Entries(path, notes, read_cbioportal(path, notes))
    return _table(path, rows(path, form), mapping)


def _table(path: Path, table: Iterator[Row], mapping: Mapping[str, str]) -> Entries:
    line, first = next(table, (0, {}))
    if not line:
        raise BadInput("no cases; a header or a first line was expected", source=path.name)
    whole = chain([(line, first)], table)
    if not mapping and is_gdc(first):
        notes = Notes("GDC clinical data")
        return Entries(path, notes, read_gdc(whole, path, notes))
    layout = layout_of(first) or (None if "evidence" in mapping else plain_layout(first))
    if mapping:
        own: dict[str, str] = {
            name: name
            for name in ("id", "question", "evidence", "cluster", "stratum", "cohort")
            if name in first
        }
        layout = mapped_layout({**({} if layout else own), **mapping}, layout)
    if layout is None or "evidence" not in layout.columns:
        columns = ", ".join(map(str, first)) or "none"
        raise BadInput(
            f"the columns {columns} are of no layout that is known ({KNOWN}); name them with --map question=..,evidence=..",
            source=path.name,
            line=line,
        )
    notes = Notes(layout.name)
    return Entries(path, notes, read_rows(whole, path, layout, notes, mapping))


def _folder(path: Path) -> Entries:
    if any((path / name).is_file() for name in FILES):
        notes = Notes("cBioPortal study")
        return Entries(path, notes, read_cbioportal(path, notes))
    files = [file for file in sorted(path.iterdir()) if file.suffix.lower() in ENDINGS]
    if files and all(is_fhir(_head(file)) for file in files):
        notes = Notes("FHIR")
        return Entries(path, notes, read_fhir(path, notes))
    written = [
        file for file in sorted(path.iterdir()) if file.suffix.lower() in NOTES and file.name not in FILES
    ]
    if written:
        notes = Notes("folder of notes")
        return Entries(path, notes, _notes(written, notes))
    raise BadInput(
        f"a folder of no layout that is known; notes ({', '.join(NOTES)}), FHIR resources ({', '.join(ENDINGS)}) or "
        f"{' and '.join(FILES)} were expected",
        source=path.name,
    )


def _notes(files: list[Path], notes: Notes) -> Iterator[Entry]:
    """Yield one case per note: its id is the file's name without the ending, its evidence the text."""
    notes.fields.update({"id": "the file's name", "evidence": "its text"})
    taken: set[str] = set()
    for file in files:
        raw = file.read_bytes()
        text = raw.decode(encoding_of(file, raw[:HEAD]), errors="strict").strip()
        if not text:
            notes.left_out["empty notes"] += 1
            continue
        name = file.stem if file.stem not in taken else file.name
        taken.add(name)
        yield Entry(id=name, packet=Packet.of_text(text))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror}); check the path", source=str(path)) from error
