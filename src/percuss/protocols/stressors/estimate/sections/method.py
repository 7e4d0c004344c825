"""How it was done, what only the protocol can say: how scenarios were built, and what each metric asks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from percuss.core.sections import Section
from percuss.kit.report.build import columns, number, table
from percuss.kit.report.context import Report
from percuss.kit.report.method import method as kit_method
from percuss.kit.report.outline import Outline
from percuss.protocols.stressors.estimate.names import METRICS
from percuss.protocols.stressors.estimate.sections.proven import proven_tables
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.information_flow import Unbuildable, draw

__all__ = ["method"]

TEXT = (Path(__file__).parents[2] / "method.md").read_text(encoding="utf-8")
PROBED = " - **not here**: `--probe` asked for both, which raises GDR and CDR"


def with_method(outline: Outline, options: StressorsOptions) -> Outline:
    """Return the outline with `method.md`, and the settings that its words name."""
    facts = {"inject_at": options.inject_at, "probe": PROBED if options.probe else ""}
    return replace(outline, method=TEXT, facts=facts)


def method(report: Report) -> Iterator[Section]:
    """Yield the design and the limits, the make-up of the scenarios, and the definitions in words."""
    yield from kit_method(report)
    yield from proven_tables(report)
    yield _made(report)
    rows = [{"metric": m.quantity.label, "question": m.quantity.question, "better": m.quantity.better, "node": m.node} for m in METRICS]  # fmt: skip
    heads = columns(metric="metric", question="question", better="better", node="node")
    yield table("how", "What does each metric ask?", heads, rows)


def _made(report: Report) -> Section:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for case in report.run.cases():
        vignette = reading(case)
        try:
            made = draw(vignette, report.run.seed)
        except Unbuildable:
            counts["not built", "-", "-", "-"] += 1
            continue
        line = made.targets[0][1] if made.targets else None
        grade, rule = (line.grade, line.rule) if line else ("none", "-")
        counts[made.level, grade, rule, "yes" if made.delayed.score > 0 else "no"] += 1
    heads = columns(
        level="withheld by",
        grade="grade of the contradiction",
        rule="rule",
        informative="late result bears on the diagnosis",
    )
    rows = [
        {**dict(zip([head.key for head in heads], key, strict=True)), "n": n}
        for key, n in counts.most_common()
    ]
    return table("how", "How were the scenarios made?", (*heads, number("n", "cases")), rows)
