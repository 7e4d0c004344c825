"""How far people agree: with each other before anything was settled, with themselves, with the machines.

Kappa is computed on first labels of items that several people judged on their own (papers/0 appendix T asks for it before
consensus); hidden repeats give agreement with oneself; the settled or unanimous label is what machines are held against.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import mean, median
from typing import Any, NamedTuple

import msgspec

from percuss import stats
from percuss.core.seeds import derive
from percuss.study.answers import Given
from percuss.study.design import Question
from percuss.study.figures import Figure, QuestionAgreement, Report, Timing, figure_of, no_figure, renamed
from percuss.study.items import Prepared, stratum_of
from percuss.study.marks import found_by_machine, marks_f1
from percuss.study.multireader import Further, further
from percuss.study.reference import Source, human_labels, machines_on, mean_z, reference_answers
from percuss.study.store import work
from percuss.study.store.work import Labelled
from percuss.study.study import Study
from percuss.study.units import Table, Unit, share, units_of

__all__ = ["agreement"]

DEFAULT_B = 1000  # resamples, papers/0 Table 1 and appendix T
MOST_LISTED = 12
"""People up to which kappa of each two is listed; a hundred have 4,950, and alpha says it of all of them."""


def _tau(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """Kendall's tau of two rankings without ties."""
    pairs = list(combinations(sorted(one), 2))
    signs = [math.copysign(1, (one[a] - one[b]) * (other[a] - other[b])) for a, b in pairs]
    return sum(signs) / len(signs)


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
        return no_figure("nothing was judged twice"), no_figure("nothing was judged twice")
    same = figure_of(stats.wilson(sum(a == b for _, a, b in values), len(values)))
    clusters = [item for item, _, _ in values]
    if question.measure == "rank":
        taus = [_tau(a, b) for _, a, b in values]
        found = share(taus, seed=seed, clusters=clusters, B=B)
        return renamed(figure_of(found), "mean Kendall tau-b over items"), same
    parts = [marks_f1(a, b) for _, a, b in values]
    if not any(den for _, den in parts):
        return no_figure("nobody marked anything", len(parts)), same
    found = share([n for n, _ in parts], [d for _, d in parts], seed=seed, clusters=clusters, B=B)
    return renamed(figure_of(found), "F1 of marks, overlap of at least one half"), same


Human = Mapping[Unit, Sequence[Any]]  # unit -> what each of the people said of it


def _against(table: Table, human: Human, machine: Mapping[Unit, Any], source: Source) -> Figure:
    """Hold a machine against people: each of them on every item, or one source that stands for all."""
    pairs = [(u, value, said) for u, value in sorted(machine.items()) for said in human.get(u, ())]
    if source != "mean_z":
        return table.kappa(pairs)
    if len({u for u, _, _ in pairs}) < 3:
        return no_figure("fewer than three items were scored by both", len(pairs))
    clusters = [str(u[0]) for u, _, _ in pairs]
    scored, said = [float(a) for _, a, _ in pairs], [b for _, _, b in pairs]
    return figure_of(stats.kendall_tau_b(scored, said, seed=table.seed, clusters=clusters, B=table.B))


def _human(question: Question, data: "_Data") -> dict[Unit, list[Any]]:
    """Return what people said of each unit, of the source that was named."""
    if data.source == "mean_z":
        return {u: [z] for u, z in mean_z(question, data.people).items()} if question.kind == "scale" else {}
    found: dict[Unit, list[Any]] = defaultdict(list)
    for item, labels in data.people.items():
        for _, given in labels:
            for unit, value in units_of(question, item, given).items():
                found[unit].append(value)
    return found


def _ceiling(table: Table, between: Figure) -> Figure:
    """What people reach against people: on scales each reader against the others' consensus (papers/1 appendix F)."""
    if table.question.measure != "ordinal" or table.question.per or len(table.raters) < 3:
        return between
    scores = [
        [float(given[r]) if r in given else math.nan for r in table.raters]
        for _, given in sorted(table.units.items())
    ]
    return renamed(
        figure_of(stats.leave_one_out_ceiling(scores, seed=table.seed, B=table.B).mean), "leave-one-out tau-b"
    )


def _pairs_of(labels: Sequence[Labelled]) -> list[tuple[int, Given, Given]]:
    by_item: dict[int, list[Labelled]] = defaultdict(list)
    for label in labels:
        by_item[label.item].append(label)
    return [
        (item, a.given, b.given) for item, given in sorted(by_item.items()) for a, b in combinations(given, 2)
    ]


def _repeat_pairs(labels: Sequence[Labelled]) -> list[tuple[int, Given, Given]]:
    first = {(label.rater, label.item): label.first for label in labels if not label.again}
    return [
        (label.item, first[label.rater, label.item], label.first)
        for label in labels
        if label.again and (label.rater, label.item) in first
    ]


class _Data(NamedTuple):
    """What the statistics of every question share."""

    complete: Sequence[Labelled]
    everything: Sequence[Labelled]
    items: Mapping[int, Prepared]
    human: Mapping[int, Given]
    people: Mapping[int, Sequence[tuple[str, Given]]]
    source: Source
    strata: Mapping[int, str]
    B: int


