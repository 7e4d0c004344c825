"""What was left out, and does it matter: the flow of answers and claims, other choices, and what was excluded by reason."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from percuss.core.sections import Chart, Section
from percuss.kit.report.build import number, reasons_of, row, share, strip, table, text
from percuss.kit.report.context import Report
from percuss.kit.report.panel import answers_lost
from percuss.kit.report.turns import turns
from percuss.measure.numbers import point
from percuss.measure.wording import counted, plural, source_words

__all__ = ["exclusions", "flow", "left_out", "specifications"]

ANSWERS = (("posed", "asked"), ("asked", "answered"), ("answered", "usable"))
CLAIMS = (("made", "checked"), ("checked", "scored"))


def left_out(report: Report) -> Iterator[Section]:
    """Yield the flow of answers and claims, the turns of conversations, the specification strip and the exclusions."""
    yield flow(report)
    yield from report.of(turns)(report)
    yield from report.of(specifications)(report)
    yield from report.of(exclusions)(report)


def flow(report: Report) -> Section:
    """Return how many answers were asked, came and can be used, and what became of their claims, per arm (as in CONSORT)."""
    models = report.results.models
    order = {arm: at for at, arm in enumerate((*report.outline.arms, *report.results.arms))}
    arms = sorted(report.steps.arms(models), key=lambda arm: order.get(arm, len(order)))
    rows = [
        one for arm in arms if report.steps.of(models, [arm])["asked", ""] for one in _flow_rows(report, arm)
    ]
    alt = "Answers asked, answered and usable, claims made, checked and scored, with what left and why, per arm."
    return Section.of(
        "left_out", f"Where did {report.counted[1]} leave?", Chart(kind="flow", rows=tuple(rows), facet="arm", alt=alt),
        _flow_answer(report),
    )  # fmt: skip


def _flow_rows(report: Report, arm: str) -> Iterator[dict[str, Any]]:
    held, many = report.steps.of(report.results.models, [arm]), report.counted[1]
    unit = many if held["made", ""] else "claims"
    names = {
        "posed": "cases posed", "asked": "answers asked", "answered": "answers", "usable": "answers that can be used",
        "made": f"{unit} made", "checked": f"{unit} checked", "scored": f"{unit} scored",
    }  # fmt: skip
    posed = sum(n for (step, _), n in held.items() if step == "posed")
    steps = [step for step in ANSWERS if step[0] != "posed" or posed]
    steps = [step for step in steps if step[0] != "answered" or _left(held, "answered")]
    if held["made", ""]:
        steps += CLAIMS
    for first, then in steps:
        yield {"arm": report.arm_words(arm), "from": names[first], "to": names[then], "n": held[then, ""]}
        for reason, n in _left(held, first):
            yield {"arm": report.arm_words(arm), "from": names[first], "reason": reason, "n": n}


def _left(held: Counter[tuple[str, str]], step: str) -> list[tuple[str, int]]:
    return [(reason, n) for (at, reason), n in held.items() if at == step and reason and n]


def _flow_answer(report: Report) -> str:
    """Say how many answers and claims were left out; that nothing was only where that is so in every arm."""
    models, many = report.results.models, report.counted[1]
    held = report.steps.of(models)
    asked, made, scored = (held[step, ""] for step in ("asked", "made", "scored"))
    lost = sum(answers_lost(report, models).values())
    said = [f"{counted(lost)} of {plural(asked, 'answer')} were lost"] if lost else []
    if made - scored:
        said.append(f"{counted(made - scored)} of {counted(made)} {many} were left out")
    if said:
        return f"{'; '.join(said)}."
    return (
        f"No {report.counted[0] if made else 'answer'} was left out." if asked else "No answer was asked for."
    )


def specifications(report: Report) -> Iterator[Section]:
    """Yield the primary beside every other label source and way to average, with bounds over what was left out."""
    index, results = report.outline.index, report.results
    if index is None:
        return
    ways = ((index.name, ""), *report.outline.variants)
    rows = [
        row(
            e, choice=_choice(model, source, words, primary=e.primary), worst=(e.bounds or (None, None))[0],
            best=(e.bounds or (None, None))[1], model=model, primary=e.primary,
        )
        for model in results.models for source in results.sources_of(index.name) for name, words in ways
        if (e := results.get(name, model, index.arm or None, labels=source)) is not None and e.value is not None
    ]  # fmt: skip
    choices = max((sum(one["model"] == model for one in rows) for model in results.models), default=0)
    if choices > 1 or any(one["worst"] != one["best"] for one in rows):
        alt = f"{index.title} under every label source and way to average; thin lines are worst cases over exclusions."
        yield strip(
            "left_out", "Would another choice have told another story?", rows, of=index.title, alt=alt, y="choice",
            unit=index.unit, answer=_spread(report, rows), bounds=["worst", "best"],
        )  # fmt: skip


def _choice(model: str, source: str, words: str, *, primary: bool) -> str:
    said = ", ".join(part for part in (source_words(source), words) if part)
    return f"{model}: {said}{' (primary)' if primary else ''}"


def _spread(report: Report, rows: list[dict[str, Any]]) -> str:
    index = report.outline.index
    primary = next((one for one in rows if one["primary"]), None)
    if primary is None or index is None:
        return ""
    values = [one["value"] for one in rows if one["model"] == primary["model"]]
    if min(values) == max(values):
        return ""
    least, most = point(min(values), index.unit), point(max(values), index.unit)
    return f"For {primary['model']} {index.words} is {point(primary['value'], index.unit)} as declared, and from {least} to {most} over {plural(len(values), 'choice')}."


def exclusions(report: Report) -> Iterator[Section]:
    """Yield what was scored and left out, by reason, per label source, model and arm."""
    results, many = report.results, report.counted[1]
    unit = next((e.unit for e in results.estimates if e.name == results.rated), "share")
    rows = [
        {
            "labels": source_words(source), "model": model, "arm": report.arm_words(arm),
            "posed": e.n + sum(e.excluded.values()), "scored": e.n, "out": reasons_of(e.excluded),
            "worst": (e.bounds or (None, None))[0], "best": (e.bounds or (None, None))[1], "decided": e.decided_share,
            "simulated": e.simulated,
        }
        for source in results.sources for model in report.ordered for arm in results.arms
        if (e := results.get(results.rated, model, arm, labels=source)) is not None
    ]  # fmt: skip
    heads = [
        text("labels"), text("model"), text("arm"), number("posed", many), number("scored"),
        text("out", "left out, by reason"), share("worst", "if none of these were", unit), share("best", "if all of these were", unit),
    ]  # fmt: skip
    if any(one["decided"] is not None for one in rows):
        heads.append(share("decided", "decided by rule"))
    if rows:
        yield table("left_out", "What was left out, by reason", heads, rows)
