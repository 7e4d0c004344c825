"""What the simulated clinician said of the readers on the run's own cases: a line for the panel, a table for the method."""

from collections.abc import Iterator

from percuss.core.sections import Section
from percuss.kit.report.build import number, table, text
from percuss.kit.report.context import Report
from percuss.measure.wording import joined
from percuss.protocols.stressors.estimate.names import metric_words
from percuss.protocols.stressors.estimate.proving import proofs, reasons, tried

__all__ = ["proven_lines", "proven_tables"]

OFF = "The readers were not tried on these cases (--no-layout-check): numbers of nodes may be misread here without a word."
NOTE = (
    "A simulated clinician whose behaviour is known answered a sample of the run's own cases before they were counted. A number that is read "
    "further from what was planted than ten points and two standard errors is withheld here, with those that are read the same way."
)


def proven_lines(report: Report) -> Iterator[str]:
    """Yield what is withheld on the run's own cases, or that nobody tried."""
    if not report.options.layout_check:
        if tried(report.run):
            yield OFF
        return
    for layout, held in proofs(report.run, report.options).items():
        gone = reasons(held)
        if gone:
            said = [
                f"{metric_words(name)} (planted {held[name].planted:.2f}, read {held[name].read:.2f})"
                if name in held and not held[name].recovered
                else metric_words(name)
                for name in gone
            ]
            yield f"Withheld on {_cases(layout)}, where what a simulated clinician plants isn't read back: {joined(said)}."


def proven_tables(report: Report) -> Iterator[Section]:
    """Yield what was planted and read on each layout of the run's own cases."""
    for layout, held in proofs(report.run, report.options).items():
        gone = reasons(held)
        rows = [
            {
                "metric": metric_words(name), "planted": read.planted, "read": read.read, "error": read.error, "n": read.n,
                "said": "withheld" if name in gone else "read back" if read.tried else "too few to tell",
            }
            for name, read in held.items()
        ]  # fmt: skip
        if rows:
            heads = (
                text("metric"), number("planted", unit="ratio"), number("read", unit="ratio"), number("error", "may differ by", "ratio"),
                number("n", "answers"), text("said", ""),
            )  # fmt: skip
            yield table("how", f"Are {_cases(layout)} read as they should be?", heads, rows, note=NOTE)


def _cases(layout: str) -> str:
    return "the cases of one's own" if layout == "own" else f"the cases of {layout}"
