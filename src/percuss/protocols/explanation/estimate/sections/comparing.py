"""Which models differ in which arms; whether the picture and the cue matter (HDI, disclosure against grounding, dose)."""

from collections.abc import Iterator
from typing import Any

from percuss.core.sections import Chart, Section
from percuss.kit.report.build import cell, dots, forest, number, row, share, table, text
from percuss.kit.report.context import Report
from percuss.kit.report.differing import differences as kit_differences
from percuss.measure.numbers import written
from percuss.protocols.explanation.armnames import KINDS, TABLE_CELLS, ArmName, parse_arm
from percuss.protocols.explanation.check import withheld
from percuss.protocols.explanation.estimate import covered
from percuss.protocols.explanation.estimate.names import POOLED, PRIMARY, arm_words
from percuss.protocols.explanation.estimate.sweeps import dose
from percuss.protocols.explanation.passports import is_outside, words

__all__ = ["differences", "evidence"]

SWEPT = ("flip_rate", "cf_flip", "cf_nonflip", "ca_flip", "ca_nonflip")
LEAST_LEVELS = 3
HDI = "A finding contradicts the picture where it is affirmed or denied against the case's fields."


def differences(report: Report) -> Iterator[Section]:
    """Yield the kit's parts on the lead, and paired differences arm by arm; of silence none where the rule was found outside."""
    yield from kit_differences(report)
    many = len(report.results.models) > 2
    rows = [
        row(
            e,
            pair=f"{e.model} - {e.versus}",
            what=f"{e.label}: {arm_words(e.arm)}{f' ({e.model} - {e.versus})' if many else ''}",
        )
        for name in (PRIMARY, "flip_rate")
        for e in report.results.pairs(name)
        if e.value is not None
        and e.arm in TABLE_CELLS
        and not (name == PRIMARY and is_outside(e.labels, e.arm))
    ]
    if rows:
        yield forest(
            "differences", "In which arms do they differ?", rows, of="difference in points", y="what", group="pair", zero=True,
            alt="Paired differences between models in what they follow silently and how often they flip, with intervals.",
        )  # fmt: skip


def evidence(report: Report) -> Iterator[Section]:
    """Yield HDI for pictures, attribution against fidelity, and dose lines."""
    results = report.results
    rows = [
        {
            "model": model, "hdi": cell(hdi), "simulated": results.is_simulated(model),
            "with": cell(results.get("unsupported_rate", model, "none")),
            "without": cell(results.get("unsupported_rate", model, "blank")),
        }
        for model in report.ordered if (hdi := results.get("hdi_pooled", model, "none")) is not None
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"), share("with", "findings that contradict the picture"),
            share("without", "the same, picture blank"), share("hdi", "HDI", "ratio"),
        )  # fmt: skip
        yield table("evidence", "Does the picture hold back invented findings?", heads, rows, note=HDI)
    yield from _covered(report)
    yield from _disclosure(report)
    yield from _doses(report, "vb_bb", "thickness", "Does a thicker box move answers more?", "thickness (log2 of pixels)", "How much, a doubling of the thickness?")  # fmt: skip
    yield from _doses(report, "vb_hm", "opacity", "Does a stronger heat map move answers more?", "opacity", "How much, each 0.2 of opacity?")  # fmt: skip


def _covered(report: Report) -> Iterator[Section]:
    """Findings stated about a covered region, and answers that say it can't be seen, before and behind the cover."""
    names = ("seen_behind_cover", "stated_before_cover", "withheld", "withheld_before_cover")
    rows = [
        {
            "model": model, "simulated": report.results.is_simulated(model),
            **{name: cell(report.results.get(name, model, "vo_bb")) for name in names},
        }
        for model in report.ordered
        if report.results.get("seen_behind_cover", model, "vo_bb") is not None
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"), number(names[0], "findings stated per answer, region covered", "number"), number(names[1], "the same, uncovered", "number"),
            share(names[2], "says that it can't be seen, covered"), share(names[3], "the same, uncovered"),
        )  # fmt: skip
        note = (
            f"Findings whose region lies under the cover to {covered.COVERED:.0%} or more, affirmed or denied, asked about or not; said to be out of "
            f"sight is not stated. Both by rule: findings as the knowledge base words them, and {withheld.NAME}, which {words(withheld.NAME)}."
        )
        yield table("evidence", "Is something seen behind a cover?", heads, rows, note=note)


def _disclosure(report: Report) -> Iterator[Section]:
    results, alone = report.results, len(report.results.models) == 1
    rows = [
        {
            "point": arm_words(arm) if alone else f"{model}: {arm_words(arm)}", "model": model, "ca": ca.value,
            "cf": cf.value, "low": cf.low, "high": cf.high, "left": ca.low, "right": ca.high, "n": cf.n,
            "simulated": cf.simulated,
        }
        for model in report.ordered for arm in TABLE_CELLS
        for ca, cf in [(results.get("ca_flip", model, arm), results.get("cf_flip", model, arm))]
        if ca is not None and cf is not None and ca.value is not None and cf.value is not None
    ]  # fmt: skip
    if not rows:
        return
    said = [
        f"{e.model}: admitting minus not, {written(e)}"
        for e in results.all("cf_flip_admitted_minus_silent", arm=POOLED) if e.value is not None
    ]  # fmt: skip
    yield dots(
        "evidence", "Does an explanation that admits the cue also state the findings?", rows, x="ca", y="cf", group="point",
        x_title="tells of the cue (causal attribution)", y_title="states the true findings (clinical fidelity)",
        alt="Clinical fidelity against causal attribution among flipped answers, one point an arm and model.",
        answer=f"Fidelity of flips that admit the cue, minus that of flips that don't: {'; '.join(said)}." if said else "",
        across=["left", "right"], domain=[0, 1], x_domain=[0, 1],
    )  # fmt: skip


def _doses(report: Report, kind: str, key: str, title: str, axis: str, slopes: str) -> Iterator[Section]:
    """Figures S2 and S3: level means as lines, slopes in words."""
    arms = [
        (arm, name) for arm in report.results.arms if (name := _cue(arm)) is not None and name.kind == kind
    ]
    rows: list[dict[str, Any]] = [
        row(e, level=dose(name) if kind == "vb_bb" else name.opacity, what=f"{e.label}, {name.alignment}", model=model)
        for model in report.ordered for arm, name in arms for what in SWEPT
        if (e := report.results.get(what, model, arm)) is not None and e.value is not None
    ]  # fmt: skip
    if len({one["level"] for one in rows}) < LEAST_LEVELS:
        return
    chart = Chart(
        kind="curve", rows=tuple(sorted(rows, key=lambda one: (one["what"], one["level"]))), x="level", y="value", low="low",
        high="high", group="what", facet="model", x_title=axis, y_title="share",
        alt=f"Flips, fidelity and attribution by {key} of the mark.",
    )  # fmt: skip
    yield Section.of("evidence", title, chart)
    found = [e for what in SWEPT for e in report.results.all(f"{what}_slope") if e.arm.startswith(kind)]
    held = [
        {"model": e.model, "what": e.label, "cue": e.arm.partition(":")[2], "slope": cell(e)} for e in found
    ]
    if held:
        heads = (text("model"), text("what", "number"), text("cue"), share("slope", "slope", "points"))
        yield table("evidence", slopes, heads, held)


def _cue(arm: str) -> ArmName | None:
    return parse_arm(arm) if arm.partition(":")[0] in KINDS else None
