"""Does the evidence help: patient by patient, depth by depth, and rank by rank."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.labels import PEOPLE
from percuss.core.records import Case
from percuss.core.sections import Chart, Column, Section
from percuss.kit.report.build import cell, row, share, table, text
from percuss.kit.report.collecting import default_collectors
from percuss.kit.report.context import Report, Told
from percuss.measure.numbers import p_value, written
from percuss.measure.ranks import separates
from percuss.protocols.grounding.estimate.names import DEPTHS, arm_words
from percuss.protocols.grounding.estimate.readings import BY_ENTAILMENT
from percuss.protocols.grounding.estimate.sections.trust import doubt
from percuss.protocols.grounding.estimate.sections.withheld import became
from percuss.protocols.grounding.estimate.word import REPEATS
from percuss.protocols.grounding.twins import DONORS, NEAREST

__all__ = ["collectors", "evidence"]

EXTRAS = {
    "overlap_80": "overlap at 0.80", "overlap_chance_80": "with other cases", "overlap_excess_80": "beyond chance",
    "overlap_entailed": "overlap by entailment", "overlap_chance_entailed": "entailed by other cases", "overlap_excess_entailed": "entailed beyond chance",
    "overlap_placed": "overlap at the placed threshold", "overlap_excess_placed": "beyond chance, placed threshold",
    "max_sim": "closest claim, cosine", "hdi_given": "HDI against what was shown",
    "matches_unseen": "right unseen", "matches_unseen_excess": "right unseen beyond chance", "follow_rate": "follows what it is shown", "memorisation_lift": "memorisation lift",
    "identifier_effect": "effect of the identifier",
}  # fmt: skip


def foremost(report: Report) -> str | None:
    """Return the model whose cases are drawn one by one: the first with an HDI, in the panel's order."""
    return next((m for m in report.ordered if report.results.get("hdi_pooled", m) is not None), None)


def collectors(report: Report) -> Mapping[str, Any]:
    """Return the kit's collectors, and the rates of one model case by case."""
    return {**default_collectors(report), "by_case": ByCase(report)}


class ByCase:
    """Takes part in the walk: unsupported claims of one model, case by case, in the two arms that HDI compares.

    Args:
        report: names the model and the arms.
    """

    def __init__(self, report: Report) -> None:
        self._model = foremost(report)
        self._arms = (report.results.arm, report.results.baseline)
        self.rates: dict[str, dict[str, list[int]]] = {}

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        for told in answers:
            response = told.scored.response
            if response.model == self._model and response.arm in self._arms:
                held = self.rates.setdefault(case.id, {}).setdefault(response.arm, [0, 0])
                held[0] += sum(entry.unsupported for entry in told.entries)
                held[1] += sum(entry.label is not None for entry in told.entries)


def evidence(report: Report) -> Iterator[Section]:
    """Yield what became of every assertion, a dumbbell per patient, the depth curve, HDI by depth, the slope of ranks, overlap and memory.

    Where the reader carries no headline, what became of the assertions leads the report, and nothing is drawn of an index.
    """
    if doubt(report):
        yield from _extra(report, [name for name in EXTRAS if name != "hdi_given"])
        return
    if report.results.labels not in PEOPLE:
        yield from became(report, "evidence")
    model, depths = foremost(report), [arm for arm in DEPTHS if arm in report.results.arms]
    if model is None:
        return
    delta = report.results.get("delta_u", model)
    answer = "" if delta is None or delta.value is None else (
        f"With the evidence, {model}'s unsupported claims fall by {written(delta)}; a fall below 0 is a rise."
    )  # fmt: skip
    yield Section.of("evidence", f"Case by case: {model}", _dumbbell(report, model), answer)
    if len(depths) > 1:
        yield Section.of("evidence", "Does more evidence help more?", _depths(report))
        yield _depth_table(report, depths)
    if len(report.results.models) > 1:
        yield Section.of("evidence", "Do support and HDI put the models in one order?", _slope(report))
    yield from _extra(report, list(EXTRAS))


def _dumbbell(report: Report, model: str) -> Chart:
    rates: Mapping[str, Mapping[str, Sequence[int]]] = report.collected["by_case"].rates
    arm, baseline = report.results.arm, report.results.baseline
    rows = tuple(
        {
            "case": case, "without": held[baseline][0] / held[baseline][1], "with": held[arm][0] / held[arm][1],
            "simulated": report.results.is_simulated(model),
        }
        for case, held in rates.items() if all(at in held and held[at][1] for at in (arm, baseline))
    )  # fmt: skip
    return Chart(
        kind="dumbbell", rows=rows, x="with", y="case", x_title="unsupported claims", unit="share",
        options={"connect": ["without", "with"], "names": ["without evidence", "with evidence"]},
        alt=f"Unsupported claims of {model} without and with evidence, one line a case.",
    )  # fmt: skip


