"""Style, scripts and hatching that go into the file, and the vendored scripts' hashes."""

import hashlib
import json
import re
from functools import cache
from importlib import resources

from percuss.core.sections import Chart
from percuss.report.charts import drawn_as
from percuss.report.document import Document
from percuss.report.palette import DARK, LETTERS, LIGHT, css_variables

__all__ = ["VENDORED", "hatch_defs", "scripts_for", "style", "vendored"]

VENDORED = ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js")


def hatch_defs() -> str:
    """Return the patterns that mark what is simulated: 45 degrees."""
    return _pattern("percuss-hatch", LIGHT.rule, 2.5) + _pattern("percuss-hatch-soft", LIGHT.line, 2)


def _pattern(name: str, colour: str, width: float) -> str:
    return (
        f'<pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="6" height="6" fill="{LIGHT.paper}"/>'
        f'<line x1="1.5" y1="0" x2="1.5" y2="6" stroke="{colour}" stroke-width="{width}"/></pattern>'
    )


@cache
def style() -> str:
    """Return the style sheet with both themes filled in."""
    themes = {"LIGHT": css_variables(LIGHT), "DARK": css_variables(DARK)}
    return re.sub(r"/\*(LIGHT|DARK)\*/", lambda found: themes[found[1]], _static("report.css"))


def scripts_for(document: Document) -> list[str]:
    """Return the scripts that this document needs, in order: no chart, no Vega."""
    scripts = []
    charts = [part.record for chapter in document.chapters for part in chapter.parts if part.kind == "chart"]
    if any(drawn_as(chart) == "vega" for chart in charts if isinstance(chart, Chart)):
        scripts += [vendored(name) for name in VENDORED]
    scripts.append(_static("page.js"))
    if charts:
        scripts.append(_with_theme(_static("charts.js")))
    if document.viewers:
        scripts += [_static("claims.js"), _static("sent.js"), _with_theme(_static("reader.js"))]
    return scripts


@cache
def vendored(name: str) -> str:
    """Return a vendored script, without the comment that would make a debugger look for its map.

    Raises:
        ValueError: the file isn't the one that was reviewed.
    """
    folder = resources.files("percuss.report").joinpath("_vendor")
    data = folder.joinpath(name).read_bytes()
    lines = folder.joinpath("SHA256SUMS").read_text(encoding="ascii").splitlines()
    sums = {file: digest for digest, file in (line.split() for line in lines)}
    if hashlib.sha256(data).hexdigest() != sums[name]:
        raise ValueError(f"{name} differs from its entry in SHA256SUMS; restore the vendored file")
    return re.sub(r"\n?//# sourceMappingURL=.*", "", data.decode("utf-8")).strip()


def _with_theme(script: str) -> str:
    """Fill in the colours and letters, so that they are written down once, in `palette`."""
    names = {
        LIGHT.ink: "ink",
        LIGHT.soft: "soft",
        LIGHT.line: "line",
        LIGHT.rule: "rule",
        LIGHT.accent: "accent",
    }
    names |= {colour: f"mark-{verdict.replace('_', '-')}" for verdict, colour in LIGHT.marks.items()}
    names |= {LIGHT.below: "below", LIGHT.above: "above", LIGHT.paper: "paper"}
    filled = {"__COLOURS__": names, "__LETTERS__": LETTERS, "__HATCH__": hatch_defs()}
    for key, value in filled.items():
        script = script.replace(key, json.dumps(value).replace("</", "<\\/"))
    return script


def _static(name: str) -> str:
    path = resources.files("percuss.report.html").joinpath("static", name)
    return path.read_text(encoding="utf-8").strip()
