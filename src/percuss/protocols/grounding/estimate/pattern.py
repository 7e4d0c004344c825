"""What a model's numbers look like together: the panel's pattern, our mode and the paper's mode."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CANT_TELL",
    "CORRECTS",
    "HOLDS_BACK",
    "IN_BETWEEN",
    "NOT_MEASURED",
    "NO_EFFECT",
    "PATTERNS",
    "REPEATS",
    "Reading",
    "mode",
    "mode_paper",
    "pattern",
    "patterns",
]

HIGH_HDI, LOW_HDI, LOW_OVERLAP = 0.7, 0.4, 0.05  # papers/0 section 6.1
FEW_WITHOUT = 0.10  # definitions/grounding.md, "Mode": the paper's thresholds have no rate without evidence
MOSTLY_ABSTAINS = 0.5

CORRECTS = "evidence corrects it"
REPEATS = "repeats its prior"
HOLDS_BACK = "holds back without evidence"
NO_EFFECT = "no measurable effect of evidence"
CANT_TELL = "can't tell"
IN_BETWEEN = "can't tell (in between)"
PATTERNS = (CORRECTS, HOLDS_BACK, NO_EFFECT, REPEATS, CANT_TELL, IN_BETWEEN)
NOT_MEASURED = "overlap not measured"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """The numbers that decide a pattern.

    Args:
        hdi: pooled HDI; None where undefined. low, high: its interval; None where undefined.
        without: share of unsupported claims without evidence. abstention: in the ungrounded arm, by rule.
        overlap: overlap@.80; None where it was not measured.
        undefined: why HDI is undefined.
    """

    hdi: float | None
    low: float | None = None
    high: float | None = None
    without: float | None = None
    abstention: float | None = None
    overlap: float | None = None
    undefined: str = ""


def mode(r: Reading) -> str:
    """Return `undefined`, `A`, `B`, `recycling`, `C` or `intermediate`, in the order of the definitions.

    Args:
        r: an overlap not measured meets the conditions of B and C, and not that of recycling.
    """
    if r.hdi is None or not r.without:
        return "undefined"
    low_overlap = r.overlap is None or r.overlap <= LOW_OVERLAP
    if r.hdi >= HIGH_HDI and r.without >= FEW_WITHOUT:
        return "A"
    if r.hdi <= LOW_HDI and low_overlap and r.without <= FEW_WITHOUT:
        return "B"
    if r.hdi < HIGH_HDI and not low_overlap:
        return "recycling"
    if r.hdi <= LOW_HDI and low_overlap:
        return "C"
    return "intermediate"


def mode_paper(r: Reading) -> str:
    """Return the paper's mode by its own thresholds (papers/0 section 6.1), which know no rate without evidence."""
    if r.overlap is None:
        return f"undefined ({NOT_MEASURED})"
    if r.hdi is None:
        return "undefined"
    if r.hdi >= HIGH_HDI:
        return "A"
    if r.hdi <= LOW_HDI and r.overlap <= LOW_OVERLAP:
        return "B"
    return "recycling" if r.overlap > LOW_OVERLAP else "intermediate"


def pattern(r: Reading) -> str:
    """Return the pattern in the panel's words."""
    found = mode(r)
    if found == "undefined":
        return CANT_TELL
    if found == "A":
        return CORRECTS
    if found == "recycling":
        return REPEATS
    if found == "B" and r.abstention is not None and r.abstention >= MOSTLY_ABSTAINS:
        return HOLDS_BACK
    spans = r.low is not None and r.high is not None and r.low <= 0 <= r.high
    if found in {"B", "C"} and spans:
        return NO_EFFECT
    return IN_BETWEEN


def patterns(
    hdi: Floats, without: Floats, abstention: Floats | None, overlap: Floats | None, *, spans_zero: bool
) -> dict[str, float]:
    """Return the share of bootstrap draws that show each pattern.

    Args:
        hdi, without: draws of shape (B,); NaN where HDI is undefined. abstention, overlap: None where not measured.
        spans_zero: whether the sample's interval of HDI contains 0; it stands for every draw.
    """
    held = np.ones_like(hdi) if abstention is None else abstention
    low = np.ones(hdi.shape, dtype=bool) if overlap is None else overlap <= LOW_OVERLAP
    undefined = np.isnan(hdi) | ~(without > 0)
    a = ~undefined & (hdi >= HIGH_HDI) & (without >= FEW_WITHOUT)
    b = ~undefined & ~a & (hdi <= LOW_HDI) & low & (without <= FEW_WITHOUT)
    recycling = ~undefined & ~a & ~b & (hdi < HIGH_HDI) & ~low
    c = ~undefined & ~a & ~b & ~recycling & (hdi <= LOW_HDI)
    holds = b & (held >= MOSTLY_ABSTAINS) if abstention is not None else np.zeros(hdi.shape, dtype=bool)
    none = ((b & ~holds) | c) if spans_zero else np.zeros(hdi.shape, dtype=bool)
    named = {CORRECTS: a, HOLDS_BACK: holds, NO_EFFECT: none, REPEATS: recycling, CANT_TELL: undefined}
    shares = {name: float(np.mean(mask)) for name, mask in named.items()}
    shares[IN_BETWEEN] = float(max(0.0, 1 - sum(shares.values())))
    return shares
