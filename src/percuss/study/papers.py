"""What a study's authors write of it: plan, methods paragraph, flow, agreement tables, the GRRAS checklist."""

from collections.abc import Iterator

from percuss.study.figures import Figure, QuestionAgreement, Report
from percuss.study.lifecycle import in_reserve
from percuss.study.status import status
from percuss.study.study import Study

__all__ = ["checklist", "flow", "methods", "plan_text", "tables_text"]


def _number(figure: Figure) -> str:
    if figure.value is None:
        return f"undefined ({figure.undefined})"
    between = "" if figure.low is None or figure.high is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.2f}{between}, n {figure.n}"


def plan_text(study: Study) -> str:
    """Return what was decided before anybody judged."""
    s = study.settings
    strata = ", ".join(s.strata) or "none"
    lines = [
        f"# Plan of {s.name}",
        f"- Question: {study.design.title}",
        f"- Design: {study.design.name}, version {study.design.version}, digest {study.design.digest}",
        f"- Items from: {s.source or 'a list'}; balanced over: {strata}; seed {s.seed}",
        f"- Judged by several people: {s.overlap:.0%} of the items, {s.depth} people each; hidden repeats: {s.repeats:.0%}",
        f"- People see: {', '.join(field.name for field in study.design.field)}; never: {', '.join(study.design.hidden)}",
        f"- Asked: {'; '.join(question.ask for question in study.design.question)}",
    ]
    return "\n".join(lines) + "\n"


def methods(study: Study, report: Report) -> str:
    """Return a methods paragraph with the figures of the study."""
    s = study.settings
    blind = (
        "were blind to model, condition and each other's answers"
        if report.blinded
        else "saw the program's result"
    )
    first = report.questions[0]
    practice = "Practice items with feedback preceded. " if study.design.practice else ""
    settled = (
        "by the two raters together at one screen"
        if s.settling == "together"
        else "by an adjudicator who saw the labels without their authors"
    )
    text = (
        f"{len(report.raters)} raters judged {report.items} items independently in a browser; {report.several} were judged by several "
        f"people. Raters {blind}; items came in each rater's own random order (seed {s.seed}); "
        f"{report.repeats} answers are to items that came to the same rater a second time, unannounced. "
        f"{practice}Agreement is computed on first labels, before anything was settled: "
        f"{first.name} {_number(first.between)} ({first.between.method or 'none'}). {report.revisions} labels were revised "
        f"before they were locked, {report.settled} items were settled {settled}. "
        f"Median active time was {report.timing.median_s:.1f} s an item. Every event is in a signed, append-only record."
    )
    return f"# Methods\n{text}\n"


def flow(study: Study, report: Report) -> str:
    """Return how many items and answers went where."""
    found = status(study)
    judging = [person for person in found.people if person.role in ("rater", "imported")]
    places = sum(person.total for person in judging)
    with study.database.read() as connection:
        reserve = in_reserve(connection)
    rows = [
        ("items offered and not drawn", reserve),
        ("items in the study", report.items),
        ("raters who judged", len(report.raters)),
        ("raters who withdrew or were replaced", sum(person.left for person in judging)),
        ("places on raters' lists", places),
        ("answers given", found.labels_done),
        ("places not answered", places - found.labels_done),
        ('answers "can\'t judge"', sum(person.cant for person in found.people)),
        ("answers revised", report.revisions),
        ("items that everybody asked has answered", found.answered_twice),
        ("of these, items on which people differ", found.disagreements),
        ("items settled", found.settled),
    ]
    lines = ["# Flow", "| what | number |", "|---|---|", *(f"| {what} | {number} |" for what, number in rows)]
    return "\n".join(lines) + "\n"


def tables_text(report: Report) -> str:
    """Return the tables of agreement."""
    lines = [
        "# Agreement",
        "| question | between people, first labels | same answer | with themselves | ceiling |",
        "|---|---|---|---|---|",
    ]
    for q in report.questions:
        cells = (q.ask, *(_number(f) for f in (q.between, q.raw, q.repeats, q.ceiling)))
        lines.append("| " + " | ".join(cells) + " |")
    machines = [(q, rater, figure) for q in report.questions for rater, figure in q.machines.items()]
    if machines:
        lines += ["", f"| question | machine | with people ({report.source}) |", "|---|---|---|"]
        lines += [f"| {q.ask} | {rater} | {_number(figure)} |" for q, rater, figure in machines]
    more = [(q, name, figure) for q in report.questions for name, figure in _further(q)]
    if more:
        lines += ["", "| question | what | value |", "|---|---|---|"]
        lines += [f"| {q.ask} | {name} | {_number(figure)} |" for q, name, figure in more]
    lines += ["", *(f"- {note}" for note in report.notes)]
    return "\n".join(lines).rstrip() + "\n"


def _further(q: QuestionAgreement) -> Iterator[tuple[str, Figure]]:
    if q.icc is not None:
        yield "ICC(A,k), the mean of all raters", q.icc
    if q.fleiss is not None:
        yield "Fleiss' kappa", q.fleiss
    yield from ((f"bias of {rater} against the others, in steps", figure) for rater, figure in q.bias.items())
    yield from ((f"{pair}, readers and cases random", figure) for pair, figure in q.contrasts.items())


def _grras(study: Study, report: Report) -> Iterator[tuple[str, str]]:
    s, found, people = study.settings, status(study), report.raters
    yield "1 Title says reliability or agreement", "for the authors"
    yield (
        "2 Diagnostic or measurement device",
        f"{study.design.title} (form {study.design.name}, version {study.design.version})",
    )
    yield "3 Subjects", f"{report.items} items; strata: {', '.join(s.strata) or 'none'}"
    yield "4 Raters", f"{len(people)} raters; who they are is for the authors"
    yield "5 What is known already", "for the authors"
    yield (
        "6 Sample size",
        f"{report.items} items, {report.several} judged by several; why so many is for the authors",
    )
    yield "7 Sampling", f"drawn and assigned at random, seed {s.seed}"
    yield "8 Measurement process", "independent, own random order, practice first; see plan.md"
    yield (
        "9 Independence",
        "no rater saw another's answer; "
        + ("blind" if report.blinded else "not blind to the program's result"),
    )
    yield (
        "10 Statistical analysis",
        "; ".join(sorted({q.between.method for q in report.questions if q.between.method})),
    )
    yield (
        "11 Numbers of raters and subjects",
        f"{len(people)} and {report.items}; {found.labels_done} of {found.labels_total} answers",
    )
    yield "12 Characteristics of raters and subjects", "for the authors"
    yield "13 Estimates with uncertainty", "agreement.md, agreement.json"
    yield "14 Practical relevance", "for the authors"
    yield "15 Detailed results", "answers.csv, labels.csv"


def checklist(study: Study, report: Report) -> str:
    """Return the GRRAS checklist (Kottner et al. 2011) as far as the study itself can fill it in."""
    rows = [f"| {what} | {said} |" for what, said in _grras(study, report)]
    return "\n".join(["# GRRAS", "| item | here |", "|---|---|", *rows]) + "\n"
