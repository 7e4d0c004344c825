"""How often the readers of a report's numbers were right on labelled texts, in the words of its first screen."""

from collections.abc import Iterator

from percuss.core.reading import ReadRight
from percuss.judging.passport import passport_of
from percuss.kit.report.context import Report

__all__ = ["own_lines"]

READ = (
    ("citation_rate", "which sentence cites what"),
    ("propagation", "whether two references are one work"),
    ("abstention_rate", "who abstains"),
)
"""Estimate whose reader is quoted, and what that reader tells."""


def own_lines(report: Report) -> Iterator[str]:
    """Yield one line for each reader: how often it was right, and whether it is above its floors.

    Args:
        report: whose estimates carry their readers' passports; nothing is said of a reader without one.
    """
    first = report.results.primary
    if first is not None and first.read_right is not None:
        yield _content(first.read_right)
    for name, what in READ:
        held = next(
            (e for e in report.results.estimates if e.name == name and e.read_right is not None), None
        )
        if held is not None and held.read_right is not None:
            yield _line(what, held.reader, held.read_right)


def _content(found: ReadRight) -> str:
    """Say how much the content check decides: it leaves most open, so that the share read right is small."""
    held = passport_of("rule:citations", corpus=found.corpus, layout="")
    if held is None or not held.decided:
        return ""
    said = f"By rule, whether a source says so: rule:citations decides {100 * held.decided:.0f}% of {held.n:,} labelled pairs"
    return f"{said}, right in {100 * held.right / held.decided:.0f}% of these ({held.date}); what it leaves open is no verdict."


def _line(what: str, reader: str, found: ReadRight) -> str:
    said = f"By rule, {what}: {reader} reads {100 * found.right:.0f}% of {found.n:,} labelled texts right ({found.date})"
    return f"{said}." if found.floors_met else f"{said}, below its floors: what it counts is no headline."
