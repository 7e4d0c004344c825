"""Figures 1 to 4 of the paper as ours: mean rank and mean label by type and by annotator, with severity beside them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from percuss.core.sections import Chart, Section
from percuss.protocols.textbook.items.item import TYPES
from percuss.protocols.textbook.people.models import GRADES, Cell, bias, means, severity
from percuss.protocols.textbook.people.ranking import Placed
from percuss.protocols.textbook.people.written import Grid

__all__ = ["figures", "grids"]


class _Figure(NamedTuple):
    """A figure: its name, title, what a cell is the mean of, and what names a row."""

    name: str
    title: str
    of: Callable[[Placed], float | None]
    by: Callable[[Placed], str]


def _rank(one: Placed) -> float:
    return one.rank


def _quality(one: Placed) -> float | None:
    return one.quality


def _type(one: Placed) -> str:
    return one.type


def _rater(one: Placed) -> str:
    return one.rater


FIGURES = (
    _Figure("figure_1", "Mean rank by type and model, 1 is best", _rank, _type),
    _Figure("figure_2", "Mean label by type and model, 0 bad to 2 good", _quality, _type),
    _Figure("figure_3", "Mean rank by annotator and model, * the favourite", _rank, _rater),
    _Figure("figure_4", "Mean label by annotator and model, * the favourite by rank", _quality, _rater),
)


def _rows(found: Mapping[tuple[str, str], Cell]) -> list[str]:
    names = dict.fromkeys(row for row, _ in found)
    return [*(kind for kind in TYPES if kind in names), *(name for name in names if name not in TYPES)]


def grids(placed: Sequence[Placed]) -> dict[str, Grid]:
    """Return figures 1 to 4 as tables, each cell its mean and n, and severity by type and model.

    Args:
        placed: judgements of at least one answer.
    """
    models = sorted({one.model for one in placed})
    favourites = {rater: name for rater, (name, _) in bias(placed).items()}
    out: dict[str, Grid] = {}
    for figure in FIGURES:
        found = means(placed, figure.of, figure.by)
        rows = []
        for row in _rows(found):
            cells = (_cell(found.get((row, model)), is_best=favourites.get(row) == model) for model in models)
            rows.append((row, *cells))
        head = "annotator" if figure.by is _rater else "type"
        out[figure.name] = Grid((head, *models), tuple(rows), f"{figure.title} (n)")
    return {**out, "severity": _severity(placed)}


def _cell(found: Cell | None, *, is_best: bool) -> str:
    return "" if found is None else f"{found[0]:.2f}{'*' if is_best else ''} ({found[1]})"


def _severity(placed: Sequence[Placed]) -> Grid:
    """Return the share of bad, okay and good answers by model and type."""
    found = severity(placed)
    pairs = dict.fromkeys((model, kind) for model, kind, _ in found)
    rows = []
    for model, kind in pairs:
        shares = (found[model, kind, grade] for grade in GRADES)
        rows.append((model, kind, *(f"{s.value:.3f} [{s.low:.3f}, {s.high:.3f}] of {s.n}" for s in shares)))
    return Grid(("model", "type", *GRADES), tuple(rows), "Severity: share of answers with each label")


def figures(placed: Sequence[Placed]) -> list[Section]:
    """Return figures 1 to 4 as charts; none of no judgement.

    Args:
        placed: judgements.
    """
    models = sorted({one.model for one in placed})
    called = {rater: f"{rater}, favourite {name}" for rater, (name, _) in bias(placed).items()}
    out = []
    for figure in FIGURES:
        found = means(placed, figure.of, figure.by)
        labels = {row: called.get(row, row) if figure.by is _rater else row for row in _rows(found)}
        rows = tuple(
            {"row": labels[row], "model": model, "value": value, "n": n}
            for (row, model), (value, n) in found.items()
        )
        if rows:
            chart = Chart(
                kind="heat", rows=rows, x="model", y="row", value="value", unit="ratio",
                options={"rows": list(labels.values()), "order": models}, alt=f"{figure.title}, with n in each cell.",
            )  # fmt: skip
            out.append(
                Section.of(
                    "where", figure.title.replace(", * the favourite", "").replace(" by rank", ""), chart
                )
            )
    return out
