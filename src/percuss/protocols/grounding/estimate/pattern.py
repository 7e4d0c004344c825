"""What a model's numbers look like together in the paper's terms: our mode and the paper's mode."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NOT_MEASURED", "Reading", "mode", "mode_paper"]

HIGH_HDI, LOW_HDI, LOW_OVERLAP = 0.7, 0.4, 0.05  # papers/0 section 6.1
FEW_WITHOUT = 0.10  # definitions/grounding.md, "Mode": the paper's thresholds have no rate without evidence

NOT_MEASURED = "overlap not measured"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """The numbers that decide a mode.

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
