"""May the rule that reads closed questions carry a headline? Below its floors its counts stand, say no word and compare no models."""

from collections.abc import Iterator

from percuss.core.labels import PEOPLE
from percuss.core.sections import Section
from percuss.judging.passport import passport_of
from percuss.kit.report.context import Report
from percuss.kit.report.differing import differences as kit_differences
from percuss.kit.report.panel import comparison_lines as kit_comparison_lines
from percuss.kit.report.panel import left_out_line
from percuss.kit.report.panel import sentences as kit_sentences
from percuss.protocols.textbook.case import task_of
from percuss.protocols.textbook.items.item import CLOSED
from percuss.protocols.textbook.options import RATER

__all__ = ["comparison_lines", "differences", "doubt", "read_line", "sentences"]

CORPUS = "textbook_replies"


def doubt(report: Report) -> str:
    """Return why the labels that lead carry no headline, in one clause; "" where they do.

    Closed questions are read by the rule whoever judges the open ones, so one such question is enough. Labels of people need no reader,
    and simulated models write the sentences that the rule was made for.

    Args:
        report: of a scoring.
    """
    if report.results.labels in PEOPLE or report.results.only_simulated:
        return ""
    return _below(report)


def _below(report: Report) -> str:
    known = passport_of(RATER, corpus=CORPUS, layout="")
    if not any(task_of(case).item.type in CLOSED for case in report.run.cases()):
        return ""
    if known is None or known.floors_met:
        return ""
    return (
        f"the rule that reads replies to closed questions is below its floors (it reads {100 * known.right:.0f}% of "
        f"{known.n:,} labelled ones as a reader does, {known.date})"
    )


def read_line(report: Report) -> Iterator[str]:
    """Yield that the rule is below its floors, where it is, in a run of simulated models too."""
    why = _below(report)
    if why:
        yield f"{why}: what it counts is no headline"


def sentences(report: Report) -> Iterator[str]:
    """Yield who leads and who differs, or why there is no headline; what was left out in both."""
    why = doubt(report)
    if not why:
        yield from kit_sentences(report)
        return
    yield f"No headline: {why}. The figures are its counts, and models are not compared by them."
    line = report.of(left_out_line)(report)
    yield f"{line[0].upper()}{line[1:].partition(': ')[0]}."


def comparison_lines(report: Report) -> Iterator[str]:
    """Yield one line a pair of models, nothing below the floors."""
    if not doubt(report):
        yield from kit_comparison_lines(report)


def differences(report: Report) -> Iterator[Section]:
    """Yield which models differ, nothing below the floors."""
    if not doubt(report):
        yield from kit_differences(report)
