"""May the headline's reader carry a headline? A rule below its floors counts, but says no word and compares no models."""

from percuss.judging.passport import passport_of
from percuss.kit.report.context import Report
from percuss.protocols.grounding.record import reading

__all__ = ["HOW_TO", "doubt"]

HOW_TO = "For a headline: --judge MODEL, or at least 60 claims per arm labelled by people (`percuss judge sample RUN`)."


def doubt(report: Report) -> str:
    """Return why the headline's labels carry no headline, in one clause; "" where they do.

    Labels of people and judges carry their own passports (judge cards). A rule carries a headline only above the floors
    of its passport on evidence of the run's kind, and always about simulated models alone, whose sentences are its own.

    Args:
        report: of a scoring.
    """
    reader = report.results.labels
    if not reader.startswith("rule:") or report.results.only_simulated:
        return ""
    layout = "structured" if _structured(report) else "text"
    known = passport_of(reader, layout=layout)
    name = reader.removeprefix("rule:")
    if known is None:
        return f"rules {name} were never held against labelled claims on such evidence"
    return "" if known.floors_met else f"the rule {name} {known.words}"


def _structured(report: Report) -> bool:
    first = next(iter(report.run.cases()), None)
    return first is None or bool(reading(first).packet.facts)
