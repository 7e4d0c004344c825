"""`percuss compare`: run folders and Inspect logs, paired on case and epoch."""

import dataclasses
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from os import PathLike, fspath
from pathlib import Path

from msgspec.structs import replace

from percuss.api.catalog import load
from percuss.api.report.manifest import arm_words, scoring_of
from percuss.core.errors import UsageError
from percuss.core.ids import b2
from percuss.core.records import Cell, Estimate
from percuss.core.sections import Chart, Column, Section, Table
from percuss.engine.identity import reading_of
from percuss.exchange.inspect_logs import OURS, Outcome, pairs, read_scores
from percuss.judging.sources import CORRECTED, HUMAN
from percuss.measure.compared import Comparison, compared
from percuss.measure.dependence import POOLED
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.wording import source_words
from percuss.models.providers import is_simulated
from percuss.store import RunStore

__all__ = ["compare", "headline", "sections_of"]

_LOGS = {".eval", ".json"}
ALL_SAMPLES = "all samples"


def compare(
    sources: Sequence[str | PathLike[str]],
    *,
    name: str | None = None,
    arm: str | None = None,
    labels: str | None = None,
    scorer: str | None = None,
    baseline: str | PathLike[str] | None = None,
    margin: float | None = None,
    seed: int = 42,
    resamples: int = 10_000,
) -> Comparison:
    """Compare models over runs, or over Inspect logs.

    Args:
        sources: run folders or what `percuss.run` returned, or `.eval` logs; not both kinds, none twice.
        name: of the number (runs); None takes the protocol's primary estimate.
        arm, labels: which condition and whose labels (runs); None takes the primary's.
        scorer: of the logs; None where they have only one.
        baseline: model, run folder or log that the others are compared with; it need not stand among the sources.
        margin: largest difference without importance.
        seed, resamples: of the paired bootstrap.

    Raises:
        UsageError: nothing to compare; BadInput: a log that cannot be read.
    """
    paths = [Path(source) for source in sources]
    base = _beside(paths, baseline)
    if len(set(paths)) < len(paths):
        raise UsageError("a source is named twice; expected different runs or logs")
    logs = [path for path in paths if path.suffix in _LOGS]
    if logs and len(logs) < len(paths):
        raise UsageError(
            "got run folders and logs; expected one kind; export a run with --format inspect to mix them"
        )
    plan = Plan(seed=seed, B=resamples)
    if not logs:
        return _runs(paths, name, arm, labels, base, margin, plan)
    for option, given in (("--estimate", name), ("--arm", arm), ("--labels", labels)):
        if given is not None:
            raise UsageError(f"{option} is for run folders; name the scorer of Inspect logs with --scorer")
    cells, chosen, quantity, sources_of, states, doubts = _log_cells(logs, scorer)
    found = compared(
        cells,
        quantity,
        labels=chosen,
        arm=ALL_SAMPLES,
        plan=plan,
        margin=margin,
        baseline=_baseline(base, sources_of),
        doubts=doubts,
    )
    return dataclasses.replace(found, left_out="; ".join(filter(None, (states, found.left_out))))


def _beside(paths: list[Path], baseline: str | PathLike[str] | None) -> str | None:
    """Put the baseline's run or log before the sources where it doesn't stand among them; return the baseline's name."""
    base = None if baseline is None else fspath(baseline)
    if base is not None and Path(base).exists() and Path(base) not in paths:
        paths.insert(0, Path(base))
    return base


def _baseline(named: str | None, models: Mapping[Path, Sequence[str]]) -> str | None:
    """Return the model that a baseline means: its own name, or the one model of a run folder or log.

    Raises:
        UsageError: a source of several models.
    """
    if named is None or Path(named) not in models:
        return named
    there = models[Path(named)]
    if len(there) != 1:
        raise UsageError(f"--baseline {named} has {len(there)} models; name one of {', '.join(there)}")
    return there[0]


Sources = dict[Path, list[str]]


