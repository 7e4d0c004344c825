"""What each label source says of a response's claims, where a protocol has no reading of its own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from percuss.core.labels import Reason, Support
from percuss.core.ports import ScoredResponse
from percuss.core.records import Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.passes import gate

__all__ = ["NOT_JUDGED", "Label", "left_out", "sources"]

NOT_JUDGED = f"{Reason.NOT_CHECKABLE.value}:not labelled by people"
SETTLED = frozenset({"human:consensus", "human:adjudicator"})


@dataclass(frozen=True)
class Label:
    """One claim under one label source: a label, or the reason why it is left out."""

    label: str | None
    reason: str | None = None

    @property
    def unsupported(self) -> bool:
        """Whether the label is unsupported."""
        return self.label == Support.UNSUPPORTED.value


def sources(scored: ScoredResponse, policy: str) -> dict[str, tuple[Label, ...]]:
    """Return label source -> one entry a claim: each rule rater, the judge's passes together, and people.

    Args:
        scored: a response with its verdicts. policy: `agreement` or `majority`, the name of the judge's source.
    """
    given: dict[str, list[Verdict]] = {claim.id: [] for claim in scored.claims}
    for verdict in scored.verdicts:
        if verdict.subject in given:
            given[verdict.subject].append(verdict)
    raters = dict.fromkeys(v.rater for said in given.values() for v in said)
    found = {
        rater: tuple(_single(said, rater) for said in given.values()) for rater in raters if rater.startswith("rule:")
    }  # fmt: skip
    passes = [rater for rater in raters if rater.startswith("judge:")]
    if passes:
        declared = 3 if policy == "majority" else max(2, len(passes))
        found[policy] = tuple(_gated(said, policy, declared) for said in given.values())
    if any(rater.startswith("human:") for rater in raters):
        found["human"] = tuple(_people(said) for said in given.values())
    return {name: left_out(scored, labels) for name, labels in found.items()}


def left_out(scored: ScoredResponse, labels: Sequence[Label]) -> tuple[Label, ...]:
    """Override what cannot count: an unfinished last sentence, or a response that could not be checked."""
    return tuple(
        Label(None, Reason.TRUNCATED.value) if is_truncated(claim)
        else Label(None, scored.left_out) if scored.left_out else label
        for claim, label in zip(scored.claims, labels, strict=True)
    )  # fmt: skip


def entries(found: Mapping[str, Sequence[Label]], scored: ScoredResponse, source: str) -> Sequence[Label]:
    """Return the entries of one source; where it labelled nothing, all are left out by a reason."""
    held = found.get(source)
    reason = scored.left_out or (NOT_JUDGED if source == "human" else Reason.ERROR.value)
    return held if held is not None else (Label(None, reason),) * len(scored.claims)


def _single(verdicts: Sequence[Verdict], rater: str) -> Label:
    found = next((v for v in verdicts if v.rater == rater), None)
    return Label(None, Reason.ERROR.value) if found is None else Label(found.label, found.unscored)


def _gated(verdicts: Sequence[Verdict], policy: str, passes: int) -> Label:
    judged = [v for v in verdicts if v.rater.startswith("judge:")]
    result = gate(judged, policy="majority" if policy == "majority" else "agreement", passes=passes)
    return Label(result.label, result.unscored)


def _people(verdicts: Sequence[Verdict]) -> Label:
    """What people settled on, else what most of them say."""
    people = [v for v in verdicts if v.rater.startswith("human:")]
    settled = [v for v in people if v.rater in SETTLED]
    ranked = Counter(v.label for v in (settled or people) if v.label is not None).most_common(2)
    if not ranked:
        return Label(None, next((v.unscored for v in people if v.unscored), NOT_JUDGED))
    tie = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
    return Label(None, Reason.CONFLICT.value) if tie else Label(ranked[0][0])
