"""From probabilities to labels: thresholds with a guarantee on wrong labels, by fixed-sequence testing (Learn then Test)."""

from collections.abc import Sequence

from percuss.core.strict import Record
from percuss.core.verifying import Verification
from percuss.stats.risk_control import strictest_to_laxest

__all__ = ["FEWEST_CASES", "RISKS", "Labelled", "Thresholds", "against", "calibrate", "label_of"]

FEWEST_CASES = 30
"""Cases below which no threshold is learned (reading.md, section 6)."""
LEVEL = 0.05
"""Chance that a learned threshold breaks its promise, over both labels together (reading.md, section 6)."""
RISKS = {"supported": 0.02, "unsupported": 0.01}
"""Shares of wrong and decided claims promised per case; the floors of reading.md, section 2."""
GRID = tuple(round(0.995 - 0.005 * step, 3) for step in range(90))


class Labelled(Record):
    """One claim that people labelled, and what the verifier said of it.

    Args:
        case: unit of the guarantee. supported: what people say. read: what the verifier says.
    """

    case: str
    supported: bool
    read: Verification


class Thresholds(Record):
    """From which probability on a claim gets a label; None where no threshold keeps its promise.

    Args:
        supported: least probability of support of a supported claim.
        unsupported: least probability against an unsupported claim (`against`).
        source: corpus that they were learned on; elsewhere labels are "calibrated on" it, and promise nothing.
        cases: cases of it.
    """

    supported: float | None = None
    unsupported: float | None = None
    source: str = ""
    cases: int = 0


def calibrate(
    rows: Sequence[Labelled],
    *,
    source: str,
    level: float = LEVEL,
    supported_risk: float = RISKS["supported"],
    unsupported_risk: float = RISKS["unsupported"],
) -> Thresholds:
    """Learn both thresholds on labelled claims, the case as unit.

    Args:
        rows: labelled claims; below 30 cases nothing is learned.
        source: name of the corpus. level: chance of a broken promise, shared by both labels.
        supported_risk: mean share per case of claims wrongly called supported that is promised.
        unsupported_risk: the same for unsupported.
    """
    cases = sorted({row.case for row in rows})
    if len(cases) < FEWEST_CASES:
        return Thresholds(source=source, cases=len(cases))
    return Thresholds(
        supported=_learned(rows, cases, level / 2, supported_risk, support=True),
        unsupported=_learned(rows, cases, level / 2, unsupported_risk, support=False),
        source=source,
        cases=len(cases),
    )


def _learned(
    rows: Sequence[Labelled], cases: Sequence[str], level: float, risk: float, *, support: bool
) -> float | None:
    by_case: dict[str, list[tuple[float, bool]]] = {case: [] for case in cases}
    for row in rows:
        p = row.read.supported if support else against(row.read)
        by_case[row.case].append((-1.0 if p is None else p, row.supported is not support))

    def losses(threshold: float) -> list[float]:
        return [sum(wrong and p >= threshold for p, wrong in held) / len(held) for held in by_case.values()]

    return strictest_to_laxest(GRID, losses, risk=risk, level=level)


def against(read: Verification) -> float | None:
    """Return the probability that a claim is not supported: said otherwise, or not said at all; None where nothing was read.

    >>> against(Verification(supported=0.1, contradicted=0.2)), against(Verification(supported=0.5, contradicted=0.8))
    (0.9, 0.8)
    """
    if read.supported is None:
        return None
    return max(round(1 - read.supported, 9), read.contradicted or 0.0)


def label_of(read: Verification, thresholds: Thresholds) -> tuple[str | None, str]:
    """Return `supported`, `unsupported` or None for undecided, and the reason in words.

    Args:
        read: what the verifier said. thresholds: learned ones.
    """
    if read.supported is None:
        return None, str(read.undecided)
    yes = thresholds.supported is not None and read.supported >= thresholds.supported
    no = thresholds.unsupported is not None and (against(read) or 0.0) >= thresholds.unsupported
    if yes and no:
        return None, "both supported and contradicted"
    if yes:
        return "supported", f"P(supported) {read.supported:.3f}"
    if no:
        said = "" if read.contradicted is None else f", P(contradicted) {read.contradicted:.3f}"
        return "unsupported", f"P(supported) {read.supported:.3f}{said}"
    return None, "between the thresholds"
