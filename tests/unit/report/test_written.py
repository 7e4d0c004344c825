"""What is drawn and written, to the letter: places, lengths, labels, order, and each sentence of every form of a report.

The goldens lie in goldens/. After a change that is meant, `PERCUSS_WRITE_GOLDENS=1 pytest tests/unit/report/test_written.py`
writes them anew; read the difference before committing it.
"""

import io
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Figure, Panel, PanelRow, Prose, Section, Table
from percuss.report import (
    render_csv,
    render_html,
    render_junit,
    render_latex,
    render_markdown,
    render_picture,
    render_terminal,
)
from percuss.report.charts import alt, drawn_as, to_spec
from percuss.report.charts.drawing import drawing, saved_rows
from percuss.report.fragment import render_fragment, rows_fragment
from percuss.report.grid import grid_of
from percuss.report.methods import facts, methods
from tests import reports
from tests.unit.report.drawn import CORNERS, EVERY

GOLDENS = Path(__file__).with_name("goldens")
BARE: dict[str, Any] = {
    "protocol": "echo", "protocol_version": "1-0", "percuss": "0.1.0", "epochs": 3, "hosts": [], "seed": 7,
    "paper": {"title": "A paper"}, "cases": {"count": 1200, "source": "own.csv"}, "started": "2026-03-01T09:00:00Z",
    "models": [{"id": "phantom/liar", "simulated": True}], "policy": {"top_p": 0.9, "max_tokens": None},
    "judge": {"id": "openai/judge", "passes": 3, "policy": "majority", "people": True}, "flags": ["Prompts differ."],
    "arms": [{"name": "bare"}, {"name": "full", "words": "all of it"}], "facts": {"kept": 3},
    "selftest": {"rows": [{"phantom": "liar", "planted": 0.5}], "note": "One seed."},
    "primary": {"estimate": "wrong", "arms": ["full", "bare"]},
}  # fmt: skip
"""A manifest that says other things than that of `tests.reports`."""
PANEL = Panel(
    columns=(
        Column(key="model", title="model"),
        Column(key="wrong", title="wrong answers of all that were given"),
        Column(key="seen", title="seen", unit="count"),
    ),
    rows=(
        PanelRow(label="a/a-long-name-that-needs-more-than-one-line-of-its-column", figures={"wrong": Figure(value=0.25, low=0.1, high=0.4, n=8)}),
        PanelRow(label="b/two", words={"wrong": "was not asked"}, simulated=True),
        PanelRow(label="c/three", figures={"wrong": Figure(undefined="nothing was claimed"), "seen": Figure(value=12, unit="count")}),
        PanelRow(label="d/four", words={"all": "every answer was refused"}),
    ),
    lines=("6 of 12 answers were refused.", "a and b are not separable."),
)  # fmt: skip
FORMS = ("html", "markdown", "latex", "picture", "terminal", "narrow", "facts")


def held(name: str, said: str) -> None:
    """Hold a text against its golden."""
    file = GOLDENS / name
    if os.environ.get("PERCUSS_WRITE_GOLDENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(said, encoding="utf-8", newline="\n")
    assert said == file.read_text(encoding="utf-8"), f"{name} reads otherwise; see the head of {__file__}"


def lines(value: Any) -> str:
    """Return JSON with one short piece a line, so that a difference can be read."""
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)


def said_of(chart: Chart) -> str:
    """Return all that is drawn and told of a chart, numbers rounded to what a pixel can show."""
    grid = grid_of(chart)
    told = [alt(chart), *(repr((row.cells, row.simulated)) for row in (grid.rows if grid else ()))]
    if drawn_as(chart) == "vega":
        spec = to_spec(chart)
        values = spec["data"].pop("values")
        spec.pop("config")
        body = [lines(_rounded(spec)), *(json.dumps(_rounded(row), sort_keys=True) for row in values)]
    else:
        body = [drawing(chart, "<defs/>").replace("><", ">\n<"), lines(_rounded(saved_rows(chart)))]
    return "\n".join([*told, *body]) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return round(value, 6) if isinstance(value, float) else value


