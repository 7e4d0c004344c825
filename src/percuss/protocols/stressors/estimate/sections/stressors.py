"""Section 3: what the stressors do: forest of main effects and interactions, arms, placebos, doses, HDI."""

from collections.abc import Iterator
from typing import Any

import msgspec

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.ranks import separates
from percuss.measure.wording import counted, plural
from percuss.protocols.stressors.estimate.names import BASELINED, METRICS, arm_words, exists
from percuss.protocols.stressors.estimate.sections.shelf import Shelf, figure
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL

__all__ = ["stressing"]

MOST = 40


def stressing(shelf: Shelf) -> Iterator[Section]:
    """Yield effects, the eight arms, changes against baseline, placebos, doses and HDI over trajectories."""
    for part in _parts(shelf):
        yield msgspec.structs.replace(part, chapter="What does each stressor do?")


def _parts(shelf: Shelf) -> Iterator[Section]:
    yield from _effects(shelf)
    yield from _arms(shelf)
    yield from _deltas(shelf)
    yield from _plain(
        shelf,
        "_beyond_placebo",
        "Is it the stressor, or any change of the text?",
        "stressor",
        "Each stressor minus its placebo: a harmless fact dropped, a fact restated, a harmless group later.",
    )
    yield from _plain(
        shelf, "_dose", "Does more of it do more?", "ladder", "Change per step, least squares within a case."
    )
    yield from _hdi(shelf)


def _row(e: Estimate) -> dict[str, Any]:
    return {
        "value": e.value,
        "low": e.low,
        "high": e.high,
        "n": e.n,
        "p": e.p_adjusted,
        "model": e.model,
        "simulated": e.simulated,
    }


def _short(e: Estimate) -> str:
    return e.name.rpartition("_effect")[0].upper() if e.name.endswith("_effect") else e.name


def _effects(shelf: Shelf) -> Iterator[Section]:
    for model in shelf.ordered:
        found = [e for e in shelf.all("_effect", model) if e.value is not None]
        if not found:
            continue
        apart = [e for e in found if separates(e)]
        least = [e.detectable for e in found if e.detectable is not None]
        seen = (
            f" Smallest detectable effects range from {100 * min(least):.0f} to {100 * max(least):.0f} points."
            if least
            else ""
        )
        answer = f"Of {plural(len(found), 'effect')} on {model}, {counted(len(apart))} {'separates' if len(apart) == 1 else 'separate'} from 0 after Holm's correction.{seen}"
        main = [e for e in found if "*" not in e.arm]
        rows = tuple({"what": f"{arm_words(e.arm)}: {_short(e)}", **_row(e)} for e in main)[:MOST]
        chart = Chart(
            kind="forest", rows=rows, x="value", y="what", low="low", high="high", x_title="effect in points", unit="points",
            options={"zero": True}, alt=f"Main effects of omission, contradiction and delay on each metric of {model}.",
        )  # fmt: skip
        yield Section.of("evidence", f"What does each stressor do to {model}?", chart, answer)
        both = [e for e in found if "*" in e.arm]
        rows = tuple({"what": f"{arm_words(e.arm)}: {_short(e)}", **_row(e)} for e in both)[:MOST]
        if rows:
            chart = Chart(
                kind="forest", rows=rows, x="value", y="what", low="low", high="high", x_title="interaction in points",
                unit="points", options={"zero": True}, alt=f"Interactions of the stressors on each metric of {model}.",
            )  # fmt: skip
            yield Section.of("evidence", f"Do stressors act together on {model}?", chart)


def _arms(shelf: Shelf) -> Iterator[Section]:
    """Tables 4 and 5 of the paper: one row an arm, one column a metric, each with its n."""
    for model in shelf.ordered:
        rows = []
        for metric in METRICS:
            q = metric.quantity
            row: dict[str, Any] = {"metric": q.label, "better": q.better}
            for arm in shelf.arms:
                row[arm] = (
                    msgspec.to_builtins(figure(shelf.get(q.name, model, arm))) if exists(metric, arm) else "-"
                )
            rows.append(row)
        columns = (
            Column(key="metric", title="metric"),
            Column(key="better", title="better"),
            *(Column(key=arm, title=arm_words(arm), unit="share", align="right") for arm in shelf.arms),
        )
        note = "A dash: the metric has no denominator in that arm by construction (no gap, no contradiction, or nothing late)."
        yield Section.of(
            "evidence",
            f"Every metric in every arm: {model}",
            Table(columns=columns, rows=tuple(rows), note=note),
        )


def _deltas(shelf: Shelf) -> Iterator[Section]:
    for model in shelf.ordered:
        held = {(e.name, e.arm): e for e in shelf.all("_delta", model) if e.baseline == "baseline"}
        arms = [arm for arm in FACTORIAL[1:] if arm in shelf.arms]
        if not held or not arms:
            continue
        rows = tuple(
            {
                "metric": name.upper(),
                **{arm: msgspec.to_builtins(figure(held.get((f"{name}_delta", arm)))) for arm in arms},
            }
            for name in (*BASELINED, "cfa", "gfa")
        )
        columns = (
            Column(key="metric", title="metric"),
            *(Column(key=arm, title=arm_words(arm), unit="points", align="right") for arm in arms),
        )
        note = "Differences to baseline exist for metrics that baseline has; the others have no gap, contradiction or late result there."
        yield Section.of(
            "evidence", f"Change against no stressor: {model}", Table(columns=columns, rows=rows, note=note)
        )


def _plain(shelf: Shelf, suffix: str, title: str, head: str, note: str) -> Iterator[Section]:
    found = [e for e in shelf.all(suffix) if e.value is not None]
    if not found:
        return
    rows = tuple(
        {
            "model": e.model,
            "metric": e.name.removesuffix(suffix).upper(),
            head: arm_words(e.arm.removeprefix("dose:")),
            "value": msgspec.to_builtins(figure(e)),
            "p": "" if e.p_adjusted is None else f"{e.p_adjusted:.2g}",
            "simulated": e.simulated,
        }
        for e in found
    )
    columns = (
        Column(key="model", title="model"),
        Column(key="metric", title="metric"),
        Column(key=head, title=head),
        Column(key="value", title="difference", unit="points", align="right"),
        Column(key="p", title="p (Holm)", align="right"),
    )
    yield Section.of("evidence", title, Table(columns=columns, rows=rows, note=note))


def _hdi(shelf: Shelf) -> Iterator[Section]:
    rows = tuple(
        {"model": e.model, "hdi": msgspec.to_builtins(figure(e)), "simulated": e.simulated}
        for e in shelf.all("hdi_pooled")
    )
    if rows:
        columns = (
            Column(key="model", title="model"),
            Column(key="hdi", title="HDI", unit="ratio", align="right"),
        )
        note = "1 - (unsupported with the case told) / (unsupported with only the disease named), pooled over turns."
        yield Section.of(
            "evidence",
            "How much of what is made up does the case suppress?",
            Table(columns=columns, rows=rows, note=note),
        )
