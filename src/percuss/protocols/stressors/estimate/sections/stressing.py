"""What the stressors do: forest of main effects and interactions, arms, placebos, doses, HDI; and which cases counted."""

from collections.abc import Iterator
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.kit.report.build import added_up, cell, forest, number, reasons_of, row, share, table, text
from percuss.kit.report.context import Report
from percuss.kit.report.left_out import exclusions as kit_exclusions
from percuss.measure.numbers import p_value, point
from percuss.measure.ranks import separates
from percuss.measure.wording import counted, plural
from percuss.protocols.stressors.estimate.names import BASELINED, METRICS, arm_words, exists, metric_words
from percuss.protocols.stressors.estimate.sections.answers import certainty, same_answer
from percuss.protocols.stressors.replaying import SHAM, arm_of_kind, base_of, is_replay
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL

__all__ = ["evidence", "exclusions"]

MOST = 40
PLACEBO = "Each stressor minus its placebo: a harmless fact dropped, a fact restated, a harmless group later."
DASH = "A dash: the metric has no denominator in that arm by construction (no gap, no contradiction, or nothing late)."
HELD = "Differences to baseline exist for metrics that baseline has; the others have no gap, contradiction or late result there."
REPLAYS = (
    "Each trajectory without a stressor is asked again from an answer that lacks one statement of the model's own, with the same seeds: "
    "an unsupported one, or a supported one of like length from the same answer. Whether a statement is supported is read by rule, or by "
    "the judge of `--condition-on judge`."
)
HDI = "1 - (unsupported with the case told) / (unsupported with only the disease named), pooled over turns."
REASONS = "Not applicable (arm): the arm has no such thing; not applicable (nothing to count): the answer gave no denominator."


def evidence(report: Report) -> Iterator[Section]:
    """Yield effects, the eight arms, changes against baseline, placebos, doses and HDI over trajectories."""
    for model in report.ordered:
        yield from _effects(report, model)
    for model in report.ordered:
        yield _arms(report, model)
    for model in report.ordered:
        yield from _deltas(report, model)
    yield from _plain(
        report, "_beyond_placebo", "Is it the stressor, or any change of the text?", "stressor", PLACEBO
    )
    yield from _plain(
        report, "_dose", "Does more of it do more?", "ladder", "Change per step, least squares within a case."
    )
    yield from same_answer(report)
    yield from certainty(report)
    yield from _anchored(report)
    hdis = [
        {"model": e.model, "hdi": cell(e), "simulated": e.simulated} for e in report.results.all("hdi_pooled")
    ]
    if hdis:
        heads = (text("model"), share("hdi", "HDI", "ratio"))
        yield table("evidence", "How much of what is made up does the case suppress?", heads, hdis, note=HDI)


def _anchored(report: Report) -> Iterator[Section]:
    """The counterfactual life line, where replays were asked for."""
    rows = [
        {
            "model": e.model, "replayed": arm_words(base_of(e.arm)),
            "strike": cell(report.results.get("replay_diagnosis", e.model, e.arm)),
            "sham": cell(report.results.get("replay_diagnosis", e.model, arm_of_kind(SHAM, base_of(e.arm)))), "anchoring": cell(e),
            "evidence": cell(report.results.get("causal_anchoring_evidence", e.model, e.arm)), "pairs": e.note,
            "simulated": e.simulated,
        }
        for e in report.results.all("causal_anchoring")
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"), text("replayed", "arm replayed"), share("strike", "diagnosis changes, unsupported statement struck"),
            share("sham", "the same, supported one struck"), share("anchoring", "difference", "points"),
            share("evidence", "of the evidence, difference", "points"), text("pairs", "replays"),
        )  # fmt: skip
        yield table("evidence", "Does the conclusion hang on what was made up?", heads, rows, note=REPLAYS)


