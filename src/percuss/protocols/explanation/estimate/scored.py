"""Label sources of the scales: rules, one pass of an evaluator, or the passes' agreement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from percuss.core.labels import Reason
from percuss.core.records import Verdict
from percuss.protocols.explanation.estimate.confidence import calibration, normalised

__all__ = ["RULES", "Mark", "labels_of", "marks", "sources"]

#: The label source of the rule raters; each scale's cells carry its own rater.
RULES = "rules"
_RATERS = {"cf": "rule:cf", "cf_own": "rule:cf", "cc": "rule:cf", "ct": "rule:ct", "ca": "rule:ca"}


@dataclass(frozen=True)
class Mark:
    """One scale of one response from one source: a score of 1 to 5, or the reason why there is none."""

    score: float | None
    unscored: str | None = None


Marks = Mapping[str, Mark]


def sources(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the label sources of a response's verdicts: the rules, then the evaluators and the agreement of their passes."""
    judges = dict.fromkeys(v.rater.partition("#")[0] for v in verdicts if v.rater.startswith("judge:"))
    out = [RULES, *judges]
    return [*out, "agreement"] if judges else out


def labels_of(source: str, scale: str) -> str:
    """Return what cells of a scale from a source carry as their labels (`rule:cf`, `judge:..`, `agreement`)."""
    return _RATERS[scale] if source == RULES else source


def marks(verdicts: Sequence[Verdict], source: str) -> dict[str, Mark]:
    """Return scale -> mark of one source; `cc` follows from `cf` and `ct` (definitions: only where both are valid).

    Args:
        verdicts: of one response.
        source: of `sources`.
    """
    out = {
        scale: _mark([v for v in verdicts if v.aspect == scale], source)
        for scale in ("cf", "cf_own", "ca", "ct")
    }
    cf, ct = out["cf"], out["ct"]
    if cf.score is None or ct.score is None:
        out["cc"] = Mark(None, cf.unscored or ct.unscored)
    else:
        value = calibration(normalised(cf.score), normalised(ct.score))
        out["cc"] = Mark(1 + 4 * value)
    return out


def _mark(verdicts: Sequence[Verdict], source: str) -> Mark:
    if source == RULES:
        return _one([v for v in verdicts if v.rater.startswith("rule:")])
    judged = [v for v in verdicts if v.rater.startswith("judge:")]
    if source != "agreement":
        return _one([v for v in judged if v.rater == f"{source}#1"])
    reasons = [v.unscored for v in judged if v.unscored is not None]
    if reasons:
        return Mark(None, reasons[0])
    scores = {v.score for v in judged}
    if len(scores) > 1:
        return Mark(None, Reason.CONFLICT.value)
    return Mark(scores.pop()) if scores else Mark(None, f"{Reason.NOT_CHECKABLE}:not rated")


def _one(verdicts: Sequence[Verdict]) -> Mark:
    if not verdicts:
        return Mark(None, f"{Reason.NOT_CHECKABLE}:not rated")
    return Mark(verdicts[0].score, verdicts[0].unscored)
