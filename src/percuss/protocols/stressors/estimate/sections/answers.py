"""Final answers beside the process that led to them, and how sure each turn is."""

from collections.abc import Iterator

from percuss.core.sections import Section
from percuss.kit.report.build import cell, share, table, text
from percuss.kit.report.context import Report
from percuss.protocols.stressors.estimate.names import arm_words, metric_words
from percuss.protocols.stressors.estimate.rightness import PROCESS, SIDES, TURNS

__all__ = ["certainty", "same_answer"]

BESIDE = (
    "Cases by what the rules make of their final diagnosis. An association: nothing was assigned, and hard cases may spoil both. Equal figures on both sides say that the "
    "answer tells nothing of how it was come by."
)
SURE = (
    "Definite counts .95, probable .75, possible .40, undetermined .10. Certainty above the share that is right is overconfidence. Change: rise or fall of certainty "
    "per piece of evidence told since the turn before."
)


def same_answer(report: Report) -> Iterator[Section]:
    """Yield each process metric where the final diagnosis is right and where it is wrong, per model and arm.

    Args:
        report: estimates and words of one scoring.
    """
    results = report.results
    rows = [
        {
            "model": model, "arm": arm_words(arm), "metric": metric_words(name),
            **{side: cell(results.get(f"{name}_final_{side}", model, arm)) for side in SIDES},
            "simulated": results.is_simulated(model),
        }
        for model in report.ordered for arm in results.arms for name in PROCESS
        if all(results.get(f"{name}_final_{side}", model, arm) is not None for side in SIDES)
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"),
            text("arm"),
            text("metric"),
            share("right", "final diagnosis right"),
            share("wrong", "final diagnosis wrong"),
        )
        yield table("evidence", "Same final answer, different process?", heads, rows, note=BESIDE)


def certainty(report: Report) -> Iterator[Section]:
    """Yield certainty, what is right, and the Brier score by turn, per model and arm.

    Args:
        report: estimates and words of one scoring.
    """
    results = report.results
    rows = [
        {
            "model": model, "arm": arm_words(arm), "turn": n, "sure": cell(results.get(f"certainty_turn_{n}", model, arm)),
            "right": cell(results.get("final_accuracy" if n == TURNS[-1] else f"accuracy_turn_{n}", model, arm)),
            "brier": cell(results.get(f"brier_turn_{n}", model, arm)), "change": cell(results.get("certainty_change", model, arm)),
            "simulated": results.is_simulated(model),
        }
        for model in report.ordered for arm in results.arms for n in TURNS
        if results.get(f"certainty_turn_{n}", model, arm) is not None
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"), text("arm"), text("turn"), share("sure", "certainty"), share("right", "diagnosis right"), share("brier", "Brier score", "ratio"),
            share("change", "change per piece of evidence", "points"),
        )  # fmt: skip
        yield table("evidence", "Is it as sure as it is right?", heads, rows, note=SURE)
