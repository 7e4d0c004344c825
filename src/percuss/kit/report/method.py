"""How was it done, what only the protocol can say: what was measured and what it cannot tell."""

from collections.abc import Iterator

from percuss.core.sections import Prose, Section
from percuss.kit.report.context import Report

__all__ = ["method"]


def method(report: Report) -> Iterator[Section]:
    """Yield the parts of the protocol's `method.md`, a section per heading; what is declared primary where there is none."""
    held, facts = report.outline.method.strip(), report.outline.facts
    if facts:
        held = held.format_map(facts)
    head, *rest = f"\n{held}".split("\n## ")
    if head.strip():
        yield Section.of("how", "What was measured?", Prose(markdown=f"{head.strip()}\n"))
    for title, _, body in (part.partition("\n") for part in rest):
        yield Section.of("how", title.strip(), Prose(markdown=f"{body.strip()}\n"))
    if not held:
        words = report.results.manifest.get("primary", {}).get("words") or report.outline.lead.title
        yield Section.of(
            "how",
            "What was measured?",
            Prose(markdown=f"Primary, declared before the first call: {words}.\n"),
        )