def _log_cells(
    logs: Sequence[Path], scorer: str | None
) -> tuple[list[Cell], str, Quantity, Sources, str, dict[str, str]]:
    found = {name: read_scores(log, scorer=scorer) for name, log in zip(_short(logs), logs, strict=True)}
    read = {name: scores.outcomes for name, scores in found.items()}
    states = "; ".join(f"{name} {scores.state}" for name, scores in found.items() if scores.state)
    scorers = sorted({one.scorer for outcomes in read.values() for one in outcomes})
    if len(scorers) != 1:
        raise UsageError(f"the logs have the scorers {', '.join(scorers)}; name one with --scorer")
    paired = pairs(read)
    cells = [_cell(one, model, key) for model, rows in paired.items() for key, one in rows.items()]
    models: Sources = {
        log: _models_of(name, read[name], paired) for name, log in zip(read, logs, strict=True)
    }
    share = all(0 <= cell.num <= 1 for cell in cells)
    unit = "share" if share else "score"
    quantity = Quantity(
        "score", f"{scorers[0]} score", f"What is the mean {scorers[0]} score?", "higher", unit
    )
    if all(one.task.startswith(OURS) for outcomes in read.values() for one in outcomes):
        quantity = Quantity(
            "score", "unsupported claims", "What share is unsupported, mean of answers?", "lower", unit
        )
    doubts = {
        model: why
        for (name, scores), log in zip(found.items(), logs, strict=True)
        for model in models[log]
        if (why := scores.withheld.get(scorers[0], {}).get(model.removesuffix(f" in {name}"), ""))
    }
    return cells, scorers[0], quantity, models, states, doubts


def _models_of(name: str, outcomes: Iterable[Outcome], paired: Container[str]) -> list[str]:
    """Return the models of one log, by the names that they were paired under."""
    plain = dict.fromkeys(one.model for one in outcomes)
    return [apart if (apart := f"{model} in {name}") in paired else model for model in plain]


def _short(logs: Sequence[Path]) -> list[str]:
    """Name logs by their file, or by their whole path where two files are called the same."""
    names = [log.name for log in logs]
    return names if len(set(names)) == len(names) else [str(log) for log in logs]


