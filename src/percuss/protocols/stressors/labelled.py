"""Whose labels: per response and source, one label a claim and one row an audited item, or the reason why there is none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim, Verdict
from percuss.judging.sources import HUMAN, Said, judge_passes, judge_said, people_said
from percuss.protocols.stressors.check.nodes import Row
from percuss.protocols.stressors.options import RATER

__all__ = ["HUMAN", "Entry", "Labels", "labels_of", "people_say"]

UNDECIDED = f"{Reason.NOT_CHECKABLE}:judge undecided"
HIT, MISS = "hit", "miss"


@dataclass(frozen=True)
class Entry:
    """One claim under one source: a label or the reason why not; `origin` of what is unsupported.

    Args:
        line: id of the birth claim of its life line. near: id of a birth that it may repeat, where this source cannot say.
    """

    claim: Claim
    label: str | None
    reason: str | None = None
    origin: str | None = None
    lucky: bool = False
    line: str = ""
    near: str | None = None

    @property
    def unsupported(self) -> bool:
        """Whether the label is unsupported."""
        return self.label == "unsupported"


@dataclass(frozen=True)
class Labels:
    """What one source says of a response; `rows` None where it did not audit, `unread` why an audit cannot be read."""

    entries: tuple[Entry, ...]
    rows: tuple[Row, ...] | None
    unread: str | None = None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


def labels_of(assessed: ScoredResponse, policy: str) -> dict[str, Labels]:
    """Return label source -> what it says: the rules, the judge's passes together, and people where they labelled.

    Args:
        assessed: a response with its verdicts. policy: `agreement` or `majority`, the name of the judge's source.
    """
    by: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in assessed.verdicts:
        by.setdefault((verdict.subject, verdict.aspect), []).append(verdict)
    ruled = [_rule(claim, by.get((claim.id, "support"), ())) for claim in assessed.claims]
    audits = by.get((assessed.response.id, "audit"), [])
    own = [v for v in audits if v.rater == RATER]
    sources = {RATER: Labels(tuple(ruled), _rows(own[0]) if own else None)}
    judged = [v for v in audits if v.rater.startswith("judge:")]
    if judged or any(v.rater.startswith("judge:") for v in assessed.verdicts):
        rows, unread = _gated_rows(judged, policy)
        entries = tuple(
            _judged(e, by.get((e.claim.id, "support"), ()), by.get((e.claim.id, "identity"), ()), policy)
            for e in ruled
        )
        sources[policy] = Labels(entries, rows, unread)
    if any(
        v.rater.startswith("human:") for claim in assessed.claims for v in by.get((claim.id, "support"), ())
    ):
        sources[HUMAN] = Labels(tuple(_human(e, by.get((e.claim.id, "support"), ())) for e in ruled), None)
    return {name: _without_left_out(assessed, held) for name, held in sources.items()}


def _rule(claim: Claim, verdicts: Sequence[Verdict]) -> Entry:
    found = next((v for v in verdicts if v.rater == RATER), None)
    blank = Entry(claim, None, line=str(claim.payload["line"]), near=claim.payload.get("near"))
    if found is None:
        return replace(blank, reason=Reason.ERROR.value)
    basis: Mapping[str, Any] = found.evidence[0] if found.evidence else {}
    return replace(
        blank,
        label=found.label,
        reason=found.unscored,
        origin=basis.get("origin"),
        lucky=bool(basis.get("lucky")),
    )


def _judged(rule: Entry, support: Sequence[Verdict], identity: Sequence[Verdict], policy: str) -> Entry:
    settled = _matched(rule, judge_said(identity, policy).label) if rule.near is not None else rule
    result = judge_said(support, policy)
    if result.label == "unknown":
        return replace(settled, label=None, reason=UNDECIDED, origin=None, lucky=False)
    return _with_origin(settled, result.label, result.reason)


def _matched(entry: Entry, said: str | None) -> Entry:
    """A twin joins the line of the birth that it may repeat, another statement keeps its own; else it stays open."""
    if said == "same":
        return replace(entry, line=str(entry.near), near=None)
    return replace(entry, near=None) if said == "different" else entry


def _human(rule: Entry, verdicts: Sequence[Verdict]) -> Entry:
    said = people_say(verdicts)
    if said.label is None:
        return replace(rule, label=None, reason=said.reason, origin=None, lucky=False)
    return _with_origin(rule, said.label, None)


def people_say(verdicts: Sequence[Verdict]) -> Said:
    """Return what people settled on, or most of them said: supported or unsupported, or the reason why neither.

    Args:
        verdicts: of one subject, machines' among them.
    """
    return people_said(verdicts, ("supported", "unsupported"))


def _with_origin(rule: Entry, label: str | None, reason: str | None) -> Entry:
    """What repeats the injected line is a matter of words: the rule says it for every source."""
    origin = (rule.origin or "fabricated") if label == "unsupported" else None
    return replace(
        rule, label=label, reason=reason, origin=origin, lucky=rule.lucky and label == "unsupported"
    )


def _rows(verdict: Verdict) -> tuple[Row, ...] | None:
    return None if verdict.label is None else tuple(msgspec.convert(row, Row) for row in verdict.evidence)


def _gated_rows(audits: Sequence[Verdict], policy: str) -> tuple[tuple[Row, ...] | None, str | None]:
    """Gate every item of an audit as a subject of its own; None and why where the passes make no audit together."""
    whole = judge_said(audits, policy)
    if not whole.decided:
        return None, whole.reason
    passes = judge_passes(audits)
    listed = [{(row.metric, row.item): row for row in _rows(verdict) or ()} for verdict in passes]
    rows = []
    for item, row in {item: row for held in reversed(listed) for item, row in held.items()}.items():
        said = judge_said([_on(v, held.get(item)) for v, held in zip(passes, listed, strict=True)], policy)
        hit, reason = (said.label == HIT, None) if said.decided else (None, said.reason)
        rows.append(msgspec.structs.replace(row, hit=hit, reason=reason))
    return tuple(rows), None


def _on(audit: Verdict, row: Row | None) -> Verdict:
    """Return what one pass says of one item; a pass that was read and does not list it differs from those that do."""
    if audit.label is None:
        return audit
    if row is None or row.hit is None:
        return msgspec.structs.replace(audit, label=None, unscored=Reason.CONFLICT.value)
    return msgspec.structs.replace(audit, label=HIT if row.hit else MISS)


def _without_left_out(assessed: ScoredResponse, held: Labels) -> Labels:
    if not assessed.left_out:
        return held
    entries = tuple(
        replace(e, label=None, reason=assessed.left_out, origin=None, lucky=False) for e in held.entries
    )
    return Labels(entries, None, assessed.left_out)
