"""Labelled claims of other tools as cells: a table with one row a claim, or FActScore's own file."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.core.labels import SUPPORT_LABELS, Reason, Support
from percuss.core.records import Cell
from percuss.exchange.rows import rows
from percuss.models.providers import is_simulated

__all__ = ["FIELDS", "GIVEN", "LEFT_OUT", "ONLY_ARM", "claim_cells"]

FIELDS = ("case", "arm", "label", "model", "cluster", "epoch")
GIVEN = "given"
"""Label source of labels that came with the table."""
ONLY_ARM = "all"
"""Name of the arm of a table that has none."""
LEFT_OUT = "irrelevant"
"""Word of a claim that is no claim about the case: counted, and left out."""
# What other tools call our labels: FActScore, natural language inference, ALCE, SAFE, RAGAS, HaluEval.
_SYNONYMS = {
    "s": "supported", "support": "supported", "supports": "supported", "entailed": "supported", "entailment": "supported",
    "faithful": "supported", "true": "supported", "ns": "unsupported", "not supported": "unsupported",
    "not_supported": "unsupported", "refuted": "unsupported", "refutes": "unsupported", "contradicted": "unsupported",
    "contradiction": "unsupported", "contradictory": "unsupported", "hallucinated": "unsupported",
    "hallucination": "unsupported", "false": "unsupported", "partially supported": "partial",
    "partially_supported": "partial", "neutral": "unknown", "not enough info": "unknown", "unverifiable": "unknown",
    "ir": LEFT_OUT, "not applicable": LEFT_OUT,
}  # fmt: skip
_KNOWN = (*SUPPORT_LABELS, LEFT_OUT)

Key = tuple[str, str, str, int]


def claim_cells(
    path: Path, *, mapping: Mapping[str, str], words: Mapping[str, str] | None = None, model: str = "model"
) -> tuple[Cell, ...]:
    """Read labelled claims as cells `unsupported` and `supported`, one a case, arm, model and epoch.

    Args:
        path: a table (`percuss.exchange.rows`) with the columns case and label; optional arm, model, cluster, epoch; or
            FActScore's JSONL of annotated answers.
        mapping: field -> the column's own name.
        words: the table's own word for a label -> ours; common ones are known.
        model: of rows that name none.

    Returns:
        Cells; claims labelled `irrelevant` are excluded as `not_applicable:irrelevant`.

    Raises:
        UsageError: a field or a label that there is not; BadInput: the first row that cannot be read.
    """
    strange = sorted(set(mapping) - set(FIELDS))
    if strange:
        raise UsageError(f"--map got the field {strange[0]!r}; expected {', '.join(FIELDS)}")
    own = {word.casefold(): label for word, label in (words or {}).items()}
    wrong = next((label for label in own.values() if label not in _KNOWN), None)
    if wrong is not None:
        raise UsageError(f"--label got {wrong!r}; expected {', '.join(_KNOWN)}")
    counts: dict[Key, Counter[str]] = {}
    clusters: dict[str, str] = {}
    for line, row in rows(path):
        source: dict[str, Any] = {"source": str(path), "line": line}
        for key, cluster, word in _claims(row, mapping, source, model):
            counts.setdefault(key, Counter())[_label(word, own, source)] += 1
            if clusters.setdefault(key[2], cluster) != cluster:
                raise BadInput(
                    f"case {key[2]!r} is in the clusters {clusters[key[2]]!r} and {cluster!r}; expected one",
                    **source,
                )
    if not counts:
        raise BadInput("holds no claim; expected one row a claim", source=str(path))
    return tuple(cell for key, found in counts.items() for cell in _cells(key, found, clusters))


def _claims(
    row: Mapping[str, Any], mapping: Mapping[str, str], source: Mapping[str, Any], model: str
) -> Iterator[tuple[Key, str, Any]]:
    """Yield (model, arm, case, epoch), cluster and label of each claim of a row."""
    if "annotations" in row and "topic" in row:
        for part in row["annotations"] or ():
            for fact in part.get("human-atomic-facts") or ():
                yield (model, ONLY_ARM, str(row["topic"]), 0), str(row["topic"]), fact.get("label")
        return
    field = {name: row.get(mapping.get(name, name)) for name in FIELDS}
    if field["arm"] is None and "arm" not in mapping:
        field["arm"] = ONLY_ARM
    for name in ("case", "arm", "label"):
        if field[name] in (None, ""):
            column = mapping.get(name, name)
            raise BadInput(f"has no {column!r}; expected a value (or --map {name}=COLUMN)", **source)
    case = str(field["case"])
    key = (str(field["model"] or model), str(field["arm"]), case, _epoch(field["epoch"], source))
    yield key, str(field["cluster"] or case), field["label"]


def _label(word: Any, own: Mapping[str, str], source: Mapping[str, Any]) -> str:
    plain = str(word).strip().casefold()
    label = own.get(plain) or _SYNONYMS.get(plain, plain)
    if label not in _KNOWN:
        raise BadInput(
            f"got the label {word!r}; expected {', '.join(_KNOWN)} (or --label {plain or 'WORD'}=unsupported)",
            **source,
        )
    return label


def _epoch(value: Any, source: Mapping[str, Any]) -> int:
    if value in (None, ""):
        return 0
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdecimal():
        raise BadInput(f"got the epoch {value!r}; expected 0, 1, 2 ..", **source)
    return int(text)


def _cells(key: Key, found: Counter[str], clusters: Mapping[str, str]) -> Iterator[Cell]:
    model, arm, case, epoch = key
    scored = sum(found[label] for label in SUPPORT_LABELS)
    left_out = found[LEFT_OUT]
    for name in (Support.UNSUPPORTED.value, Support.SUPPORTED.value):
        yield Cell(
            name=name,
            model=model,
            arm=arm,
            labels=GIVEN,
            case_id=case,
            epoch=epoch,
            cluster=clusters[case],
            num=float(found[name]),
            den=float(scored),
            excluded={f"{Reason.NOT_APPLICABLE.value}:{LEFT_OUT}": left_out} if left_out else {},
            simulated=is_simulated(model),
        )
