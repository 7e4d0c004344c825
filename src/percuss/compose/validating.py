"""`percuss judge validate`: from labels anywhere to judge cards, as records, sections and files."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from percuss import __version__
from percuss.compose.dossier import scoring_of
from percuss.core.errors import BadInput, UsageError
from percuss.core.judgement import Judgement
from percuss.core.strict import Record
from percuss.exchange.judgements import read_judgements, run_judgements
from percuss.judging.card import Card
from percuss.judging.selection import Gates, Selection, select
from percuss.judging.validation import judges_of, validate
from percuss.store import RunStore

__all__ = ["Validated", "Validation", "validate_judges"]


class Validation(Record):
    """What to validate.

    Args:
        sources: tables of judgements, run folders, recorded evaluator outputs and reader-study ratings; joined by item.
        judges: raters to validate; () takes all that are no people.
        humans: raters that are people, where their names do not begin with `human:`.
        choose: split the items and choose among the judges.
    """

    sources: tuple[str, ...]
    judges: tuple[str, ...] = ()
    humans: tuple[str, ...] = ()
    choose: bool = False
    gates: Gates = "binding"
    positive: str = "unsupported"
    double_count_abstain: bool = False
    revalidate: bool = False
    seed: int = 42
    resamples: int = 10_000


class Validated(Record):
    """Cards, and the choice where one was asked for."""

    cards: tuple[Card, ...]
    selection: Selection | None = None


def validate_judges(asked: Validation) -> Validated:
    """Validate judges and, for run folders, put their cards into the run.

    Args:
        asked: what to validate.

    Raises:
        UsageError: no person or no judge among the labels; BadInput: a file that cannot be read.
    """
    rows = [one for source in asked.sources for one in _read(Path(source), asked)]
    names = asked.judges or judges_of(rows)
    if not names:
        raise UsageError(
            "no rater is a judge; expected raters other than people, such as judge:openai/gpt-4.1-mini"
        )
    made = datetime.now(UTC).isoformat(timespec="seconds")
    cards = []
    for name in names:
        card = validate(
            rows,
            name,
            seed=asked.seed,
            positive=asked.positive,
            double_count_abstain=asked.double_count_abstain,
            resamples=asked.resamples,
        )
        cards.append(replace(card, percuss=__version__, made_at=made))
    chosen = None
    if asked.choose:
        chosen = select(
            rows,
            seed=asked.seed,
            gates=asked.gates,
            judges=names,
            double_count_abstain=asked.double_count_abstain,
            resamples=asked.resamples,
        )
    for source in asked.sources:
        if Path(source).is_dir():
            _keep(Path(source), cards)
    return Validated(cards=tuple(cards), selection=chosen)


def _keep(folder: Path, cards: Sequence[Card]) -> None:
    with RunStore.open(folder, writable=True) as store:
        held = dict(store.manifest().get("judge_cards", {}))
        held.update({card.judge.removeprefix("judge:"): msgspec.to_builtins(card) for card in cards})
        store.update_manifest({"judge_cards": held})


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
        yield from _ratings(path)
    elif path.suffix == ".eval":
        yield from _log(path)
    else:
        yield from read_judgements(path, humans=asked.humans)


def _is_ratings(path: Path) -> bool:
    """Tell a reader study's released layout from a table of judgements by its first line."""
    with path.open("rb") as file:
        return b'"completeness' in file.readline(1 << 20)


def _ratings(path: Path) -> Iterator[Judgement]:
    from percuss.exchange.explanation_layouts import read_ratings

    for rating in read_ratings(path):
        for metric, score in rating.scores.items():
            if metric in {"cf", "ca", "ct"}:
                stratum = " / ".join(part for part in (rating.model, rating.modification) if part)
                yield Judgement(
                    item=rating.item,
                    rater=f"human:{rating.rater}",
                    metric=metric,
                    score=score,
                    stratum=stratum,
                    cluster=rating.item,
                )


def _evaluator(path: Path, asked: Validation) -> Iterator[Judgement]:
    from percuss.exchange.explanation_layouts import read_evaluator, revalidated

    for recorded in read_evaluator(path):
        outcome = revalidated(recorded) if asked.revalidate else recorded
        yield Judgement(
            item=outcome.item,
            rater=path.stem,
            metric=outcome.metric,
            score=outcome.score if outcome.outcome == "ok" else None,
            outcome=outcome.outcome,
            stratum=outcome.group,
            cluster=outcome.item,
        )


def _log(path: Path) -> Iterator[Judgement]:
    from percuss.exchange.inspect_logs import read_log

    for one in read_log(path):
        yield Judgement(
            item=one.sample,
            rater=f"judge:{one.model}/{one.scorer}",
            metric="score",
            score=one.value,
            outcome="ok" if one.value is not None else "transport" if one.reason == "error" else "schema",
            cluster=one.sample,
            run_pass=one.epoch,
        )
