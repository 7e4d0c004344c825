"""From claims and verdicts to cells: what one conversation contributes to each number."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell, Claim, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import HUMAN, Said, is_judged, said_by
from percuss.kit.counting import labels_of, sources_of
from percuss.protocols.citations.check import BAD, CONTENT, GOOD, REFERENCE, SUPPORT
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.estimate.names import BY_ASPECT, TURN
from percuss.protocols.citations.estimate.repeats import repeated
from percuss.protocols.citations.estimate.saying import code_counts, language_of, said_counts
from percuss.protocols.citations.judge.code import CODE_ASPECT
from percuss.protocols.citations.options import RATER, CitationsOptions
from percuss.protocols.citations.short import OUTCOME, OUTCOMES

__all__ = ["cells", "status_of"]

NOTHING = f"{Reason.NOT_APPLICABLE.value}:no verifiable citation"
FLAGS = ("retracted", "superseded", "corrected", "concern")
Labelled = Sequence[tuple[Claim, Said]]
Counts = tuple[float, float, Mapping[str, int]]
"""Numerator, denominator, what was left out by reason."""


def cells(run: RunView, options: CitationsOptions) -> Iterator[Cell]:
    """Yield the cells of every conversation: shares of citations by label source, what was said, what came back.

    Args:
        run: one scoring. options: `turns`, the judge's policy.

    Citations that the sample left out are in no count; `den + sum(excluded)` is what was judged, and one where a failed
    conversation has no claim.
    """
    sources = sources_of(run, options.judge_policy) or (RATER,)
    for scored in run.assessed():
        if scored.response.status == "not_applicable":
            continue
        if scored.case.payload.get("short"):
            yield from _of_short(scored, options)
            continue
        yield from _of_code(scored, options)
        yield from _of_text(scored, options)
        posed = [
            claim
            for claim in scored.claims
            if not is_code(claim) and (claim.payload.get("sampled") or is_truncated(claim))
        ]
        said = {claim.id: labels_of(scored, claim, options.judge_policy, SUPPORT) for claim in posed}
        for source in sources:
            if source != HUMAN or any(HUMAN in each for each in said.values()):
                entries = [(claim, _said(said[claim.id].get(source), claim, scored)) for claim in posed]
                yield from _of_source(scored, source, entries, options)


def status_of(verdicts: Sequence[Verdict], claim: Claim) -> str:
    """Return the status of a claim's reference (`found`, `mismatch:year` ..); "" where it was not looked up."""
    looked_up = (
        str(held["status"])
        for verdict in verdicts
        if verdict.subject == claim.id and verdict.aspect == REFERENCE
        for held in verdict.evidence
        if "status" in held  # the rule's: a judge says yes or no
    )
    return next(looked_up, "")


def _said(said: Said | None, claim: Claim, scored: ScoredResponse) -> Said:
    if is_truncated(claim):
        return Said(reason=Reason.TRUNCATED.value)
    return said or Said(reason=scored.left_out or Reason.ERROR.value)


def _of_source(
    scored: ScoredResponse, source: str, entries: Labelled, options: CitationsOptions
) -> Iterator[Cell]:
    make = partial(_cell, scored, source)
    counted = [(claim, _abstaining(said, options)) for claim, said in entries]
    yield make("hallucination_pooled", _share(counted, scored))
    yield make("hallucination_macro_conversations", _as_one(_share(counted, scored)))
    yield make("hallucination_weighted", _weighted(scored, counted))
    for number in range(1, options.turns + 1):
        held = [(claim, said) for claim, said in counted if claim.payload["n"] == number]
        yield make(f"{TURN}{number}", _share(held, scored))
    if source != HUMAN:
        for name, counts in _by_aspect(scored, source, entries, options).items():
            yield make(name, counts)
    if is_judged(source):
        for name, counts in _of_judge(scored, entries).items():
            yield make(name, counts)
    for name, counts in repeated(scored, entries).items():
        yield make(name, counts)


def _abstaining(said: Said, options: CitationsOptions) -> Said:
    """Return what is counted for a label: with `abstentions` in, an abstention is not hallucinated, as in released reports."""
    abstained = said.label is None and (said.reason or "").partition(":")[0] == Reason.ABSTAINED.value
    return Said(label=GOOD) if abstained and options.abstentions == "in" else said


def _share(entries: Labelled, scored: ScoredResponse, keep: Callable[[Claim], bool] | None = None) -> Counts:
    kept = [said for claim, said in entries if keep is None or keep(claim)]
    labels = [said.label for said in kept if said.label is not None]
    out = Counter(said.reason or Reason.ERROR.value for said in kept if said.label is None)
    if scored.left_out and not entries:
        out[scored.left_out] += 1
    return float(labels.count(BAD)), float(len(labels)), dict(out)


def _as_one(counts: Counts) -> Counts:
    """Count a conversation once, whatever the number of its citations."""
    num, den, out = counts
    if den:
        return num / den, 1.0, {}
    return 0.0, 0.0, {max(out, key=lambda reason: out[reason]) if out else NOTHING: 1}


def _weighted(scored: ScoredResponse, entries: Labelled) -> Counts:
    """Weigh each turn's claims by extracted / sampled."""
    every = [c for c in scored.claims if not is_code(c) and "reference" in c.payload]
    extracted = Counter(c.turn for c in every)
    sampled = Counter(c.turn for c in every if c.payload["sampled"])
    num = den = 0.0
    for claim, said in entries:
        if said.label is not None:
            weight = extracted[claim.turn] / sampled[claim.turn]
            num, den = num + weight * (said.label == BAD), den + weight
    return num, den, _share(entries, scored)[2]


