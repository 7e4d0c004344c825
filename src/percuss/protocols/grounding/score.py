"""The immune score that stratifies the bundled cohort: a construct for drawing a sample, not a clinical score.

Formulas in README.md, "Selection and score". Ranks are taken among the 450 bundled cases, whose values are frozen in
the package; another cohort is placed on them by interpolation (`placed`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from statistics import fmean

import msgspec

from percuss.core.records import Record

__all__ = [
    "CLINICAL_WEIGHTS",
    "EXPRESSION",
    "RANKED",
    "STAGE_VALUE",
    "Score",
    "fraction_rank",
    "modality_scores",
    "placed",
    "rank_tables",
    "score",
    "selection",
    "tiers",
]

EXPRESSION = ("z_cd8a", "z_prf1", "z_ifng", "z_cxcl9", "z_cd274")
PURITY = ("purity_ihc", "purity_lump")
PURITY_FALLBACK = "purity_cpe"
RANKED = (*PURITY, PURITY_FALLBACK, *EXPRESSION, "tmb_nonsilent_per_mb", "pack_years")
CLINICAL_WEIGHTS = {"tmb_nonsilent_per_mb": 0.5, "pack_years": 0.3, "stage": 0.2}
STAGE_VALUE = {"I": 0.25, "II": 0.5, "III": 0.75, "IV": 1.0}
WEIGHTS = {"pathology": 0.30, "transcriptomics": 0.30, "clinical": 0.40}
WEIGHTS_WITHOUT_RNA = {"pathology": 0.60, "clinical": 0.40}  # papers/0 Appendix K
TIERS = ("Hot", "Warm", "Cold")

Facts = Mapping[str, float | str | None]
Tables = Mapping[str, Sequence[float]]


class Score(Record):
    """The score of one case. `contribution_percent` sums to 100; `available` says which inputs were recorded."""

    io_score: float
    contribution_percent: dict[str, float]
    available: dict[str, bool]


def fraction_rank(value: float, table: Sequence[float]) -> float:
    """Return r(x) = (mid-rank - 0.5) / n of a value that is in the table.

    Args:
        value: a member of `table`.
        table: the non-missing values, sorted ascending, ties kept.
    """
    below, upto = bisect_left(table, value), bisect_right(table, value)
    return ((below + 1 + upto) / 2 - 0.5) / len(table)


def placed(value: float, table: Sequence[float]) -> float:
    """Return r(x) of any value, interpolated linearly between members of the frozen table.

    Args:
        value: a value of another cohort; outside the table it takes the rank of the nearest end.
        table: as in `fraction_rank`.
    """
    at = bisect_left(table, value)
    if at == len(table):
        return fraction_rank(table[-1], table)
    if at == 0 or table[at] == value:
        return fraction_rank(table[at], table)
    low, high = table[at - 1], table[at]
    share = (value - low) / (high - low)
    return (1 - share) * fraction_rank(low, table) + share * fraction_rank(high, table)


def rank_tables(rows: Sequence[Facts]) -> dict[str, list[float]]:
    """Return, for each ranked input, the sorted non-missing values; purities enter as 1 - purity.

    Args:
        rows: one mapping a case; None means not recorded.
    """
    return {name: sorted(x for row in rows if (x := _input(row, name)) is not None) for name in RANKED}


def modality_scores(facts: Facts, tables: Tables) -> dict[str, float | None]:
    """Return s_P, s_R and s_C of a case, each in (0, 1]; s_R is None without an expression row.

    Args:
        facts: recorded values by column name; None means not recorded.
        tables: of `rank_tables`.

    Raises:
        ValueError: no purity, or no clinical input at all.
    """

    def rank(name: str) -> float | None:
        value = _input(facts, name)
        return None if value is None else placed(value, tables[name])

    purities = [r for name in PURITY if (r := rank(name)) is not None]
    fallback = rank(PURITY_FALLBACK)
    if not purities and fallback is not None:
        purities = [fallback]
    genes = [r for name in EXPRESSION if (r := rank(name)) is not None]
    stage = facts.get("stage")
    parts = {"tmb_nonsilent_per_mb": rank("tmb_nonsilent_per_mb"), "pack_years": rank("pack_years")}
    parts["stage"] = None if stage is None else STAGE_VALUE[str(stage).rstrip("ABC")]
    held = [(CLINICAL_WEIGHTS[name], r) for name, r in parts.items() if r is not None]
    if not purities or not held:
        raise ValueError(f"case {facts.get('case_id')!r} has no purity or no clinical input to score")
    clinical = sum(w * r for w, r in held) / sum(w for w, _ in held)
    return {
        "pathology": fmean(purities),
        "transcriptomics": fmean(genes) if genes else None,
        "clinical": clinical,
    }


def score(parts: Mapping[str, float | None], available: Mapping[str, bool] | None = None) -> Score:
    """Fuse the modality scores: io_score = sum of w s, contribution_percent_m = 100 w_m s_m / sum.

    Args:
        parts: of `modality_scores`; without transcriptomics the weights are .60 and .40.
        available: which inputs were recorded.

    >>> score({"pathology": 0.68, "transcriptomics": None, "clinical": 0.5547}).io_score
    0.6299
    """
    weights = WEIGHTS if parts.get("transcriptomics") is not None else WEIGHTS_WITHOUT_RNA
    weighted = {name: weights.get(name, 0.0) * (parts[name] or 0.0) for name in WEIGHTS}
    total = sum(weighted.values())
    return msgspec.convert(
        {
            "io_score": round(total, 4),
            "contribution_percent": {name: round(100 * w / total, 2) for name, w in weighted.items()},
            "available": dict(available or {}),
        },
        Score,
    )


def tiers(scores: Mapping[str, float]) -> dict[str, str]:
    """Cut a cohort into Hot, Warm and Cold thirds, sorted by (score descending, case id).

    Args:
        scores: case id -> io_score.
    """
    ordered = sorted(scores, key=lambda case: (-scores[case], case))
    third = -(-len(ordered) // 3)
    return {case: TIERS[at // third] for at, case in enumerate(ordered)}


def selection(scores: Mapping[str, float], tier: Mapping[str, str]) -> list[str]:
    """Return all cases in the order of selection: one Hot, one Warm, one Cold in turn (papers/0 Appendix K).

    Args:
        scores: case id -> io_score.
        tier: of `tiers`. Hot is sorted by score descending, Warm by distance from the mean of Warm, Cold by score
            ascending, ties by case id.
    """
    warm = [scores[case] for case in scores if tier[case] == "Warm"]
    centre = fmean(warm) if warm else 0.0
    keys = {
        "Hot": lambda case: (-scores[case], case),
        "Warm": lambda case: (abs(scores[case] - centre), case),
        "Cold": lambda case: (scores[case], case),
    }
    queues = [sorted((c for c in scores if tier[c] == name), key=keys[name]) for name in TIERS]
    turns = max(len(queue) for queue in queues)
    return [queue[turn] for turn in range(turns) for queue in queues if turn < len(queue)]


def _input(row: Facts, name: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    return 1 - float(value) if name.startswith("purity_") else float(value)
