"""GDC's clinical data: the portal's JSON, or its TSV with one row a diagnosis and treatment."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.evidence.packet import Fact, Packet
from percuss.exchange.entries import Entry, Notes
from percuss.exchange.rows import Row
from percuss.exchange.tabular import fact, value_of

__all__ = ["is_gdc", "read_gdc"]

_PARTS = frozenset({"demographic", "diagnoses", "exposures", "family_histories", "follow_ups", "project"})
_NAMES = ("cases.submitter_id", "case_submitter_id", "submitter_id")
_KEYS = ("cases.case_id", "case_id")
_PROJECTS = ("project.project_id", "project_id")
_NOT_EVIDENCE = ("_id", "_datetime")
_NOT_EVIDENCE_NAMES = frozenset({"state", "submitter_id", "case_id", "project_id", "disease_code"})
BOOKKEEPING = "columns of identifiers and bookkeeping"
NO_FACT = "patients with nothing recorded"


def is_gdc(row: Mapping[str, Any]) -> bool:
    """Tell by a row: GDC's case id beside its submitter's id or parts of a case."""
    key = any(name in row for name in _KEYS)
    return key and (any(name in row for name in _NAMES) or bool(_PARTS & row.keys()))


def read_gdc(table: Iterator[Row], path: Path, notes: Notes) -> Iterator[Entry]:
    """Yield one entry a patient: rows of one case are joined, equal values once, differing ones numbered.

    Args:
        table: rows of the TSV, or objects of the JSON. path: named in errors. notes: filled on the way.

    Raises:
        BadInput: a row without a case id.
    """
    held: dict[str, dict[str, list[Fact]]] = {}
    names: dict[str, str] = {}
    cohorts: dict[str, str] = {}
    skipped: set[str] = set()
    for line, row in table:
        flat = dict(_flat(row, ""))
        key = _first(flat, _KEYS)
        if not key:
            raise BadInput("no case_id; every case of GDC has one", source=path.name, line=line)
        names.setdefault(key, _first(flat, _NAMES) or key)
        cohorts.setdefault(key, _first(flat, _PROJECTS))
        for column, cell in flat.items():
            if _bookkeeping(column):
                skipped.add(column)
                continue
            one = fact(column.removeprefix("cases."), value_of(cell), f"{path.name}:{column}")
            known = held.setdefault(key, {}).setdefault(one.path, [])
            if one.value is not None and all(one.value != other.value for other in known):
                known.append(one)
    if skipped:
        notes.left_out[BOOKKEEPING] = len(skipped)
    notes.fields.update({"id": "submitter_id", "evidence": "clinical columns", "cohort": "project_id"})
    for key, name in names.items():
        facts = tuple(_numbered(held.get(key, {})))
        if not facts:
            notes.left_out[NO_FACT] += 1
            continue
        yield Entry(id=name, packet=Packet(facts=facts), cohort=cohorts[key])


def _numbered(found: Mapping[str, list[Fact]]) -> Iterator[Fact]:
    from msgspec.structs import replace

    for path, facts in found.items():
        for number, one in enumerate(facts):
            yield one if len(facts) == 1 else replace(one, path=f"{path}.{number}")


def _flat(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield (dotted name, value); a list of one counts as its element."""
    if isinstance(node, Mapping):
        for name, child in node.items():
            yield from _flat(child, f"{path}.{name}" if path else str(name))
    elif isinstance(node, list):
        for number, child in enumerate(node):
            yield from _flat(child, path if len(node) == 1 else f"{path}.{number}")
    else:
        yield path, node


def _first(flat: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(flat[name]) for name in names if value_of(flat.get(name)) is not None), "")


def _bookkeeping(column: str) -> bool:
    leaf = column.rpartition(".")[2]
    return leaf in _NOT_EVIDENCE_NAMES or leaf.endswith(_NOT_EVIDENCE)
