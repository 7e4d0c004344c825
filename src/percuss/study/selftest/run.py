"""Run the planted studies, compare tables exactly and estimates within their intervals, write the page."""

import csv
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy.stats import binom

from percuss import stats
from percuss.core.records import Record
from percuss.core.seeds import generator
from percuss.stats import Result
from percuss.study.agreement import agreement
from percuss.study.answers import shuffled_letters
from percuss.study.create import create
from percuss.study.export import export_file
from percuss.study.figures import Figure, Report, figure_of
from percuss.study.selftest.raters import judge_all
from percuss.study.selftest.studies import STUDIES, Planned
from percuss.study.settings import Settings
from percuss.study.store.verifying import verify
from percuss.study.study import Study

__all__ = ["Found", "Row", "run_studies", "study_page"]

COVERED = 0.9  # share of intervals that must hold what was planted
CHANCE = 0.01  # an estimate whose intervals hold so rarely that a true share of COVERED would give it less often is wrong


class Row(Record):
    """One estimate of one seed: planted against measured. `table`: the exported labels are what the raters gave, exactly."""

    study: str
    paper: str
    seed: int
    figure: str
    planted: float
    measured: float | None
    low: float | None
    high: float | None
    holds: bool
    table: bool


class Found(Record):
    """All rows; `verified` counts the ledgers that verify."""

    rows: tuple[Row, ...]
    studies: int
    verified: int

    @property
    def held(self) -> float:
        """Share of intervals that hold what was planted."""
        return sum(row.holds for row in self.rows) / max(1, len(self.rows))

    @property
    def estimates(self) -> dict[tuple[str, str], tuple[int, int]]:
        """How many intervals hold, and of how many, per (study, estimate)."""
        told: dict[tuple[str, str], tuple[int, int]] = {}
        for row in self.rows:
            held, n = told.get((row.study, row.figure), (0, 0))
            told[row.study, row.figure] = held + row.holds, n + 1
        return told

    @property
    def passed(self) -> bool:
        """Whether every table is exact, every ledger verifies, enough intervals hold, and no estimate's share is below that beyond chance."""
        low = any(binom.cdf(held, n, COVERED) < CHANCE for held, n in self.estimates.values())
        exact = all(row.table for row in self.rows) and self.verified == self.studies
        return self.held >= COVERED and not low and exact


def run_studies(
    seeds: Sequence[int],
    *,
    names: Sequence[str] = (),
    B: int = 500,
    say: Callable[[str], None] = lambda _: None,
) -> Found:
    """Run every planted study once a seed through the portal.

    Args:
        seeds: of items, raters and plan. names: only these studies; () all.
        B: resamples of the intervals. say: hears of each study.
    """
    rows: list[Row] = []
    verified = count = 0
    for seed in seeds:
        for planned in STUDIES:
            if not names or planned.name in names:
                more, fits = _once(planned, seed, B)
                rows += more
                count += 1
                verified += fits
                say(
                    f"{planned.name}, seed {seed}: {sum(row.holds for row in more)} of {len(more)} intervals hold"
                )
    return Found(rows=tuple(rows), studies=count, verified=verified)


def _once(planned: Planned, seed: int, B: int) -> tuple[list[Row], bool]:
    rng = generator(seed, "study selftest", planned.name)
    per = 8 if planned.design == "ranking" else 1
    offered = planned.items + planned.beside
    truth = rng.choice(len(planned.truth), p=planned.truth, size=(offered, per))
    listed, machine = [], list[int]()
    for n in range(offered):
        hidden: dict[str, Any] = {}
        if planned.judge is not None:
            machine.append(planned.judge.draw(int(truth[n, 0]), 0.0, rng))
            hidden["verdicts"] = {"judge:phantom/judge#1": planned.values[machine[-1]]}
        listed.append(planned.make(n, hidden))
    with tempfile.TemporaryDirectory(prefix="percuss-study-selftest-") as scratch:
        settings = Settings(
            name=planned.name, design=planned.design, seed=seed, repeats=0.0, depth=len(planned.habits)
        )
        raters, size = len(planned.habits), planned.items if planned.beside else None
        study, _ = create(settings, listed, folder=Path(scratch) / "s", raters=raters, size=size)
        with study:
            people = _People(study, planned, truth, seed)
            judge_all(study, {f"r{n + 1}": people.answers(n) for n in range(raters)})
            table = _exported(study, planned, Path(scratch)) == people.given
            report = agreement(study, B=B)
            with study.database.read() as connection:
                fits = verify(connection, key=study.public_key, expect=study.anchored).ok
    figures = _figures(planned, report, _corrected(planned, machine, people.given))
    return [
        _row(planned, seed, name, value, figures, table) for name, value in planned.expected.items()
    ], fits


