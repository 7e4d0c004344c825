"""Read it yourself: the trajectory turn by turn, with what was told, withheld or injected in the margin."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Claim, Verdict
from percuss.core.sections import Field, Mark
from percuss.kit.report.context import Report, Told
from percuss.kit.report.reader import in_dispute
from percuss.kit.report.reader import mark as kit_mark
from percuss.protocols.stressors.check.judging import SUPPORT
from percuss.protocols.stressors.estimate.propagation import Line, lines_of
from percuss.protocols.stressors.estimate.sections.where import lanes
from percuss.protocols.stressors.labelled import Entry, Labels
from percuss.protocols.stressors.record import reading, scenario_of
from percuss.protocols.stressors.replaying import base_of
from percuss.protocols.stressors.scenario.vignettes import Scenario, Vignette

__all__ = ["conversation", "margin", "mark", "packet", "passage", "question", "tags"]

_ROWS = {
    "gdr": "gap named or asked for", "pir": "relevant and new", "cdr": "contradiction noticed", "rur": "answered as expected",
    "smr": "kept without a reason", "pcr": "closed early", "cho": "left out of the conclusion", "cfa": "conflict claimed",
    "restated": "only restated", "adopted": "taken for true", "misread": "read as a change", "final_accuracy": "final diagnosis right",
    "trap_taken": "known error stated", "gfa": "called missing although told", "ir": "asked in time", "cihgr": "explained by something made up",
}  # fmt: skip
"""An audited row in words: yes or no follows."""


def question(case: Case) -> str:
    """Return what is asked of a vignette, and its diagnosis."""
    vignette = reading(case)
    return f"{vignette.question} (correct: {vignette.diagnosis})"


def packet(case: Case) -> Iterator[Field]:
    """Yield the facts of a vignette."""
    for fact in reading(case).facts:
        yield Field(path=fact.id, label=fact.label or fact.group, value=fact.text)


def passage(case: Case) -> str:
    """Return the vignette's opening."""
    return reading(case).opening


def conversation(report: Report, scored: ScoredResponse) -> tuple[str, dict[int, int]]:
    """Return the answers under a head per turn that says what the turn told, and where each answer starts."""
    parts, offsets, at = [], dict[int, int](), 0
    answers = [turn for turn in scored.response.turns if turn.role == "assistant"]
    replay = scored.response.artifacts.get("replay", {})
    for n, turn in enumerate(answers, start=int(replay.get("turn", 0)) + 1):
        heads = [
            f"{k}: {told}" for k, told in _turn(*_scenario(report, scored), n) if n == 1 or k != "withheld"
        ]
        head = f"TURN {n} · {' · '.join(heads) or 'nothing new'}\n"
        offsets[turn.index] = at + len(head)
        parts.append(head + turn.text)
        at += len(parts[-1]) + 2
    return "\n\n".join(parts), offsets


def _scenario(report: Report, scored: ScoredResponse) -> tuple[Vignette, Scenario]:
    scenario = scenario_of(
        scored.case, base_of(scored.response.arm), report.run.seed, report.options.inject_at
    )
    return reading(scored.case), scenario


def _lives(entries: Sequence[Entry]) -> Mapping[str, Line]:
    return {line.birth.claim.id: line for line in lines_of(entries) if line.birth.unsupported}


def mark(
    report: Report, told: Told, claim: Claim, entry: Entry, verdicts: Sequence[Verdict], offset: int
) -> Mark:
    """Return a statement as a mark that its life line's number joins with its other turns."""
    order = {birth: place for place, birth in enumerate(_lives(told.entries), start=1)}
    return kit_mark(report, told, claim, entry, verdicts, offset, twin=order.get(entry.line))


def tags(told: Told, claim: Claim, entry: Entry, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield turn, state, origin, and whether raters differ."""
    del told
    yield f"turn {claim.payload['n']}"
    yield str(claim.payload["state"])
    if entry.origin:
        yield entry.origin
    if entry.lucky:
        yield "lucky guess"
    if in_dispute(verdicts, SUPPORT):
        yield "in dispute"


def margin(report: Report, told: Told) -> Iterator[dict[str, Any]]:
    """Yield per turn what the case told, withheld and injected and what the record answered; then nodes and life lines."""
    vignette, scenario = _scenario(report, told.scored)
    replay = told.scored.response.artifacts.get("replay")
    if replay is not None:
        yield {f"replayed from turn {int(replay['turn']) + 1}, struck before it": str(replay["struck"])}
    for turn in scenario.turns:
        yield from ({f"turn {turn.n}, {key}": said} for key, said in _turn(vignette, scenario, turn.n))
        for answer in told.scored.response.artifacts.get("answers", ()):
            if int(answer["turn"]) == turn.n - 1:
                said = f"{answer['kind'].replace('_', ' ')}: {answer['text']}"
                yield {f"turn {turn.n}, the record answered": said}
    held: Labels | None = told.sources.get(report.results.labels) or next(iter(told.sources.values()), None)
    for row in (held.rows if held else None) or ():
        if row.metric in _ROWS and row.hit is not None and row.item not in {"inquiry", "closure"}:
            place = f" (turn {row.turn}: {row.quote[:120]})" if row.quote and row.turn else ""
            yield {
                f"{_ROWS[row.metric]}, {_item(row.item, vignette, scenario)}": f"{'yes' if row.hit else 'no'}{place}"
            }
    for number, line in enumerate(_lives(told.entries).values(), start=1):
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
