"""How far people agree: with each other before anything was settled, with themselves, with the machines.

Kappa is computed on first labels of items that several people judged on their own (papers/0 appendix T asks for it before
consensus); hidden repeats give agreement with oneself; the settled or unanimous label is what machines are held against.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import mean, median
from typing import Any

from percuss import stats
from percuss.core.records import Record
from percuss.core.seeds import derive
from percuss.study.answers import Given, same_spans
from percuss.study.design import Question
from percuss.study.items import Prepared, machine_verdicts, stratum_of
from percuss.study.store import work
from percuss.study.store.work import Labelled
from percuss.study.study import Study

__all__ = ["Figure", "QuestionAgreement", "Report", "Timing", "agreement", "reference_answers"]

DEFAULT_B = 1000  # resamples, papers/0 Table 1 and appendix T
Unit = tuple[int, str]  # item, answer key ("" where the whole item is asked)


class Figure(Record):
    """A number with its interval; `undefined` says why there is none."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    undefined: str = ""
    notes: tuple[str, ...] = ()


class QuestionAgreement(Record):
    """Agreement on one question.

    Args:
        between: Cohen's kappa (quadratic on scales) of two raters, Krippendorff's alpha of more, tau-b of rankings,
            F1 of marks.
        raw: share of pairs of people with the same answer. pairs: the same statistic for each two raters.
        repeats: share of hidden repeats answered the same; repeats_kappa: beyond chance.
        ceiling: what a machine can be asked to reach: people against people.
        machines: each machine rater against the settled or unanimous human label; by_stratum: the same in each stratum.
        open: items without such a label yet.
    """

    name: str
    ask: str
    measure: str
    between: Figure
    raw: Figure
    pairs: dict[str, Figure]
    repeats: Figure
    repeats_kappa: Figure
    ceiling: Figure
    machines: dict[str, Figure]
    by_stratum: dict[str, dict[str, Figure]]
    open: int
    cant: int


class Timing(Record):
    """Active seconds an item (gaps over two minutes are not counted), over all labels."""

    labels: int
    median_s: float
    mean_s: float
    by_rater: dict[str, float]


class Report(Record):
    """The whole account. `blinded` is False where people saw the machine's verdict."""

    study: str
    design: str
    blinded: bool
    raters: tuple[str, ...]
    items: int
    several: int
    repeats: int
    settled: int
    questions: tuple[QuestionAgreement, ...]
    timing: Timing
    notes: tuple[str, ...] = ()


def _figure(result: stats.Result) -> Figure:
    return Figure(
        value=result.value,
        low=result.low,
        high=result.high,
        n=result.n,
        method=result.method,
        undefined=result.undefined or "",
        notes=tuple(result.notes),
    )


def _missing(reason: str, n: int = 0) -> Figure:
    return Figure(value=None, low=None, high=None, n=n, method="", undefined=reason)


def _coded(question: Question, value: Any) -> Any:
    """Return a value as statistics need it: a position where the order counts, the word where it does not."""
    if question.measure == "ordinal" and str(value) in question.values:
        if question.kind == "scale":
            return int(value)
        return len(question.values) - question.values.index(str(value))
    return str(value)


def _units(question: Question, item: int, given: Given) -> dict[Unit, Any]:
    """Return the answers to one question: one of the item, or one of each answer in it."""
    if given.cant or question.name not in given.answer:
        return {}
    value = given.answer[question.name]
    if isinstance(value, dict):
        return {(item, key): _coded(question, inner) for key, inner in value.items()}
    return {(item, ""): _coded(question, value)}


def _scale(question: Question) -> list[Any]:
    coded = [_coded(question, value) for value in question.values]
    return sorted(coded) if question.measure == "ordinal" else coded