class _People:
    """The phantom raters of one study; `given` is what they said: (code, thing judged) -> value."""

    def __init__(self, study: Study, planned: Planned, truth: Any, seed: int) -> None:
        self.study, self.planned, self.truth, self.seed = study, planned, truth, seed
        self.given: dict[tuple[str, str], str] = {}
        with study.database.read() as connection:
            self.places = {number: int(one.id[1:]) for number, one in study.all_items(connection).items()}

    def answers(self, place: int) -> Callable[[int, str, float], dict[str, str]]:
        """Return how one rater answers: (item, token, progress) -> fields of the form."""
        planned, code = self.planned, f"r{place + 1}"

        def answer(item: int, token: str, progress: float) -> dict[str, str]:
            n = self.places[item]
            draws, rng = self._drawn(place, n, progress)
            form = {"active_ms": str(round(1000 * rng.gamma(4.0, planned.habits[place].seconds / 4)))}
            if planned.design == "ranking":
                return form | _ranking(planned, n, token, code, draws, self.given, rng)
            value = planned.values[draws[0]]
            self.given[code, f"i{n}"] = value
            return form | _filled(self.study, planned.question, value)

        return answer

    def _drawn(self, place: int, n: int, progress: float) -> tuple[list[int], np.random.Generator]:
        """Draw what a rater says of an item; the last rater may copy the one before, who said it on their own."""
        rng = generator(self.seed, "study selftest", self.planned.name, f"r{place + 1}", str(n))
        last = place == len(self.planned.habits) - 1
        if last and self.planned.copied and rng.random() < self.planned.copied:
            return self._drawn(place - 1, n, progress)[0], rng
        habit = self.planned.habits[place]
        return [habit.draw(int(t), progress, rng) for t in self.truth[n]], rng


def _corrected(
    planned: Planned, machine: Sequence[int], given: dict[tuple[str, str], str]
) -> dict[str, Result]:
    """Return the share of `planned.corrected` that r1 would give all items, from r1 on some and the machine on all."""
    if planned.corrected is None:
        return {}
    value = planned.values[planned.corrected]
    judge = np.array([float(said == planned.corrected) for said in machine])
    human = np.array(
        [
            float(given[key] == value) if (key := ("r1", f"i{n}")) in given else np.nan
            for n in range(len(judge))
        ]
    )
    seen = ~np.isnan(human)
    held = stats.judge_accuracy(judge[seen], human[seen])
    return {
        "corrected share": stats.ppi_rate(stats.Judged(judge, human)),
        "share by Rogan-Gladen": stats.rogan_gladen(
            judge.sum(),
            len(judge),
            sensitivity=(held.true_positive, held.positive),
            specificity=(held.true_negative, held.negative),
        ),
    }


def _figures(planned: Planned, report: Report, corrected: dict[str, Result]) -> dict[str, Figure]:
    """Return name -> figure of the question that was planted."""
    question = next(one for one in report.questions if one.name == planned.question)
    return {
        "kappa": question.between,
        "same": question.raw,
        "ceiling": question.ceiling,
        "judge": next(iter(question.machines.values()), question.between),
        **{f"bias of {rater}": figure for rater, figure in question.bias.items()},
        **question.pairs,
        **{name: figure_of(result) for name, result in corrected.items()},
    }


