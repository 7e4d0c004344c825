"""`percuss compare`: run folders and Inspect logs, paired on case and epoch."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from percuss.compose.dossier import scoring_of
from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.core.sections import Chart, Column, Section, Table
from percuss.exchange.inspect_logs import Outcome, pairs, read_log
from percuss.measure.compared import Comparison, compared
from percuss.measure.quantity import Plan, Quantity
from percuss.store import RunStore

__all__ = ["compare", "sections_of"]

_LOGS = {".eval", ".json"}


def compare(
    sources: Sequence[str | Path],
    *,
    name: str | None = None,
    arm: str | None = None,
    labels: str | None = None,
    scorer: str | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    seed: int = 42,
    resamples: int = 10_000,
) -> Comparison:
    """Compare models over runs, or over Inspect logs.

    Args:
        sources: run folders, or `.eval` logs; not both kinds.
        name: of the number (runs); None takes the rate of the protocol's primary estimate.
        arm, labels: which condition and whose labels (runs); None takes the primary's.
        scorer: of the logs; None where they have only one.
        baseline: model or run folder that the others are compared with.
        margin: largest difference without importance.
        seed, resamples: of the paired bootstrap.

    Raises:
        UsageError: nothing to compare; BadInput: a log that cannot be read.
    """
    paths = [Path(source) for source in sources]
    logs = [path for path in paths if path.suffix in _LOGS]
    if logs and len(logs) < len(paths):
        raise UsageError(
            "got run folders and logs; expected one kind; export a run with --format inspect to mix them"
        )
    plan = Plan(seed=seed, B=resamples)
    if logs:
        cells, chosen, quantity = _log_cells(logs, scorer)
        return compared(
            cells, quantity, labels=chosen, arm="log", plan=plan, margin=margin, baseline=baseline
        )
    return _runs(paths, name, arm, labels, baseline, margin, plan)


def _log_cells(logs: Sequence[Path], scorer: str | None) -> tuple[list[Cell], str, Quantity]:
    read = [read_log(log, scorer=scorer) for log in logs]
    scorers = sorted({one.scorer for outcomes in read for one in outcomes})
    if len(scorers) != 1:
        raise UsageError(f"the logs have the scorers {', '.join(scorers)}; name one with --scorer")
    cells = [_cell(one, key) for rows in pairs(read).values() for key, one in rows.items()]
    words = f"{scorers[0]} score"
    return (
        cells,
        scorers[0],
        Quantity("score", words, f"What is the mean {words} of a sample?", "higher", "share"),
    )


def _cell(one: Outcome, key: tuple[str, int]) -> Cell:
    return Cell(
        name="score",
        model=one.model,
        arm="log",
        labels=one.scorer,
        case_id=key[0],
        epoch=key[1],
        cluster=key[0],
        num=one.value or 0.0,
        den=0.0 if one.value is None else 1.0,
        excluded={} if one.reason is None else {one.reason: 1},
    )


def _runs(
    folders: Sequence[Path],
    name: str | None,
    arm: str | None,
    labels: str | None,
    baseline: str | None,
    margin: float | None,
    plan: Plan,
) -> Comparison:
    cells: list[Cell] = []
    estimates: list[Estimate] = []
    named = _names(folders)
    for folder in folders:
        with RunStore.open(folder) as store:
            scoring = scoring_of(store)
            rename = named if len(folders) > 1 else {}
            cells += [
                replace(c, model=rename.get((folder, c.model), c.model)) for c in store.cells(scoring.id)
            ]
            estimates += store.estimates(scoring.id)
    primary = next((e for e in estimates if e.primary), None)
    if primary is None:
        raise UsageError(f"{folders[0]} has no primary estimate; run percuss check on it first")
    wanted = name or "unsupported_rate"
    words = next((e for e in estimates if e.name == wanted and e.versus is None), None)
    if words is None:
        known = ", ".join(sorted({c.name for c in cells}))
        raise UsageError(f"no estimate is called {wanted!r} in {folders[0]}; there are {known}")
    source = _source(wanted, {c.name for c in cells})
    quantity = Quantity(wanted, words.label, words.question, words.better, words.unit, cells=source)
    if baseline is not None and Path(baseline) in folders:
        baseline = next((new for (path, _), new in named.items() if path == Path(baseline)), baseline)
    return compared(
        cells,
        quantity,
        labels=labels or primary.labels,
        arm=arm or primary.arm,
        plan=plan,
        margin=margin,
        baseline=baseline,
    )


def _source(name: str, cells: set[str]) -> str:
    """Return the cells that a rate is made of: of its own name, or of its stem (`unsupported_rate` of `unsupported`)."""
    for candidate in (name, name.removesuffix("_rate")):
        if candidate in cells:
            return candidate
    raise UsageError(f"{name!r} is not made of counts by case; expected one of {', '.join(sorted(cells))}")


def _names(folders: Sequence[Path]) -> dict[tuple[Path, str], str]:
    """Name models apart where several runs hold one of the same name."""
    held: dict[str, list[Path]] = {}
    for folder in folders:
        with RunStore.open(folder) as store:
            for model in store.view("").models:
                held.setdefault(model, []).append(folder)
    return {
        (folder, model): f"{model} in {folder.name}"
        for model, where in held.items()
        if len(where) > 1
        for folder in where
    }


def sections_of(found: Comparison) -> Iterator[Section]:
    """Yield a comparison as sections: ranks, pairs, and the differences as a forest plot."""
    by_model = {e.model: e for e in found.singles}
    rows = tuple(
        {
            "model": row.model,
            "value": _figure(by_model[row.model]),
            "rank": str(row.best) if row.best == row.worst else f"{row.best}-{row.worst}",
            "letters": row.letters,
            "simulated": by_model[row.model].simulated,
        }
        for row in found.ranks
    )
    columns = (
        Column(key="model", title="model"),
        Column(key="value", title=found.quantity.label, unit=found.quantity.unit, align="right"),
        Column(key="rank", title="rank", align="right"),
        Column(key="letters", title="ties share a letter"),
    )
    answer = "; ".join(pair.words for pair in found.pairs[:3])
    yield Section.of("differences", "Which models differ?", Table(columns=columns, rows=rows), answer)
    yield Section.of(
        "differences",
        "Paired differences",
        Chart(
            kind="forest",
            rows=tuple(
                {
                    "pair": f"{p.difference.model} - {p.difference.versus}",
                    "difference": p.difference.value,
                    "low": p.difference.low,
                    "high": p.difference.high,
                    "simulated": p.difference.simulated,
                }
                for p in found.pairs
            ),
            x="difference",
            y="pair",
            low="low",
            high="high",
            unit=found.pairs[0].difference.unit if found.pairs else "share",
            alt="Paired differences between models with intervals; 0 means no difference.",
        ),
    )


def _figure(e: Estimate) -> dict[str, object]:
    return {
        "value": e.value,
        "low": e.low,
        "high": e.high,
        "unit": e.unit,
        "n": e.n,
        "undefined": e.undefined,
    }
