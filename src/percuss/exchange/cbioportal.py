"""cBioPortal's clinical tables: tab-separated, titles, descriptions and types in lines that begin with `#`."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.evidence.packet import Fact, Packet
from percuss.exchange.entries import Entry, Notes
from percuss.exchange.tabular import fact, slug, value_of

__all__ = ["FILES", "is_cbioportal", "read_cbioportal"]

FILES = ("data_clinical_patient.txt", "data_clinical_sample.txt")
PATIENT, SAMPLE = "PATIENT_ID", "SAMPLE_ID"
_HEADER_LINES = 5
NO_FACT = "patients with nothing recorded"


def is_cbioportal(head: bytes) -> bool:
    """Tell by a file's beginning: a header of attribute names with PATIENT_ID, tab-separated, below lines with `#`."""
    for line in head.splitlines()[:_HEADER_LINES]:
        if not line.startswith(b"#"):
            return PATIENT.encode() in line.split(b"\t")
    return False


def read_cbioportal(path: Path, notes: Notes) -> Iterator[Entry]:
    """Yield one entry a patient: attributes of the patient, and of each sample under its id.

    Args:
        path: one of the two tables, or a study's folder with both.
        notes: filled on the way.

    Raises:
        BadInput: a row without its patient, or with more fields than the header, by line.
    """
    tables = [path / name for name in FILES if (path / name).is_file()] if path.is_dir() else [path]
    facts: dict[str, list[Fact]] = {}
    for table in tables:
        seen: dict[str, int] = {}
        for line, row, titles, kinds in _rows(table):
            patient = (row.get(PATIENT) or "").strip()
            if not patient:
                raise BadInput(f"no {PATIENT}; every row needs one", source=table.name, line=line)
            sample = (row.get(SAMPLE) or "").strip()
            key = sample or patient
            if key in seen:
                raise BadInput(
                    f"{key!r} stands on line {seen[key]} already; a row each was expected",
                    source=table.name,
                    line=line,
                )
            seen[key] = line
            head = f"samples.{slug(sample)}" if sample else "patient"
            held = facts.setdefault(patient, [])
            for name, cell in row.items():
                if name not in {PATIENT, SAMPLE}:
                    value = value_of(cell, number=None if kinds.get(name, "NUMBER") == "NUMBER" else False)
                    held.append(
                        fact(
                            f"{head}.{slug(name)}", value, f"{table.name}:{name}", title=titles.get(name, "")
                        )
                    )
    notes.fields.update({"id": PATIENT, "evidence": " and ".join(table.name for table in tables)})
    for patient, held in facts.items():
        if all(one.empty for one in held):
            notes.left_out[NO_FACT] += 1
            continue
        yield Entry(id=patient, packet=Packet(facts=tuple(held)))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str], dict[str, str], dict[str, str]]]:
    """Yield (line, row, column -> title, column -> type); the first `#` line holds titles, the third types."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"cannot be read ({error}); a table in UTF-8 was expected", source=path.name
        ) from error
    lines = text.split("\n")
    comments = [line for line in lines[: _HEADER_LINES - 1] if line.startswith("#")]
    names: list[str] = []
    described: list[list[str]] = [comment.lstrip("#").rstrip("\r").split("\t") for comment in comments]
    for number, cells in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
        if not cells or not any(cells) or cells[0].startswith("#"):
            continue
        if not names:
            names = [cell.strip() for cell in cells]
            titles, kinds = _described(described, names, 0), _described(described, names, 2)
            continue
        if len(cells) > len(names) and any(cells[len(names) :]):
            raise BadInput(
                f"{len(cells)} fields under {len(names)} columns; tabs between fields were expected",
                source=path.name,
                line=number,
            )
        yield number, dict(zip(names, cells, strict=False)), titles, kinds


def _described(lines: list[list[str]], names: list[str], at: int) -> dict[str, Any]:
    return dict(zip(names, (cell.strip() for cell in lines[at]), strict=False)) if len(lines) > at else {}
