"""The human studies of papers 2 and 4 made from runs of their protocols by the command line, and judged through the portal.

Phantom raters with a planted share of slips answer every form over HTTP; the exported table is what they gave, exactly, and
the agreement that the command prints holds what was planted.
"""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import percuss
from percuss.cli.study import command
from percuss.core.seeds import generator
from percuss.study.answers import shuffled_letters
from percuss.study.selftest.planted import Habit, expected_kappa, expected_same
from percuss.study.selftest.raters import judge_all
from percuss.study.store.verifying import verify
from percuss.study.study import Study, open_study

SEED = 12
HABITS = {2: Habit.careful(2, 0.93), 3: Habit.careful(3, 0.9), 5: Habit.near(5, 0.8)}
Form = dict[str, str]


def asked(words: list[str]) -> str:
    """Run a command of `percuss study` and return what it printed."""
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def made(tmp_path: Path, run: tuple[str, list[str], int], words: list[str]) -> Path:
    """Run a protocol, make a study of it as docs/study.md says, and return the study's folder."""
    name, models, limit = run
    percuss.run(name, models, limit=limit, out=tmp_path / "run")
    folder = tmp_path / "study"
    said = asked(
        ["create", "s", "--from", str(tmp_path / "run"), "--out", str(folder), "--repeats", "0", *words]
    )
    assert "blinding: no field beside" in said
    return folder


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
    asked(["export", str(folder), "--out", str(tmp_path / "answers.csv")])
    with (tmp_path / "answers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def told(folder: Path, question: str) -> dict[str, Any]:
    """Return what `study agreement` says of a question."""
    report = json.loads(asked(["agreement", str(folder), "--json"]))
    return next(one for one in report["questions"] if one["name"] == question)


def holds(figure: dict[str, Any], planted: float) -> bool:
    """Return whether an interval holds what was planted."""
    return bool(figure["low"] <= planted <= figure["high"])


CHOICES = {
    "paper 2, appendix D": (
        ("citations", ["phantom/citer", "phantom/citer?nonexistent=0.5"], 6),
        ["--design", "source-grounding", "--strata", "model", "--sample", "120"],
        "reference_exists",
        3,
    ),
    "paper 4, experiment 1": (
        ("textbook-generate", ["phantom/author", "phantom/author?invalid=0.2"], 40),
        ["--design", "qa-verification", "--strata", "arm"],
        "relevance",
        5,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHOICES)
def test_a_papers_study_of_choices_is_made_from_its_run_and_recovers_what_was_planted(
    name: str, tmp_path: Path
) -> None:
    run, words, question, values = CHOICES[name]
    folder = made(tmp_path, run, words)
    given: dict[tuple[str, str], str] = {}
    with open_study(folder) as study:
        assert judge_all(study, {code: chosen(study, code, question, given) for code in ("r1", "r2")}) == len(
            given
        )
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
    assert {(row["rater"], row["item"]): row[question] for row in rows_of(folder, tmp_path)} == given
    assert all(row["model"].startswith("phantom/") for row in rows_of(folder, tmp_path))
    found, habit, even = told(folder, question), HABITS[values], [1 / values] * values
    assert holds(found["between"], expected_kappa(habit, habit, even, quadratic=values == 5))
    assert holds(found["raw"], expected_same(habit, habit, even))


@pytest.mark.slow
def test_paper_4_experiment_2_ranks_the_answers_of_a_run(tmp_path: Path) -> None:
    models = ["phantom/student", "phantom/student?closed=0.2", "phantom/student?closed=0.6"]
    folder = made(tmp_path, ("textbook", models, 40), ["--design", "ranking"])
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
    folder = made(
        tmp_path,
        ("citations", ["phantom/citer", "phantom/citer?nonexistent=0.5"], 6),
        ["--design", "extraction"],
    )
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
