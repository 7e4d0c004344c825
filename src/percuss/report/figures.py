"""Charts as files for a paper: the report's own specifications at the widths of a journal's columns, as SVG, PDF and PNG."""

import re
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

__all__ = ["WIDTHS_MM", "write_figures"]

WIDTHS_MM = (84, 174)
"""One column of a journal's page, and two."""
DPI = 300
"""Dots per inch of a PNG, which journals ask for."""
_PX_PER_MM = 96 / 25.4
_POINTS_PER_PX = 72 / 96
_NARROW = 400
"""Pixels below which small multiples stand below each other."""
_LEAST = 90
"""Pixels that the plot itself keeps; where names leave it fewer, the whole figure is made smaller."""
_TRIES = 4
_TURNED = {"labelAngle": -40, "labelAlign": "right", "labelLimit": 190}
_ABREAST = 2
_FORMATS = ("svg", "pdf", "png")
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def write_figures(
    sections: Iterable[Section], folder: Path, *, formats: Sequence[str] = _FORMATS, no_text: bool = False
) -> list[Path]:
    """Write each chart of a report as `<place>-<number>-<title>-84mm.svg`, `.pdf` and `.png`, and the same at 174 mm.

    Args:
        sections: in the protocol's order; what isn't a chart is passed over.
        folder: made where it doesn't exist.
        formats: of `svg`, `pdf` and `png` (300 dots per inch).
        no_text: hide rows of fewer than eleven cases.

    Raises:
        UsageError: a format that isn't known, or the extra `plots` isn't installed.
        RunError: the folder cannot be written.
    """
    unknown = set(formats) - set(_FORMATS)
    if unknown:
        raise UsageError(f"got the figure format {min(unknown)!r}, expected svg, pdf or png")
    converter = _converter()
    written = []
    charts = ((s, record) for s in sections if s.kind == "chart" and isinstance(record := s.record, Chart))
    for number, (section, chart) in enumerate(charts, 1):
        shown = without_text(chart) if no_text else chart
        assert isinstance(shown, Chart)
        if not shown.rows:
            continue
        name = f"{section.place}-{number}-{slug(section.title)[:60]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for mm in WIDTHS_MM:
                svg = _svg(converter, shown, mm)
                for form in formats:
                    path = folder / f"{name}-{mm}mm.{form}"
                    path.write_bytes(_as(converter, svg, form, mm))
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


def _as(converter: Any, svg: str, form: str, mm: int) -> bytes:
    """Return a figure in a form; an SVG says its size in millimetres."""
    made: bytes
    width, height = _size(svg)
    if form == "pdf":  # whose unit is the point
        made = converter.svg_to_pdf(
            _resized(svg, f"{width * _POINTS_PER_PX:.2f}", f"{height * _POINTS_PER_PX:.2f}")
        )
    elif form == "png":
        made = converter.svg_to_png(svg, scale=_POINTS_PER_PX, ppi=DPI)
    else:
        made = _resized(svg, f"{mm}mm", f"{height / width * mm:.2f}mm").encode()
    return made


def _resized(svg: str, width: str, height: str) -> str:
    return _SIZE.sub(f'width="{width}" height="{height}"', svg, count=1)


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    assert found is not None
    return float(found[1]), float(found[2])


def _svg(converter: Any, chart: Chart, mm: int) -> str:
    """Return a chart of a width as SVG with the hatching that its fills refer to."""
    width = mm * _PX_PER_MM
    if drawn_as(chart) != "vega":
        return drawing(chart, hatch_defs(), width=width)
    svg = _fitted(converter, chart, width)
    made, high = _size(svg)
    svg = _resized(svg, f"{width:.2f}", f"{high * width / made:.2f}")
    head, bracket, rest = svg.partition(">")
    return f"{head}{bracket}<defs>{hatch_defs()}</defs>{rest}"


def _narrowed(part: Any) -> Any:
    """Return a specification for one column: labels under the plot turned, so that none meets its neighbour; legends two abreast."""
    if isinstance(part, list):
        return [_narrowed(one) for one in part]
    if not isinstance(part, dict):
        return part
    out = {key: value if key == "data" else _narrowed(value) for key, value in part.items()}
    if out.get("labelAngle") == 0:
        out |= _TURNED
    if isinstance(out.get("legend"), dict) and "columns" in out["legend"]:
        out["legend"] |= {"columns": _ABREAST}
    return out


def _fitted(converter: Any, chart: Chart, width: float) -> str:
    """Return a chart whose plot, axes and legends together are as wide as asked, or as little wider as names allow."""
    columns = 2 if chart.facet and width >= _NARROW else 1
    plot, svg = width / columns, ""
    for _ in range(_TRIES):
        spec = to_spec(chart, width=max(_LEAST, int(plot))) | {"background": "#FFFFFF"}
        spec = spec | {"columns": columns} if chart.facet else spec
        svg = converter.vegalite_to_svg(_narrowed(spec) if width < _NARROW else spec)
        over = _size(svg)[0] - width
        if over <= 0 or plot <= _LEAST:
            break
        plot -= over / columns + 1
    return svg
