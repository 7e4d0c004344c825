"""May the headline's reader carry a headline? A rule below its floors counts, but says no word and compares no models."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from percuss.core.labels import JUDGED, PEOPLE
from percuss.judging.passport import Passport, outside_of, passport_of
from percuss.kit.report.context import Report
from percuss.measure.numbers import point
from percuss.measure.wording import counted, source_words
from percuss.protocols.grounding.estimate.alike import APART as ERRORS_APART
from percuss.protocols.grounding.estimate.alike import DIFFER
from percuss.protocols.grounding.estimate.floors import FEWEST_DECIDED
from percuss.protocols.grounding.estimate.names import BASELINE, arm_words
from percuss.protocols.grounding.estimate.sampled import APART
from percuss.protocols.grounding.estimate.sections.carded import uncarded
from percuss.protocols.grounding.estimate.tongue import OTHER_LANGUAGE
from percuss.protocols.grounding.verifying import Calibrated, calibrations
from percuss.text.language import ENGLISH, NAMES, language_of

__all__ = ["HOW_TO", "chosen", "doubt", "layout_of", "wrong_flags"]

NEAR = 0.15
"""A passport counts where the run's decided share lies this near to its corpus's (reading.md, section 2)."""
FOREIGN = 0.10
"""Share of a model's answers in another language from which on a passport of English is of other text."""
WRONG_FLAGS = 0.20
"""Share of what a reader flags that may be wrong at the run's own rates (reading.md, section 2)."""
HOW_TO = (
    "For an index: at least 60 claims per arm labelled by people (`percuss judge sample RUN`), --judge MODEL with a card "
    "(`percuss judge validate RUN`), or --role verifier=MODEL with thresholds and --certify."
)


def doubt(report: Report) -> str:
    """Return why the headline's labels carry no headline, in one clause; "" where they do.

    Labels of people lead as they are, a judge's with a card of this scoring within the floors, a verifier's by its calibration or the
    run's certificate, a rule's above the floors of its passport on evidence of the run's kind. Whatever reads, it reads simulated
    models alone well enough: their sentences are planted.

    Args:
        report: of a scoring.
    """
    reader = report.results.labels
    failed = _uncertified(report, reader)
    if failed or report.results.only_simulated:
        return failed
    if reader not in PEOPLE and (leans := leaning(report, reader)):
        return leans
    if reader in JUDGED:
        return uncarded(report)
    if reader.startswith("verifier:"):
        return (
            _in_another_language(report, ENGLISH)
            or _unproven(report, reader.removeprefix("verifier:"))
            or _few_decided(report)
        )
    if not reader.startswith("rule:"):
        return chosen(report) if reader in PEOPLE else ""
    layout = layout_of(report)
    known = passport_of(reader.replace("rule:paper", "rule:strict"), layout=layout)
    name = reader.removeprefix("rule:")
    if known is None:
        return f"rules {name} were never held against labelled claims on such evidence"
    if foreign := _in_another_language(report, known.language):
        return foreign
    if not _quoted(report):
        return f"another version of the rule {name} than the one that was held against labelled claims made these labels"
    if not known.floors_met:
        return f"the rule {name} {known.words}"
    return (
        _few_decided(report)
        or _read_elsewhere(report, known)
        or _flags_wrongly(report)
        or _outside(reader, layout)
    )


def leaning(report: Report, reader: str) -> str:
    """Say that a reader errs more in one arm than in the other, by people's labels of the same claims; "" where that isn't shown.

    Args:
        report: of a scoring. reader: as label source.
    """
    for true, quantity in ERRORS_APART.items():
        for e in report.results.estimates:
            if (e.name, e.labels, e.note) == (quantity.name, reader, DIFFER):
                return (
                    f"{source_words(reader)} err more in one arm: claims of {e.model} that people call {true} are read otherwise "
                    f"{point(abs(e.value or 0), e.unit)} more often {arm_words(BASELINE if (e.value or 0) > 0 else e.arm)}"
                )
    return ""


def wrong_flags(report: Report) -> Iterator[tuple[str, str, float]]:
    """Yield (model, arm, share of what the headline's rule calls unsupported there that is supported) of real models.

    From the errors by class of the rule's passport, at what it flags of each arm; nothing where it has no passport on such evidence.

    Args:
        report: of a scoring.
    """
    reader = report.results.labels
    known = passport_of(reader.replace("rule:paper", "rule:strict"), layout=layout_of(report))
    if known is None:
        return
    for model in report.results.models:
        for arm in (report.results.arm, report.results.baseline):
            rate, decided = (
                report.results.get(name, model, arm, labels=reader)
                for name in ("unsupported_rate", "decided_share")
            )
            if rate is None or decided is None or rate.simulated:
                continue
            if rate.value is None or decided.value is None:
                continue
            wrong = known.wrongly_flagged(rate.value * decided.value)
            if wrong is not None:
                yield model, arm, wrong


