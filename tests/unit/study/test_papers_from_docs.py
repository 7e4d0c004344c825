"""The human studies of five papers set up from docs/study.md alone, on runs of their protocols, and judged through the portal.

The lines of the page are run as they stand, in an empty folder.

Phantom raters with a planted share of slips answer every form over HTTP; the exported table is what they gave, exactly, and
the agreement that the command prints holds what was planted.
"""

import csv
import json
import shlex
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from percuss.cli import cli
from percuss.core.seeds import generator
from percuss.study.answers import shuffled_letters
from percuss.study.selftest.planted import Habit, expected_kappa, expected_same
from percuss.study.selftest.raters import judge_all
from percuss.study.store.verifying import verify
from percuss.study.study import Study, open_study
from tests.documented import blocks

SEED = 12
PAGE = Path(__file__).resolve().parents[3] / "docs" / "study.md"
HABITS = {3: Habit.careful(3, 0.9), 4: Habit.careful(4, 0.9), 5: Habit.near(5, 0.8)}
Form = dict[str, str]


def asked(words: list[str]) -> str:
    """Run a command of percuss and return what it printed."""
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def lines_of(name: str) -> list[str]:
    """Return the lines of the page that make a study: the run that it is made of, and the study."""
    (page,) = (
        one for one in blocks(PAGE.read_text(encoding="utf-8")) if one.runner.endswith(Path(__file__).name)
    )
    (create,) = (line for line in page.commands() if line.startswith(f"percuss study create {name} "))
    run = create.split(" --from ")[1].split()[0]
    return [next(line for line in page.commands() if line.endswith(f" --out {run}")), create]


def made(tmp_path: Path, name: str) -> Path:
    """Do what the page says, in an empty folder, and return the study's."""
    with chdir(tmp_path):
        for line in lines_of(name):
            said = asked(shlex.split(line)[1:])
    blind = "nothing was tested of the model: each screen shows" if name == "ranks" else "no field beside"
    assert f"blinding: {blind}" in said
    return tmp_path / "studies" / name


def truth_of(question: str, item: int, values: int) -> int:
    """Draw what is true of an item, the same for every rater."""
    return int(generator(SEED, "truth", question, str(item)).integers(values))


def drawn(code: str, question: str, thing: str, item: int, values: int) -> int:
    """Draw what a rater says: what is true, with the planted slips."""
    rng = generator(SEED, code, question, thing)
    return HABITS[values].draw(truth_of(question, item, values), 0.0, rng)


def chosen(
    study: Study, code: str, primary: str, given: dict[tuple[str, str], str]
) -> Callable[[int, str, float], Form]:
    """Answer the first question as drawn, and every other one that is asked by its first choice."""

    def answer(item: int, token: str, progress: float) -> Form:
        del token, progress
        values = next(q.values for q in study.design.question if q.name == primary)
        with study.database.read() as connection:
            name = study.item(connection, item).id
        said = values[drawn(code, primary, name, item, len(values))]
        given[code, name] = said
        told: dict[str, str] = {primary: said}
        for question in study.design.question:
            due = all(told.get(other, "") in allowed for other, allowed in question.when.items())
            if due and question.name != primary and question.values:
                told[question.name] = question.values[0]
        return {"active_ms": "9000", **{f"q.{name}": value for name, value in told.items()}}

    return answer