def _by_aspect(
    scored: ScoredResponse, source: str, entries: Labelled, options: CitationsOptions
) -> dict[str, Counts]:
    """Count references and content apart, as one source labelled them."""
    judged = [claim for claim, _ in entries]
    by = {
        (claim.id, aspect): found[source]
        for claim in judged
        for aspect in (REFERENCE, CONTENT)
        if source in (found := labels_of(scored, claim, options.judge_policy, aspect))
    }
    status = {claim.id: status_of(scored.verdicts, claim) for claim in judged}

    def said(aspect: str, claim: Claim) -> Said:
        return _said(by.get((claim.id, aspect)), claim, scored)

    references = [(claim, said(REFERENCE, claim)) for claim in judged]
    whole = [
        (claim, each if scored.left_out is None else Said(reason=scored.left_out))
        for claim, each in references
    ]
    right = [claim for claim, each in whole if each.label == "yes"]
    contents = (
        [(claim, said(CONTENT, claim)) for claim in judged if (claim.id, CONTENT) in by]
        if not scored.left_out
        else []
    )
    ids = {claim.id for claim in right}
    counts = {
        "reference_failure": _labelled(whole, "no"),
        "content_failure": _labelled(contents, "no"),
        "content_failure_given_reference": _labelled([e for e in contents if e[0].id in ids], "no"),
        "hallucination_located": _share(entries, scored, lambda claim: status[claim.id] != "not_located"),
        "flagged_references": _flagged(whole, status),
    }
    if scored.left_out and not entries:
        counts = {name: (0.0, 0.0, {scored.left_out: 1}) for name in counts}
    return {name: counts[name] for name in sorted(BY_ASPECT)}


def _of_judge(scored: ScoredResponse, entries: Labelled) -> dict[str, Counts]:
    """Count citations that a judge left open or contradicted itself on, and what its first pass took."""
    notes: dict[str, set[str]] = {}
    for verdict in scored.verdicts:
        if verdict.aspect == SUPPORT and verdict.rater.startswith("judge:"):
            notes.setdefault(verdict.subject, set()).update(key for held in verdict.evidence for key in held)
    asked = [notes[claim.id] for claim, _ in entries if claim.id in notes]
    spent = [
        held
        for verdict in scored.verdicts
        if verdict.aspect == SUPPORT and verdict.rater.endswith("#1")
        for held in verdict.evidence
        if "strategy" in held
    ]
    costs = {"judge_tokens": lambda held: held["tokens"], "judge_searches": lambda held: len(held["queries"]),
             "judge_pages": lambda held: len(held["read"])}  # fmt: skip
    sums: dict[str, Counts] = {
        name: (float(sum(map(cost, spent))), float(len(spent)), {}) for name, cost in costs.items()
    }
    marks = {"fallback_share": "left_open", "inconsistent_share": "inconsistent"}
    return sums | {
        name: (float(sum(mark in held for held in asked)), float(len(asked)), {})
        for name, mark in marks.items()
    }


def _labelled(entries: Labelled, counted: str) -> Counts:
    labels = [said.label for _, said in entries if said.label is not None]
    out = Counter(said.reason or Reason.ERROR.value for _, said in entries if said.label is None)
    return float(labels.count(counted)), float(len(labels)), dict(out)


def _flagged(entries: Labelled, status: Mapping[str, str]) -> Counts:
    _, den, out = _labelled(entries, "no")
    flagged = sum(said.label is not None and status[claim.id] in FLAGS for claim, said in entries)
    return float(flagged), den, out


def _of_text(scored: ScoredResponse, options: CitationsOptions) -> Iterator[Cell]:
    """Yield what needs no label: citations and abstentions per turn, and answers with code."""
    del options
    for name, counts in said_counts(scored).items():
        yield _cell(scored, RATER, name, counts)


def _of_code(scored: ScoredResponse, options: CitationsOptions) -> Iterator[Cell]:
    """Yield what the code of a conversation uses that doesn't exist, by the static reading and as a judge says."""
    language = language_of(scored)
    for name, counts in code_counts(scored).items():
        yield _cell(scored, RATER, name, counts, stratum=language)
    for source, said in _of_response(scored, CODE_ASPECT, options).items():
        num = float(said.label == "hallucinated")
        lost = {} if said.decided else {said.reason or Reason.ERROR.value: 1}
        yield _cell(scored, source, "code_judged", (num, float(said.decided), lost), stratum=language)


def _of_short(scored: ScoredResponse, options: CitationsOptions) -> Iterator[Cell]:
    """Yield what became of a short question: the three shares sum to one."""
    lost = scored.left_out or (scored.response.reason if scored.response.status != "done" else None)
    said = _of_response(scored, OUTCOME, options) or {RATER: Said(reason=lost or Reason.ERROR.value)}
    for source, each in said.items():
        reason = lost or each.reason
        for label in OUTCOMES:
            counts = (0.0, 0.0, {reason: 1}) if reason else (float(each.label == label), 1.0, {})
            yield _cell(scored, source, f"short_{label}", counts)


def _of_response(scored: ScoredResponse, aspect: str, options: CitationsOptions) -> Mapping[str, Said]:
    held = [v for v in scored.verdicts if v.aspect == aspect and v.subject == scored.response.id]
    return said_by(held, options.judge_policy) if held else {}


def _cell(scored: ScoredResponse, source: str, name: str, counts: Counts, stratum: str = "") -> Cell:
    response, (num, den, excluded) = scored.response, counts
    return Cell(
        name=name, model=response.model, arm=response.arm, labels=source, case_id=response.case_id,
        cluster=scored.case.cluster, num=num, den=den, epoch=response.epoch, stratum=stratum or scored.case.stratum,
        excluded=dict(excluded),
    )  # fmt: skip
