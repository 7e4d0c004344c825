"""Section 7: can the judge be trusted: agreement with the rules, with itself and with people."""

from collections.abc import Iterator
from itertools import combinations

from percuss.core.labels import SUPPORT_LABELS
from percuss.core.sections import Chart, Column, Prose, Section, Table
from percuss.measure.wording import counted, plural
from percuss.protocols.grounding.estimate.names import arm_words
from percuss.protocols.grounding.estimate.sections.adjudicated import Sample, adjudicated, word
from percuss.protocols.grounding.estimate.sections.shelf import Shelf, cell
from percuss.stats.agreement import confusion

__all__ = ["judged"]

NO_JUDGE = (
    "No model judged: labels come from rules alone. What a rule cannot decide it calls partial or unknown."
)


def judged(shelf: Shelf) -> Iterator[Section]:
    """Yield confusion matrices, kappa with intervals, self-agreement, and what people said of a sample."""
    gated = next((s for s in ("agreement", "majority") if s in shelf.sources), None)
    rule = next((s for s in shelf.sources if s.startswith("rule:")), None)
    wanted = [s for s in (rule, gated, "human") if s is not None and s in shelf.sources]
    if gated is None:
        yield Section.of("judge", "Who labelled?", Prose(markdown=NO_JUDGE), "There was no judge.")
    if len(wanted) < 2:
        return
    sample = Sample(shelf, gated or "agreement", wanted)
    for first, second in combinations(map(word, wanted), 2):
        a, b = _both(sample.columns[first], sample.columns[second])
        if a:
            yield Section.of("judge", f"{first} against {second}", _matrix(a, b))
    yield from adjudicated(shelf, sample, wanted)
    if gated is not None:
        yield Section.of(
            "judge", "Does the judge agree with itself?", _self_agreement(shelf), _copies_words(sample)
        )


def _copies_words(sample: Sample) -> str:
    """Say where passes are copies: a model that always says the same agrees with itself whatever it says."""
    if not sample.copied:
        return ""
    if sample.copied < sample.passed:
        rated = plural(sample.passed, "claim")
        return f"In {counted(sample.copied)} of {rated} rated more than once the passes are word for word the same."
    return (
        f"In all {plural(sample.passed, 'claim')} rated more than once the passes are word for word the same: the judge "
        "repeats itself, so this agreement says nothing of how reliable it is. Compare it with people, or with another judge."
    )


def _both(a: list[str | None], b: list[str | None]) -> tuple[list[str], list[str]]:
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return [x for x, _ in pairs], [y for _, y in pairs]


def _matrix(a: list[str], b: list[str]) -> Chart:
    counts = confusion(a, b, scale=SUPPORT_LABELS)
    rows = tuple(
        {
            "row": one,
            "column": other,
            "value": int(counts.table[i, j]),
            "text": f"{int(counts.table[i, j]):,}",
        }
        for i, one in enumerate(SUPPORT_LABELS)
        for j, other in enumerate(SUPPORT_LABELS)
    )
    return Chart(
        kind="matrix", rows=rows, x="column", y="row", value="value", unit="count",
        alt="Counts of claims by the label that each gave.",
    )  # fmt: skip


def _self_agreement(shelf: Shelf) -> Table:
    rows = tuple(
        {"model": e.model, "arm": arm_words(e.arm), "value": cell(e), "n": e.n, "simulated": e.simulated}
        for e in shelf.all("judge_agreement", labels="any")
    )
    columns = (
        Column(key="model", title="model judged"),
        Column(key="arm", title="arm"),
        Column(key="value", title="both passes give one label", align="right"),
        Column(key="n", title="claims", unit="count", align="right"),
    )
    return Table(columns=columns, rows=rows)
