"""Section 6: read it yourself: evidence, answers with and without it, and what was said of each claim."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Claim, Verdict
from percuss.core.sections import Field, Mark, Pane, Section, Viewer, ViewerCase
from percuss.evidence.packet import Packet
from percuss.judging.extract import is_truncated
from percuss.protocols.grounding.check import vector
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.memory import matches
from percuss.protocols.grounding.estimate.names import arm_words
from percuss.protocols.grounding.record import reading

__all__ = ["reader", "viewer_case"]

CASES = 1_000
TWIN = 0.80  # papers/0 section 4.6


def reader(cases: Sequence[ViewerCase]) -> Iterator[Section]:
    """Yield viewers of at most 1,000 cases, every model and arm of a case side by side.

    Args:
        cases: of `viewer_case`, in order.
    """
    for start in range(0, len(cases), CASES):
        yield Section.of("read", "Read it yourself", Viewer(cases=tuple(cases[start : start + CASES])))


def viewer_case(
    case: Case, found: Sequence[ScoredResponse], labelled: Sequence[Sequence[Labelled]]
) -> ViewerCase:
    """Return a case as it is read: its evidence, and the answers of every model and arm with their claims.

    Args:
        case: whose evidence. found: its answers. labelled: the headline's labels of each, one a claim.
    """
    content = reading(case)
    panes = [
        _pane(assessed, entries, content.record)
        for assessed, entries in zip(found, labelled, strict=True)
        if assessed.response.status != "not_applicable"
    ]
    marks = [mark for pane in panes for mark in pane.marks]
    bad = sum(mark.label == "unsupported" for mark in marks)
    disputed = sum("in dispute" in mark.tags for mark in marks)
    return ViewerCase(
        id=case.id,
        stratum=case.stratum,
        question=content.question,
        packet=tuple(
            Field(
                path=fact.path,
                label=_field_words(fact.path, content.packet.layers),
                value="not recorded" if fact.value is None else str(fact.value),
            )
            for fact in content.packet.facts
        ),
        passage="\n\n".join(content.packet.texts),
        panes=tuple(_twinned(panes, found)),
        interest=float(disputed + bad / (1 + len(marks))),
    )


def _field_words(path: str, layers: Sequence[str]) -> str:
    """Return a field's path in words, without its layer: two fields of one name stay apart (`stage`, `available stage`).

    >>> _field_words("fusion.available.pack_years", ("fusion",))
    'available pack years'
    """
    first, _, rest = path.partition(".")
    return (rest if rest and first in layers else path).replace(".", " ").replace("_", " ")


def _pane(assessed: ScoredResponse, labelled: Sequence[Labelled], record: Packet | None) -> Pane:
    response = assessed.response
    offsets, at = {}, 0
    for turn in response.turns:
        if turn.role == "assistant":
            offsets[turn.index] = at
            at += len(turn.text) + 2
    said: dict[str, list[Verdict]] = {}
    for verdict in assessed.verdicts:
        said.setdefault(verdict.subject, []).append(verdict)
    marks = [
        _mark(record, claim, entry, said.get(claim.id, []), offsets.get(claim.turn, 0))
        for claim, entry in zip(assessed.claims, labelled, strict=True)
    ]
    return Pane(
        model=response.model,
        arm=response.arm,
        title=arm_words(response.arm),
        text=response.text,
        marks=tuple(marks),
        status=response.status,
        reason=response.reason,
    )


def _mark(
    record: Packet | None, claim: Claim, entry: Labelled, verdicts: Sequence[Verdict], offset: int
) -> Mark:
    rows: list[dict[str, Any]] = [
        {"rater": v.rater, "label": v.label, "unscored": v.unscored, "rationale": v.rationale}
        for v in verdicts
    ]
    return Mark(
        id=claim.id,
        start=offset + claim.start,
        stop=offset + claim.stop,
        label=entry.label or "not_scored",
        kind=claim.kind,
        said=tuple(rows),
        evidence=tuple(_hinges(verdicts)),
        tags=tuple(_tags(record, claim, entry, verdicts)),
    )


def _hinges(verdicts: Sequence[Verdict]) -> Iterator[dict[str, Any]]:
    """What the verdict hangs on: fields with their values and what the claim says of them."""
    for verdict in verdicts:
        for token in verdict.evidence:
            if token.get("kind") == "reference":
                continue
            if "quote" in token:
                yield token
            elif token.get("path") or token.get("outcome") == "mismatch":
                where = token.get("path") or "nothing in the evidence"
                row = {"path": where, "claim": token.get("text"), "note": token.get("outcome")}
                yield row if token.get("value") is None else {**row, "value": token["value"]}


def _tags(record: Packet | None, claim: Claim, entry: Labelled, verdicts: Sequence[Verdict]) -> Iterator[str]:
    labels = {v.label for v in verdicts if v.label is not None}
    if len(labels) > 1:
        yield "in dispute"
    if any(t.get("matches_unseen") for v in verdicts for t in v.evidence):
        yield "matches what it was not shown"
    if record is not None and entry.unsupported:
        right, total = matches([claim], record)
        if total and right == total:
            yield "matches outside record"
    if is_truncated(claim):
        yield "cut at the token limit"


def _twinned(panes: Sequence[Pane], found: Sequence[ScoredResponse]) -> Iterator[Pane]:
    """Number claims that have a twin in the other arm of the same model, where the check had an embedder."""
    vectors = {
        claim.id: v for assessed in found for claim in assessed.claims if (v := vector(claim)) is not None
    }
    twins: dict[str, int] = {}
    number = 0
    for model in dict.fromkeys(pane.model for pane in panes):
        bare = [
            m for p in panes if p.model == model and p.arm == "ungrounded" for m in p.marks if m.id in vectors
        ]
        for pane in panes:
            if pane.model != model or pane.arm not in {"full_multimodal", "full"} or not bare:
                continue
            others = np.stack([vectors[m.id] for m in bare])
            for mark in pane.marks:
                if mark.id not in vectors:
                    continue
                cosines = others @ vectors[mark.id]
                best = bare[int(cosines.argmax())]
                if float(cosines.max()) >= TWIN:
                    if best.id not in twins:
                        number += 1
                        twins[best.id] = number
                    twins[mark.id] = twins[best.id]
    for pane in panes:
        marks = tuple(_numbered(mark, twins.get(mark.id)) for mark in pane.marks)
        yield Pane(
            model=pane.model, arm=pane.arm, title=pane.title, text=pane.text, marks=marks, status=pane.status,
            reason=pane.reason,
        )  # fmt: skip


def _numbered(mark: Mark, twin: int | None) -> Mark:
    if twin is None:
        return mark
    return Mark(
        id=mark.id, start=mark.start, stop=mark.stop, label=mark.label, kind=mark.kind, said=mark.said,
        evidence=mark.evidence, twin=twin, tags=mark.tags,
    )  # fmt: skip
