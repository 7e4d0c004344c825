"""Read it yourself: the picture as the model saw it beside the unmodified one, with what was said of each reasoning."""

import base64
import heapq
from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.ports import ScoredResponse
from percuss.core.records import Blob, Case
from percuss.core.sections import Field, Mark, Pane, Section, Viewer, ViewerCase
from percuss.kit.report.context import Report, Told
from percuss.kit.report.reader import conversation, said_of
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.arms import picture_of
from percuss.protocols.explanation.estimate.counting import answered
from percuss.protocols.explanation.estimate.names import arm_words
from percuss.protocols.explanation.images.pixels import thumbnail
from percuss.protocols.explanation.images.recipes import made_again
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.record import reading

__all__ = ["reader"]

#: Cases shown, and of these cases with pictures: each has up to a dozen, and a report has to stay small.
CASES, PICTURED = 120, 24
_SIDE_PX, _QUALITY = 256, 50
NOTE = "The {n} cases with the most silent or denied influence, flips and disagreement; all answers are in the run folder."


class Explained:
    """Takes part in the walk: keeps the cases where the explanations are most worth reading.

    Args:
        report: whose arms give the order of the answers.
    """

    def __init__(self, report: Report) -> None:
        self._arms = report.results.arms
        self._heap: list[tuple[float, str, int, tuple[Case, list[ScoredResponse]]]] = []
        self._seen = 0

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        asked = [told.scored for told in answers if told.scored.response.status != "not_applicable"]
        if not asked:
            return
        self._seen += 1
        item = (_interest_of(asked), case.id, self._seen, (case, sorted(asked, key=self._place)))
        (heapq.heappush if len(self._heap) < CASES else heapq.heappushpop)(self._heap, item)

    def _place(self, scored: ScoredResponse) -> tuple[int, str]:
        arm = scored.response.arm
        return (self._arms.index(arm) if arm in self._arms else len(self._arms), arm)

    def ranked(self) -> Iterator[tuple[float, Case, list[ScoredResponse]]]:
        """Yield interest, case and answers, the most worth reading first."""
        for interest, _, _, (case, asked) in sorted(self._heap, key=lambda item: item[:2], reverse=True):
            yield interest, case, asked


def reader(report: Report) -> Iterator[Section]:
    """Yield one viewer of the cases where the explanations are most worth reading."""
    images: dict[str, str] = {}
    cases = []
    for place, (interest, case, asked) in enumerate(report.collected["cases"].ranked()):
        panes = [
            _pane(report, item, _picture(report, item, images) if place < PICTURED else None)
            for item in asked
        ]
        cases.append(_viewer_case(case, panes, interest))
    if cases:
        viewer = Viewer(cases=tuple(cases), images=images)
        yield Section.of("read", "Read it yourself", viewer, NOTE.format(n=len(cases)))


def _interest_of(asked: Sequence[ScoredResponse]) -> float:
    """How much a case is worth reading: silent following counts most, then flips, then raters who differ."""
    done = [item for item in asked if item.response.status == "done"]
    base = {
        (item.response.model, item.response.arm): answered(item).option for item in done
        if parse_arm(item.response.arm).kind == "none"
    }  # fmt: skip
    return sum(
        _interest(item, base.get((item.response.model, parse_arm(item.response.arm).baseline)))
        for item in done
    )


def _interest(item: ScoredResponse, before: str | None) -> float:
    answer = answered(item)
    if answer.option is None or before is None or answer.option == before:
        return 0.0
    ca = next((v.score for v in item.verdicts if v.aspect == "ca" and v.score is not None), None)
    silent = answer.option == answer.target and ca is not None and ca <= 3
    scores = {v.score for v in item.verdicts if v.aspect == "cf" and v.score is not None}
    return 1.0 + 2.0 * silent + 0.5 * (len(scores) > 1)


def _as_sent(item: ScoredResponse, report: Report) -> Blob:
    """Return the picture that a response saw: made again by its recipe; by the arm where an older run kept none."""
    kept = item.response.artifacts.get("recipe")
    if kept is not None:
        return made_again(item.case.blobs[0], kept)
    return picture_of(item.case, item.response.arm, item.response.artifacts.get("target"), report.options)


def _picture(report: Report, item: ScoredResponse, images: dict[str, str]) -> str | None:
    digest = item.response.artifacts.get("picture")
    if digest is None or not item.case.blobs:
        return None
    if digest not in images:
        try:
            blob = _as_sent(item, report)
        except BadInput:
            return None  # another version of the edits sent it; what it made is in that version's report
        images[digest] = _small(blob)
    return str(digest)


def _small(blob: Blob) -> str:
    packed = thumbnail(blob.data, side=_SIDE_PX, quality=_QUALITY)
    return "data:image/webp;base64," + base64.b64encode(packed).decode("ascii")


def _viewer_case(case: Case, panes: Sequence[Pane], interest: float) -> ViewerCase:
    content = reading(case)
    question = BY_ID[content.question]
    fields = (
        Field(path=name, label=name.replace("_", " "), value=_value(value))
        for name, value in content.fields.items()
    )
    return ViewerCase(
        id=case.id, stratum=case.stratum, question=f"{question.text} ({', '.join(question.options)})",
        packet=(Field(path="truth", label="true answer", value=content.answer), *fields), panes=tuple(panes), interest=interest,
    )  # fmt: skip


def _value(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _pane(report: Report, item: ScoredResponse, digest: str | None) -> Pane:
    response = item.response
    words, offsets = conversation(report, item)
    said = {subject: [v for v in held if v.aspect == "support"] for subject, held in said_of(item).items()}
    marks = tuple(
        Mark(
            id=claim.id, start=offsets.get(claim.turn, 0) + claim.start, stop=offsets.get(claim.turn, 0) + claim.stop,
            label=verdict.label or "not_scored", kind=claim.kind,
            said=({"rater": verdict.rater, "label": verdict.label, "unscored": verdict.unscored, "rationale": verdict.rationale},),
            evidence=tuple({"path": path} for row in verdict.evidence for path in row.get("paths", ())),
        )
        for claim in item.claims for verdict in said.get(claim.id, ())[-1:]
    )  # fmt: skip
    return Pane(
        model=response.model, arm=response.arm, title=arm_words(response.arm), text=words, image=digest, marks=marks,
        margin=tuple(_margin(item)), status=response.status, reason=response.reason,
    )  # fmt: skip


def _margin(item: ScoredResponse) -> Iterator[dict[str, Any]]:
    """What was said of the whole reasoning: the answer and what the cue pointed at, then each rater's scores."""
    answer = answered(item)
    target = f"; the cue points at {answer.target}" if answer.target else ""
    yield {"answer": f"{answer.option or answer.reason}{target}"}
    for verdict in item.verdicts:
        if verdict.aspect in {"cf", "cf_own", "ca", "ct"}:
            said = f"{verdict.score:g}" if verdict.score is not None else str(verdict.unscored)
            yield {f"{verdict.aspect} by {verdict.rater}": f"{said}. {verdict.rationale}".strip()}
