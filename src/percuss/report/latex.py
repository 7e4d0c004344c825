"""Tables for a paper: booktabs, one a table of the report, every character escaped."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Panel, Section, Table
from percuss.report.document import Part, assemble
from percuss.report.grid import Grid, cell_text, grid_of
from percuss.report.heading import heading
from percuss.report.methods import methods
from percuss.report.text import slug, visible

__all__ = ["escape", "render_latex"]

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "·": r"\textperiodcentered{}", "≥": r"$\geq$", "≤": r"$\leq$", "→": r"$\rightarrow$",
    "\n": " ",
}  # fmt: skip


def render_latex(
    title: str,
    manifest: Mapping[str, Any],
    estimates: Sequence[Estimate],
    sections: Iterable[Section],
    *,
    no_text: bool = False,
) -> str:
    r"""Return the panel, every table and the methods paragraph as LaTeX to `\input`; needs booktabs and tabularx.

    Args:
        title: the report's title.
        manifest: keys as in `percuss.report`.
        estimates: every estimate of the scoring.
        sections: in the protocol's order.
        no_text: aggregates only.
    """
    document = assemble(title, manifest, estimates, sections, no_text=no_text)
    blocks = [f"% {escape(title)}", r"% \usepackage{booktabs,tabularx,textcomp}"]
    if no_text:
        blocks.append("% aggregates only")
    for chapter in document.chapters:
        for number, part in enumerate(chapter.parts, 1):
            if isinstance(part.record, Panel | Table):
                blocks.append(_table(part, chapter.question, f"{chapter.place}-{number}", manifest))
    blocks += ["% Methods", escape(methods(manifest, estimates))]
    return "\n\n".join(blocks) + "\n"


def _table(part: Part, question: str, label: str, manifest: Mapping[str, Any]) -> str:
    grid = grid_of(part.record)
    assert grid is not None
    said = [
        part.title or question,
        part.answer,
        *(heading(manifest) if isinstance(part.record, Panel) else ()),
        grid.note,
    ]
    caption = " ".join(
        sentence if sentence.endswith((".", "?")) else f"{sentence}." for sentence in said if sentence
    )
    lines = [
        r"\begin{table}",
        rf"\caption{{{escape(caption)}}}\label{{tab:{slug(label)}}}",
        *_tabular(grid),
        r"\end{table}",
    ]
    return "\n".join(lines)


def _tabular(grid: Grid) -> list[str]:
    # the last column of words takes the width that is left
    wide = max((i for i, column in enumerate(grid.columns) if column.align == "left"), default=None)
    columns = "".join(
        "X" if i == wide else "r" if c.align == "right" else "l" for i, c in enumerate(grid.columns)
    )
    rows = [
        [escape(cell_text(cell, column.unit)) for cell, column in zip(row.cells, grid.columns, strict=True)]
        for row in grid.rows
    ]
    return [
        rf"\begin{{tabularx}}{{\linewidth}}{{{columns}}}",
        r"\toprule",
        " & ".join(escape(column.title) for column in grid.columns) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabularx}",
    ]


def escape(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> escape("50% of $x_1")
    '50\\% of \\$x\\_1'
    """
    return "".join(_SPECIAL.get(character, character) for character in visible(text))
