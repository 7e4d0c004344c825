"""`percuss textbook short-form RUN..`: difficulty and discrimination of items, abilities of models, and a short form."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from percuss.core.errors import UsageError
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.protocols.textbook.arms import CLOSED
from percuss.protocols.textbook.estimate.counting import cells
from percuss.protocols.textbook.estimate.names import SCORE
from percuss.protocols.textbook.options import TextbookOptions
from percuss.protocols.textbook.response.fit import FEW_MODELS, Fit, ability_intervals, fit_items
from percuss.protocols.textbook.response.short_form import short_form
from percuss.store import RunStore

__all__ = ["ShortFormOptions", "choose_short_form", "matrix_of"]


class ShortFormOptions(Record):
    """Settings of `percuss textbook short-form`."""

    runs: Annotated[tuple[str, ...], Meta(description="Runs of textbook on the same items.")]
    out: Annotated[
        str, Meta(description="File of items with difficulty, discrimination and whether they are chosen.")
    ] = "short-form.jsonl"
    share: Annotated[float, Meta(description="Share of the items that the short form holds.", gt=0, le=1)] = (
        0.1
    )


Matrix = tuple[list[str], list[str], list[str], NDArray[np.float64]]


def matrix_of(folders: Sequence[Path]) -> Matrix:
    """Return models, items, types and scores (models, items), closed book; NaN where nothing was scored.

    Args:
        folders: of runs; the latest scoring of each counts.

    Raises:
        UsageError: fewer than two models, or no item that was scored.
    """
    held: dict[str, dict[str, float]] = {}
    types: dict[str, str] = {}
    for folder in folders:
        with RunStore.open(folder) as store:
            view = store.view(store.latest_scoring().id)
            for cell in cells(view, TextbookOptions()):
                if cell.name == SCORE.name and cell.arm == CLOSED and cell.den:
                    held.setdefault(cell.model, {}).setdefault(cell.case_id, cell.num / cell.den)
                    types[cell.case_id] = cell.stratum
    items = sorted(types)
    if len(held) < 2 or not items:
        raise UsageError(f"got {len(held)} models with scored closed-book answers; expected two or more")
    scores = np.array([[row.get(item, np.nan) for item in items] for row in held.values()])
    return list(held), items, [types[item] for item in items], scores


async def choose_short_form(options: ShortFormOptions, session: Session) -> CommandResult:
    """Fit items, say how models stand, and choose a short form.

    Args:
        options: runs, share, file. session: its seed draws the bootstrap; `dry_run` writes nothing.
    """
    models, items, types, scores = await asyncio.to_thread(matrix_of, [Path(run) for run in options.runs])
    size = max(2, round(options.share * len(items)))
    if session.dry_run:
        return CommandResult(text=f"would fit {len(items)} items on {len(models)} models and choose {size}")
    fit = await asyncio.to_thread(fit_items, scores)
    low, high = await asyncio.to_thread(lambda: ability_intervals(scores, fit, seed=session.roles.seed))
    chosen = set(short_form(fit, types, size))
    rows = [_row(at, items, types, fit, scores, chosen) for at in range(len(items))]
    out = Path(options.out)
    lines_of = "".join(json.dumps(row) + "\n" for row in rows)
    await asyncio.to_thread(out.write_text, lines_of, encoding="utf-8")
    lines = [f"{len(items)} items, {len(models)} models, {fit.rounds} rounds: {out}"]
    if len(models) < FEW_MODELS:
        lines.append(
            f"exploratory: fewer than {FEW_MODELS} models; difficulties and abilities rest mostly on their priors"
        )
    order = np.argsort(-fit.theta)
    lines += [f"  {models[at]}: ability {fit.theta[at]:.2f} [{low[at]:.2f}, {high[at]:.2f}]" for at in order]
    lines.append(f"short form of {len(chosen)}: {', '.join(items[at] for at in sorted(chosen))}")
    data: dict[str, Any] = {"exploratory": len(models) < FEW_MODELS, "abilities": {m: float(t) for m, t in zip(models, fit.theta, strict=True)}, "chosen": [items[at] for at in sorted(chosen)]}  # fmt: skip
    return CommandResult(text="\n".join(lines), files=(out,), data=data)


def _row(
    at: int,
    items: Sequence[str],
    types: Sequence[str],
    fit: Fit,
    scores: NDArray[np.float64],
    chosen: set[int],
) -> dict[str, Any]:
    column = scores[:, at]
    return {
        "id": items[at], "type": types[at], "difficulty": round(float(fit.b[at]), 3), "discrimination": round(float(fit.a[at]), 3),
        "mean_score": round(float(np.nanmean(column)), 3), "models": int((~np.isnan(column)).sum()), "chosen": at in chosen,
    }  # fmt: skip