@pytest.mark.parametrize("name", EVERY)
def test_a_chart_is_drawn_as_it_was(name: str) -> None:
    held(f"{re.sub('[^a-z]+', '-', name)}.txt", said_of(EVERY[name]))


def test_the_look_of_all_charts_is_said_once() -> None:
    specs = [to_spec(chart) for chart in EVERY.values() if drawn_as(chart) == "vega"]
    held("config.txt", lines(specs[0]["config"]) + "\n")
    assert all(spec["config"] == specs[0]["config"] for spec in specs)


def corners() -> list[Section]:
    """Return a panel and a chart of each form, a table and prose."""
    return [
        Section.of("findings", "What did we find?", PANEL, answer="a is wrong less often."),
        Section.of("findings", "Labels", CORNERS["bars piled"]),
        Section.of("differences", "Which differ?", CORNERS["forest"], chapter="Who differs?"),
        Section.of("where", "Where?", CORNERS["strip by arm"]),
        Section.of("left_out", "From asked to scored", CORNERS["flow"]),
        Section.of("left_out", "Pairs", CORNERS["matrix of numbers"], answer="None."),
        Section.of("how", "Counts", Table(columns=(Column(key="n", title="n", unit="count", align="right"),), rows=({"n": 1234}, {"n": None}), note="A note.")),
        Section.of("how", "In words", Prose(markdown="**Bold** | and\n\n> quoted\n")),
    ]  # fmt: skip


DOCUMENTS: dict[str, tuple[dict[str, Any], list[Estimate], Any]] = {
    "report": (reports.MANIFEST, reports.estimates(), reports.sections),
    "corners": (BARE, reports.estimates()[:3], corners),
}


def written(form: str, document: str, folder: Path, *, no_text: bool = False) -> str:
    """Return a document in one form; scripts and style sheets of a page are left out."""
    manifest, estimates, sections = DOCUMENTS[document]
    if form == "html":
        out = folder / "report.html"
        render_html("A title", manifest, estimates, sections(), no_text=no_text, out=out)
        page = re.sub(
            r"<(script|style)\b([^>]*)>.*?</\1>", r"<\1>", out.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        return re.sub(r'(?:sha256-[^\']*|content="[^"]*sha256[^"]*")', "..", page)
    if form in {"markdown", "latex"}:
        render = render_markdown if form == "markdown" else render_latex
        return render("A title", manifest, estimates, sections(), no_text=no_text)
    if form == "picture":
        return render_picture(manifest, sections(), dark=no_text)
    if form == "facts":
        said = [methods(manifest, estimates), *(f"{name}: {value}" for name, value in facts(manifest))]
        return "\n".join([*said, render_fragment("A title", manifest, estimates, sections())]) + "\n"
    file = io.StringIO()
    width = 60 if form == "narrow" else 100
    render_terminal("A title", manifest, estimates, sections(), no_text=no_text, full=form == "terminal", file=file, width=width)  # fmt: skip
    return file.getvalue()


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("form", FORMS)
def test_a_report_says_what_it_said(form: str, document: str, tmp_path: Path) -> None:
    held(f"{document}.{form}.txt", written(form, document, tmp_path))


@pytest.mark.parametrize("form", ["html", "markdown", "latex", "picture", "terminal"])
def test_a_report_without_text_says_what_it_said(form: str, tmp_path: Path) -> None:
    held(f"aggregates.{form}.txt", written(form, "report", tmp_path, no_text=True))


def test_tables_for_machines_say_what_they_said() -> None:
    gates = [{"text": "wrong < 0.1", "state": "fail", "message": "0.2"}, {"text": "n > 3", "state": "pass", "message": ""}]  # fmt: skip
    estimates = reports.estimates()
    held("estimates.csv", render_csv(estimates).replace("\r\n", "\n"))
    held("estimates.few.csv", render_csv(estimates, no_text=True).replace("\r\n", "\n"))
    held("junit.xml", render_junit("A title", reports.MANIFEST, estimates, gates).replace("><", ">\n<"))
    held("rows.html", rows_fragment([{"one": 1, "two": "a<b"}, {"one": None, "two": 0.25}], "rows"))
