"""Whose labels: from the verdicts of one response to one label or reason a claim, for each label source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from percuss.core.labels import SPEECH_ASPECT, SPEECH_GIVEN, Reason, Support
from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import CONCORDANT, DIFFER, HUMAN, NOT_JUDGED, Said, judge_said, people_said
from percuss.judging.sources import judge_passes as judge_passes_among
from percuss.protocols.grounding.record import ARM_LAYERS, statement
from percuss.protocols.grounding.ruling import ASPECT, GIVEN
from percuss.text.saying import saying

__all__ = [
    "AGAIN",
    "HEDGED",
    "NOT_JUDGED",
    "OUTSIDE",
    "Labelled",
    "acts_by_people",
    "entries_of",
    "is_read",
    "judge_passes",
    "labels_of",
    "rule_rater",
    "unlabelled",
]

_OUT = Reason.NOT_APPLICABLE.value
HEDGED = f"{_OUT}:said as likely"
AGAIN = f"{_OUT}:said before in the answer"
UNKNOWN = f"{Reason.UNDECIDED.value}:unknown"
ACTS = {
    "availability": f"{_OUT}:about what data there are",
    "general": f"{_OUT}:general knowledge or advice",
    "heading": f"{_OUT}:a heading",
    "none": f"{_OUT}:states nothing",
}
MACHINES = ("rule:", "verifier:")
"""Heads of raters whose one verdict is their label."""
OUTSIDE = frozenset({HEDGED, AGAIN, GIVEN, *ACTS.values()})
"""Reasons of claims that pose no assertion: they stand in no denominator and in no bound."""


@dataclass(frozen=True)
class Labelled:
    """One claim under one label source: a label, or the reason why it is left out.

    Args:
        label: None where it doesn't count. reason: why. hedged: label of a claim that says something as likely, which only
            `u_all` counts. unread: why such a claim has none.
        found: what the rater says in finer words (`contradicted`, `absent`); "" where it doesn't.
        unseen: whether it is supported by what the arm did not show.
    """

    label: str | None
    reason: str | None = None
    hedged: str | None = None
    found: str = ""
    unseen: bool = False
    unread: str | None = None

    @property
    def whole(self) -> "Labelled":
        """The entry with what is said as likely counted as an assertion is."""
        if self.reason != HEDGED:
            return self
        return replace(self, label=self.hedged, reason=self.unread, hedged=None, unread=None)

    @property
    def posed(self) -> bool:
        """Whether the claim is an assertion, decided or not."""
        return self.reason not in OUTSIDE

    @property
    def unsupported(self) -> bool:
        """Whether the label is unsupported."""
        return self.label == Support.UNSUPPORTED.value


def labels_of(assessed: ScoredResponse, policy: str) -> dict[str, tuple[Labelled, ...]]:
    """Return label source -> one entry a claim, in the order of the claims.

    Args:
        assessed: a response with its verdicts.
        policy: `agreement` or `majority`, the name of the gated source.

    Sources: `rule:<name>` as the rules ran, `verifier:<id>`, `judge:<model>` (first pass), `agreement` or `majority`, `concordant` (judge
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
        if rater.startswith(MACHINES)
    }
    if any(rater.startswith("judge:") for rater in raters):
        sources |= _judged(given, sources, policy)
    if any(rater.startswith("human:") for rater in raters):
        sources[HUMAN] = tuple(map(_by_people, given))
    unseen = _unseen(assessed)
    return {
        name: _counted(assessed, _left_out(assessed, _marked(assessed, labels, unseen)), by=name)
        for name, labels in sources.items()
    }


def _by_people(verdicts: Sequence[Verdict]) -> Labelled:
    """What people say of one claim, and whether all who say so find it contradicted, or all find it absent."""
    said = people_said(verdicts)
    found = {
        str(one.get("found", ""))
        for v in verdicts
        if v.rater.startswith("human:") and v.label == said.label
        for one in v.evidence or ({},)
    }
    return Labelled(said.label, said.reason, found=found.pop() if len(found) == 1 else "")


def _unseen(assessed: ScoredResponse) -> frozenset[str]:
    """Ids of claims that the rule found true of the case though the arm did not show it."""
    return frozenset(
        v.subject
        for v in assessed.verdicts
        if v.rater.startswith("rule:") and any(e.get("matches_unseen") for e in v.evidence)
    )


def _marked(
    assessed: ScoredResponse, labels: tuple[Labelled, ...], unseen: frozenset[str]
) -> tuple[Labelled, ...]:
    """Mark what is supported though not shown: all of it in an arm that shows nothing, else what the rule found so."""
    if not is_read(assessed):
        return labels
    bare = not ARM_LAYERS.get(assessed.response.arm, ("all",))
    good = {Support.SUPPORTED.value, Support.PARTIAL.value}
    return tuple(
        replace(entry, unseen=True) if entry.label in good and (bare or claim.id in unseen) else entry
        for claim, entry in zip(assessed.claims, labels, strict=True)
    )