def rows_of(folder: Path, tmp_path: Path) -> list[dict[str, str]]:
    """Export the answers as the command line does, and read the table."""
    asked(["study", "export", str(folder), "--out", str(tmp_path / "answers.csv")])
    with (tmp_path / "answers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def told(folder: Path, question: str) -> dict[str, Any]:
    """Return what `study agreement` says of a question."""
    report = json.loads(asked(["study", "agreement", str(folder), "--json"]))
    return next(one for one in report["questions"] if one["name"] == question)


def holds(figure: dict[str, Any], planted: float) -> bool:
    """Return whether an interval holds what was planted."""
    return bool(figure["low"] <= planted <= figure["high"])


CHOICES = {
    "claims": ("support", 4, 2),
    "readers": ("cf", 5, 4),
    "sources": ("reference_exists", 3, 2),
    "ratings": ("consistency", 5, 3),
    "pairs": ("relevance", 5, 2),
}
"""Study of the page -> its first question, values of the question, raters."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CHOICES)
def test_a_papers_study_of_choices_is_made_from_its_run_and_recovers_what_was_planted(
    name: str, tmp_path: Path
) -> None:
    question, values, raters = CHOICES[name]
    folder = made(tmp_path, name)
    given: dict[tuple[str, str], str] = {}
    with open_study(folder) as study:
        codes = [f"r{n + 1}" for n in range(raters)]
        saved = judge_all(study, {code: chosen(study, code, question, given) for code in codes})
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
    listed = rows_of(folder, tmp_path)
    assert len(listed) == saved
    assert {(row["rater"], row["item"]): row[question] for row in listed} == given
    assert all(row["model"].startswith("phantom/") for row in listed)
    found, habit, even = told(folder, question), HABITS[values], [1 / values] * values
    kappa, same = expected_kappa(habit, habit, even, quadratic=values == 5), expected_same(habit, habit, even)
    pairs = list(found["pairs"].values()) if raters > 2 else [found["between"]]
    held = [holds(pair, kappa) for pair in pairs] + ([holds(found["raw"], same)] if raters == 2 else [])
    assert sum(held) >= 0.8 * len(held), (held, kappa, same, found)


@pytest.mark.slow
def test_paper_4_experiment_2_ranks_the_answers_of_a_run(tmp_path: Path) -> None:
    models = ["phantom/student", "phantom/student?closed=0.2", "phantom/student?closed=0.6"]
    folder = made(tmp_path, "ranks")
    given: dict[tuple[str, str], dict[str, int]] = {}

    def ranker(study: Study, code: str) -> Callable[[int, str, float], Form]:
        def answer(item: int, token: str, progress: float) -> Form:
            del progress
            with study.database.read() as connection:
                held = study.item(connection, item)
            owners = held.hidden["answer_ids"]
            liked = {
                key: models.index(owner["model"]) + generator(SEED, code, held.id, key).normal(0, 0.6)
                for key, owner in owners.items()
            }
            order = sorted(liked, key=liked.__getitem__)
            given[code, held.id] = {owners[key]["response_id"]: n + 1 for n, key in enumerate(order)}
            form = {"active_ms": "9000"}
            for letter, key in shuffled_letters(list(owners), token).items():
                form |= {f"q.rank.{letter}": str(order.index(key) + 1), f"q.unsupported.{letter}": "no"}
                form[f"q.quality.{letter}"] = ("good", "okay", "bad")[order.index(key)]
            return form

        return answer

    with open_study(folder) as study:
        judge_all(study, {code: ranker(study, code) for code in ("r1", "r2")})
    listed = rows_of(folder, tmp_path)
    assert {(row["rater"], row["item"]): json.loads(row["rank"]) for row in listed} == given
    assert set(json.loads(listed[0]["models"]).values()) == set(models)
    rng = np.random.default_rng(SEED)
    places = [np.argsort(np.arange(3) + rng.normal(0, 0.6, size=(20_000, 3)), axis=1) for _ in "ab"]
    one, other = (np.argsort(place, axis=1) for place in places)
    pairs = ((0, 1), (0, 2), (1, 2))
    planted = np.mean([np.sign(one[:, a] - one[:, b]) * np.sign(other[:, a] - other[:, b]) for a, b in pairs])
    assert holds(told(folder, "rank")["between"], float(planted))


@pytest.mark.slow
def test_paper_2_people_mark_the_statements_of_answers_of_a_run(tmp_path: Path) -> None:
    folder = made(tmp_path, "marks")
    given: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def marker(study: Study, code: str) -> Callable[[int, str, float], Form]:
        def answer(item: int, token: str, progress: float) -> Form:
            del token, progress
            with study.database.read() as connection:
                held = study.item(connection, item)
            own = sorted({(one["start"], one["stop"]) for one in held.hidden["extracted"]})
            rng = generator(SEED, code, held.id)
            kept = [mark for mark in own if rng.random() < 0.85 and mark[1] <= len(held.shown["answer"])]
            given[code, held.id] = kept
            marks = [{"start": start, "stop": stop, "reference": "as cited"} for start, stop in kept]
            name = study.design.primary.name
            return {f"q.{name}": json.dumps(marks), "active_ms": "9000"} | (
                {} if marks else {f"q.{name}.none": "1"}
            )

        return answer

    with open_study(folder) as study:
        name = study.design.primary.name
        judge_all(study, {code: marker(study, code) for code in ("r1", "r2")})
    rows = rows_of(folder, tmp_path)
    found = {
        (r["rater"], r["item"]): [(m["start"], m["stop"]) for m in json.loads(r[name] or "[]")] for r in rows
    }
    assert found == given
    assert holds(
        told(folder, name)["between"], 0.85
    )  # each keeps .85 of the same statements: F1 is .85 * .85 / .85