def _cell(one: Outcome, model: str, key: tuple[str, int]) -> Cell:
    return Cell(
        name="score",
        model=model,
        arm=ALL_SAMPLES,
        labels=one.scorer,
        case_id=key[0],
        epoch=key[1],
        cluster=one.cluster,
        num=one.value or 0.0,
        den=0.0 if one.value is None else 1.0,
        excluded={} if one.reason is None else {one.reason: 1},
        simulated=is_simulated(one.model),
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
    texts: dict[str, tuple[str, Path]] = {}
    readings: dict[Path, int] = {}
    for folder in folders:
        with RunStore.open(folder) as store:
            _same_cases(store, folder, texts)
            scoring = scoring_of(store)
            _same_reading(readings := {**readings, folder: reading_of(scoring)})
            cells += [
                replace(c, model=named.get((folder, c.model), c.model)) for c in store.cells(scoring.id)
            ]
            estimates += [
                replace(e, model=named.get((folder, e.model), e.model)) for e in store.estimates(scoring.id)
            ]
    quantity, primary, without = _chosen(name, estimates, {c.name for c in cells}, folders[0])
    whose, where = labels or _counted_by(primary.labels), arm or primary.arm
    return compared(
        cells,
        quantity,
        labels=whose,
        arm=where,
        plan=plan,
        margin=margin,
        baseline=_baseline(baseline, _models(folders, named)),
        without=without,
        doubts=_doubts(estimates, quantity.name, whose),
        beside=estimates,
    )


def _counted_by(labels: str) -> str:
    """Return whose labels cells are counted by: what is corrected has none of its own, and people's part is compared."""
    return HUMAN if labels == CORRECTED else labels


def _doubts(estimates: Sequence[Estimate], name: str, labels: str) -> dict[str, str]:
    """Return model -> why its run withholds the number that is compared; only models of which it does."""
    return {
        e.model: e.withheld
        for e in estimates
        if e.withheld and (e.name, e.labels) == (name, labels) and e.versus is None
    }


def _chosen(
    name: str | None, estimates: Sequence[Estimate], cells: AbstractSet[str], folder: Path
) -> tuple[Quantity, Estimate, str | None]:
    """Return the number to compare, the primary estimate, and for HDI the arm without evidence.

    A run of one arm has no primary estimate where that is a contrast: its first number that has cells leads then.
    """
    whole = [e for e in estimates if e.versus is None and e.stratum is None and _stem(e.name, cells)]
    primary = next((e for e in estimates if e.primary), next(iter(whole), None))
    if primary is None:
        raise UsageError(f"{folder} has no estimate that can be compared; run `percuss check {folder}` first")
    wanted = name or primary.name
    words = next((e for e in estimates if e.name == wanted and e.versus is None), None)
    source = _stem(wanted, cells)
    if words is None or source is None:
        known = ", ".join(sorted({e.name for e in estimates if e.versus is None and _stem(e.name, cells)}))
        raise UsageError(f"--estimate got {wanted!r}; what {folder} can compare is {known}")
    without = primary.baseline if wanted == POOLED.name else None
    return (
        Quantity(wanted, words.label, words.question, words.better, words.unit, cells=source),
        primary,
        without,
    )


def _stem(name: str, cells: AbstractSet[str]) -> str | None:
    """Return the cells that a number is made of: those of its own name, of its stem, or for HDI the unsupported claims."""
    stems = ("unsupported_rate", "unsupported") if name == POOLED.name else (name, name.removesuffix("_rate"))
    return next((stem for stem in stems if stem in cells), None)


def _same_cases(store: RunStore, folder: Path, texts: dict[str, tuple[str, Path]]) -> None:
    """Hold a run's cases against those of the runs before it.

    Raises:
        UsageError: one id stands for different cases.
    """
    for case in store.cases():
        text, where = texts.setdefault(case.id, (b2(case.payload), folder))
        if text != b2(case.payload):
            raise UsageError(
                f"case {case.id!r} is another case in {folder} than in {where}; expected runs over the same cases"
            )


def _same_reading(readings: Mapping[Path, int]) -> None:
    """Hold the reading of the last run against those before it.

    Raises:
        UsageError: two readings, whose labels do not compare.
    """
    oldest, newest = min(readings, key=lambda f: readings[f]), max(readings, key=lambda f: readings[f])
    if readings[oldest] != readings[newest]:
        raise UsageError(
            f"{oldest} was read by reading {readings[oldest]} and {newest} by reading {readings[newest]}, whose labels do not "
            f"compare; run `percuss check {oldest}` first: it reads the answers again and asks nobody"
        )


def _models(folders: Sequence[Path], named: Mapping[tuple[Path, str], str]) -> Sources:
    out: Sources = {}
    for folder in folders:
        with RunStore.open(folder) as store:
            out[folder] = [named.get((folder, model), model) for model in store.view("").models]
    return out


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


def headline(found: Comparison, source: str | Path) -> str:
    """Return in words what was compared: the number, the arm, whose labels, how many cases.

    Args:
        found: the comparison.
        source: one of the runs or logs compared.
    """
    cases = f"{max((single.clusters for single in found.singles), default=0):,} shared cases"
    left = f"; {found.left_out}" if found.left_out else ""
    if Path(source).suffix in _LOGS:
        return f"{found.quantity.label}; scorer: {found.labels}; {cases}{left}"
    with RunStore.open(Path(source)) as store:
        words = arm_words(load(store.manifest()["protocol"]), found.arm) or found.arm
    against = " against the arm without" if found.quantity.name == POOLED.name else ""
    return f"{found.quantity.label}, {words}{against}; labels: {source_words(found.labels)}; {cases}{left}"


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
    yield Section.of("differences", "Paired differences", _forest(found))


def _forest(found: Comparison) -> Chart:
    rows = tuple(
        {
            "pair": f"{p.difference.model} - {p.difference.versus}",
            "difference": p.difference.value,
            "low": p.difference.low,
            "high": p.difference.high,
            "simulated": p.difference.simulated,
        }
        for p in found.pairs
    )
    return Chart(
        kind="forest",
        rows=rows,
        x="difference",
        y="pair",
        low="low",
        high="high",
        unit=found.pairs[0].difference.unit if found.pairs else "share",
        alt="Paired differences between models with intervals; 0 means no difference.",
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