def _categories(
    table: Table, again: Sequence[tuple[int, Given, Given]]
) -> tuple[Figure, Figure, dict[str, Figure], Figure, Figure]:
    """Return agreement between people, equal answers, each pair (of 12 people at most), repeats, repeats beyond chance."""
    raters = table.raters if len(table.raters) <= MOST_LISTED else ()
    pairs = {
        f"{a}-{b}": table.kappa(table.both(a, b)) for a, b in combinations(raters, 2) if table.both(a, b)
    }
    several = any(len(given) > 1 for given in table.units.values())
    between = next(iter(pairs.values())) if len(pairs) == 1 else table.alpha() if several else table.kappa([])
    doubled = [
        (unit, value, second[unit])
        for item, one, two in again
        for second in [units_of(table.question, item, two)]
        for unit, value in units_of(table.question, item, one).items()
        if unit in second
    ]
    return between, table.alike(), pairs, table.same(doubled), table.kappa(doubled)


def _by_stratum(table: Table, data: _Data, truth: Human, said: Mapping[Unit, Any]) -> dict[str, Figure]:
    names = sorted({name for name in data.strata.values() if name})
    if len(names) < 2:
        return {}
    return {
        name: _against(
            table, truth, {u: v for u, v in said.items() if data.strata[u[0]] == name}, data.source
        )
        for name in names
    }


def _question(question: Question, data: _Data, seed: int, *, primary: bool) -> QuestionAgreement:
    table = Table(question, data.complete, seed, data.B)
    again = _repeat_pairs(data.everything)
    pairs: dict[str, Figure] = {}
    machines: dict[str, dict[Unit, Any]] = {}
    more = Further(None, None, {}, {})
    marked: dict[str, Figure] = {}
    on: dict[str, int] = {}
    if question.measure in ("rank", "spans"):
        between, raw = _structured(question, _pairs_of(data.complete), seed, data.B)
        repeats_kappa, repeats = _structured(question, again, seed, data.B)
        if question.measure == "spans":
            marked, on = found_by_machine(question, data.items, data.people, seed=seed, B=data.B)
    else:
        between, raw, pairs, repeats, repeats_kappa = _categories(table, again)
        machines = machines_on(question, data.items, primary)
        more = further(table, data.items)
    truth = _human(question, data)
    found = sorted(machines.items())
    strata = {rater: _by_stratum(table, data, truth, said) for rater, said in found}
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
        machines=marked or {rater: _against(table, truth, said, data.source) for rater, said in found},
        machine_items=on or {rater: len({u[0] for u in said if truth.get(u)}) for rater, said in found},
        by_stratum={rater: parts for rater, parts in strata.items() if parts},
        open=len(data.items) - len({n for n, given in data.human.items() if units_of(question, n, given)}),
        cant=sum(bool(label.given.cant) for label in data.everything),
        **more._asdict(),
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


def _first(label: Labelled) -> Labelled:
    """Return a label as it was said first: what is settled or revised later moves no agreement between people."""
    return msgspec.structs.replace(label, given=label.first)


def agreement(study: Study, *, B: int = DEFAULT_B, source: Source = "persons") -> Report:
    """Compute the whole account of a study's agreement.

    Args:
        B: bootstrap resamples; the seed is the study's.
        source: what machines are held against; the default is every person on all items, never only the items on
            which people happen to agree.
    """
    with study.database.read() as connection:
        everything = study.labels(connection)
        by_all = work.answered_by_all(connection, everything)
        complete = [_first(one) for given in by_all.values() for one in given]
        settled = work.agreed(connection)
        items = study.all_items(connection)
    human = reference_answers(study)
    strata = {n: stratum_of(item, study.settings.strata) for n, item in items.items()}
    asked = [q for q in study.design.question if q.measure != "none"]
    people = human_labels(study, source)
    data = _Data(complete, everything, items, human, people, source, strata, B)
    questions = tuple(
        _question(q, data, derive(study.settings.seed, "study", "agreement", q.name), primary=n == 0)
        for n, q in enumerate(asked)
    )
    notes = (*_notes(study), *_with_the_program(study, everything))
    return Report(
        study=study.settings.name,
        design=study.design.name,
        blinded=study.design.blinded,
        raters=tuple(sorted({label.rater for label in everything})),
        items=len(items),
        several=len({label.item for label in complete}),
        repeats=len(_repeat_pairs(everything)),
        settled=len(settled),
        revised=sum(one.revision > 1 for one in everything),
        copied=sum(one.revision == 0 for one in everything),
        source=source,
        questions=questions,
        timing=_timing(everything),
        notes=notes,
    )


def _notes(study: Study) -> tuple[str, ...]:
    notes = () if study.design.blinded else ("not blinded: people saw the program's result beside the item",)
    if study.values.get("source_version"):
        old = f"labels made with {study.values['source_version']} are here as first labels: whether they had been revised is unknown"
        notes = (*notes, old)
    return notes


def _with_the_program(study: Study, everything: Sequence[Labelled]) -> Iterator[str]:
    """Yield how often each person agrees with the program whose result they saw (papers/2 Table 12).

    Args:
        study: of a design that shows it and asks whether one agrees. everything: its labels; first ones are counted.
    """
    for question in study.design.question if not study.design.blinded else ():
        if {option.value for option in question.option} != {"agree", "disagree"}:
            continue
        said: dict[str, list[bool]] = defaultdict(list)
        for label in everything:
            if not label.again and question.name in label.first.answer:
                said[label.rater].append(label.first.answer[question.name] == "agree")
        for rater, agreed in sorted(said.items()):
            made = stats.wilson(sum(agreed), len(agreed))
            shown = f"{made.value:.2f} [{made.low:.2f}, {made.high:.2f}]"
            yield f"{question.name}: {rater} agrees with the program on {sum(agreed)} of {len(agreed)} items, {shown}, not blinded"