def _ranking(
    planned: Planned,
    item: int,
    token: str,
    code: str,
    draws: Sequence[int],
    given: dict[tuple[str, str], str],
    rng: np.random.Generator,
) -> dict[str, str]:
    letters = shuffled_letters([f"a{m + 1}" for m in range(8)], token)
    order = sorted(range(8), key=lambda m: (draws[m], rng.random()))
    form: dict[str, str] = {}
    for letter, key in letters.items():
        m = int(key[1:]) - 1
        given[code, f"i{item}-{m}"] = planned.values[draws[m]]
        form |= {f"q.quality.{letter}": planned.values[draws[m]], f"q.rank.{letter}": str(order.index(m) + 1)}
        form[f"q.unsupported.{letter}"] = "no"
    return form


def _filled(study: Study, asked: str, value: str) -> dict[str, str]:
    """Return the form of one answer; every other question gets its first value."""
    form, answer = {}, {asked: value}
    for question in study.design.question:
        put = all(answer.get(other, "") in values for other, values in question.when.items())
        if put and question.name != asked and question.values:
            answer[question.name] = question.values[0]
    for name, said in answer.items():
        form[f"q.{name}"] = said
    return form


def _exported(study: Study, planned: Planned, folder: Path) -> dict[tuple[str, str], str]:
    """Return (rater, thing judged) -> label, read from the exported table."""
    text = export_file(study, folder / "x.csv", "csv").read_text(encoding="utf-8")
    found: dict[tuple[str, str], str] = {}
    for row in csv.DictReader(io.StringIO(text)):
        if planned.design == "ranking":
            found |= {
                (row["rater"], name): value for name, value in json.loads(row[planned.question]).items()
            }
        else:
            found[row["rater"], row["item"]] = row[planned.question]
    return found


def _row(
    planned: Planned, seed: int, name: str, value: float, figures: dict[str, Figure], table: bool
) -> Row:
    figure = figures[name]
    low, high = figure.low, figure.high
    holds = low is not None and high is not None and low <= value <= high
    told: dict[str, Any] = {
        "study": planned.name,
        "paper": planned.paper,
        "seed": seed,
        "figure": name,
        "planted": value,
    }
    return Row(**told, measured=figure.value, low=low, high=high, holds=holds, table=table)


def study_page(found: Found, seeds: Sequence[int]) -> str:
    """Return the page of the self-test, Markdown; every number on it is simulated."""
    (study, figure), (held, n) = min(found.estimates.items(), key=lambda item: item[1][0] / item[1][1])
    told = (
        f"{len(seeds)} {'seed' if len(seeds) == 1 else 'seeds'}: {found.held:.1%} of {len(found.rows)} intervals hold the planted "
        f"value (held to {COVERED:.0%}), those of the estimate that misses most often ({study}, {figure}) {held / n:.1%} of {n}; {sum(row.table for row in found.rows)} of {len(found.rows)} label tables are exactly "
        f"what the raters gave; {found.verified} of {found.studies} ledgers verify."
    )
    lines = [
        "# Self-test of human studies",
        "",
        f"Made by `percuss selftest study --seed {seeds[0]} --seeds {len(seeds)}`. Every rater here is simulated: phantom raters with planted skill, bias, drift, fatigue and collusion judged whole",
        "studies of the papers' designs through the portal; agreement has to find what was planted.",
        "",
        told,
        "",
        "| study | after | estimate | planted | mean of measured | intervals that hold |",
        "|---|---|---|---|---|---|",
    ]
    keys = dict.fromkeys((row.study, row.paper, row.figure, row.planted) for row in found.rows)
    for study, paper, figure, planted in keys:
        mine = [row.measured for row in found.rows if (row.study, row.figure) == (study, figure)]
        measured = [value for value in mine if value is not None]
        mean = f"{np.mean(measured):.3f}" if measured else "undefined"
        held, n = found.estimates[study, figure]
        lines.append(f"| {study} | {paper} | {figure} | {planted:.3f} | {mean} | {held} of {n} |")
    return "\n".join(lines) + "\n"


def as_json(found: Found) -> bytes:
    """Return the rows as JSON."""
    return msgspec.json.encode(found)
