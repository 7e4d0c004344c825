"""Does the condition matter: the number that leads, in every arm."""

from collections.abc import Iterator

from percuss.core.sections import Section
from percuss.kit.report.build import dots, row
from percuss.kit.report.context import Report

__all__ = ["evidence"]


def evidence(report: Report) -> Iterator[Section]:
    """Yield one chart: the lead of every model in every arm, where there are two arms."""
    results, lead = report.results, report.outline.lead
    rows = [
        row(e, arm=report.arm_words(arm), model=model)
        for arm in results.arms
        for model in report.ordered
        if (e := results.get(lead.name, model, arm)) is not None and e.value is not None
    ]
    if len({one["arm"] for one in rows}) > 1:
        alt = f"{lead.title[0].upper()}{lead.title[1:]} in every arm, per model, with intervals."
        order = list(dict.fromkeys(one["arm"] for one in rows))
        yield dots("evidence", f"{lead.title[0].upper()}{lead.title[1:]}, arm by arm", rows, x="value", y="arm", group="model", x_title=lead.title, alt=alt, unit=lead.unit, order=order)  # fmt: skip
