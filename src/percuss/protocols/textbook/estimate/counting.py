"""From verdicts to cells: what one answer contributes to each number, for every label source alike."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import HUMAN, Said, people_said
from percuss.kit.counting import labels_of, sources_of
from percuss.protocols.textbook.arms import CONTINUATION
from percuss.protocols.textbook.check import BAD, CONTINUED, OVERLAPS, PART, SCORE, STEP, SUPPORT, VALUE
from percuss.protocols.textbook.estimate.names import MEMORISED, RATE
from percuss.protocols.textbook.estimate.names import SCORE as MEAN
from percuss.protocols.textbook.items.item import CLOSED
from percuss.protocols.textbook.options import OVERLAP, RATER, TextbookOptions
from percuss.protocols.textbook.people.ranking import LIKERT
from percuss.protocols.textbook.scoring.overlap import MEASURES

__all__ = ["cells"]

NOTHING = f"{Reason.UNPARSABLE.value}:no answer"
Counted = tuple[float | None, str]
"""What an answer counts for, or why it doesn't."""


def cells(run: RunView, options: TextbookOptions) -> Iterator[Cell]:
    """Yield the cells of every answer: wrong or partly right by label source, scores, overlap, and the probe.

    Args:
        run: one scoring. options: the judge's policy.

    A judge is asked about open questions alone; closed ones count for its source as the exact scorer has them. An answer that
    people ranked counts as wrong for them where they flag an unsupported claim, unless they labelled it itself.
    """
    sources = sources_of(run, options.judge_policy, SUPPORT) or (RATER,)
    for scored in run.assessed():
        if scored.response.status == "not_applicable":
            continue
        if scored.response.arm == CONTINUATION:
            yield from _probe(scored)
            continue
        said = _said(scored, options)
        for source in sources:
            if source != HUMAN or HUMAN in said:
                yield from _of_source(scored, source, _of(said, source, scored))
        yield from _by_people(scored, flagged=HUMAN not in said)
        yield from _by_rule(scored)


def _said(scored: ScoredResponse, options: TextbookOptions) -> Mapping[str, Said]:
    if not scored.claims:
        return {}
    return labels_of(scored, scored.claims[0], options.judge_policy, SUPPORT)


def _by_people(scored: ScoredResponse, *, flagged: bool) -> Iterator[Cell]:
    """Yield what people say of a ranked answer: an unsupported claim (where `flagged`), a bad answer, how good it is."""
    flag, quality = (_ranked(scored, aspect) for aspect in ("unsupported", "quality"))
    if flagged and flag is not None:
        yield _cell(
            scored,
            HUMAN,
            RATE.name,
            (None if flag.label is None else float(flag.label == "yes"), flag.reason or ""),
        )
    if quality is not None:
        grade, reason = LIKERT.get(quality.label or ""), quality.reason or ""
        yield _cell(scored, HUMAN, "bad_rate", (None if grade is None else float(grade == 0), reason))
        yield _cell(scored, HUMAN, "usefulness", (None if grade is None else float(grade), reason))


def _ranked(scored: ScoredResponse, aspect: str) -> Said | None:
    """Return what people settled on or most of them say of an answer under an aspect; None where nobody did."""
    said = [v for v in scored.verdicts if v.aspect == aspect and v.rater.startswith("human:")]
    return people_said(said) if said else None


def _why_not(scored: ScoredResponse) -> str | None:
    """Return why nothing of an answer counts; None where it was checked."""
    if scored.left_out:
        return scored.left_out
    if not scored.claims:
        return NOTHING
    return Reason.TRUNCATED.value if is_truncated(scored.claims[0]) else None


def _of(said: Mapping[str, Said], source: str, scored: ScoredResponse) -> Said:
    reason = _why_not(scored)
    if reason is not None:
        return Said(reason=reason)
    found = said.get(source)
    if found is None and source != HUMAN and scored.case.stratum in CLOSED:
        found = said.get(RATER)
    return found or Said(reason=Reason.ERROR.value)