def _depths(report: Report) -> Chart:
    arms = [arm for arm in (report.results.baseline, *DEPTHS) if arm in report.results.arms]
    rows = tuple(
        row(e, arm=arm_words(arm), model=model)
        for model in report.ordered for arm in arms
        if (e := report.results.get("unsupported_rate", model, arm)) is not None and e.value is not None
    )  # fmt: skip
    return Chart(
        kind="curve", rows=rows, x="arm", y="value", low="low", high="high", group="model", y_title="unsupported claims",
        unit="share", options={"order": [arm_words(arm) for arm in arms]},
        alt="Unsupported claims from no evidence to all of it, one line a model, with bands.",
    )  # fmt: skip


def _depth_table(report: Report, depths: Sequence[str]) -> Section:
    results = report.results
    rows = [
        {
            "model": model, "simulated": results.is_simulated(model),
            **{arm: cell(results.get("hdi_pooled", model, arm)) for arm in depths},
            **{f"{arm}:s": cell(results.get("supported_rate", model, arm)) for arm in depths},
        }
        for model in report.ordered
    ]  # fmt: skip
    heads: list[Column] = [text("model")]
    for arm in depths:
        heads += [
            share(arm, f"HDI {arm_words(arm)}", "ratio"),
            share(f"{arm}:s", f"supported {arm_words(arm)}"),
        ]
    return table("evidence", "HDI by depth of evidence", heads, rows)


def _slope(report: Report) -> Chart:
    results, names = report.results, ("by support with evidence", "by HDI")
    apart = {frozenset((e.model, e.versus)) for e in results.pairs("hdi_pooled", results.arm) if separates(e)}
    rows: list[dict[str, Any]] = []
    for side, name in zip(names, ("supported_rate", "hdi_pooled"), strict=True):
        found = results.ordered(name, lower_first=False)
        order = [m for m in found if (e := results.get(name, m)) is not None and e.value is not None]
        for rank, model in enumerate(order, start=1):
            alone = all(frozenset((model, other)) not in apart for other in order if other != model)
            rows.append(
                {
                    "side": side,
                    "rank": rank,
                    "model": model,
                    "quiet": alone,
                    "simulated": results.is_simulated(model),
                }
            )
    return Chart(
        kind="slope", rows=tuple(rows), x="side", y="rank", group="model", y_title="rank", unit="count",
        options={"order": list(names), "quiet": "quiet"},
        alt="Rank of each model by supported claims with evidence and by HDI.",
    )  # fmt: skip


def _extra(report: Report, names: Sequence[str]) -> Iterator[Section]:
    results = report.results
    held = {name: EXTRAS[name] for name in names if results.has(name)}
    if not held:
        return
    rows = []
    for model in report.ordered:
        found = {name: next(results.all(name, model=model), None) for name in held}
        lift = found.get("memorisation_lift")
        p = {"p": p_value(lift.p)} if lift is not None and lift.p is not None else {}
        rows.append(
            {
                "model": model,
                "simulated": results.is_simulated(model),
                **{n: cell(e) for n, e in found.items()},
                **p,
            }
        )
    heads = [text("model"), *(share(name, title) for name, title in held.items())]
    if "memorisation_lift" in held:
        heads.append(text("p", "p of the lift"))
    notes = [_repeats(report)]
    if "memorisation_lift" in held:
        notes.append("p of the memorisation lift: permutation of records, one-sided.")
    note = " ".join(filter(None, notes))
    yield table("evidence", "Does the model repeat itself, remember, or follow?", heads, rows, note=note)


def _repeats(report: Report) -> str:
    """Say by what two claims count as the same: entailment where a verifier read it, else the placed threshold; "" for neither."""
    read = next(report.results.all(BY_ENTAILMENT), None)
    if read is not None:
        return (
            f"'{REPEATS}' is read by entailment in both directions ({read.labels}; of each claim the {NEAREST} closest are asked, "
            f"chance is over {DONORS} other cases)."
        )
    if report.results.has("overlap_placed"):
        return (
            f"'{REPEATS}' is read at the threshold placed for the embedder, for no verifier read entailment."
        )
    return ""
