"""What people's labels say of the machine that read the same assertions: its passport on this very run."""

from collections.abc import Iterator, Sequence

from percuss.core.labels import Support
from percuss.kit.report.context import Report
from percuss.kit.report.judged import word
from percuss.measure.numbers import point, written
from percuss.measure.wording import counted, joined, source_words

__all__ = ["beside_people"]


def beside_people(report: Report) -> Iterator[str]:
    """Yield, for each rule and verifier, how much of what people labelled it decides, and its errors by true class.

    Args:
        report: of a scoring whose headline people carry.
    """
    sample = report.collected["sample"]
    people = sample.columns.get(word("human"))
    if people is None:
        return
    for source in report.results.sources:
        machine = sample.columns.get(word(source))
        if machine is not None and source.startswith(("rule:", "verifier:")):
            yield _line(source, sample.padded(people), sample.padded(machine)) + _alone(report, source)


def _alone(report: Report, source: str) -> str:
    """Say what the index would be by that machine alone, which decides only a part, and not a random one."""
    index = report.outline.index
    if index is None:
        return ""
    said = [
        f"{written(e)} for {model}"
        for model in report.ordered
        if (e := report.results.get(index.name, model, labels=source)) is not None and e.value is not None
    ]
    return f" By them alone {index.words} would be {joined(said)}." if said else ""


def _line(source: str, people: Sequence[str | None], machine: Sequence[str | None]) -> str:
    both = [(told, read) for told, read in zip(people, machine, strict=True) if told is not None]
    share = sum(read is not None for _, read in both) / len(both) if both else 0.0
    good, bad = Support.SUPPORTED.value, Support.UNSUPPORTED.value
    true, false = ([read for told, read in both if told == one] for one in (good, bad))
    return (
        f"Beside people, {source_words(source)} decide {point(share)} of these assertions, call {counted(true.count(bad))} of "
        f"{counted(len(true))} supported ones unsupported, and {counted(false.count(good))} of {counted(len(false))} unsupported ones supported."
    )
