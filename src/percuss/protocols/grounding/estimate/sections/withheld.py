"""What leads where the reader carries no headline: what became of each assertion, and what would make an index of it."""

from collections.abc import Iterator

from msgspec.structs import replace

from percuss.core.labels import PEOPLE
from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, PanelRow, Place, Section
from percuss.kit.report.build import row
from percuss.kit.report.context import Report
from percuss.kit.report.panel import lead_strip as kit_lead_strip
from percuss.kit.report.panel import left_out_line as kit_left_out_line
from percuss.kit.report.panel import panel_table as kit_panel_table
from percuss.measure.numbers import figure_of
from percuss.measure.wording import counted, plural
from percuss.protocols.grounding.estimate.asserted import AGAINST, BECAME, SHARE
from percuss.protocols.grounding.estimate.names import arm_words
from percuss.protocols.grounding.estimate.sections.trust import doubt

__all__ = ["became", "lead_strip", "left_out_line", "panel_table", "withheld_sentences"]

NOTHING = "; nothing was left out"
READ = {"supported": "read as supported", AGAINST: "read as unsupported", "undecided": "undecided"}
"""What the panel shows of the assertions -> its title."""


def panel_table(report: Report) -> tuple[tuple[Column, ...], tuple[PanelRow, ...]]:
    """Return the panel: rates and index; where there is no index, what became of the assertions, one row per model and arm."""
    if not doubt(report):
        return kit_panel_table(report)
    if not report.results.has(SHARE.name):
        return _without_index(report)
    heads = (
        Column(key="model", title="model"), Column(key="arm", title="answers"), Column(key="n", title="assertions", align="right"),
        *(Column(key=f"became={name}", title=title, unit="share", align="right") for name, title in READ.items()),
    )  # fmt: skip
    rows = tuple(
        PanelRow(
            label=model, simulated=report.results.is_simulated(model),
            figures={f"became={name}": figure_of(e) for name in READ if (e := _share(report, model, arm, name)) is not None},
            words={"arm": arm_words(arm), "n": _number(report, model, arm)},
        )
        for model in report.ordered for arm in _arms(report)
    )  # fmt: skip
    return heads, rows


def _without_index(report: Report) -> tuple[tuple[Column, ...], tuple[PanelRow, ...]]:
    """The rates alone, where every sentence counts and no assertion is told from the rest (the paper's rule)."""
    heads, rows = kit_panel_table(report)
    index, outline = report.outline.index, report.outline
    off = {column.key for column in outline.words} | ({index.key} if index is not None else set())
    kept = tuple(
        replace(row, figures={key: figure for key, figure in row.figures.items() if key not in off}, words={})
        for row in rows
    )
    return tuple(column for column in heads if column.key not in off), kept


def lead_strip(report: Report) -> Iterator[Section]:
    """Yield the bar of what became of the assertions where there is no index or people labelled them, else the strip of the lead."""
    bars = doubt(report) or report.results.labels in PEOPLE
    yield from (
        became(report, "findings") if bars and report.results.has(SHARE.name) else kit_lead_strip(report)
    )


def became(report: Report, place: Place) -> Iterator[Section]:
    """Yield one bar per model and arm: supported, contradicted, absent, undecided; undecided is never left out of sight.

    Args:
        report: of a scoring. place: the chapter that the bar stands in.
    """
    rows = tuple(
        row(e, who=f"{model}, {arm_words(arm)}", became=name)
        for model in report.ordered for arm in _arms(report) for name in BECAME
        if (e := _share(report, model, arm, name)) is not None and e.value
    )  # fmt: skip
    if rows:
        chart = Chart(
            kind="bars", rows=rows, x="value", y="who", group="became", unit="share", x_title="of all assertions",
            options={"stack": True, "domain": [0.0, 1.0]},
            alt="What became of all assertions of each model in each arm, piled up to a whole. Contradicted and absent are unsupported; "
            "what is called unsupported alone is so without being told which, or is the wrong half of a statement that holds in part.",
        )  # fmt: skip
        yield Section.of(place, "What became of the assertions?", chart)


def left_out_line(report: Report) -> str:
    """Say how much was scored and what was left out; where there is no index, how little one would rest on."""
    line = kit_left_out_line(report)
    if _unread_as_likely(report):
        line = line.removesuffix(NOTHING)
    if not doubt(report):
        return line
    return f"an index would rest on {line.partition('; if all were')[0].removeprefix('scored ')}"


def _unread_as_likely(report: Report) -> bool:
    """Whether something said as likely was left undecided: it is in no claim scored, and left out all the same."""
    found = (
        report.results.get("u_all", model, arm) for model in report.results.models for arm in _arms(report)
    )
    return any(e is not None and sum(e.excluded.values()) for e in found)


def withheld_sentences(report: Report, why: str) -> Iterator[str]:
    """Yield that there is no index and why, and what was read of the first model's assertions.

    Args:
        report: of a scoring. why: in one clause.
    """
    yield f"No index is given: {why}."
    models = report.ordered
    said = [part for arm in _arms(report) if (part := _counts(report, models[0], arm))] if models else []
    if said:
        named = f"{models[0]} (simulated)" if report.results.is_simulated(models[0]) else models[0]
        yield f"In this evaluation {named} made {'; '.join(said)}."


def _counts(report: Report, model: str, arm: str) -> str:
    held = {name: _share(report, model, arm, name) for name in READ}
    known = next((e for e in held.values() if e is not None), None)
    if known is None or not known.n:
        return ""
    n = {name: 0 if e is None or e.value is None else round(e.value * e.n) for name, e in held.items()}
    return (
        f"{plural(known.n, 'assertion')} {arm_words(arm)}: {counted(n['supported'])} read as supported, "
        f"{counted(n[AGAINST])} as unsupported, {counted(n['undecided'])} undecided"
    )


def _number(report: Report, model: str, arm: str) -> str:
    found = next((e for name in READ if (e := _share(report, model, arm, name)) is not None), None)
    return "none" if found is None else counted(found.n)


def _share(report: Report, model: str, arm: str, name: str) -> Estimate | None:
    return report.results.get(SHARE.name, model, arm, stratum=f"became={name}")


def _arms(report: Report) -> list[str]:
    results = report.results
    return [arm for arm in (results.arm, results.baseline) if arm in results.arms]
