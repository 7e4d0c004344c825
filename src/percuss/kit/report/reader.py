"""Read it yourself: the case, every answer to it side by side, and what was said of each claim."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Claim, Verdict
from percuss.core.sections import Field, Mark, Pane, Section, Viewer, ViewerCase
from percuss.judging.extract import is_truncated
from percuss.kit.report.context import Report, Told

__all__ = [
    "Cases", "conversation", "hinges", "in_dispute", "margin", "mark", "packet", "pane", "passage", "question", "said_of", "tags",
    "together", "viewer", "viewer_case",
]  # fmt: skip

CASES = 1_000
LONG = 2_000
"""Characters of a case's field shown where a protocol has no packet of its own."""


class Cases:
    """Takes part in the walk: makes each case into one of the reader.

    Args:
        report: whose own functions make the parts.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self.held: list[ViewerCase] = []

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        self.held.append(self._report.of(viewer_case)(self._report, case, answers))


def reader(report: Report) -> Iterator[Section]:
    """Yield viewers of at most 1,000 cases, every model and arm of a case side by side."""
    yield from viewer(report.collected["cases"].held)


def viewer(cases: Sequence[ViewerCase]) -> Iterator[Section]:
    """Yield cases as viewers of at most 1,000."""
    for start in range(0, len(cases), CASES):
        yield Section.of("read", "Read it yourself", Viewer(cases=tuple(cases[start : start + CASES])))


def viewer_case(report: Report, case: Case, answers: Sequence[Told]) -> ViewerCase:
    """Return a case as it is read; the more its raters differ and the more is unsupported, the earlier it stands."""
    asked = [told for told in answers if told.scored.response.status != "not_applicable"]
    panes = report.of(together)([report.of(pane)(report, told) for told in asked], asked)
    marks = [one for each in panes for one in each.marks]
    bad = sum(one.label == "unsupported" for one in marks)
    disputed = sum("in dispute" in one.tags for one in marks)
    return ViewerCase(
        id=case.id, stratum=case.stratum, question=report.of(question)(case), packet=tuple(report.of(packet)(case)),
        passage=report.of(passage)(case), panes=tuple(panes), interest=float(disputed + bad / (1 + len(marks))),
    )  # fmt: skip


def question(case: Case) -> str:
    """Return what the case asks, where its payload says so."""
    return str(case.payload.get("question", ""))


def passage(case: Case) -> str:
    """Return the running text that a case carries; none unless the protocol has one."""
    del case
    return ""


def packet(case: Case) -> Iterator[Field]:
    """Yield what the case holds, field by field."""
    for name, value in case.payload.items():
        if name != "question" and value not in (None, "", [], {}):
            yield Field(path=name, label=name.replace("_", " "), value=str(value)[:LONG])


def together(panes: Sequence[Pane], answers: Sequence[Told]) -> Sequence[Pane]:
    """Join what belongs together across the panes of a case; nothing unless the protocol knows of something."""
    del answers
    return panes


def pane(report: Report, told: Told) -> Pane:
    """Return one answer: its text, its claims as marks, and what stands in the margin."""
    response = told.scored.response
    text, offsets = report.of(conversation)(report, told.scored)
    said = said_of(told.scored)
    make = report.of(mark)
    marks = [
        make(report, told, claim, entry, said.get(claim.id, ()), offsets.get(claim.turn, 0))
        for claim, entry in zip(told.scored.claims, told.entries, strict=True)
    ]
    return Pane(
        model=response.model, arm=response.arm, title=report.arm_words(response.arm), text=text, marks=tuple(marks),
        margin=tuple(report.of(margin)(report, told)), status=response.status, reason=response.reason,
    )  # fmt: skip


def said_of(scored: ScoredResponse) -> dict[str, list[Verdict]]:
    """Return what was said of each claim, or of the response, by id."""
    said: dict[str, list[Verdict]] = {}
    for verdict in scored.verdicts:
        said.setdefault(verdict.subject, []).append(verdict)
    return said


def conversation(report: Report, scored: ScoredResponse) -> tuple[str, dict[int, int]]:
    """Return the model's turns, and where each of them starts in that text, by index of the turn."""
    del report
    offsets, at = dict[int, int](), 0
    for turn in scored.response.turns:
        if turn.role == "assistant":
            offsets[turn.index] = at
            at += len(turn.text) + 2
    return scored.response.text, offsets


def mark(
    report: Report, told: Told, claim: Claim, entry: Any, verdicts: Sequence[Verdict], offset: int, *, twin: int | None = None
) -> Mark:  # fmt: skip
    """Return a claim as a mark of its text.

    Args:
        report: whose sections are made.
        told: its answer. entry: the headline's label of it. verdicts: all of it. offset: where its turn starts.
        twin: number that joins it with others.
    """
    several = len({v.aspect for v in verdicts}) > 1
    rows = [
        {"rater": v.rater, "label": v.label, "unscored": v.unscored, "rationale": v.rationale}
        | ({"aspect": v.aspect} if several else {})
        for v in verdicts
    ]
    return Mark(
        id=claim.id, start=offset + claim.start, stop=offset + claim.stop, label=entry.label or "not_scored",
        kind=claim.kind, said=tuple(rows), evidence=tuple(report.of(hinges)(verdicts)), twin=twin,
        tags=tuple(report.of(tags)(told, claim, entry, verdicts)),
    )  # fmt: skip


def hinges(verdicts: Sequence[Verdict]) -> Iterator[dict[str, Any]]:
    """Yield what the verdicts hang on: paths of fields, and quotes."""
    for verdict in verdicts:
        for found in verdict.evidence:
            if "quote" in found or "path" in found:
                yield dict(found)
            yield from ({"path": path} for path in found.get("paths", ()))


def tags(told: Told, claim: Claim, entry: Any, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield words beside a mark: that raters differ, that its sentence was cut."""
    del told, entry
    if in_dispute(verdicts):
        yield "in dispute"
    if is_truncated(claim):
        yield "cut at the token limit"


def in_dispute(verdicts: Iterable[Verdict], *aspects: str) -> bool:
    """Whether two raters gave different labels to one question.

    Args:
        verdicts: of one claim. aspects: questions that count; none: all.
    """
    said: dict[str, set[str]] = {}
    for v in verdicts:
        if v.label is not None and (not aspects or v.aspect in aspects):
            said.setdefault(v.aspect, set()).add(v.label)
    return any(len(labels) > 1 for labels in said.values())


def margin(report: Report, told: Told) -> Iterator[dict[str, Any]]:
    """Yield notes beside the text: what raters said of the whole answer."""
    del report
    for v in told.scored.verdicts:
        if v.subject == told.scored.response.id:
            said = v.label or (f"{v.score:g}" if v.score is not None else v.unscored)
            yield {f"{v.aspect} by {v.rater}": f"{said}. {v.rationale}".strip()}
