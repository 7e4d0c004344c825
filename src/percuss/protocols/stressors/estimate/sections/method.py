"""Section 8, what only the protocol can say: what was built, what was measured, and what it cannot tell."""

from collections import Counter
from collections.abc import Iterator

from percuss.core.sections import Column, Prose, Section, Table
from percuss.protocols.stressors.estimate.names import METRICS
from percuss.protocols.stressors.estimate.sections.shelf import Shelf
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.information_flow import Unbuildable, draw

__all__ = ["method"]

WORDS = """\
- **Four turns in every arm**: opening, addendum, results, conclusion; a stressor only fills a slot that is there anyway.
- **Omission** drops one group of findings for good; **delay** brings another in turn 3; **contradiction** adds, in turn {inject_at}, a second entry for one examination that says the opposite. The three never touch the same fact.
- **Gold follows from how a scenario was built**; nothing is marked by hand.
- **Each metric** is the plain mean over the cases to which it applies; the pooled ratio stands beside it. A rate without a denominator is undefined, never 0 or 1.
- **Effects** are differences of means of four arms within a case, tested by flipping signs, Holm over effects and metrics.
- **Prompts** are neutral: none asks what is missing or what conflicts{probe}."""
CANNOT = """\
It measures how a conversation about a written case goes, not care, safety or truth; the record is simulated and answers by rule. \
Rules see what they have words for; where a bound is named, the true share may be higher."""


def method(shelf: Shelf) -> Iterator[Section]:
    """Yield the design, the make-up of the scenarios, the definitions in words, and the limits."""
    options = shelf.manifest.get("options", {})
    probe = (
        " - **not here**: `--probe` asked for both, which raises GDR and CDR" if options.get("probe") else ""
    )
    text = WORDS.format(inject_at=options.get("inject_at", 2), probe=probe)
    yield Section.of("how", "What was done to the cases?", Prose(markdown=text))
    yield Section.of("how", "How were the scenarios made?", _made(shelf))
    rows = tuple(
        {
            "metric": m.quantity.label,
            "question": m.quantity.question,
            "better": m.quantity.better,
            "node": m.node,
        }
        for m in METRICS
    )
    columns = tuple(Column(key=k, title=k) for k in ("metric", "question", "better", "node"))
    yield Section.of("how", "What does each metric ask?", Table(columns=columns, rows=rows))
    yield Section.of("how", "What can it not tell you?", Prose(markdown=CANNOT))


def _made(shelf: Shelf) -> Table:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for case in shelf.run.cases():
        vignette = reading(case)
        try:
            made = draw(vignette, shelf.run.seed)
        except Unbuildable:
            counts["not built", "-", "-", "-"] += 1
            continue
        grade = made.targets[0][1].grade if made.targets else "none"
        rule = made.targets[0][1].rule if made.targets else "-"
        counts[made.level, grade, rule, "yes" if made.delayed.score > 0 else "no"] += 1
    keys = ("level", "grade", "rule", "informative")
    rows = tuple({**dict(zip(keys, key, strict=True)), "n": n} for key, n in counts.most_common())
    columns = (
        Column(key="level", title="withheld by"),
        Column(key="grade", title="grade of the contradiction"),
        Column(key="rule", title="rule"),
        Column(key="informative", title="late result bears on the diagnosis"),
        Column(key="n", title="cases", unit="count", align="right"),
    )
    return Table(columns=columns, rows=rows)