class _Table:
    """Answers to one question: unit -> rater -> value, first labels only."""

    def __init__(self, question: Question, labels: Iterable[Labelled], seed: int, B: int) -> None:
        self.question = question
        self.seed = seed
        self.B = B
        self.units: dict[Unit, dict[str, Any]] = defaultdict(dict)
        for label in labels:
            for unit, value in _units(question, label.item, label.given).items():
                self.units[unit][label.rater] = value

    @property
    def raters(self) -> tuple[str, ...]:
        return tuple(sorted({rater for given in self.units.values() for rater in given}))

    def both(self, one: str, other: str) -> list[tuple[Unit, Any, Any]]:
        return [(u, g[one], g[other]) for u, g in sorted(self.units.items()) if one in g and other in g]

    def kappa(self, pairs: Sequence[tuple[Unit, Any, Any]]) -> Figure:
        """Cohen's kappa with a bootstrap over items."""
        if len(pairs) < 2:
            return _missing("fewer than two items were judged twice", len(pairs))
        result = stats.cohen_kappa(
            [a for _, a, _ in pairs],
            [b for _, _, b in pairs],
            weights="quadratic" if self.question.measure == "ordinal" else "nominal",
            scale=_scale(self.question),
            interval="bootstrap",
            seed=self.seed,
            clusters=[str(unit[0]) for unit, _, _ in pairs],
            B=self.B,
        )
        return _figure(result)

    def same(self, pairs: Sequence[tuple[Unit, Any, Any]]) -> Figure:
        """Share of the same answer."""
        if not pairs:
            return _missing("nothing was judged twice")
        if len({unit[0] for unit, _, _ in pairs}) == len(pairs):
            return _figure(stats.wilson(sum(a == b for _, a, b in pairs), len(pairs)))
        hits = [float(a == b) for _, a, b in pairs]
        return _figure(
            stats.ratio_bootstrap(hits, seed=self.seed, clusters=[u[0] for u, _, _ in pairs], B=self.B)
        )

    def alpha(self) -> Figure:
        """Krippendorff's alpha over all raters."""
        rows = [[given.get(rater) for rater in self.raters] for _, given in sorted(self.units.items())]
        clusters = [str(unit[0]) for unit in sorted(self.units)]
        result = stats.krippendorff_alpha(
            rows,
            metric="ordinal" if self.question.measure == "ordinal" else "nominal",
            scale=_scale(self.question),
            interval="bootstrap",
            seed=self.seed,
            clusters=clusters,
            B=self.B,
        )
        return _figure(result)


