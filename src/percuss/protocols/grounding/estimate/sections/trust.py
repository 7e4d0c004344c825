"""May the headline's reader carry a headline? A rule below its floors counts, but says no word and compares no models."""

from percuss.judging.passport import Passport, outside_of, passport_of
from percuss.kit.report.context import Report
from percuss.measure.numbers import point
from percuss.measure.wording import source_words
from percuss.protocols.grounding.estimate.floors import FEWEST_DECIDED
from percuss.protocols.grounding.record import reading
from percuss.protocols.grounding.verifying import Calibrated, calibrations

__all__ = ["HOW_TO", "doubt"]

NEAR = 0.15
"""A passport counts where the run's decided share lies this near to its corpus's (reading.md, section 2)."""
HOW_TO = "For an index: --judge MODEL, --role verifier=MODEL with thresholds, or at least 60 claims per arm labelled by people (`percuss judge sample RUN`)."


def doubt(report: Report) -> str:
    """Return why the headline's labels carry no headline, in one clause; "" where they do.

    Labels of people and judges carry their own passports (judge cards). A rule carries a headline only above the floors
    of its passport on evidence of the run's kind, and always about simulated models alone, whose sentences are its own.

    Args:
        report: of a scoring.
    """
    reader = report.results.labels
    failed = _uncertified(report)
    if failed:
        return failed
    if reader.startswith("verifier:"):
        return _unproven(report, reader.removeprefix("verifier:"))
    if not reader.startswith("rule:") or report.results.only_simulated:
        return ""
    layout = "structured" if _structured(report) else "text"
    known = passport_of(reader.replace("rule:paper", "rule:strict"), layout=layout)
    name = reader.removeprefix("rule:")
    if known is None:
        return f"rules {name} were never held against labelled claims on such evidence"
    if not _quoted(report):
        return f"another version of the rule {name} than the one that was held against labelled claims made these labels"
    if not known.floors_met:
        return f"the rule {name} {known.words}"
    return _few_decided(report, known) or _outside(reader, layout)


def _outside(reader: str, layout: str) -> str:
    """Say which rate of the reader the jury found outside what people say of the same answers: that takes its headline away."""
    found = outside_of(reader, layout=layout)
    name = reader.removeprefix("rule:")
    return f"the jury found a rate by {name} outside what people say (unsupported {found})" if found else ""


def _uncertified(report: Report) -> str:
    """Say how the reader failed the run's own certificate, where it has one: that withholds a headline, whoever reads."""
    for model in report.results.models:
        gate = report.results.get("certificate", model)
        if gate is not None and gate.value is not None and gate.note != "passes":
            return f"{source_words(gate.labels)} fails the certificate of this run: {gate.note}, in the words of {model}"
    return ""


def _unproven(report: Report, verifier: str) -> str:
    """Say why a verifier's labels carry no headline: its shipped thresholds are below the floors on such evidence.

    Thresholds that the user typed in name a source, and nothing shows their errors on it: they lead nothing until this run's own
    certificate, which tries them on statements whose truth is known, passes for every model.
    """
    if report.results.only_simulated:
        return ""
    if typed := getattr(report.results.options, "thresholds", ""):
        gates = [report.results.get("certificate", model) for model in report.results.models]
        if all(gate is not None and gate.note == "passes" for gate in gates):
            return ""
        source = typed.partition("@")[2] or "no source named"
        return (
            f"the thresholds of {verifier} were typed in ({source}) and held against no floors; "
            "`percuss check RUN --certify` tries them on this run"
        )
    layout = "structured" if _structured(report) else "text"
    held = next((c for c in calibrations() if (c.verifier, c.layout) == (verifier, layout)), None)
    if held is None:
        return f"{verifier} was never held against labelled claims on such evidence"
    if not held.floors_met:
        return f"{verifier}, {_rates(held)} on {held.n} labelled claims ({held.thresholds.source}), is below the floors"
    return ""


def _rates(held: Calibrated) -> str:
    wrong = (
        ("unsupported ones supported", held.false_supported),
        ("supported ones unsupported", held.false_unsupported),
    )
    said = [f"{100 * share:.1f}% of {words}" for words, share in wrong if share is not None]
    return f"which calls {' and '.join(said)}" if said else "whose errors were not counted"


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


def _quoted(report: Report) -> bool:
    """Tell whether the headline's labels are of the version of the rule that its passport is of."""
    results = report.results
    rated = [
        found
        for model in results.models
        for arm in (results.arm, results.baseline)
        if (found := results.get("unsupported_rate", model, arm)) is not None
    ]
    return not rated or any(found.read_right is not None for found in rated)


def _structured(report: Report) -> bool:
    first = next(iter(report.run.cases()), None)
    return first is None or bool(reading(first).packet.facts)