def is_read(assessed: ScoredResponse) -> bool:
    """Say whether claims carry their speech act, so that assertions alone are counted; else all are, as in the paper."""
    return any("act" in claim.payload for claim in assessed.claims)


def _counted(assessed: ScoredResponse, labels: tuple[Labelled, ...], *, by: str) -> tuple[Labelled, ...]:
    """Leave out by its reason what asserts nothing, what the question says, and what the answer said before.

    People's labels are counted by the speech act that people gave, where they gave one; all others by the rule's.
    """
    if not is_read(assessed):
        return labels
    told = acts_by_people(assessed) if by == HUMAN else {}
    said: set[str] = set()
    found = []
    for claim, entry in zip(assessed.claims, labels, strict=True):
        found.append(_in_its_place(claim, entry, said, told.get(claim.id)))
        said.add(saying(statement(claim)))
    return tuple(found)


def acts_by_people(assessed: ScoredResponse) -> dict[str, str]:
    """Return claim id -> what people say that the claim does, `given` where the question says it; claims without such a label are left out.

    Args:
        assessed: a response with its verdicts.
    """
    given: dict[str, list[Verdict]] = {}
    for verdict in assessed.verdicts:
        if verdict.aspect == SPEECH_ASPECT and verdict.rater.startswith("human:"):
            given.setdefault(verdict.subject, []).append(verdict)
    return {subject: said.label for subject, held in given.items() if (said := people_said(held)).label}


def _in_its_place(claim: Claim, entry: Labelled, said: set[str], told: str | None) -> Labelled:
    act = told or claim.payload.get("act")
    if is_truncated(claim):
        return entry
    if told == SPEECH_GIVEN or (told is None and claim.payload.get("given")):
        return Labelled(None, GIVEN)
    if act in ACTS:
        return Labelled(None, ACTS[act])
    if saying(statement(claim)) in said:
        return Labelled(None, AGAIN)
    if entry.label == Support.UNKNOWN.value:
        entry = Labelled(None, UNKNOWN)
    if act != "hedged":
        return entry
    return replace(entry, label=None, reason=HEDGED, hedged=entry.label, unread=entry.reason)


def entries_of(assessed: ScoredResponse, policy: str, source: str) -> tuple[Labelled, ...]:
    """Return the entries of one source, one a claim; where it labelled nothing, all are left out by a reason.

    Args:
        assessed, policy: as in `labels_of`. source: one of its keys.
    """
    held = labels_of(assessed, policy).get(source)
    return held if held is not None else unlabelled(assessed, source)


def unlabelled(assessed: ScoredResponse, source: str) -> tuple[Labelled, ...]:
    """Return the entries of a source that labelled none of a response's claims.

    Args:
        assessed: the response. source: that was silent.
    """
    reason = assessed.left_out or (NOT_JUDGED if source == HUMAN else Reason.ERROR.value)
    entries = (Labelled(None, reason),) * len(assessed.claims)
    return _counted(assessed, _left_out(assessed, entries), by=source)


def rule_rater(sources: Mapping[str, object]) -> str | None:
    """Return the rule source, None where no rule ran."""
    return next((name for name in sources if name.startswith("rule:")), None)


def judge_passes(verdicts: Sequence[Verdict], subject: str) -> tuple[Verdict, ...]:
    """Return the judge's passes on one claim, in order of the pass."""
    return judge_passes_among([v for v in verdicts if v.subject == subject and v.aspect == ASPECT])


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
    basis = next((e for e in found.evidence if e.get("kind") == "reference"), {})
    return Labelled(found.label, found.unscored, found=str(basis.get("found", "")))


def _judged(
    given: Sequence[list[Verdict]], rules: Mapping[str, tuple[Labelled, ...]], policy: str
) -> dict[str, tuple[Labelled, ...]]:
    passes = [judge_passes_among(verdicts) for verdicts in given]
    names = {v.rater for verdicts in passes for v in verdicts}
    first = min(names)
    gated = tuple(_labelled(judge_said(verdicts, policy, declared=len(names))) for verdicts in given)
    sources = {
        first.partition("#")[0]: tuple(_single(verdicts, first) for verdicts in passes),
        policy: gated,
    }
    rule = rule_rater(rules)
    if rule is not None:
        sources[CONCORDANT] = tuple(
            judged
            if judged.label is None or judged.label == ruled.label
            else Labelled(None, ruled.reason or DIFFER)
            for judged, ruled in zip(gated, rules[rule], strict=True)
        )
    return sources


def _labelled(said: Said) -> Labelled:
    return Labelled(said.label, said.reason)