def _tau(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """Kendall's tau of two rankings without ties."""
    pairs = list(combinations(sorted(one), 2))
    signs = [math.copysign(1, (one[a] - one[b]) * (other[a] - other[b])) for a, b in pairs]
    return sum(signs) / len(signs)


def _f1(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Numerator and denominator of F1: marks matched at half overlap, twice, over all marks."""
    return 2.0 * same_spans(one, other), float(len(one) + len(other))


def _structured(
    question: Question, pairs: Sequence[tuple[int, Given, Given]], seed: int, B: int
) -> tuple[Figure, Figure]:
    """Agreement on rankings and marks, with the share of the very same answer."""
    values = [
        (item, one.answer[question.name], other.answer[question.name])
        for item, one, other in pairs
        if question.name in one.answer and question.name in other.answer
    ]
    if not values:
        return _missing("nothing was judged twice"), _missing("nothing was judged twice")
    same = _figure(stats.wilson(sum(a == b for _, a, b in values), len(values)))
    clusters = [item for item, _, _ in values]
    if question.measure == "rank":
        taus = [_tau(a, b) for _, a, b in values]
        found = stats.ratio_bootstrap(taus, seed=seed, clusters=clusters, B=B)
        return _named(_figure(found), "mean Kendall tau-b over items"), same
    parts = [_f1(a, b) for _, a, b in values]
    if not any(den for _, den in parts):
        return _missing("nobody marked anything", len(parts)), same
    found = stats.ratio_bootstrap(
        [n for n, _ in parts], [d for _, d in parts], seed=seed, clusters=clusters, B=B
    )
    return _named(_figure(found), "F1 of marks, overlap of at least one half"), same


def _named(figure: Figure, name: str) -> Figure:
    return Figure(
        **{f: getattr(figure, f) for f in Figure.__struct_fields__ if f != "method"},
        method=f"{name}, {figure.method}",
    )


def reference_answers(study: Study) -> dict[int, Given]:
    """Return the human label of each item: what was settled, else what everybody who judged it said alike.

    Items on which people differ and nothing is settled yet are left out.
    """
    with study.database.read() as connection:
        labels = [label for label in work.labelled(connection) if not label.again]
        settled = work.agreed(connection)
    by_item: dict[int, list[Given]] = defaultdict(list)
    for label in labels:
        by_item[label.item].append(label.given)
    found: dict[int, Given] = {}
    for item, given in sorted(by_item.items()):
        if item in settled:
            answer = {**(given[0].answer if len(given) == 1 else {}), **settled[item].given.answer}
            found[item] = Given(answer=answer, cant=settled[item].given.cant)
        elif all(one.answer == given[0].answer and one.cant == given[0].cant for one in given):
            found[item] = given[0]
        else:
            alike = {q: v for q, v in given[0].answer.items() if all(one.answer.get(q) == v for one in given)}
            if alike:
                found[item] = Given(answer=alike)
    return found


def _machine_value(question: Question, verdict: Any, primary: bool) -> Any:
    """Return what a machine said to a question: a bare label belongs to the first question."""
    if isinstance(verdict, dict):
        for key in (question.name, question.aspect, *question.aliases):
            if key and key in verdict:
                return _machine_value(question, verdict[key], primary=True)
        if not primary:
            return None
        return next((verdict[k] for k in ("label", "score") if verdict.get(k) is not None), None)
    return verdict if primary else None


def _machines(
    question: Question, items: Mapping[int, Prepared], human: Mapping[int, Given], primary: bool
) -> dict[str, dict[Unit, Any]]:
    found: dict[str, dict[Unit, Any]] = defaultdict(dict)
    for number, item in items.items():
        if number not in human:
            continue
        for rater, verdict in machine_verdicts(item).items():
            value = _machine_value(question, verdict, primary)
            if value is None or isinstance(value, dict | list):
                continue
            text = str(round(value)) if isinstance(value, float) else str(value)
            if text in question.values:
                found[str(rater)][number, ""] = _coded(question, text)
    return found


def _against(table: _Table, human: Mapping[Unit, Any], machine: Mapping[Unit, Any]) -> Figure:
    return table.kappa([(u, value, human[u]) for u, value in sorted(machine.items()) if u in human])


def _ceiling(table: _Table, between: Figure) -> Figure:
    """What people reach against people: on scales each reader against the others' consensus (papers/1 appendix F)."""
    if table.question.measure != "ordinal" or table.question.per or len(table.raters) < 3:
        return between
    scores = [
        [float(given[r]) if r in given else math.nan for r in table.raters]
        for _, given in sorted(table.units.items())
    ]
    return _named(
        _figure(stats.leave_one_out_ceiling(scores, seed=table.seed, B=table.B).mean), "leave-one-out tau-b"
    )


def _pairs_of(labels: Sequence[Labelled]) -> list[tuple[int, Given, Given]]:
    by_item: dict[int, list[Labelled]] = defaultdict(list)
    for label in labels:
        by_item[label.item].append(label)
    return [
        (item, a.given, b.given) for item, given in sorted(by_item.items()) for a, b in combinations(given, 2)
    ]


def _repeat_pairs(labels: Sequence[Labelled]) -> list[tuple[int, Given, Given]]:
    first = {(label.rater, label.item): label.given for label in labels if not label.again}
    return [
        (label.item, first[label.rater, label.item], label.given)
        for label in labels
        if label.again and (label.rater, label.item) in first
    ]


def _question(
    question: Question,
    complete: Sequence[Labelled],
    everything: Sequence[Labelled],
    items: Mapping[int, Prepared],
    human: Mapping[int, Given],
    strata: Mapping[int, str],
    seed: int,
    B: int,
    *,
    primary: bool,
) -> QuestionAgreement:
    table = _Table(question, complete, seed, B)
    again = _repeat_pairs(everything)
    pairs: dict[str, Figure] = {}
    machines: dict[str, dict[Unit, Any]] = {}
    if question.measure in ("rank", "spans"):
        between, raw = _structured(question, _pairs_of(complete), seed, B)
        repeats_kappa, repeats = _structured(question, again, seed, B)
    else:
        raters = table.raters
        every = [(u, a, b) for one, other in combinations(raters, 2) for u, a, b in table.both(one, other)]
        raw = table.same(every)
        pairs = {
            f"{a}-{b}": table.kappa(table.both(a, b)) for a, b in combinations(raters, 2) if table.both(a, b)
        }
        between = (
            next(iter(pairs.values())) if len(pairs) == 1 else table.alpha() if pairs else table.kappa([])
        )
        doubled = [
            (unit, a[unit], b[unit])
            for item, one, two in again
            for a, b in [(_units(question, item, one), _units(question, item, two))]
            for unit in a
            if unit in b
        ]
        repeats, repeats_kappa = table.same(doubled), table.kappa(doubled)
        machines = _machines(question, items, human, primary)
    truth = {u: v for n, given in human.items() for u, v in _units(question, n, given).items()}
    names = sorted({name for name in strata.values() if name})
    return QuestionAgreement(
        name=question.name,
        ask=question.ask,
        measure=question.measure,
        between=between,
        raw=raw,
        pairs=pairs,
        repeats=repeats,
        repeats_kappa=repeats_kappa,
        ceiling=_ceiling(table, between),
        machines={rater: _against(table, truth, said) for rater, said in sorted(machines.items())},
        by_stratum={
            rater: {
                name: _against(table, truth, {u: v for u, v in said.items() if strata[u[0]] == name})
                for name in names
            }
            for rater, said in sorted(machines.items())
            if len(names) > 1
        },
        open=len(items) - len({n for n, given in human.items() if _units(question, n, given)}),
        cant=sum(bool(label.given.cant) for label in everything),
    )


def _timing(labels: Sequence[Labelled]) -> Timing:
    seconds: dict[str, list[float]] = defaultdict(list)
    for label in labels:
        seconds[label.rater].append(label.given.active_ms / 1000)
    every = [s for times in seconds.values() for s in times]
    return Timing(
        labels=len(every),
        median_s=median(every) if every else 0.0,
        mean_s=mean(every) if every else 0.0,
        by_rater={rater: median(times) for rater, times in sorted(seconds.items())},
    )


def agreement(study: Study, *, B: int = DEFAULT_B) -> Report:
    """Compute the whole account of a study's agreement.

    Args:
        B: bootstrap resamples; the seed is the study's.
    """
    with study.database.read() as connection:
        everything = work.labelled(connection)
        complete = [one for given in work.answered_by_all(connection).values() for one in given]
        settled = work.agreed(connection)
        items = study.all_items(connection)
    human = reference_answers(study)
    strata = {n: stratum_of(item, study.settings.strata) for n, item in items.items()}
    asked = [q for q in study.design.question if q.measure != "none"]
    questions = tuple(
        _question(
            question,
            complete,
            everything,
            items,
            human,
            strata,
            derive(study.settings.seed, "study", "agreement", question.name),
            B,
            primary=n == 0,
        )
        for n, question in enumerate(asked)
    )
    notes = () if study.design.blinded else ("not blinded: people saw the program's result beside the item",)
    return Report(
        study=study.settings.name,
        design=study.design.name,
        blinded=study.design.blinded,
        raters=tuple(sorted({label.rater for label in everything})),
        items=len(items),
        several=len({label.item for label in complete}),
        repeats=len(_repeat_pairs(everything)),
        settled=len(settled),
        questions=questions,
        timing=_timing(everything),
        notes=notes,
    )