def _effects(report: Report, model: str) -> Iterator[Section]:
    found = [e for e in report.results.ending("_effect", model=model) if e.value is not None]
    if not found:
        return
    apart = [e for e in found if separates(e)]
    least = [e.detectable for e in found if e.detectable is not None]
    seen = (
        f" Smallest detectable effects range from {point(min(least), 'points')} to {point(max(least), 'points')}."
        if least
        else ""
    )
    answer = f"Of {plural(len(found), 'effect')} on {model}, {counted(len(apart))} {'separates' if len(apart) == 1 else 'separate'} from 0 after Holm's correction.{seen}"
    main, both = (
        [_effect_row(e) for e in found if ("*" in e.arm) is crossed][:MOST] for crossed in (False, True)
    )
    yield forest(
        "evidence", f"What does each stressor do to {model}?", main, of="effect in points", y="what", answer=answer, zero=True,
        alt=f"Main effects of omission, contradiction and delay on each metric of {model}.",
    )  # fmt: skip
    if both:
        alt = f"Interactions of the stressors on each metric of {model}."
        yield forest("evidence", f"Do stressors act together on {model}?", both, of="interaction in points", y="what", alt=alt, zero=True)  # fmt: skip


def _effect_row(e: Estimate) -> dict[str, Any]:
    return row(e, what=f"{arm_words(e.arm)}: {metric_words(e.name.removesuffix('_effect'))}", model=e.model)


def _arms(report: Report, model: str) -> Section:
    """Tables 4 and 5 of the paper: one row a metric, one column an arm, each with its n."""
    results = report.results
    told = [arm for arm in results.arms if not is_replay(arm)]
    rows = [
        {
            "metric": m.quantity.label, "better": m.quantity.better,
            **{arm: cell(results.get(m.quantity.name, model, arm)) if exists(m, arm) else "-" for arm in told},
        }
        for m in METRICS
    ]  # fmt: skip
    heads = (text("metric"), text("better"), *(share(arm, arm_words(arm)) for arm in told))
    return table("evidence", f"Every metric in every arm: {model}", heads, rows, note=DASH)


def _deltas(report: Report, model: str) -> Iterator[Section]:
    held = {
        (e.name, e.arm): e for e in report.results.ending("_delta", model=model) if e.baseline == "baseline"
    }
    arms = [arm for arm in FACTORIAL[1:] if arm in report.results.arms]
    if not held or not arms:
        return
    rows = [
        {"metric": metric_words(name), **{arm: cell(held.get((f"{name}_delta", arm))) for arm in arms}}
        for name in (*BASELINED, "cfa", "gfa")
    ]
    heads = (text("metric"), *(share(arm, arm_words(arm), "points") for arm in arms))
    yield table("evidence", f"Change against no stressor: {model}", heads, rows, note=HELD)


def _plain(report: Report, suffix: str, title: str, head: str, note: str) -> Iterator[Section]:
    rows = [
        {
            "model": e.model, "metric": metric_words(e.name.removesuffix(suffix)), head: arm_words(e.arm.removeprefix("dose:")),
            "value": cell(e), "p": p_value(e.p_adjusted), "simulated": e.simulated,
        }
        for e in report.results.ending(suffix) if e.value is not None
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"),
            text("metric"),
            text(head),
            share("value", "difference", "points"),
            number("p", "p (Holm)", ""),
        )
        yield table("evidence", title, heads, rows, note=note)


def exclusions(report: Report) -> Iterator[Section]:
    """Yield what was left out of statements, and which cases counted for which metric."""
    yield from kit_exclusions(report)
    rows = []
    for model in report.ordered:
        for metric in METRICS:
            name = metric.quantity.name
            held = [
                e for arm in report.results.arms if (e := report.results.get(name, model, arm)) is not None
            ]
            scored, reasons = added_up(held)
            rows.append(
                {
                    "model": model, "metric": metric.quantity.label, "posed": scored + sum(reasons.values()),
                    "counted": scored, "out": reasons_of(reasons), "bound": metric.bound,
                    "simulated": report.results.is_simulated(model),
                }
            )  # fmt: skip
    heads = (
        text("model"), text("metric"), number("posed", "answers"), number("counted"), text("out", "left out, by reason"),
        text("bound", "a rule gives"),
    )  # fmt: skip
    yield table("left_out", "Which cases counted for which metric?", heads, rows, note=REASONS)
