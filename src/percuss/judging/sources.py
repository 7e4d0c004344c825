"""Whose labels: from all verdicts on one subject to one label or score for each source, alike in every protocol.

`rule:<name>` as the rules ran · `verifier:<id>` a verifier with its thresholds · `judge:<model>` its first pass · `agreement` or `majority` its passes together, by the
policy of the run · `concordant` judge and rule say the same · `human` people · `corrected` people on a part, a machine on
the rest (`percuss.measure.correction` makes it of the others).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from percuss.core.labels import JUDGED, Reason
from percuss.core.records import Verdict
from percuss.judging.passes import Gated, gate, passes_of

__all__ = [
    "AGREEMENT",
    "CONCORDANT",
    "CORRECTED",
    "DIFFER",
    "HUMAN",
    "JUDGED",
    "MAJORITY",
    "NOT_JUDGED",
    "SETTLED",
    "Said",
    "concordant",
    "is_judged",
    "judge_passes",
    "judge_said",
    "leading",
    "people_said",
    "rule_said",
    "said_by",
]

AGREEMENT, MAJORITY = JUDGED
CONCORDANT, HUMAN, CORRECTED = "concordant", "human", "corrected"
SETTLED = frozenset({"human:consensus", "human:adjudicator", "human:adjudicated"})
"""Raters that settle what people say; without one, most of them do."""
NOT_JUDGED = f"{Reason.NOT_CHECKABLE.value}:not labelled by people"
DIFFER = f"{Reason.CONFLICT.value}:judge and rule differ"


@dataclass(frozen=True)
class Said:
    """What one source says of one subject: a label or a score, or the reason why it is left out."""

    label: str | None = None
    score: float | None = None
    reason: str | None = None

    @classmethod
    def of(cls, verdict: Verdict | None, missing: str = Reason.ERROR.value) -> Self:
        """Return what one verdict says. `missing` is the reason where there is none."""
        if verdict is None:
            return cls(reason=missing)
        return cls(verdict.label, verdict.score, verdict.unscored)

    @property
    def decided(self) -> bool:
        """Whether there is a label or a score."""
        return self.reason is None


def is_judged(source: str) -> bool:
    """Say whether a label source is a judge's passes together.

    >>> is_judged("majority"), is_judged("rule:strict")
    (True, False)
    """
    return source in JUDGED


def leading(sources: Sequence[str]) -> str | None:
    """Return the source that leads where several are there: a judge's passes together, a verifier, rules; None of none.

    >>> leading(["rule:strict", "judge:a/b", "majority"])
    'majority'
    """
    gated = (source for source in sources if is_judged(source))
    alone = (source for head in ("verifier:", "rule:") for source in sources if source.startswith(head))
    return next(gated, None) or next(alone, None) or next(iter(sources), None)


def said_by(verdicts: Sequence[Verdict], policy: str) -> dict[str, Said]:
    """Return label source -> what it says of one subject under one aspect.

    Args:
        verdicts: on this subject and aspect, of all raters.
        policy: `agreement` or `majority`: how passes become a label, and the name of the source that they make.
    """
    sources = {v.rater: Said.of(v) for v in verdicts if v.rater.startswith(("rule:", "verifier:"))}
    passes = judge_passes(verdicts)
    if passes:
        sources[passes[0].rater.partition("#")[0]] = Said.of(passes[0])
        sources[policy] = judge_said(verdicts, policy)
        rule = next((name for name in sources if name.startswith("rule:")), None)
        if rule is not None:
            sources[CONCORDANT] = concordant(sources[policy], sources[rule])
    if any(v.rater.startswith("human:") for v in verdicts):
        sources[HUMAN] = people_said(verdicts)
    return sources


def judge_passes(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Return the judge's passes among some verdicts, in order of the pass."""
    return tuple(sorted((v for v in verdicts if v.rater.startswith("judge:")), key=lambda v: v.rater))


def judge_said(verdicts: Sequence[Verdict], policy: str, *, declared: int | None = None) -> Said:
    """Return what a judge's passes say together.

    Args:
        verdicts: on one subject and aspect; others than judges' are left aside.
        policy: `agreement` or `majority`. declared: passes that the scoring has; None takes those there are, two at least.
    """
    passes = judge_passes(verdicts)
    wanted = passes_of(policy, max(2, len(passes) if declared is None else declared))
    found: Gated = gate(passes, policy=policy, passes=wanted)
    return Said(found.label, found.score, found.unscored)


def rule_said(verdicts: Sequence[Verdict], rater: str) -> Said:
    """Return what one rule says; `error` where it never ran."""
    return Said.of(next((v for v in verdicts if v.rater == rater), None))


def concordant(judged: Said, ruled: Said) -> Said:
    """Return what judge and rule say alike, else why they do not.

    Args:
        judged: of the judge's passes together. ruled: of the rule.
    """
    if not judged.decided or (judged.label, judged.score) == (ruled.label, ruled.score):
        return judged
    return Said(reason=ruled.reason or DIFFER)


def people_said(verdicts: Sequence[Verdict], among: Sequence[str] | None = None) -> Said:
    """Return what people settled on, else what most of them say; of scores, their mean.

    Args:
        verdicts: on one subject and aspect; machines' are left aside.
        among: labels that count; None takes all.
    """
    people = [v for v in verdicts if v.rater.startswith("human:")]
    settled = [v for v in people if v.rater in SETTLED]
    counted = settled or people
    scores = [v.score for v in counted if v.score is not None]
    if scores:
        return Said(score=sum(scores) / len(scores))
    labels = Counter(v.label for v in counted if v.label is not None and (among is None or v.label in among))
    ranked = labels.most_common(2)
    if not ranked:
        return Said(reason=next((v.unscored for v in people if v.unscored), NOT_JUDGED))
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        return Said(reason=Reason.CONFLICT.value)
    return Said(label=ranked[0][0])
