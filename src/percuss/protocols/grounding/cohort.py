"""The bundled cohort: published facts of 450 TCGA-LUAD cases, in the order of selection (data/README.md)."""

import csv
import gzip
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.records import Case
from percuss.evidence.packet import LAYERS, Packet
from percuss.protocols.grounding.donors import derangement
from percuss.protocols.grounding.record import Grounding
from percuss.protocols.grounding.score import RANKED

__all__ = ["ALL", "BUNDLED", "SELECTED", "bundled", "facts", "packet_of"]

TABLE = Path(__file__).parent / "data" / "tcga_luad.csv.gz"
BUNDLED, ALL = "tcga_luad", "tcga_luad:all"
SELECTED = 119  # papers/0 section 4.1: 40 Hot, 40 Warm, 39 Cold
COHORT = "TCGA-LUAD (lung adenocarcinoma)"
WHOLE = frozenset({"age_years", "pack_years"})
WORDS = frozenset({"case_id", "sex", "stage", "smoking", "immune_subtype", "io_tier"})
SOURCES = {
    "pathology": "Aran et al. 2015",
    "transcriptomics": "TCGA RNA-seq, z-score within LUAD",
    "clinical": "TCGA Clinical Data Resource",
    "fusion": "percuss score (stratification only); Thorsson et al. 2018",
}
UNITS = {
    "age_years": "years",
    "tmb_nonsilent_per_mb": "mutations per megabase",
    "tmb_silent_per_mb": "mutations per megabase",
}


@cache
def facts() -> tuple[dict[str, Any], ...]:
    """Return the table's rows in the order of selection; None means not recorded."""
    text = gzip.decompress(TABLE.read_bytes()).decode("utf-8")
    return tuple(
        {name: _value(name, raw) for name, raw in row.items()} for row in csv.DictReader(io.StringIO(text))
    )


def packet_of(row: dict[str, Any]) -> Packet:
    """Return a case's evidence in four layers.

    Args:
        row: of `facts`. Without an expression row the layer `transcriptomics` is None.
    """
    genes = {name: row[name] for name in row if name.startswith("z_")}
    clinical = (
        "age_years",
        "sex",
        "stage",
        "smoking",
        "pack_years",
        "tmb_nonsilent_per_mb",
        "tmb_silent_per_mb",
    )
    layers = {
        "pathology": {name: row[name] for name in row if name.startswith("purity_")},
        "transcriptomics": genes if any(value is not None for value in genes.values()) else None,
        "clinical": {name: row[name] for name in clinical},
        "fusion": {
            "io_score": row["io_score"],
            "io_tier": row["io_tier"],
            "contribution_percent": {
                name: row[f"percent_{name}"] for name in ("pathology", "transcriptomics", "clinical")
            },
            "inputs_available": {name: row[name] is not None for name in (*RANKED, "stage")},
            "immune_subtype": row["immune_subtype"],
            **{name: row[name] for name in row if name.startswith("sig_")},
        },
    }
    return Packet.of_layers({name: layers[name] for name in LAYERS}, units=UNITS, sources=SOURCES)


def bundled(source: str | None, seed: int) -> Iterator[Case]:
    """Yield the bundled cohort: the first 119 in the order of selection, or all 450.

    Args:
        source: None or `tcga_luad` for 119 cases, `tcga_luad:all` for 450.
        seed: of the donors of the arm `shuffled`.
    """
    rows = facts() if source == ALL else facts()[:SELECTED]
    strata = {row["case_id"]: row["io_tier"] for row in rows}
    donors = derangement(strata, seed=seed)
    packets = {row["case_id"]: packet_of(row) for row in rows}
    for case_id, stratum in strata.items():
        content = Grounding(
            packet=packets[case_id],
            cohort=COHORT,
            donor=donors.get(case_id),
            donor_packet=packets.get(donors.get(case_id, "")),
        )
        yield Case(id=case_id, cluster=case_id, stratum=stratum, payload=msgspec.to_builtins(content))


def _value(name: str, raw: str) -> Any:
    if raw == "":
        return None
    if name in WORDS:
        return raw
    number = float(raw)
    return int(number) if name in WHOLE and number.is_integer() else number
