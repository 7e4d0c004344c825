"""Whose labels: from the verdicts of one response to one label or reason a claim, for each label source."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from percuss.core.labels import Reason, Support
from percuss.core.ports import ScoredResponse
from percuss.core.records import Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.passes import gate

__all__ = ["NOT_JUDGED", "Labelled", "entries_of", "judge_passes", "labels_of", "rule_rater"]

ASPECT = "support"
NOT_JUDGED = f"{Reason.NOT_CHECKABLE.value}:not labelled by people"
DIFFER = f"{Reason.CONFLICT.value}:judge and rule differ"


@dataclass(frozen=True)
class Labelled:
    """One claim under one label source: a label, or the reason why it is left out."""

    label: str | None
    reason: str | None = None

    @property
    def unsupported(self) -> bool:
        """Whether the label is unsupported."""
        return self.label == Support.UNSUPPORTED.value


def labels_of(assessed: ScoredResponse, policy: str) -> dict[str, tuple[Labelled, ...]]:
    """Return label source -> one entry a claim, in the order of the claims.

    Args:
        assessed: a response with its verdicts.
        policy: `agreement` or `majority`, the name of the gated source.

    Sources: `rule:<name>` as the rules ran, `judge:<model>` (first pass), `agreement` or `majority`, `concordant` (judge
    and rule give one label) and `human`. Every claim has an entry in each source, labelled or with its reason.
    """
    by_claim: dict[str, list[Verdict]] = {}
    for verdict in assessed.verdicts:
        if verdict.aspect == ASPECT:
            by_claim.setdefault(verdict.subject, []).append(verdict)
    given = [by_claim.get(claim.id, []) for claim in assessed.claims]
    raters = list(dict.fromkeys(v.rater for verdicts in given for v in verdicts))
    sources: dict[str, tuple[Labelled, ...]] = {
        rater: tuple(_single(verdicts, rater) for verdicts in given)
        for rater in raters
        if rater.startswith("rule:")
    }
    if any(rater.startswith("judge:") for rater in raters):
        sources |= _judged(given, sources, policy)
    if any(rater.startswith("human:") for rater in raters):
        sources["human"] = tuple(_human(verdicts) for verdicts in given)
    return {name: _left_out(assessed, labels) for name, labels in sources.items()}


def entries_of(assessed: ScoredResponse, policy: str, source: str) -> tuple[Labelled, ...]:
    """Return the entries of one source, one a claim; where it labelled nothing, all are left out by a reason.

    Args:
        assessed, policy: as in `labels_of`. source: one of its keys.
    """
    held = labels_of(assessed, policy).get(source)
    reason = assessed.left_out or (NOT_JUDGED if source == "human" else Reason.ERROR.value)
    return held if held is not None else (Labelled(None, reason),) * len(assessed.claims)


def rule_rater(sources: Mapping[str, object]) -> str | None:
    """Return the rule source, None where no rule ran."""
    return next((name for name in sources if name.startswith("rule:")), None)


def judge_passes(verdicts: Sequence[Verdict], subject: str) -> tuple[Verdict, ...]:
    """Return the judge's passes on one claim, in order of the pass."""
    passes = [
        v for v in verdicts if v.subject == subject and v.rater.startswith("judge:") and v.aspect == ASPECT
    ]
    return tuple(sorted(passes, key=lambda v: v.rater))


def _left_out(assessed: ScoredResponse, labels: tuple[Labelled, ...]) -> tuple[Labelled, ...]:
    """Override what cannot count: an unfinished last sentence, or a response that could not be checked."""
    return tuple(
        Labelled(None, Reason.TRUNCATED.value)
        if is_truncated(claim)
        else Labelled(None, assessed.left_out)
        if assessed.left_out
        else labelled
        for claim, labelled in zip(assessed.claims, labels, strict=True)
    )


def _single(verdicts: Sequence[Verdict], rater: str) -> Labelled:
    found = next((v for v in verdicts if v.rater == rater), None)
    if found is None:
        return Labelled(None, Reason.ERROR.value)
    return Labelled(found.label, found.unscored)


def _judged(
    given: Sequence[list[Verdict]], rules: Mapping[str, tuple[Labelled, ...]], policy: str
) -> dict[str, tuple[Labelled, ...]]:
    passes = [[v for v in verdicts if v.rater.startswith("judge:")] for verdicts in given]
    names = {v.rater for verdicts in passes for v in verdicts}
    first = min(names)
    declared = 3 if policy == "majority" else max(2, len(names))
    gated = tuple(_gated(verdicts, policy, declared) for verdicts in passes)
    sources = {
        first.partition("#")[0]: tuple(_single(verdicts, first) for verdicts in passes),
        policy: gated,
    }
    rule = rule_rater(rules)
    if rule is not None:
        sources["concordant"] = tuple(
            judged
            if judged.label is None or judged.label == ruled.label
            else Labelled(None, ruled.reason or DIFFER)
            for judged, ruled in zip(gated, rules[rule], strict=True)
        )
    return sources


def _gated(verdicts: Sequence[Verdict], policy: str, passes: int) -> Labelled:
    result = gate(verdicts, policy="majority" if policy == "majority" else "agreement", passes=passes)
    return Labelled(result.label, result.unscored)


def _human(verdicts: Sequence[Verdict]) -> Labelled:
    """The adjudicated label where there is one, else what all people who labelled the claim say."""
    people = [v for v in verdicts if v.rater.startswith("human:")]
    consensus = [v for v in people if v.rater in {"human:consensus", "human:adjudicator"}]
    labels = Counter(v.label for v in (consensus or people) if v.label is not None)
    if not labels:
        return Labelled(None, next((v.unscored for v in people if v.unscored), NOT_JUDGED))
    ranked = labels.most_common(2)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        return Labelled(None, Reason.CONFLICT.value)
    return Labelled(ranked[0][0])
