"""Adjudication by people: a blind stratified sample of claims as a plain file, and how far raters agree once labels are in."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from percuss.api.catalog import load
from percuss.api.report.manifest import scoring_of
from percuss.core.errors import UsageError
from percuss.core.records import AnnotationItem, Estimate
from percuss.core.sections import Table
from percuss.core.seeds import generator
from percuss.exchange.tables import write_table
from percuss.store import RunStore

__all__ = ["DESIGN", "PER_BUCKET", "agreement_tables", "write_sample"]

PER_BUCKET = 60
"""Claims a model and arm (papers/0 Appendix F)."""
DESIGN = "claim-adjudication"


def write_sample(
    run: Path,
    out: Path,
    *,
    per_bucket: int = PER_BUCKET,
    seed: int = 42,
    scoring: str | None = None,
    indexed: bool = False,
) -> int:
    """Write a blind, stratified sample of claims for people to label, and return how many claims it holds.

    Args:
        run: the folder. out: `.csv` or `.jsonl`; a row has claim_id, evidence, question, claim and the empty
            fields rater, label, notes. Neither model, arm, case nor any label is in it, and the rows are shuffled.
        per_bucket: claims drawn of each model and arm; all where there are fewer. Simulated models are left out unless
            there are no others.
        seed: of the draw and the order. scoring: start of a scoring's id; None takes the latest.
        indexed: only from the arms that the headline compares, where the run holds both; labels of others change no headline.

    Raises:
        UsageError: another ending, or a protocol that has no claims to adjudicate.
    """
    kinds: dict[str, Literal["csv", "jsonl"]] = {".csv": "csv", ".jsonl": "jsonl"}
    kind = kinds.get(out.suffix.lower())
    if kind is None:
        raise UsageError(f"got {out.name!r}; expected a name that ends in .csv or .jsonl")
    with RunStore.open(run) as store:
        chosen, manifest = scoring_of(store, scoring), store.manifest()
        protocol = load(str(manifest.get("protocol", "")))
        view, options = store.view(chosen.id), protocol.options_of(manifest, chosen)
        items = [item for item in protocol.items(view, DESIGN, options) if "claim" in item.fields]
        items = _compared(items, store.estimates(chosen.id)) if indexed else items
    if not items:
        raise UsageError(
            f"{run} ({protocol.name}) holds no claims to adjudicate; run percuss check on it first"
        )
    return write_table(
        (_row(item) for item in _drawn(items, per_bucket, seed, view.simulated)), out, kind=kind
    )


def _compared(items: Sequence[AnnotationItem], estimates: Iterable[Estimate]) -> list[AnnotationItem]:
    """Return the items of the two arms that the primary estimate compares; all where it compares none."""
    arms = {arm for e in estimates if e.primary for arm in (e.arm, e.baseline) if arm}
    kept = [item for item in items if item.arm in arms]
    return kept if {item.arm for item in kept} == arms and len(arms) > 1 else list(items)


def _drawn(
    items: Sequence[AnnotationItem], per_bucket: int, seed: int, simulated: frozenset[str]
) -> list[AnnotationItem]:
    """Draw per bucket, then shuffle over all buckets."""
    real = [item for item in items if item.model not in simulated]
    buckets: dict[tuple[str, str], list[AnnotationItem]] = defaultdict(list)
    for item in real or items:
        buckets[item.model, item.arm].append(item)
    drawn: list[AnnotationItem] = []
    for name in sorted(buckets):
        pool = sorted(buckets[name], key=lambda item: item.id)
        chosen = generator(seed, "adjudication", *name).permutation(len(pool))[:per_bucket]
        drawn += [pool[n] for n in chosen]
    order = generator(seed, "adjudication", "order").permutation(len(drawn))
    return [drawn[n] for n in order]


def _row(item: AnnotationItem) -> dict[str, Any]:
    return {
        "claim_id": item.subject,
        "evidence": pruned(str(item.fields.get("evidence", ""))),
        "question": item.fields.get("question", ""),
        "claim": item.fields["claim"],
        "rater": "",
        "label": "",
        "notes": "",
    }


def pruned(evidence: str) -> str:
    """Return evidence without the fields that hold nothing; a layer that holds nothing stays, as null.

    >>> pruned('{"pathology": {"purity": 0.6, "stroma": null}, "rna": null}')
    '{"pathology": {"purity": 0.6}, "rna": null}'
    """
    try:
        tree = json.loads(evidence)
    except json.JSONDecodeError:
        return evidence
    if not isinstance(tree, dict):
        return evidence
    kept = {
        name: {k: v for k, v in part.items() if v is not None} if isinstance(part, dict) else part
        for name, part in tree.items()
    }
    return json.dumps(kept, ensure_ascii=False)


def agreement_tables(run: Path, *, scoring: str | None = None) -> Iterator[tuple[str, Table]]:
    """Yield (title, table) of how far raters agree, as the report of a run shows them.

    Args:
        run: the folder, its labels imported. scoring: start of a scoring's id; None takes the latest.

    Raises:
        UsageError: the protocol compared nobody.
    """
    with RunStore.open(run) as store:
        chosen = scoring_of(store, scoring)
        sections = store.sections(chosen.id)
    found = [
        (section.title, section.record)
        for section in sections
        if section.place == "judge" and section.kind == "table"
    ]
    compared = [(title, table) for title, table in found if isinstance(table, Table) and _compares(table)]
    if not compared:
        raise UsageError(
            f"{run} compares no raters; label a sample of it (percuss judge sample {run}) and bring the labels in "
            f"(percuss import labels {run} FILE)"
        )
    yield from compared


def _compares(table: Table) -> bool:
    return bool(table.rows) and {"pair", "kappa"} <= {column.key for column in table.columns}
