"""The numbers of this protocol in words, and the arms and thresholds they rest on."""

import tomllib
from pathlib import Path

from percuss.core.labels import Reason
from percuss.measure.quantity import Quantity

__all__ = [
    "ABSTENTION",
    "BASELINE",
    "CASE_UNSUPPORTED",
    "DELTA",
    "DEPTHS",
    "GROUNDED",
    "JUDGE_AGREEMENT",
    "KINDS",
    "NO_CLAIM",
    "SECONDARY",
    "SUPPORTED",
    "UNSUPPORTED",
    "arm_words",
    "kind_cells",
]

GROUNDED = ("full_multimodal", "full")
BASELINE = "ungrounded"
DEPTHS = ("pathology_only", "pathology_rna", "full_multimodal", "full")
NO_CLAIM = f"{Reason.NOT_APPLICABLE.value}:no claim"
"""Why an answer that asserts nothing is in no rate."""
KINDS = ("numeric", "modality", "tier", "uncertainty", "literature", "other")

UNSUPPORTED = Quantity(
    "unsupported_rate", "unsupported claims", "What share of claims does the evidence not support?", "lower"
)
SUPPORTED = Quantity(
    "supported_rate", "supported claims", "What share of claims does the evidence support?", "higher"
)
CASE_UNSUPPORTED = Quantity(
    "case_unsupported_rate",
    "answers with an unsupported claim",
    "What share of answers hold at least one unsupported claim?",
    "lower",
)
DELTA = Quantity(
    "delta_u",
    "unsupported claims that evidence takes away",
    "By how many points does the unsupported share fall when the evidence is given?",
    "neither",
    "points",
    "unsupported_rate",
)
ABSTENTION = Quantity(
    "abstention",
    "abstention",
    "What share of answers assert nothing of the case and say what is missing, or decline?",
    "neither",
)
JUDGE_AGREEMENT = Quantity(
    "judge_agreement",
    "judge self-agreement",
    "How often do two passes of the judge give the same label?",
    "higher",
)
SECONDARY = (
    Quantity("sentences", "claims an answer", "How many claims does an answer make?", "neither", "count"),
    Quantity(
        "numeric_fidelity",
        "numeric fidelity, by claim",
        "Of claims with numbers, in what share do all numbers match the evidence?",
        "higher",
    ),
    Quantity(
        "numeric_fidelity_tokens",
        "numeric fidelity, by number",
        "What share of numbers match the evidence?",
        "higher",
    ),
    Quantity(
        "modality_attribution",
        "modality attribution",
        "Of claims that name a kind of data, what share credit the right one?",
        "higher",
    ),
    Quantity(
        "completeness",
        "completeness",
        "How many of pathology, RNA, clinical context and uncertainty does an answer mention, of four?",
        "higher",
    ),
    Quantity("decided_share", "decided by rule", "What share of claims could a rule decide?", "higher"),
)
_TABLE = tomllib.loads((Path(__file__).parents[1] / "protocol.toml").read_text(encoding="utf-8"))
_ARMS: dict[str, str] = _TABLE["arm_words"]


def arm_words(arm: str) -> str:
    """Return an arm in a person's words."""
    return _ARMS.get(arm, arm)


def kind_cells(name: str, kind: str) -> str:
    """Return the name of the cells of one claim kind."""
    return f"{name}:{kind}"
