"""What was not asked, not answered or not scored; how answers were written; which findings the pictures hold."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case
from percuss.core.sections import Section
from percuss.kit.report.build import columns, number, table, text
from percuss.kit.report.context import Report, Told
from percuss.measure.wording import plural
from percuss.protocols.explanation.estimate.counting import answered
from percuss.protocols.explanation.estimate.names import arm_words
from percuss.protocols.explanation.questions import QUESTIONS

__all__ = ["entries", "exclusions", "sources", "unusable"]

STATES = ("posed", "not applicable", "error", "invalid", "valid")
LAYOUTS = {
    "tags": "with all tags",
    "answer_only": "answer tag only",
    "json": "as a JSON object",
    "untagged": "without tags",
    "empty": "empty",
}
NOTE = "Not applicable: never asked. Error: no answer came. Invalid: an answer outside the options, which is no flip."


def sources(report: Report, scored: ScoredResponse) -> Mapping[str, Sequence[object]]:
    """Return nothing: what is counted here are answers, not claims."""
    del report, scored
    return {}


def entries(
    report: Report, scored: ScoredResponse, found: Mapping[str, Sequence[object]]
) -> Sequence[object]:
    """Return nothing, as `sources` does."""
    del report, scored, found
    return ()


def unusable(report: Report, scored: ScoredResponse) -> str | None:
    """Return why an answer that came is no valid option."""
    del report
    answer = answered(scored)
    return None if answer.option is not None else answer.reason


class Written:
    """Takes part in the walk: what became of the answers of each model and arm, and how they were written."""

    def __init__(self) -> None:
        self.states: dict[tuple[str, str], Counter[str]] = {}
        self.layouts: Counter[tuple[str, str]] = Counter()

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        del case
        for scored, *_ in answers:
            held = self.states.setdefault((scored.response.model, scored.response.arm), Counter())
            held["posed"] += 1
            if scored.response.status == "not_applicable":
                held["not applicable"] += 1
                continue
            answer = answered(scored)
            held["valid" if answer.option is not None else "error" if answer.error else "invalid"] += 1
            for verdict in scored.verdicts:
                if verdict.aspect == "answer" and verdict.evidence:
                    self.layouts[scored.response.model, str(verdict.evidence[0].get("layout"))] += 1


def exclusions(report: Report) -> Iterator[Section]:
    """Yield coverage per model and arm, how answers were written, the case mix, and pictures that could not be used."""
    written: Written = report.collected["written"]
    rows = [
        {"model": model, "arm": arm_words(arm), **{name: held[name] for name in STATES}}
        for model in report.ordered
        for arm in report.results.arms
        if (held := written.states.get((model, arm))) is not None
    ]
    yield table(
        "left_out",
        "What became of the answers?",
        (text("model"), text("arm"), *map(number, STATES)),
        rows,
        note=NOTE,
    )
    heads = (text("model"), *(number(name, title) for name, title in LAYOUTS.items()))
    rows = [
        {"model": model, **{name: written.layouts[model, name] for name in LAYOUTS}}
        for model in report.ordered
    ]
    yield table("left_out", "How were the answers written?", heads, rows)
    yield from _mix(report)


def _mix(report: Report) -> Iterator[Section]:
    """Tables S1 to S4 as a reading of the cases at hand: how often each answer is true."""
    mix: dict[str, Counter[str]] = {}
    counts: Counter[str] = Counter()
    problems: dict[str, str] = {}
    for case in report.run.cases():
        payload = case.payload
        mix.setdefault(payload["question"], Counter())[payload["answer"]] += 1
        counts["given"] += bool(payload.get("given"))
        counts["disagree"] += bool(payload.get("disagrees"))
        counts["unposed"] += len(payload.get("unposed", ()))
        if payload.get("problem"):
            problems[payload["image"]] = payload["problem"]
    note = f"{plural(counts['unposed'], 'question')} not posed because a field is missing."
    if counts["given"]:
        kept = f"{counts['disagree']} of them disagree with the fields and were kept"
        note += f" {plural(counts['given'], 'answer')} given by the source; {kept}."
    rows = [
        {
            "question": q.text,
            "type": q.kind,
            "answers": ", ".join(f"{option} {mix[q.id][option]}" for option in q.options),
        }
        for q in QUESTIONS
        if q.id in mix
    ]
    heads = columns(question="question", type="type", answers="true answers")
    yield table("left_out", "Which findings do the pictures hold?", heads, rows, note=note)
    if problems:
        bad = [{"picture": name, "problem": problem} for name, problem in sorted(problems.items())]
        yield table(
            "left_out",
            "Which pictures could not be used?",
            columns(picture="picture", problem="why it was not used"),
            bad,
        )
