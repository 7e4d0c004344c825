"""Section 3: does the evidence help: patient by patient, depth by depth, and rank by rank."""

from collections.abc import Iterator, Mapping, Sequence

from percuss.core.ports import ScoredResponse
from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.wording import estimate_words
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import DEPTHS, arm_words
from percuss.protocols.grounding.estimate.sections.findings import ordered
from percuss.protocols.grounding.estimate.sections.shelf import Shelf, cell

__all__ = ["ByCase", "evidence", "foremost"]


def foremost(shelf: Shelf) -> str | None:
    """Return the model whose cases are drawn one by one: the first with an HDI, in the panel's order."""
    return next((m for m in ordered(shelf) if shelf.get("hdi_pooled", m) is not None), None)


def evidence(shelf: Shelf, by_case: "ByCase") -> Iterator[Section]:
    """Yield a dumbbell per patient, the depth curve, HDI by depth, the slope of ranks, overlap and memory."""
    model = foremost(shelf)
    if model is None:
        return
    yield Section.of(
        "evidence", f"Case by case: {model}", _dumbbell(shelf, model, by_case.rates), _answer(shelf, model)
    )
    if len([arm for arm in DEPTHS if arm in shelf.arms]) > 1:
        yield Section.of("evidence", "Does more evidence help more?", _depths(shelf))
        yield Section.of("evidence", "HDI by depth of evidence", _depth_table(shelf))
    if len(shelf.models) > 1:
        yield Section.of("evidence", "Do support and HDI put the models in one order?", _slope(shelf))
    yield from _extra(shelf)


def _answer(shelf: Shelf, model: str) -> str:
    delta = shelf.get("delta_u", model)
    if delta is None or delta.value is None:
        return ""
    return f"With the evidence, {model}'s unsupported claims fall by {estimate_words(delta)}; a fall below 0 is a rise."


class ByCase:
    """Unsupported claims of one model, case by case, in the two arms that HDI compares.

    Args:
        shelf: names the arms.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.arms = (shelf.arm, shelf.baseline)
        self.rates: dict[str, dict[str, list[int]]] = {}

    def add(self, assessed: ScoredResponse, labelled: Sequence[Labelled]) -> None:
        """Count one answer.

        Args:
            assessed: of the model. labelled: the headline's labels, one a claim.
        """
        if assessed.response.arm not in self.arms:
            return
        scored = [entry for entry in labelled if entry.label is not None]
        held = self.rates.setdefault(assessed.case.id, {}).setdefault(assessed.response.arm, [0, 0])
        held[0] += sum(entry.unsupported for entry in scored)
        held[1] += len(scored)


def _dumbbell(shelf: Shelf, model: str, rates: Mapping[str, dict[str, list[int]]]) -> Chart:
    rows = tuple(
        {
            "case": case,
            "without": held[shelf.baseline][0] / held[shelf.baseline][1],
            "with": held[shelf.arm][0] / held[shelf.arm][1],
            "simulated": model in shelf.simulated,
        }
        for case, held in rates.items()
        if all(arm in held and held[arm][1] for arm in (shelf.arm, shelf.baseline))
    )
    return Chart(
        kind="dumbbell",
        rows=rows,
        x="with",
        y="case",
        x_title="unsupported claims",
        unit="share",
        options={"connect": ["without", "with"], "names": ["without evidence", "with evidence"]},
        alt=f"Unsupported claims of {model} without and with evidence, one line a case.",
    )


def _depths(shelf: Shelf) -> Chart:
    arms = [arm for arm in (shelf.baseline, *DEPTHS) if arm in shelf.arms]
    rows = tuple(
        {
            "arm": arm_words(arm),
            "model": model,
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "n": e.n,
            "simulated": e.simulated,
        }
        for model in ordered(shelf)
        for arm in arms
        if (e := shelf.get("unsupported_rate", model, arm)) is not None and e.value is not None
    )
    return Chart(
        kind="curve",
        rows=rows,
        x="arm",
        y="value",
        low="low",
        high="high",
        group="model",
        y_title="unsupported claims",
        unit="share",
        options={"order": [arm_words(arm) for arm in arms]},
        alt="Unsupported claims from no evidence to all of it, one line a model, with bands.",
    )


def _depth_table(shelf: Shelf) -> Table:
    depths = [arm for arm in DEPTHS if arm in shelf.arms]
    rows = []
    for model in ordered(shelf):
        row: dict[str, object] = {"model": model, "simulated": model in shelf.simulated}
        for arm in depths:
            hdi, supported = shelf.get("hdi_pooled", model, arm), shelf.get("supported_rate", model, arm)
            row[arm], row[f"{arm}:s"] = cell(hdi), cell(supported)
        rows.append(row)
    columns = [Column(key="model", title="model")]
    for arm in depths:
        columns.append(Column(key=arm, title=f"HDI {arm_words(arm)}", align="right"))
        columns.append(Column(key=f"{arm}:s", title=f"supported {arm_words(arm)}", align="right"))
    return Table(columns=tuple(columns), rows=tuple(rows))


def _slope(shelf: Shelf) -> Chart:
    names = ("by support with evidence", "by HDI")
    orders = []
    for name in ("supported_rate", "hdi_pooled"):
        values = {
            m: e.value for m in shelf.models if (e := shelf.get(name, m)) is not None and e.value is not None
        }
        orders.append(sorted(values, key=lambda m: -values[m]))
    apart = {
        frozenset((e.model, e.versus))
        for e in shelf.pairs("hdi_pooled_difference")
        if (e.p_adjusted or 1) <= 0.05
    }
    rows = []
    for name, order in zip(names, orders, strict=True):
        for rank, model in enumerate(order, start=1):
            alone = all(frozenset((model, other)) not in apart for other in order if other != model)
            rows.append(
                {
                    "side": name,
                    "rank": rank,
                    "model": model,
                    "quiet": alone,
                    "simulated": model in shelf.simulated,
                }
            )
    return Chart(
        kind="slope",
        rows=tuple(rows),
        x="side",
        y="rank",
        group="model",
        y_title="rank",
        unit="count",
        options={"order": list(names), "quiet": "quiet"},
        alt="Rank of each model by supported claims with evidence and by HDI.",
    )


def _extra(shelf: Shelf) -> Iterator[Section]:
    wanted = (
        ("overlap_80", "overlap at 0.80"),
        ("overlap_chance_80", "with other cases"),
        ("overlap_excess_80", "beyond chance"),
        ("max_sim", "closest claim, cosine"),
        ("follow_rate", "follows what it is shown"),
        ("memorisation_lift", "memorisation lift"),
        ("identifier_effect", "effect of the identifier"),
    )
    held = [(name, title) for name, title in wanted if any(e.name == name for e in shelf.estimates)]
    if not held:
        return
    rows = []
    for model in ordered(shelf):
        row: dict[str, object] = {"model": model, "simulated": model in shelf.simulated}
        for name, _ in held:
            e = next(shelf.all(name, model=model, labels="any"), None)
            row[name] = cell(e)
            if name == "memorisation_lift":
                row["p"] = None if e is None or e.p is None else e.p
        rows.append(row)
    columns = [Column(key="model", title="model"), *(Column(key=n, title=t, align="right") for n, t in held)]
    if any(name == "memorisation_lift" for name, _ in held):
        columns.append(Column(key="p", title="p of the lift", align="right"))
    yield Section.of(
        "evidence",
        "Does the model repeat itself, remember, or follow?",
        Table(
            columns=tuple(columns),
            rows=tuple(rows),
            note="p of the memorisation lift: permutation of records, one-sided.",
        ),
    )
