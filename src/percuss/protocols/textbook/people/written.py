"""Tables of what people said as files: CSV, and the figures as SVG."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from percuss.core.sections import Section
from percuss.report.figures import write_figures

__all__ = ["Grid", "cell_of", "grid_of", "written"]


class Grid(NamedTuple):
    """A table in words: heads, rows of cells, and what stands above it."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


def grid_of(rows: Sequence[Mapping[str, Any]]) -> Grid:
    """Return rows with the same keys as a table; the key `why` is left out."""
    heads = tuple(key for key in rows[0] if key != "why")
    return Grid(heads, tuple(tuple(cell_of(row[key]) for key in heads) for row in rows))


def cell_of(value: Any) -> str:
    """Return a value as it is printed; None is undefined."""
    if value is None:
        return "undefined"
    if isinstance(value, float):
        return f"{value:.3f}"
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def written(folder: Path, grids: Mapping[str, Grid], figures: Sequence[Section]) -> tuple[Path, ...]:
    """Write tables as CSV and figures as SVG; return the files.

    Args:
        folder: made where it isn't there. grids: by the name of their file. figures: () writes none.

    Raises:
        UsageError: figures without the extra `plots`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, grid in grids.items():
        files.append(folder / f"{name}.csv")
        with files[-1].open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([grid.heads, *grid.rows])
    return (*files, *(write_figures(figures, folder, formats=("svg",)) if figures else ()))
