"""May the headline's reader carry a headline? A rule below its floors counts, but says no word and compares no models."""

from percuss.judging.passport import Passport, passport_of
from percuss.kit.report.context import Report
from percuss.measure.numbers import point
from percuss.protocols.grounding.estimate.floors import FEWEST_DECIDED
from percuss.protocols.grounding.record import reading

__all__ = ["HOW_TO", "doubt"]

NEAR = 0.15
"""A passport counts where the run's decided share lies this near to its corpus's (reading.md, section 2)."""
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
    known = passport_of(reader.replace("rule:paper", "rule:strict"), layout=layout)
    name = reader.removeprefix("rule:")
    if known is None:
        return f"rules {name} were never held against labelled claims on such evidence"
    if not known.floors_met:
        return f"the rule {name} {known.words}"
    return _few_decided(report, known)


def _few_decided(report: Report, known: Passport) -> str:
    """Say where the run's decided share is too small, or another one than on the text that the passport is of."""
    for model in report.results.models:
        for arm in (report.results.arm, report.results.baseline):
            share = report.results.get("decided_share", model, arm)
            if share is None or share.value is None or report.results.is_simulated(model):
                continue
            if share.value < FEWEST_DECIDED:
                return f"rules decide {point(share.value)} of the claims of {model} in one arm"
            if abs(share.value - known.decided) > NEAR:
                return (
                    f"the rule was read on other text ({known.corpus}, {point(known.decided)} decided), not on this "
                    f"({point(share.value)} of the claims of {model})"
                )
    return ""


def _structured(report: Report) -> bool:
    first = next(iter(report.run.cases()), None)
    return first is None or bool(reading(first).packet.facts)