def _flags_wrongly(report: Report) -> str:
    """Say in which arm too much of what the rule flags is wrong at the run's own rates."""
    for model, arm, wrong in wrong_flags(report):
        if wrong > WRONG_FLAGS:
            return f"of what the rule flags of {model} {arm_words(arm)}, about {wrong:.0%} is wrong"
    return ""


def chosen(report: Report) -> str:
    """Say that what people labelled is no random part of what was said, by what the machine makes of it; "" where nothing shows that.

    Args:
        report: of a scoring.
    """
    for e in report.results.estimates:
        if e.name == APART.name and e.low is not None and e.high is not None and (e.low > 0 or e.high < 0):
            more = "more" if e.low > 0 else "less"
            return (
                f"the claims that people labelled are no random part: the machine calls {point(abs(e.value or 0), e.unit)} {more} of them unsupported than of the "
                f"rest ({e.model} {arm_words(e.arm)})"
            )
    return ""


def _outside(reader: str, layout: str) -> str:
    """Say which rate of the reader the jury found outside what people say of the same answers: that takes its headline away."""
    found = outside_of(reader, layout=layout)
    name = reader.removeprefix("rule:")
    return f"the jury found a rate by {name} outside what people say (unsupported {found})" if found else ""


def _uncertified(report: Report, reader: str) -> str:
    """Say how the reader failed the run's own certificate, where it has one: that withholds a headline, whoever reads."""
    for model in report.results.models:
        gate = report.results.get("certificate", model, labels=reader)
        if gate is not None and gate.value is not None and gate.note != "passes":
            return f"{source_words(gate.labels)} fails the certificate of this run: {gate.note}, in the words of {model}"
    return ""


def _unproven(report: Report, verifier: str) -> str:
    """Say why a verifier's labels carry no headline: its shipped thresholds are below the floors on such evidence.

    Thresholds that the user typed in name a source, and nothing shows their errors on it: they lead nothing until this run's own
    certificate, which tries them on statements whose truth is known, passes for every model.
    """
    if typed := getattr(report.results.options, "thresholds", ""):
        gates = [
            report.results.get("certificate", model, labels=f"verifier:{verifier}")
            for model in report.results.models
        ]
        if all(gate is not None and gate.note == "passes" for gate in gates):
            return ""
        source = typed.partition("@")[2] or "no source named"
        return (
            f"the thresholds of {verifier} were typed in ({source}) and held against no floors; "
            "`percuss check RUN --certify` tries them on this run"
        )
    layout = layout_of(report)
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


def _in_another_language(report: Report, language: str) -> str:
    """Say that answers or texts of the evidence are in another language than the text that the reader was held against."""
    was = f"{source_words(report.results.labels)} were read elsewhere ({NAMES[language]}), not on this"
    for e in report.results.all(OTHER_LANGUAGE.name):
        if not e.simulated and e.value is not None and e.value > FOREIGN:
            return f"{was}: {point(e.value)} of the answers of {e.model} {arm_words(e.arm)} are in {e.note}"
    other, texts = _texts_in(report)
    return f"{was}: the evidence is in {NAMES[other]} in {counted(texts)} of the cases" if other else ""


@lru_cache(maxsize=1)
def _texts_in(report: Report) -> tuple[str, int]:
    """Return another language that running texts of the evidence are in, and in how many cases; "" where too few are."""
    told = Counter(
        language
        for case in report.run.cases()
        if (language := language_of(" ".join((case.payload.get("packet") or {}).get("texts") or ())))
    )
    english = told.pop(ENGLISH, 0)
    many = told.total()
    return (told.most_common(1)[0][0], many) if many > FOREIGN * (many + english) else ("", 0)


def _few_decided(report: Report) -> str:
    """Say in which arm a machine decides too little of what is asserted for an index, whatever it is held against elsewhere."""
    who = "rules decide" if report.results.labels.startswith("rule:") else "the verifier decides"
    for model, share in _decided(report):
        if share < FEWEST_DECIDED:
            return f"{who} {point(share)} of the claims of {model} in one arm"
    return ""


def _read_elsewhere(report: Report, known: Passport) -> str:
    """Say where a rule decides another share of the run than of the text that its passport is of."""
    for model, share in _decided(report):
        if abs(share - known.decided) > NEAR:
            return (
                f"the rule was read on other text ({known.corpus}, {point(known.decided)} decided), not on this "
                f"({point(share)} of the claims of {model})"
            )
    return ""


def _decided(report: Report) -> Iterator[tuple[str, float]]:
    """Yield what share of a real model's assertions the headline's reader decides in each of the two arms."""
    for model in report.results.models:
        for arm in (report.results.arm, report.results.baseline):
            found = report.results.get("decided_share", model, arm, labels=report.results.labels)
            if found is not None and found.value is not None and not found.simulated:
                yield model, found.value


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


@lru_cache(maxsize=1)
def layout_of(report: Report) -> str:
    """Return what the evidence of all cases is: `structured` or `text`; "" where cases differ, for which no passport is.

    Args:
        report: of a scoring.
    """
    held = {bool((case.payload.get("packet") or {}).get("facts")) for case in report.run.cases()}
    return "" if len(held) > 1 else "text" if held == {False} else "structured"
