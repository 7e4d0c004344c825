"""Section 6: read it yourself: the trajectory turn by turn, with what was told, withheld or injected in the margin."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Verdict
from percuss.core.sections import Field, Mark, Pane, Section, Viewer, ViewerCase
from percuss.protocols.stressors.check.judging import SUPPORT
from percuss.protocols.stressors.estimate.labelled import Entry, Labels, labels_of
from percuss.protocols.stressors.estimate.names import arm_words
from percuss.protocols.stressors.estimate.propagation import Line, lines_of
from percuss.protocols.stressors.estimate.sections.shelf import Shelf
from percuss.protocols.stressors.estimate.sections.where import lanes
from percuss.protocols.stressors.record import reading, scenario_of
from percuss.protocols.stressors.scenario.vignettes import Scenario, Vignette

__all__ = ["reader"]

CASES = 1_000
_ROWS = {
    "gdr": "gap named or asked for", "pir": "relevant and new", "cdr": "contradiction noticed", "rur": "answered as expected",
    "smr": "kept without a reason", "pcr": "closed early", "cho": "left out of the conclusion", "cfa": "conflict claimed",
    "gfa": "called missing although told", "ir": "asked in time", "cihgr": "explained by something made up",
}  # fmt: skip
"""An audited row in words: yes or no follows."""


def reader(shelf: Shelf) -> Iterator[Section]:
    """Yield viewers of at most 1,000 cases, every model and arm of a case side by side."""
    held: list[ViewerCase] = []
    for case, found in _by_case(shelf):
        held.append(_case(shelf, case, found))
        if len(held) == CASES:
            yield Section.of("read", "Read it yourself", Viewer(cases=tuple(held)))
            held = []
    if held:
        yield Section.of("read", "Read it yourself", Viewer(cases=tuple(held)))


def _by_case(shelf: Shelf) -> Iterator[tuple[Case, list[ScoredResponse]]]:
    """Walk all models through the cases in step, so that no more than one case is held."""
    walks = [groupby(shelf.run.assessed(model=m), key=lambda a: a.case.id) for m in shelf.run.models]
    heads = [next(walk, None) for walk in walks]
    for case in shelf.run.cases():
        found: list[ScoredResponse] = []
        for at, head in enumerate(heads):
            if head is not None and head[0] == case.id:
                found.extend(head[1])
                heads[at] = next(walks[at], None)
        if found:
            yield case, found


def _case(shelf: Shelf, case: Case, found: Sequence[ScoredResponse]) -> ViewerCase:
    vignette = reading(case)
    panes = tuple(_pane(shelf, a) for a in found if a.response.status != "not_applicable")
    marks = [mark for pane in panes for mark in pane.marks]
    bad = sum(mark.label == "unsupported" for mark in marks)
    return ViewerCase(
        id=case.id,
        stratum=case.stratum,
        question=f"{vignette.question} (correct: {vignette.diagnosis})",
        packet=tuple(
            Field(path=fact.id, label=fact.label or fact.group, value=fact.text) for fact in vignette.facts
        ),
        passage=vignette.opening,
        panes=panes,
        interest=float(sum("in dispute" in m.tags for m in marks) + bad / (1 + len(marks))),
    )


def _pane(shelf: Shelf, assessed: ScoredResponse) -> Pane:
    response = assessed.response
    policy = shelf.labels if shelf.labels == "majority" else "agreement"
    sources = labels_of(assessed, policy)
    held = sources.get(shelf.labels) or next(iter(sources.values()))
    text, offsets = _told_and_answered(shelf, assessed)
    said: dict[str, list[Verdict]] = {}
    for verdict in assessed.verdicts:
        said.setdefault(verdict.subject, []).append(verdict)
    lives = {line.birth.claim.id: line for line in lines_of(held.entries) if line.birth.unsupported}
    return Pane(
        model=response.model,
        arm=response.arm,
        title=arm_words(response.arm),
        text=text,
        marks=tuple(
            _mark(e, said.get(e.claim.id, []), offsets.get(e.claim.turn, 0), lives) for e in held.entries
        ),
        margin=tuple(_margin(shelf, assessed, held, tuple(lives.values()))),
        status=response.status,
        reason=response.reason,
    )


def _told_and_answered(shelf: Shelf, assessed: ScoredResponse) -> tuple[str, dict[int, int]]:
    """Return the answers under a head a turn that says what the turn told, and where each answer starts."""
    parts, offsets, at = [], {}, 0
    answers = [turn for turn in assessed.response.turns if turn.role == "assistant"]
    for n, turn in enumerate(answers, start=1):
        head = f"TURN {n} · {' · '.join(_heads(shelf, assessed, n)) or 'nothing new'}\n"
        offsets[turn.index] = at + len(head)
        parts.append(head + turn.text)
        at += len(parts[-1]) + 2
    return "\n\n".join(parts), offsets


def _heads(shelf: Shelf, assessed: ScoredResponse, n: int) -> Iterator[str]:
    for key, told in _turn(*_scenario(shelf, assessed), n):
        if n == 1 or key != "withheld":
            yield f"{key}: {told}"


def _scenario(shelf: Shelf, assessed: ScoredResponse) -> tuple[Vignette, Scenario]:
    inject_at = shelf.options.inject_at
    scenario = scenario_of(assessed.case, assessed.response.arm, shelf.run.seed, inject_at)
    return reading(assessed.case), scenario


def _mark(entry: Entry, verdicts: Sequence[Verdict], offset: int, lives: dict[str, Line]) -> Mark:
    claim = entry.claim
    rows: list[dict[str, Any]] = [
        {"rater": v.rater, "label": v.label, "unscored": v.unscored, "rationale": v.rationale}
        for v in verdicts
    ]
    order = {birth: number for number, birth in enumerate(lives, start=1)}
    tags = [f"turn {claim.payload['n']}", str(claim.payload["state"])]
    tags += [word for word, on in ((entry.origin or "", entry.origin), ("lucky guess", entry.lucky)) if on]
    if len({v.label for v in verdicts if v.label is not None and v.aspect == SUPPORT}) > 1:
        tags.append("in dispute")
    return Mark(
        id=claim.id,
        start=offset + claim.start,
        stop=offset + claim.stop,
        label=entry.label or "not_scored",
        kind=claim.kind,
        said=tuple(rows),
        evidence=tuple(
            {"path": path} for v in verdicts for row in v.evidence for path in row.get("paths", ())
        ),
        twin=order.get(entry.line),
        tags=tuple(tags),
    )


def _margin(
    shelf: Shelf, assessed: ScoredResponse, held: Labels, lives: Sequence[Line]
) -> Iterator[dict[str, Any]]:
    """Per turn what the case told, withheld and injected and what the record answered; then nodes and life lines."""
    vignette, scenario = _scenario(shelf, assessed)
    for turn in scenario.turns:
        for key, told in _turn(vignette, scenario, turn.n):
            yield {f"turn {turn.n}, {key}": told}
        for answer in assessed.response.artifacts.get("answers", ()):
            if int(answer["turn"]) == turn.n - 1:
                yield {
                    f"turn {turn.n}, the record answered": f"{answer['kind'].replace('_', ' ')}: {answer['text']}"
                }
    for row in held.rows or ():
        if row.hit is not None and row.item not in {"inquiry", "closure"}:
            word = "yes" if row.hit else "no"
            where = f" (turn {row.turn}: {row.quote[:120]})" if row.quote and row.turn else ""
            yield {f"{_ROWS[row.metric]}, {_item(row.item, vignette, scenario)}": f"{word}{where}"}
    for number, line in enumerate(lives, start=1):
        path = " → ".join(f"turn {part['start']} {part['state']}" for part in lanes(line))
        yield {f"life line {number}": f"{line.birth.claim.text}: {path}"}


def _item(item: str, vignette: Vignette, scenario: Scenario) -> str:
    """An audited item by the name of what it is about."""
    head, _, rest = item.partition(":")
    if head == "question":
        return f"question {int(rest.partition(':')[0]) + 1}"
    if head == "gap":
        return next((gap.group for gap in scenario.gaps if gap.id == item), item)
    labels = {fact.id: fact.label or fact.group for fact in vignette.facts}
    return labels.get(rest or item, item)


def _turn(vignette: Vignette, scenario: Scenario, n: int) -> Iterator[tuple[str, str]]:
    """What a turn told, withheld and injected, each in words."""
    turn = scenario.turns[n - 1]
    if turn.released:
        each = "; ".join(vignette.fact(i).text for i in turn.released)
        yield "told", each if n > 1 else f"{len(turn.released)} facts"
    if turn.withheld:
        yield "withheld", "; ".join(vignette.fact(i).text for i in turn.withheld)
    for line in (each.line for each in scenario.contradictions if each.turn == n):
        yield "injected", line
