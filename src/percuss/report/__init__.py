"""Reports: the five kinds of section (`core/sections.py`) as terminal, HTML, Markdown, LaTeX, CSV and JUnit.

Nothing here knows a protocol: what a report says comes from sections, estimates and a manifest.

The manifest is a plain mapping; every key is optional, and what is missing is left out or reads TODO:

| key | value |
|---|---|
| `protocol`, `protocol_version`, `question` | name, `N-X`, the question it answers |
| `paper` | {title, doi, year} |
| `percuss`, `python` | versions |
| `started`, `finished` | ISO 8601 |
| `folder` | name of the run folder |
| `cases` | {count, word: "patients", source, hash} |
| `seed`, `epochs` | numbers |
| `policy` | {temperature, top_p, max_tokens ..}: the request policy |
| `models` | [{id, pin, served, calls, simulated}] |
| `rules` | "strict" or "extended"; None where no rule scored |
| `judge` | {id, passes, policy, card: {kappa: {value, low, high}} or None, people: whether some labelled this run}; None where no model judged |
| `arms` | [{name, words, baseline}] |
| `hosts` | [{host, roles, calls}]; [] says that nothing left the machine |
| `primary` | {estimate, labels, arms, family, words} |
| `flags` | sentences that must stand above the panel ("system prompts differ between conditions") |
| `prompts` | [{name, hash, text}] |
| `scorings` | [{id, raters, config, made_at}] |
| `costs` | [{stage, role, model, calls, tokens_in, tokens_out, usd}] |
| `commands` | command lines that repeat the run |
| `selftest` | {version, note, rows: [{..}]}: planted against measured |
| `facts` | {name: value}: whatever else the last section should list |
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from percuss.report.figures import write_figures
    from percuss.report.flat import render_csv, render_junit
    from percuss.report.html.page import render_html
    from percuss.report.latex import render_latex
    from percuss.report.markdown import render_markdown
    from percuss.report.picture import render_picture
    from percuss.report.terminal import render_terminal

__all__ = [
    "render_csv",
    "render_html",
    "render_junit",
    "render_latex",
    "render_markdown",
    "render_picture",
    "render_terminal",
    "write_figures",
]

_WHERE = {
    "render_csv": "flat",
    "render_html": "html.page",
    "render_junit": "flat",
    "render_latex": "latex",
    "render_markdown": "markdown",
    "render_picture": "picture",
    "render_terminal": "terminal",
    "write_figures": "figures",
}


def __getattr__(name: str) -> Any:
    """Import a renderer when it is first asked for (PEP 562): the terminal needs no template engine."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
