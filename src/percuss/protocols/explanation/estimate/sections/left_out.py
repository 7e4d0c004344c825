"""Section 5: what was not asked, not answered or not scored; which findings the pictures hold."""

from collections import Counter
from collections.abc import Iterator

from percuss.core.ports import ScoredResponse
from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.wording import plural
from percuss.protocols.explanation.estimate.counting import answered
from percuss.protocols.explanation.estimate.sections.findings import arm_words
from percuss.protocols.explanation.estimate.sections.shelf import Shelf
from percuss.protocols.explanation.questions import QUESTIONS

__all__ = ["left_out"]


def left_out(shelf: Shelf) -> Iterator[Section]:
    """Yield coverage per model and arm, the flow of responses, and the case mix."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    reasons: Counter[tuple[str, str]] = Counter()
    layouts: Counter[tuple[str, str]] = Counter()
    for item in shelf.run.assessed():
        key = (item.response.model, item.response.arm)
        held = counts.setdefault(key, Counter())
        held["posed"] += 1
        if item.response.status == "not_applicable":
            held["not applicable"] += 1
            reasons["not applicable", str(item.response.reason).partition(":")[2]] += 1
            continue
        answer = answered(item)
        _count_layout(layouts, item)
        state = "valid" if answer.option is not None else "error" if answer.error else "invalid"
        held[state] += 1
        if state != "valid":
            reasons[state, str(answer.reason)] += 1
    yield _coverage(shelf, counts)
    yield _flow(counts, reasons)
    yield _layouts(shelf, layouts)
    yield from _mix(shelf)


_LAYOUTS = {
    "tags": "with all tags",
    "answer_only": "answer tag only",
    "json": "as a JSON object",
    "untagged": "without tags",
    "empty": "empty",
}


def _count_layout(layouts: Counter[tuple[str, str]], item: ScoredResponse) -> None:
    for verdict in item.verdicts:
        if verdict.aspect == "answer":
            layouts[item.response.model, str(verdict.evidence[0].get("layout"))] += 1


def _layouts(shelf: Shelf, layouts: Counter[tuple[str, str]]) -> Section:
    rows = tuple(
        {"model": model, **{name: layouts[model, name] for name in _LAYOUTS}} for model in shelf.models
    )
    columns = (
        Column(key="model", title="model"),
        *(Column(key=name, title=title, align="right") for name, title in _LAYOUTS.items()),
    )
    return Section.of("left_out", "How were the answers written?", Table(columns=columns, rows=rows))


def _coverage(shelf: Shelf, counts: dict[tuple[str, str], Counter[str]]) -> Section:
    names = ("posed", "not applicable", "error", "invalid", "valid")
    columns = (
        Column(key="model", title="model"),
        Column(key="arm", title="arm"),
        *(Column(key=name, title=name, align="right") for name in names),
    )
    rows = tuple(
        {"model": model, "arm": arm_words(arm), **{name: held[name] for name in names}}
        for model in shelf.models
        for arm in shelf.arms
        if (held := counts.get((model, arm))) is not None
    )
    note = "Not applicable: never asked. Error: no answer came. Invalid: an answer outside the options, which is no flip."
    return Section.of(
        "left_out", "What was left out, and does it matter?", Table(columns=columns, rows=rows, note=note)
    )


def _flow(counts: dict[tuple[str, str], Counter[str]], reasons: Counter[tuple[str, str]]) -> Section:
    total: Counter[str] = Counter()
    for held in counts.values():
        total.update(held)
    asked = total["posed"] - total["not applicable"]
    rows = [
        {"from": "posed", "to": "asked", "n": asked, "reason": ""},
        {"from": "asked", "to": "valid", "n": total["valid"], "reason": ""},
    ]
    for (state, reason), n in reasons.most_common():
        start = "posed" if state == "not applicable" else "asked"
        rows.append({"from": start, "to": state, "n": n, "reason": reason})
    chart = Chart(
        kind="flow",
        rows=tuple(rows),
        alt="Responses from posed to valid, with the reasons why others were left out.",
    )
    answer = f"{plural(asked, 'call')} were made and {plural(total['valid'], 'answer')} can be used."
    return Section.of("left_out", "Where do answers get lost?", chart, answer)


def _mix(shelf: Shelf) -> Iterator[Section]:
    """Tables S1 to S4 as a reading of the cases at hand: how often each answer is true."""
    mix: dict[str, Counter[str]] = {}
    given = disagree = unposed = 0
    problems: dict[str, str] = {}
    for case in shelf.run.cases():
        payload = case.payload
        mix.setdefault(payload["question"], Counter())[payload["answer"]] += 1
        given += bool(payload.get("given"))
        disagree += bool(payload.get("disagrees"))
        unposed += len(payload.get("unposed", ()))
        if payload.get("problem"):
            problems[payload["image"]] = payload["problem"]
    notes = [f"{plural(unposed, 'question')} not posed because a field is missing."]
    if given:
        words = f"{disagree} of them disagree with the fields and were kept"
        notes.append(f"{plural(given, 'answer')} given by the source; {words}.")
    table = _mix_table(mix, " ".join(notes))
    yield Section.of("left_out", "Which findings do the pictures hold?", table)
    if problems:
        bad = tuple({"picture": name, "problem": problem} for name, problem in sorted(problems.items()))
        heads = (Column(key="picture", title="picture"), Column(key="problem", title="why it was not used"))
        yield Section.of("left_out", "Which pictures could not be used?", Table(columns=heads, rows=bad))


def _mix_table(mix: dict[str, Counter[str]], note: str) -> Table:
    rows = tuple(
        {
            "question": question.text,
            "type": question.kind,
            "answers": ", ".join(f"{option} {mix[question.id][option]}" for option in question.options),
        }
        for question in QUESTIONS
        if question.id in mix
    )
    columns = (
        Column(key="question", title="question"),
        Column(key="type", title="type"),
        Column(key="answers", title="true answers"),
    )
    return Table(columns=columns, rows=rows, note=note)
