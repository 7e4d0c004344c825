"""Is the instrument in order: what was planted in simulated models against what was measured; nothing else of them is shown."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.kit.report.build import cell, number, share, table, text
from percuss.kit.report.context import Report
from percuss.measure.numbers import point, written
from percuss.measure.wording import counted, plural

__all__ = ["instrument", "instrument_lines", "planted_rows"]

MOST = 60
NOTE = (
    "Simulated models with a known behaviour run through the same questions, rules and counts. A measured interval at the 95% "
    "level misses the planted value about once in twenty; many misses mean that the instrument, not a model, is at fault."
)
_KEY = re.compile(r"^(?P<name>[^\[]+)(?:\[(?P<arm>[^\]]*)\])?$")


def instrument(report: Report) -> Iterator[Section]:
    """Yield planted against measured for every simulated model; nothing where there is none."""
    rows = planted_rows(report)
    if not rows:
        return
    heads = (
        text("model", "simulated model"), text("what", "number"), text("arm"), share("planted", "planted"),
        share("measured", "measured"), text("holds", "planted value in the interval"), number("n"),
    )  # fmt: skip
    more = (
        f" {counted(len(rows) - MOST)} further rows are in the exported estimates."
        if len(rows) > MOST
        else ""
    )
    yield table(
        "instrument",
        "Is the instrument in order?",
        heads,
        rows[:MOST],
        note=NOTE + more,
        answer=_answer(rows),
    )


def planted_rows(report: Report) -> list[dict[str, Any]]:
    """Return one row a planted number that was measured, misses first; a model of which nothing is known shows its lead."""
    results, rows = report.results, []
    known: Mapping[str, Mapping[str, float]] = results.manifest.get("planted", {})
    for model in results.simulated:
        planted = dict(known.get(model, {}))
        found = [
            (value, e) for key, value in planted.items() if (e := _measured(report, model, key)) is not None
        ]
        if not found:
            lead = report.value(report.outline.index or report.outline.lead, model)
            found = [(None, lead)] if lead is not None else []  # type: ignore[list-item]
        rows += [_row(report, e, value) for value, e in found]
    first = {report.outline.lead.name, (report.outline.index or report.outline.lead).name}
    return sorted(rows, key=lambda one: (one["holds"] != "no", one["name"] not in first))


def _measured(report: Report, model: str, key: str) -> Estimate | None:
    match = _KEY.match(key)
    return None if match is None else report.results.get(match["name"], model, match["arm"] or None)


def _row(report: Report, e: Estimate, planted: float | None) -> dict[str, Any]:
    holds = ""
    if planted is not None:
        inside = (e.low is None or e.low <= planted) and (e.high is None or planted <= e.high)
        holds = "no interval" if e.low is None and e.high is None else "yes" if inside else "no"
    return {
        "model": e.model, "name": e.name, "what": e.label or e.name, "arm": report.arm_words(e.arm),
        "planted": "not recorded" if planted is None else point(planted, e.unit), "measured": cell(e), "holds": holds,
        "n": e.n, "simulated": True,
    }  # fmt: skip


def _answer(rows: list[dict[str, Any]]) -> str:
    judged = [one for one in rows if one["holds"] in {"yes", "no"}]
    if not judged:
        return "What was planted is not recorded in this run, so it shows what was measured alone."
    held = sum(one["holds"] == "yes" for one in judged)
    return f"Of {plural(len(judged), 'planted number')} {counted(held)} {'lies' if held == 1 else 'lie'} in the measured interval."


def instrument_lines(report: Report) -> Iterator[str]:
    """Yield the panel's one sentence on simulated models that stand beside real ones."""
    results = report.results
    if results.only_simulated or not results.simulated:
        return
    lead = report.outline.index or report.outline.lead
    for model in results.simulated:
        e = report.value(lead, model)
        planted = results.manifest.get("planted", {}).get(model, {})
        value = planted.get(lead.name, planted.get(f"{lead.name}[{lead.arm}]"))
        if e is not None:
            said = "" if value is None else f"planted {point(value, lead.unit)}, "
            yield f"~ {model}: simulated, {lead.words} {said}measured {written(e)}"
