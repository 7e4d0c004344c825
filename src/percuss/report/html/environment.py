"""The Jinja environment: everything is escaped, control characters are made visible, nothing is undefined."""

import json
from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup

from percuss.core.sections import Chart
from percuss.measure.numbers import count, figure, show, spread
from percuss.report.charts import alt, drawn_as, to_spec
from percuss.report.charts.cells import matrix_table
from percuss.report.charts.drawing import drawing, saved_rows
from percuss.report.charts.intervals import interval_chart
from percuss.report.charts.spans import flows
from percuss.report.grid import cell_text, grid_of
from percuss.report.html.assets import hatch_defs
from percuss.report.text import slug, visible

__all__ = ["environment", "prose"]


@cache
def environment() -> jinja2.Environment:
    """Return the environment of all templates of this folder."""
    loader = jinja2.PackageLoader("percuss.report.html", "templates")
    env = jinja2.Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    env.filters |= {
        "alt": alt,
        "cell": cell_text,
        "count": count,
        "drawing": _drawing,
        "drawn_as": drawn_as,
        "figure": figure,
        "flow": flows,
        "grid": grid_of,
        "intervals": interval_chart,
        "matrix": matrix_table,
        "prose": prose,
        "show": show,
        "slug": slug,
        "spec_json": _spec,
        "spread": spread,
    }
    return env


def _finalize(value: Any) -> Any:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value)


def _spec(chart: Chart) -> Markup:
    """Return a chart's specification as JSON that cannot end its script element."""
    made = to_spec(chart) if drawn_as(chart) == "vega" else saved_rows(chart)
    text = json.dumps(made, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no "<" is left


def _drawing(chart: Chart) -> Markup:
    """Return a chart as an SVG that stands in a script element until it is saved."""
    return Markup(drawing(chart, hatch_defs()))  # noqa: S704 - every text of it is escaped


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    # raw HTML is shown as text, javascript: links are refused by the parser, and an image would be a request
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def prose(markdown: str) -> Markup:
    """Return Markdown as HTML without raw HTML, images or script links."""
    return Markup(_markdown().render(visible(markdown)))  # noqa: S704 - the parser escapes
