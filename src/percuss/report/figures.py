"""Charts as files for a paper: the report's own specifications as SVG, PDF or both."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from percuss.core.errors import RunError, UsageError
from percuss.core.sections import Chart, Section
from percuss.report.aggregates import without_text
from percuss.report.charts import drawn_as, to_spec
from percuss.report.charts.drawing import drawing
from percuss.report.html.assets import hatch_defs
from percuss.report.text import slug

__all__ = ["write_figures"]

_WIDTH_PX = 620
_FORMATS = ("svg", "pdf")


def write_figures(
    sections: Iterable[Section], folder: Path, *, formats: Sequence[str] = _FORMATS, no_text: bool = False
) -> list[Path]:
    """Write each chart of a report as `<place>-<number>-<title>.svg` and `.pdf`.

    Args:
        sections: in the protocol's order; what isn't a chart is passed over.
        folder: made where it doesn't exist.
        formats: `svg`, `pdf` or both.
        no_text: hide rows of fewer than eleven cases.

    Raises:
        UsageError: a format that isn't known, or the extra `plots` isn't installed.
        RunError: the folder cannot be written.
    """
    unknown = set(formats) - set(_FORMATS)
    if unknown:
        raise UsageError(f"got the figure format {min(unknown)!r}, expected svg or pdf")
    converter = _converter()
    written = []
    charts = ((s, record) for s in sections if s.kind == "chart" and isinstance(record := s.record, Chart))
    for number, (section, chart) in enumerate(charts, 1):
        shown = without_text(chart) if no_text else chart
        assert isinstance(shown, Chart)
        if not shown.rows:
            continue
        svg = _svg(converter, shown)
        name = f"{section.place}-{number}-{slug(section.title)[:60]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for form in formats:
                path = folder / f"{name}.{form}"
                path.write_bytes(svg.encode() if form == "svg" else converter.svg_to_pdf(svg))
                written.append(path)
        except OSError as error:
            raise RunError(
                f"cannot write figures to {folder}: {error.strerror}; name a writable folder"
            ) from error
    return written


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise UsageError("figures need the extra `plots`; pip install 'percuss[plots]'") from error
    return vl_convert


def _svg(converter: Any, chart: Chart) -> str:
    """Return a chart as SVG with the hatching that its fills refer to."""
    if drawn_as(chart) != "vega":
        return drawing(chart, hatch_defs(), width=_WIDTH_PX)
    spec = to_spec(chart, width=None if chart.facet else _WIDTH_PX) | {"background": "#FFFFFF"}
    svg: str = converter.vegalite_to_svg(spec)
    head, bracket, rest = svg.partition(">")
    return f"{head}{bracket}<defs>{hatch_defs()}</defs>{rest}"
