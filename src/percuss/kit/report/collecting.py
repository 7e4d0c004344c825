"""What takes part in the one walk over the answers: the collectors of the default parts, and a protocol's own beside them."""

from percuss.kit.report.context import Collector, Report
from percuss.kit.report.judged import Sample
from percuss.kit.report.reader import Cases
from percuss.kit.report.turns import Turns
from percuss.kit.report.where import Failures

__all__ = ["collectors", "default_collectors"]


def collectors(report: Report) -> dict[str, Collector]:
    """Return what takes part in the walk, by name; a protocol's own come beside those of `default_collectors`."""
    return default_collectors(report)


def default_collectors(report: Report) -> dict[str, Collector]:
    """Return the collectors of the default parts."""
    return {
        "cases": Cases(report),
        "sample": Sample(report),
        "failures": Failures(report),
        "turns": Turns(),
    }
