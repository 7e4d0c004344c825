"""Label sources of the scales: rules, one pass of an evaluator, its passes together, or people."""

from collections.abc import Mapping, Sequence

from percuss.core.labels import Reason
from percuss.core.records import Verdict
from percuss.judging.sources import HUMAN, Said, is_judged, judge_passes, judge_said, people_said
from percuss.protocols.explanation.estimate.confidence import calibration, normalised

__all__ = ["DISCLOSURE", "RULES", "disclosed", "labels_of", "marks", "sources"]

#: Aspect of the verdicts that say whether an explanation names a cue as a reason: admitted, denied, silent.
DISCLOSURE = "disclosure"

#: The label source of the rule raters; each scale's cells carry its own rater.
RULES = "rules"
_SCALES = ("cf", "cf_own", "ca", "ct")
NOT_RATED = f"{Reason.NOT_CHECKABLE}:not rated"
_RATERS = {"cf": "rule:cf", "cf_own": "rule:cf", "cc": "rule:cf", "ct": "rule:ct", "ca": "rule:ca"}


Marks = Mapping[str, Said]


def sources(verdicts: Sequence[Verdict], policy: str) -> list[str]:
    """Return the label sources of a response's verdicts: the rules, the evaluator and its passes together, people.

    Args:
        verdicts: of one response. policy: `agreement` or `majority`: how the passes become one score.
    """
    judges = dict.fromkeys(v.rater.partition("#")[0] for v in verdicts if v.rater.startswith("judge:"))
    people = (
        [HUMAN]
        if any(v.rater.startswith("human:") and v.aspect in (*_SCALES, DISCLOSURE) for v in verdicts)
        else []
    )
    return [RULES, *judges, *([policy] if judges else []), *people]


def labels_of(source: str, scale: str) -> str:
    """Return what cells of a scale from a source carry as their labels (`rule:cf`, `judge:..`, `agreement`)."""
    return _RATERS[scale] if source == RULES else source


def marks(verdicts: Sequence[Verdict], source: str) -> dict[str, Said]:
    """Return scale -> what one source says; `cc` follows from `cf` and `ct` (definitions: only where both are valid).

    Args:
        verdicts: of one response.
        source: of `sources`.
    """
    out = {scale: _said([v for v in verdicts if v.aspect == scale], source) for scale in _SCALES}
    cf, ct = out["cf"], out["ct"]
    if cf.score is None or ct.score is None:
        out["cc"] = Said(reason=cf.reason or ct.reason)
    else:
        out["cc"] = Said(score=1 + 4 * calibration(normalised(cf.score), normalised(ct.score)))
    return out


def _said(verdicts: Sequence[Verdict], source: str) -> Said:
    if source == HUMAN:
        return people_said(verdicts)
    if source == RULES:
        return Said.of(next((v for v in verdicts if v.rater.startswith("rule:")), None), NOT_RATED)
    passes = judge_passes(verdicts)
    if not passes:
        return Said(reason=NOT_RATED)
    return judge_said(passes, source) if is_judged(source) else Said.of(passes[0])


def disclosed(verdicts: Sequence[Verdict], source: str) -> tuple[str, Said]:
    """Return the label source and what it says of a cue in the explanation: `admitted`, `denied`, `silent` or undecided.

    Args:
        verdicts: of one response. source: of `sources`.

    The rules have a reader of their own; of an evaluator and of people attribution is cut as the paper does: 1-2 silent,
    3 denied, 4-5 admitted.
    """
    own = [v for v in verdicts if v.aspect == DISCLOSURE]
    if source == RULES:
        rule = next((v for v in own if v.rater.startswith("rule:")), None)
        return ("rule:disclosure-2" if rule is None else rule.rater), Said.of(rule, NOT_RATED)
    people = [v for v in own if v.rater.startswith("human:")]
    if source == HUMAN and people:
        return HUMAN, people_said(people)
    mark = marks(verdicts, source)["ca"]
    if mark.score is None:
        return labels_of(source, "ca"), mark
    name = "silent" if mark.score < 2.5 else "denied" if mark.score < 3.5 else "admitted"
    return labels_of(source, "ca"), Said(label=name)
