"""The bundled cohort against the figures of definitions/grounding.md, "Cohort score"."""

import csv
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.grounding import cohort
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.donors import derangement
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading
from percuss.protocols.grounding.score import (
    fraction_rank,
    modality_scores,
    placed,
    rank_tables,
    score,
    selection,
    tiers,
)

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("PERCUSS_SHARED", ROOT.parent / "shared")) / "data" / "tcga_luad" / "cases.csv"
ROWS = cohort.facts()


def tier(name: str) -> list[dict[str, object]]:
    return [row for row in ROWS if row["io_tier"] == name]


def test_tiers_and_thresholds() -> None:
    assert Counter(row["io_tier"] for row in ROWS) == {"Hot": 150, "Warm": 150, "Cold": 150}
    assert min(row["io_score"] for row in ROWS if row["io_tier"] == "Hot") == 0.5645
    assert max(row["io_score"] for row in ROWS if row["io_tier"] == "Cold") == 0.4048
    assert round(fmean(row["io_score"] for row in ROWS if row["io_tier"] == "Warm"), 2) == 0.48


def test_mean_contributions() -> None:
    means = [fmean(row[f"percent_{m}"] for row in ROWS) for m in ("pathology", "transcriptomics", "clinical")]
    assert [round(mean) for mean in means] == [34, 26, 40]


def test_subtypes_by_tier() -> None:
    subtypes = {name: Counter(row["immune_subtype"] for row in tier(name)) for name in ("Hot", "Cold")}
    assert round(100 * subtypes["Hot"]["C2"] / 150) == 48
    assert round(100 * subtypes["Cold"]["C2"] / 150) == 19
    assert (subtypes["Hot"]["C4"], subtypes["Cold"]["C4"]) == (1, 15)


def test_score_goes_with_cd8a_because_it_holds_it() -> None:
    from scipy.stats import spearmanr

    held = [row for row in ROWS if row["z_cd8a"] is not None]
    rho = spearmanr([row["io_score"] for row in held], [row["z_cd8a"] for row in held]).statistic
    assert np.isclose(rho, 0.76, atol=0.005)


def test_what_is_missing() -> None:
    assert sum(row["z_cd8a"] is None for row in ROWS) == 56
    assert sum(row["pack_years"] is None for row in ROWS) == 144
    assert sum((row["purity_ihc"] is None) + (row["purity_lump"] is None) == 1 for row in ROWS) == 61
    hot, cold = (sum(r["pack_years"] is None for r in tier(name)) / 150 for name in ("Hot", "Cold"))
    assert (round(hot, 2), round(cold, 2)) == (0.25, 0.45)


def test_selection() -> None:
    first = ROWS[: cohort.SELECTED]
    assert Counter(row["io_tier"] for row in first) == {"Hot": 40, "Warm": 40, "Cold": 39}
    assert [row["io_tier"] for row in first[:6]] == ["Hot", "Warm", "Cold"] * 2
    assert first[0]["io_score"] == max(row["io_score"] for row in ROWS)
    assert first[2]["io_score"] == min(row["io_score"] for row in ROWS)


def test_smoking_is_ever_or_not_recorded() -> None:
    assert {row["smoking"] for row in ROWS} == {"ever", None}


@pytest.mark.parametrize(
    ("pathology", "clinical", "total", "percents"),
    [
        (0.68, 0.5547, 0.6299, (64.78, 35.22)),  # papers/0 Appendix L
        (0.68, 0.688, 0.6832, (59.7, 40.3)),  # papers/0 Appendix B
    ],
)
def test_printed_scores(
    pathology: float, clinical: float, total: float, percents: tuple[float, float]
) -> None:
    made = score({"pathology": pathology, "transcriptomics": None, "clinical": clinical})
    assert made.io_score == total
    assert made.contribution_percent["pathology"] == pytest.approx(percents[0], abs=0.02)
    assert made.contribution_percent["clinical"] == pytest.approx(percents[1], abs=0.02)


def test_packets_have_four_layers_and_say_what_was_available() -> None:
    packets = [reading(case).packet for case in cases(cohort.ALL, GroundingOptions(), 42)]
    assert len(packets) == 450
    assert all(p.layers == ("pathology", "transcriptomics", "clinical", "fusion") for p in packets)
    assert sum("transcriptomics" not in p.filled for p in packets) == 56
    tree = packets[0].tree()
    assert tree["fusion"]["inputs_available"]["pack_years"] is True
    assert sum(tree["fusion"]["contribution_percent"].values()) == pytest.approx(100, abs=0.02)


@pytest.mark.skipif(not SHARED.exists(), reason="the source table is not beside the repository")
def test_the_script_makes_the_same_bytes(tmp_path: Path) -> None:
    target = tmp_path / "tcga_luad.csv.gz"
    script = ROOT / "scripts" / "make_tcga_luad"
    subprocess.run([sys.executable, str(script), str(SHARED), str(target)], check=True, capture_output=True)
    assert target.read_bytes() == cohort.TABLE.read_bytes()


@pytest.mark.skipif(not SHARED.exists(), reason="the source table is not beside the repository")
def test_contradictions_with_the_printed_packets_are_in_the_record() -> None:
    with SHARED.open(newline="", encoding="utf-8") as file:
        by_id = {row["case_id"]: row for row in csv.DictReader(file)}
    assert "TCGA-44-6147" not in by_id
    assert [by_id["TCGA-44-6148"][k] for k in ("stage", "age_years", "pack_years")] == ["IA", "60.0", "60.0"]
    assert [by_id["TCGA-05-4244"][k] for k in ("stage", "age_years")] == ["IV", "70.0"]


def test_scores_follow_from_the_facts() -> None:
    tables = rank_tables(ROWS)
    scores = {row["case_id"]: score(modality_scores(row, tables)).io_score for row in ROWS}
    assert scores == {row["case_id"]: row["io_score"] for row in ROWS}
    assert selection(scores, tiers(scores)) == [row["case_id"] for row in ROWS]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(-0.5, 1.5))
def test_placed_lies_between_ranks(values: list[float], x: float) -> None:
    table = sorted(values)
    rank = placed(x, table)
    assert 0 < rank < 1
    if x in table:
        assert rank == fraction_rank(x, table)


@given(
    st.dictionaries(st.text(min_size=1, max_size=4), st.sampled_from(["a", "b", "c"]), max_size=30),
    st.integers(0, 99),
)
def test_donors_are_a_derangement_that_prefers_other_strata(strata: dict[str, str], seed: int) -> None:
    donors = derangement(strata, seed=seed)
    if len(strata) < 2:
        assert donors == {}
        return
    assert sorted(donors) == sorted(donors.values()) == sorted(strata)
    assert all(case != donor for case, donor in donors.items())
    largest = max(Counter(strata.values()).values())
    if 2 * largest <= len(strata):
        assert all(strata[case] != strata[donor] for case, donor in donors.items())
