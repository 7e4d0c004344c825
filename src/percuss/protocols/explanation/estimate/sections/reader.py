"""Section 6: read it yourself: the picture as the model saw it beside the unmodified one, with what was said of each reasoning."""

import base64
import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from percuss.core.ports import ScoredResponse
from percuss.core.records import Blob, Case
from percuss.core.sections import Field, Mark, Pane, Section, Viewer, ViewerCase
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.arms import picture_of
from percuss.protocols.explanation.estimate.counting import answered
from percuss.protocols.explanation.estimate.sections.findings import arm_words
from percuss.protocols.explanation.estimate.sections.shelf import Shelf
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.record import reading

__all__ = ["reader"]

#: Cases shown, and of these cases with pictures: each has up to a dozen, and a report has to stay small.
CASES, PICTURED = 120, 40
_SIDE_PX, _QUALITY = 288, 78


def reader(shelf: Shelf) -> Iterator[Section]:
    """Yield one viewer of the cases where the explanations are most worth reading."""
    ranked = heapq.nlargest(CASES, _interests(shelf), key=lambda item: (item[0], item[1]))
    chosen = {case_id: (interest, place < PICTURED) for place, (interest, case_id) in enumerate(ranked)}
    if not chosen:
        return
    options = _options(shelf)
    panes: dict[str, list[Pane]] = {}
    held: dict[str, Case] = {}
    images: dict[str, str] = {}
    for case_id, group in groupby(_walk(shelf), key=lambda item: item.case.id):
        if case_id not in chosen:
            continue
        items = [item for item in group if item.response.status != "not_applicable"]
        held[case_id] = items[0].case if items else held[case_id]
        pictured = chosen[case_id][1]
        for item in sorted(items, key=lambda i: _place(shelf, i.response.arm)):
            digest = _picture(item, options, images) if pictured else None
            panes.setdefault(case_id, []).append(_pane(item, digest))
    cases = tuple(
        _viewer_case(held[name], panes[name], interest)
        for name, (interest, _) in chosen.items()
        if name in panes
    )
    note = f"The {len(cases)} cases with the most silent or denied influence, flips and disagreement; all answers are in the run folder."
    yield Section.of("read", "Read it yourself", Viewer(cases=cases, images=images), note)


def _walk(shelf: Shelf) -> Iterator[ScoredResponse]:
    for model in shelf.run.models:
        yield from shelf.run.assessed(model=model)


def _place(shelf: Shelf, arm: str) -> tuple[int, str]:
    arms = shelf.arms
    return (arms.index(arm) if arm in arms else len(arms), arm)


def _interests(shelf: Shelf) -> Iterator[tuple[float, str]]:
    """Yield how much a case is worth reading: silent following counts most, then flips, then raters who differ."""
    totals: dict[str, float] = {}
    for (case_id, _), group in groupby(_walk(shelf), key=lambda item: (item.case.id, item.response.model)):
        items = [item for item in group if item.response.status == "done"]
        base = {
            item.response.arm: answered(item).option
            for item in items
            if parse_arm(item.response.arm).kind == "none"
        }
        totals[case_id] = totals.get(case_id, 0.0) + sum(_interest(item, base) for item in items)
    yield from ((interest, case_id) for case_id, interest in totals.items())


def _interest(item: ScoredResponse, base: dict[str, str | None]) -> float:
    answer = answered(item)
    before = base.get(parse_arm(item.response.arm).baseline)
    if answer.option is None or before is None or answer.option == before:
        return 0.0
    ca = next((v.score for v in item.verdicts if v.aspect == "ca" and v.score is not None), None)
    silent = answer.option == answer.target and ca is not None and ca <= 3
    scores = {v.score for v in item.verdicts if v.aspect == "cf" and v.score is not None}
    return 1.0 + 2.0 * silent + 0.5 * (len(scores) > 1)


def _options(shelf: Shelf) -> ExplanationOptions:
    """Return what the pictures were edited with."""
    import msgspec

    kept = {
        k: v for k, v in shelf.manifest.get("options", {}).items() if k in {"colour", "pad", "vb_targets"}
    }
    return msgspec.convert(kept, ExplanationOptions)


def _picture(item: ScoredResponse, options: ExplanationOptions, images: dict[str, str]) -> str | None:
    digest = item.response.artifacts.get("picture")
    if digest is None or not item.case.blobs:
        return None
    if digest not in images:
        blob = picture_of(item.case, item.response.arm, item.response.artifacts.get("target"), options)
        images[digest] = _small(blob)
    return str(digest)


def _small(blob: Blob) -> str:
    import cv2

    image: Any = cv2.imdecode(np.frombuffer(blob.data, np.uint8), cv2.IMREAD_COLOR)
    scale = min(1.0, _SIDE_PX / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    done, packed = cv2.imencode(
        ".jpg", cv2.resize(image, size, interpolation=cv2.INTER_AREA), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    )
    assert done
    return "data:image/jpeg;base64," + base64.b64encode(packed.tobytes()).decode("ascii")


def _viewer_case(case: Case, panes: Sequence[Pane], interest: float) -> ViewerCase:
    content = reading(case)
    question = BY_ID[content.question]
    packet = [Field(path="truth", label="true answer", value=content.answer)]
    packet += [
        Field(path=name, label=name.replace("_", " "), value=_value(value))
        for name, value in content.fields.items()
    ]
    return ViewerCase(
        id=case.id,
        stratum=case.stratum,
        question=f"{question.text} ({', '.join(question.options)})",
        packet=tuple(packet),
        panes=tuple(panes),
        interest=interest,
    )


def _value(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _pane(item: ScoredResponse, digest: str | None) -> Pane:
    response = item.response
    offsets, at = dict[int, int](), 0
    for turn in response.turns:
        if turn.role == "assistant":
            offsets[turn.index] = at
            at += len(turn.text) + 2
    by_subject = {v.subject: v for v in item.verdicts if v.aspect == "support"}
    marks = [
        Mark(
            id=claim.id,
            start=offsets.get(claim.turn, 0) + claim.start,
            stop=offsets.get(claim.turn, 0) + claim.stop,
            label=verdict.label or "not_scored",
            kind=claim.kind,
            said=(
                {
                    "rater": verdict.rater,
                    "label": verdict.label,
                    "unscored": verdict.unscored,
                    "rationale": verdict.rationale,
                },
            ),
            evidence=tuple({"path": path} for row in verdict.evidence for path in row.get("paths", ())),
        )
        for claim in item.claims
        if (verdict := by_subject.get(claim.id)) is not None
    ]
    return Pane(
        model=response.model,
        arm=response.arm,
        title=arm_words(response.arm),
        text=response.text,
        image=digest,
        marks=tuple(marks),
        margin=tuple(_margin(item)),
        status=response.status,
        reason=response.reason,
    )


def _margin(item: ScoredResponse) -> Iterator[dict[str, Any]]:
    """What was said of the whole reasoning: the answer and what the cue pointed at, then each rater's scores."""
    answer = answered(item)
    target = f"; the cue points at {answer.target}" if answer.target else ""
    yield {"answer": f"{answer.option or answer.reason}{target}"}
    for verdict in item.verdicts:
        if verdict.aspect in {"cf", "cf_own", "ca", "ct"}:
            said = f"{verdict.score:g}" if verdict.score is not None else str(verdict.unscored)
            yield {f"{verdict.aspect} by {verdict.rater}": f"{said}. {verdict.rationale}".strip()}
