"""`percuss judge validate`: from labels anywhere to judge cards, as records, sections and files."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from percuss import __version__
from percuss.api.report.manifest import scoring_of
from percuss.api.run.recheck import estimate_again
from percuss.core.errors import BadInput, UsageError
from percuss.core.judgement import Judgement
from percuss.core.strict import Record
from percuss.exchange.judgements import read_judgements, run_judgements
from percuss.exchange.rows import TABLE_ENDINGS
from percuss.judging.card import Card
from percuss.judging.how import How
from percuss.judging.readers import ReaderTable, reader_tables
from percuss.judging.selection import Gates, Selection, select
from percuss.judging.validation import judges_of, people_of, validate_with
from percuss.store import RunStore

__all__ = ["Validated", "Validation", "validate_judges"]

_SHAMS = ("sham", "placebo")


class Validation(Record):
    """What to validate.

    Args:
        sources: tables of judgements, run folders, study exports, Inspect logs, recorded evaluator outputs and
            reader-study ratings; joined by item.
        judges: raters to validate; () takes all that are no people.
        humans: raters that are people, where their names do not begin with `human:`.
        choose: split the items and choose among the judges.
        gates: whether a failed gate rules a judge out.
        shams: recorded evaluator outputs and ratings of sham answers, whatever their files are called.
        revalidate: hold recorded evaluator outputs against our own checks of quotes.
        scale: labels in order, lowest first; () where they have none.
        positive, double_count_abstain, seed, resamples: as in `percuss.judging.how.How`.
    """

    sources: tuple[str, ...]
    judges: tuple[str, ...] = ()
    humans: tuple[str, ...] = ()
    shams: tuple[str, ...] = ()
    choose: bool = False
    gates: Gates = "binding"
    positive: str = "unsupported"
    double_count_abstain: bool = False
    revalidate: bool = False
    scale: tuple[str, ...] = ()
    seed: int = 42
    resamples: int = 10_000


class Validated(Record):
    """Cards, and the choice where one was asked for; `kept` are the runs that the cards were put into.

    `readers` are people's tables, where there is no judge among the labels.
    """

    cards: tuple[Card, ...]
    selection: Selection | None = None
    kept: tuple[str, ...] = ()
    readers: tuple[ReaderTable, ...] = ()


def validate_judges(asked: Validation) -> Validated:
    """Validate judges and, for run folders, put their cards into the run.

    Args:
        asked: what to validate. Where people alone judged, their tables are made instead.

    Raises:
        UsageError: no person among the labels, or no judge where one was named or is to be chosen; BadInput: a file that cannot be read.
    """
    rows = _joined([one for source in (*asked.sources, *asked.shams) for one in _read(Path(source), asked)])
    how = How(
        seed=asked.seed,
        resamples=asked.resamples,
        positive=asked.positive,
        double_count_abstain=asked.double_count_abstain,
        scale=asked.scale,
    )
    if people_of(rows) and not (judges_of(rows) or asked.judges or asked.choose):
        return Validated(cards=(), readers=reader_tables(rows, how))
    names = _names(rows, asked)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    cards = tuple(
        replace(validate_with(rows, name, how), percuss=__version__, made_at=made) for name in names
    )
    chosen = select(rows, how, gates=asked.gates, judges=names) if asked.choose else None
    kept = tuple(source for source in asked.sources if Path(source).is_dir())
    for folder in kept:
        _keep(Path(folder), cards)
    return Validated(cards=cards, selection=chosen, kept=kept)


def _names(rows: Sequence[Judgement], asked: Validation) -> tuple[str, ...]:
    """Return the judges to validate; a judge may be named without `judge:`."""
    if not people_of(rows):
        folder = next((source for source in asked.sources if Path(source).is_dir()), None)
        if folder is not None:
            raise UsageError(
                f"nobody has labelled claims of {folder}; bring labels in with `percuss import labels {folder} FILE`"
            )
        raters = ", ".join(judges_of(rows)) or "none"
        raise UsageError(
            f"no rater is a person; expected raters called human:.., or --humans A,B; the raters are {raters}"
        )
    known = judges_of(rows)
    if not known:
        raise UsageError(
            "all raters are people; expected a judge too, any rater whose name does not begin with human:"
        )
    return tuple(name if name in known else f"judge:{name}" for name in asked.judges) or known


def _keep(folder: Path, cards: Sequence[Card]) -> None:
    with RunStore.open(folder, writable=True) as store:
        held = dict(store.manifest().get("judge_cards", {}))
        made_on = [replace(card, scoring=scoring_of(store).id) for card in cards]
        held.update({card.judge.removeprefix("judge:"): msgspec.to_builtins(card) for card in made_on})
        store.update_manifest({"judge_cards": held})
    asyncio.run(estimate_again(folder))


def _joined(rows: Sequence[Judgement]) -> list[Judgement]:
    """Give every row of an item the cluster, stratum and sham arm that any source names for it."""
    first: dict[str, Judgement] = {}
    for one in sorted(rows, key=lambda one: not one.human):
        held = first.setdefault(one.item, one)
        first[one.item] = replace(
            held,
            stratum=held.stratum or one.stratum,
            sham=held.sham or one.sham,
            cluster=held.cluster if held.cluster not in {"", held.item} else one.cluster,
        )
    return [
        replace(one, stratum=named.stratum, sham=named.sham, cluster=named.cluster or one.item)
        for one in rows
        for named in (first[one.item],)
    ]


def _read(path: Path, asked: Validation) -> Iterator[Judgement]:
    if path.is_dir():
        with RunStore.open(path) as store:
            yield from run_judgements(store.view(scoring_of(store).id))
        return
    if not path.exists():
        raise BadInput("no such file or folder; check the path", source=str(path))
    if path.suffix == ".json":
        yield from _evaluator(path, asked)
    elif path.suffix == ".jsonl" and _is_ratings(path):
        yield from _ratings(path, "sham" if str(path) in asked.shams else "")
    elif path.suffix == ".eval":
        yield from _log(path)
    elif path.suffix.lower() in TABLE_ENDINGS:
        yield from read_judgements(path, humans=asked.humans)
    else:
        raise BadInput(
            f"cannot tell what this is; expected a run folder, .eval, or a table ({', '.join(TABLE_ENDINGS)})",
            source=str(path),
        )


def _is_ratings(path: Path) -> bool:
    """Tell a reader study's released layout from a table of judgements by its first line."""
    with path.open("rb") as file:
        return b'"completeness' in file.readline(1 << 20)