def _of_source(scored: ScoredResponse, source: str, said: Said) -> Iterator[Cell]:
    make = partial(_cell, scored, source)
    reason = said.reason or Reason.ERROR.value
    is_one = None if said.label is None else said.label == BAD
    yield make(RATE.name, (None if is_one is None else float(is_one), reason))
    yield make("partial_rate", (None if said.label is None else float(said.label == PART), reason))
    yield make(MEAN.name, _value(scored, source, said))


def _value(scored: ScoredResponse, source: str, said: Said) -> Counted:
    """Return the score of an answer under a source, or why there is none; the step and its explanation count half each."""
    if said.label is None:
        return None, said.reason or Reason.ERROR.value
    exact = _verdict(scored, SCORE)
    if scored.case.stratum in CLOSED and source != HUMAN and exact is not None and exact.score is not None:
        return exact.score, ""
    value = VALUE.get(said.label)
    if scored.case.stratum == "multi_hop_inverse" and value is not None and source != HUMAN:
        step = _verdict(scored, STEP)
        if step is None or step.score is None:
            return None, _reason(None, step)
        return (value + step.score) / 2, ""
    return value, Reason.ERROR.value


def _verdict(scored: ScoredResponse, aspect: str, rater: str = RATER) -> Verdict | None:
    return next((v for v in scored.verdicts if v.aspect == aspect and v.rater == rater), None)


def _by_rule(scored: ScoredResponse) -> Iterator[Cell]:
    """Yield what only the rules say: lists, steps, overlap."""
    kind, reason = scored.case.stratum, _why_not(scored)
    make = partial(_cell, scored, RATER)
    if kind == "list":
        made = _verdict(scored, SCORE)
        held = _evidence(made)
        for name, value in (
            ("list_precision", held.get("precision")), ("list_recall", held.get("recall")), ("list_f1", None if made is None else made.score)
        ):  # fmt: skip
            yield make(name, (value if reason is None else None, _reason(reason, made)))
    if kind == "multi_hop_inverse":
        made = _verdict(scored, STEP)
        score = None if made is None or reason is not None else made.score
        yield make("step_score", (score, _reason(reason, made)))
    if kind not in CLOSED:
        made = _verdict(scored, OVERLAPS, OVERLAP)
        held = _evidence(made)
        for name in MEASURES:
            if held and name not in held:  # a run that was checked before there was this measure
                continue
            value = held.get(name) if reason is None else None
            yield _cell(scored, OVERLAP, name, (value, _reason(reason, made)))


def _reason(reason: str | None, made: Verdict | None) -> str:
    return reason or (made.unscored if made is not None else None) or Reason.ERROR.value


def _evidence(made: Verdict | None) -> Mapping[str, Any]:
    return next(iter(made.evidence), {}) if made is not None else {}


def _probe(scored: ScoredResponse) -> Iterator[Cell]:
    made, reason = _verdict(scored, CONTINUED), _why_not(scored)
    if reason == Reason.TRUNCATED.value:  # a continuation may end anywhere
        reason = None
    label = None if made is None or reason is not None else made.label
    value = None if label is None else float(label == "memorised")
    yield _cell(scored, RATER, MEMORISED.name, (value, _reason(reason, made)))


def _cell(scored: ScoredResponse, source: str, name: str, counted: Counted) -> Cell:
    response, (value, reason) = scored.response, counted
    return Cell(
        name=name, model=response.model, arm=response.arm, labels=source, case_id=response.case_id, cluster=scored.case.cluster,
        num=value or 0.0, den=0.0 if value is None else 1.0, epoch=response.epoch, stratum=scored.case.stratum,
        excluded={reason: 1} if value is None else {},
    )  # fmt: skip


def listed(cells: Sequence[Cell], name: str) -> list[Cell]:
    """Return the cells of one name."""
    return [cell for cell in cells if cell.name == name]
