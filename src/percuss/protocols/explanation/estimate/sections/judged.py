"""Can the raters be trusted: rules and evaluator compared, and how often a cue is seen in a placebo."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.sections import Prose, Section
from percuss.kit.report.build import cell, number, share, table, text
from percuss.kit.report.collecting import default_collectors
from percuss.kit.report.context import Report
from percuss.kit.report.judged import failures
from percuss.measure.wording import source_words
from percuss.protocols.explanation.armnames import PLACEBOS
from percuss.protocols.explanation.estimate.names import arm_words
from percuss.protocols.explanation.estimate.sections.left_out import Written
from percuss.protocols.explanation.estimate.sections.reader import Explained
from percuss.protocols.explanation.estimate.sections.scales import Scales, ranking, tau

__all__ = ["collectors", "judge"]

NO_EVALUATOR = "No evaluator took part: fidelity, attribution and tone are by rule. The rules match words of a knowledge base, so they miss what is said in words that it doesn't hold. Compare them with people before you rely on them (`percuss study create --design reader-study`)."
GATE = "The gate of Moll et al. 2025 is at most 5%; what a model itself invents counts here too."
WITH_RULES = (
    "The evaluator is compared with the rules here, not with people: `percuss judge validate` does that."
)


def collectors(report: Report) -> Mapping[str, Any]:
    """Return the kit's collectors with this protocol's own reader, what became of answers, and pairs of scores."""
    return {
        **default_collectors(report),
        "cases": Explained(report),
        "written": Written(),
        "scales": Scales(report),
    }


def judge(report: Report) -> Iterator[Section]:
    """Yield the placebo's false positives always; agreement and failures where an evaluator took part."""
    yield from _placebo(report)
    yield from ranking(report)
    pairs: Mapping[tuple[str, str], Sequence[tuple[float, float]]] = report.collected["scales"].pairs
    if not pairs:
        yield Section.of(
            "judge", "Can the raters be trusted?", Prose(markdown=NO_EVALUATOR), "There was no evaluator."
        )
        return
    yield from failures(report)
    rows = [
        {
            "rater": source_words(rater), "scale": scale, "n": len(held),
            "same": sum(a == b for a, b in held) / len(held) if held else None, "tau": tau(held),
        }
        for (rater, scale), held in sorted(pairs.items())
    ]  # fmt: skip
    heads = (
        text("rater", "evaluator"), text("scale"), number("n", "rated by both"), number("same", "same score", "share"),
        number("tau", "Kendall's tau-b", "ratio"),
    )  # fmt: skip
    yield table("judge", "Do evaluator and rules agree?", heads, rows, note=WITH_RULES)


def _placebo(report: Report) -> Iterator[Section]:
    rows = [
        {
            "model": model,
            "arm": arm_words(arm),
            "rater": source_words(e.labels),
            "value": cell(e),
            "n": e.n,
            "simulated": e.simulated,
        }
        for model in report.ordered
        for arm in PLACEBOS
        if (e := report.results.get("sham_fpr", model, arm)) is not None
    ]
    if rows:
        heads = (
            text("model"),
            text("arm", "placebo"),
            text("rater"),
            share("value", "CA 3 or more"),
            number("n", "items"),
        )
        yield table("judge", "How often is a cue seen where there is none?", heads, rows, note=GATE)