def _ratings(path: Path, sham: str) -> Iterator[Judgement]:
    from percuss.protocols.explanation.layouts import read_ratings

    for rating in read_ratings(path):
        stratum = " / ".join(part for part in (rating.model, rating.modification) if part)
        for metric, score in rating.scores.items():
            if metric in {"cf", "ca", "ct"}:
                yield Judgement(
                    item=rating.item,
                    rater=f"human:{rating.rater}",
                    metric=metric,
                    score=score,
                    stratum=stratum,
                    cluster=rating.cluster or rating.item,
                    sham=_sham(rating.modification) or sham,
                )


def _sham(arm: str) -> str:
    return arm.casefold() if arm.casefold().startswith(_SHAMS) else ""


def _called(path: Path, sources: Sequence[str], shams: Sequence[str] = ()) -> str:
    """Return an evaluator's name: its file's, with the folder's where two files are called alike.

    Of the one evaluator in `sources` sham files are too, whatever they are called.
    """
    evaluators = [Path(source) for source in sources if Path(source).suffix == ".json"]
    if str(path) in shams and len(evaluators) == 1:
        return evaluators[0].stem
    alike = {Path(source) for source in sources if Path(source).stem == path.stem}
    return f"{path.parent.name}/{path.stem}" if len(alike) > 1 else path.stem


def _evaluator(path: Path, asked: Validation) -> Iterator[Judgement]:
    from percuss.protocols.explanation.layouts import read_evaluator, revalidated

    for recorded in read_evaluator(path):
        outcome = revalidated(recorded) if asked.revalidate else recorded
        yield Judgement(
            item=outcome.item,
            rater=_called(path, asked.sources, asked.shams),
            metric=outcome.metric,
            score=outcome.score if outcome.outcome == "ok" else None,
            outcome=outcome.outcome,
            stratum=outcome.group,
            cluster=outcome.cluster or outcome.item,
            sham="sham" if str(path) in asked.shams else outcome.sham or _sham(outcome.group),
        )


def _log(path: Path) -> Iterator[Judgement]:
    """Yield a log's scores as those of a judge; every epoch is an answer of its own, `sample#epoch` from the second on."""
    from percuss.exchange.inspect_logs import read_log

    for one in read_log(path):
        failed = "transport" if one.reason == "error" else "schema"
        yield Judgement(
            item=one.sample if one.epoch == 1 else f"{one.sample}#{one.epoch}",
            rater=f"judge:{one.model}/{one.scorer}",
            metric="score",
            score=one.value,
            outcome="ok" if one.value is not None else failed,
            cluster=one.sample,
        )
