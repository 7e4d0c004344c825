"""From a run of generation to items: valid ones without duplicates, and the invalid ones kept with their faults."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import BadInput, RunError
from percuss.core.ports import ScoredResponse
from percuss.kit.vectors import vector
from percuss.protocols.textbook.generate.cases import source_of
from percuss.protocols.textbook.generate.check import item_of
from percuss.protocols.textbook.ingest.passage import Passage
from percuss.protocols.textbook.items.item import FORWARD, Item
from percuss.protocols.textbook.items.valid import faults
from percuss.protocols.textbook.scoring.normal import words_of
from percuss.protocols.textbook.scoring.overlap import word_cosine
from percuss.store import RunStore

__all__ = ["ALIKE", "Row", "rows_of", "taken", "written"]

ALIKE = 0.90
"""Cosine of two questions of one type from which the later one is a duplicate (definitions, "Generate"): of their vectors
where the run had an embedder, else of their counts of words."""
Vector = NDArray[np.float32]


class _Asked(NamedTuple):
    """A question that is used, with its vector where the run had an embedder."""

    item: Item
    vector: Vector | None


class Row(NamedTuple):
    """A generated question: its item where one could be read, and why it isn't used."""

    item: Item | None
    faults: tuple[str, ...]
    response: str
    type: str
    passage: Passage


def rows_of(folder: Path) -> Iterator[Row]:
    """Yield every question of a run of textbook-generate, duplicates and invalid ones with their reason.

    Args:
        folder: of the run.

    Raises:
        BadInput: it is a run of another protocol.
    """
    with RunStore.open(folder) as store:
        if store.manifest().get("protocol") not in {None, "textbook-generate"}:
            raise BadInput(
                "is a run of another protocol; expected one of textbook-generate", source=str(folder)
            )
        view = store.view(_scoring(store))
        held = [scored for scored in view.assessed() if scored.response.status == "done"]
        run = folder.name
    seen: dict[str, list[_Asked]] = {}
    forward: dict[tuple[str, str, str], str] = {}
    for scored in sorted(held, key=lambda one: one.response.arm in FORWARD):
        yield _row(scored, run, seen, forward)


def _scoring(store: RunStore) -> str:
    """Return the newest scoring, whose claims may carry vectors; "" before the first."""
    try:
        return store.latest_scoring().id
    except RunError:
        return ""


def _row(
    scored: ScoredResponse, run: str, seen: dict[str, list[_Asked]], forward: dict[tuple[str, str, str], str]
) -> Row:
    response, passage = scored.response, source_of(scored.case).passage
    item = item_of(response)
    if item is None:
        told = response.artifacts.get("faults") or [["no item"]]
        return Row(None, tuple(told[-1]), response.id, response.arm, passage)
    provenance = {
        "generator": response.model,
        "run": run,
        "response": response.id,
        "attempts": response.artifacts.get("attempts"),
    }
    twin = forward.get((response.model, passage.id, FORWARD.get(response.arm, "")), "")
    item = msgspec.structs.replace(item, provenance=provenance, twin=twin, source={"book": passage.book, "section": passage.section, "licence": passage.licence})  # fmt: skip
    found = faults(item, passage.text)
    asked = _Asked(item, vector(scored.claims[0]) if scored.claims else None)
    if not found and (
        same := next((other for other in seen.get(item.type, []) if _alike(asked, other)), None)
    ):
        found = (f"says again what {same.item.id} asks",)
    if not found:
        seen.setdefault(item.type, []).append(asked)
        forward[response.model, passage.id, item.type] = item.id
    return Row(item, found, response.id, response.arm, passage)


def _alike(one: _Asked, other: _Asked) -> bool:
    if one.item.twin == other.item.id or not words_of(one.item.question):
        return False
    if one.vector is not None and other.vector is not None:
        return float(one.vector @ other.vector) >= ALIKE
    return word_cosine(one.item.question, other.item.question) >= ALIKE


def taken(folder: Path) -> tuple[list[Item], dict[str, Passage]]:
    """Return the valid items of a run and their passages by id."""
    rows = [row for row in rows_of(folder) if row.item is not None and not row.faults]
    return [row.item for row in rows if row.item is not None], {row.passage.id: row.passage for row in rows}


def written(folder: Path, out: Path) -> tuple[int, int]:
    """Write the items of a run, invalid ones with `valid: false` and their faults; return how many of each there are.

    Args:
        folder: of the run. out: items.jsonl.
    """
    valid = invalid = 0
    part = out.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        for row in rows_of(folder):
            held: dict[str, Any] = {} if row.item is None else msgspec.to_builtins(row.item)
            if row.faults:
                held |= {
                    "valid": False,
                    "faults": list(row.faults),
                    "type": row.type,
                    "passage": row.passage.id,
                }
            valid, invalid = valid + (not row.faults), invalid + bool(row.faults)
            file.write(json.dumps(held, ensure_ascii=False) + "\n")
    part.replace(out)
    return valid, invalid
