"""From a run to people and back: studies by phantom raters whose cells are known, tables of their exports, flags in the report."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from percuss.api.catalog import load
from percuss.api.run.session import OwnSession
from percuss.core.errors import BadInput
from percuss.core.ports import Roles
from percuss.engine.prompts import load_prompts
from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.cost import CostOptions, cost_table
from percuss.protocols.textbook.estimate.counting import cells as answer_cells
from percuss.protocols.textbook.generate import PROTOCOL as GENERATE
from percuss.protocols.textbook.generate.estimate import cells as item_cells
from percuss.protocols.textbook.generate.options import GenerateOptions
from percuss.protocols.textbook.items.released import load_released
from percuss.protocols.textbook.options import TextbookOptions
from percuss.protocols.textbook.people.command import TablesOptions, tables
from percuss.protocols.textbook.tasks.release import ReleaseOptions, release
from percuss.store import RunStore
from percuss.study.answers import shuffled_letters
from percuss.study.create import create
from percuss.study.design import load_design
from percuss.study.export import export_file
from percuss.study.items import Prepared
from percuss.study.runs import export_to_run, items_of_run
from percuss.study.selftest.raters import judge_all
from percuss.study.settings import Settings
from percuss.study.study import Study
from tests.protocols.textbook.runs import run
from tests.protocols.textbook.test_generate import generated

Form = dict[str, str]
GOOD, BAD = "phantom/student?closed=0", "phantom/student?closed=1"


def studied(
    folder: Path, design: str, where: Path, fill: Mapping[str, Callable[[Prepared, str], Form]]
) -> Study:
    """Make a study of a run, and let each rater fill in the form of every item."""
    listed, blob = items_of_run(folder, load_design(design), load)
    plan = Settings(name="s", design=design, seed=3, overlap=1.0, repeats=0.0, depth=len(fill))
    study, _ = create(plan, listed, folder=where, raters=len(fill), blob=blob)
    with study.database.read() as connection:
        held = study.all_items(connection)

    def answerer(form: Callable[[Prepared, str], Form]) -> Callable[[int, str, float], Form]:
        return lambda item, token, _: {"active_ms": "1000", **form(held[item], token)}

    judge_all(study, {code: answerer(form) for code, form in fill.items()})
    return study


def ranked(favourite: str) -> Callable[[Prepared, str], Form]:
    """Return a rater who puts one model first, calls it good, and finds an unsupported claim in every other one."""

    def form(item: Prepared, token: str) -> Form:
        owners = item.hidden["answer_ids"]
        out: Form = {}
        for letter, key in shuffled_letters(list(owners), token).items():
            first = owners[key]["model"] == favourite
            out |= {
                f"q.rank.{letter}": "1" if first else "2",
                f"q.quality.{letter}": "good" if first else "bad",
            }
            out[f"q.unsupported.{letter}"] = "no" if first else "yes"
        return out

    return form


def told(options: TablesOptions) -> str:
    return asyncio.run(tables(options, OwnSession(Roles({}, seed=1)))).text


def test_a_study_of_rankings_gives_tables_and_rates_of_models(tmp_path: Path) -> None:
    run(tmp_path / "run", [GOOD, BAD], limit=8)
    with RunStore.open(tmp_path / "run") as store:
        models = sorted({one.response.model for one in store.view("").assessed()})
    best, worst = models
    raters = {"r1": ranked(best), "r2": ranked(best), "r3": ranked(worst)}
    with studied(tmp_path / "run", "ranking", tmp_path / "study", raters) as study:
        export_file(study, tmp_path / "export.csv", "csv")
        assert export_to_run(study, tmp_path / "run")
    said = told(TablesOptions(file=str(tmp_path / "export.csv"), out=str(tmp_path / "tables"), least=2))
    assert f"r1: favourite {best}; tau-b against the others" in said
    assert f"r3: favourite {worst}; tau-b against the others -1.00" in said
    table = [line.split() for line in said.splitlines()]
    kinds = {row[0]: row for row in table if row and row[0] in {"true_false", "short_answer", "total"}}
    assert {"true_false", "short_answer", "total"} <= set(kinds)  # the export holds the type among the strata
    assert (
        "hallucination rate and usefulness, all types, over 2 models: rho -1.00, exact permutation p" in said
    )
    assert "minutes per judgement, pauses cut" in said
    severity = (tmp_path / "tables" / "severity.csv").read_text(encoding="utf-8")
    assert f'{best},short_answer,"0.333' in severity  # one of three raters calls it bad throughout
    drawn = {
        path.name.rpartition("-")[0] for path in (tmp_path / "tables").glob("*.svg")
    }  # each in some widths
    assert len(drawn) == 4
    with RunStore.open(tmp_path / "run") as store:
        made = [
            cell for cell in answer_cells(store.view(store.latest_scoring().id), TextbookOptions()) if cell.labels == "human"
        ]  # fmt: skip
    rates = {
        (name, model): sum(cell.num for cell in made if (cell.name, cell.model) == (name, model))
        / sum(cell.den for cell in made if (cell.name, cell.model) == (name, model))
        for name in ("hallucination_rate", "bad_rate", "usefulness")
        for model in models
    }
    assert rates == {
        ("hallucination_rate", best): 0, ("hallucination_rate", worst): 1, ("bad_rate", best): 0, ("bad_rate", worst): 1,
        ("usefulness", best): 2, ("usefulness", worst): 0,
    }  # fmt: skip


def verified(doubts: str) -> Callable[[Prepared, str], Form]:
    """Return a rater who finds everything relevant, and disputes every question of one type."""

    def form(item: Prepared, token: str) -> Form:
        del token
        out = {"q.relevance": "5", "q.dispute": "no", "q.feedback": "no"}
        if item.stratum["kind"] == doubts:
            out |= {"q.dispute": "yes", "q.reasons": "fabricated", "q.relation": "absent"}
        return out

    return form


def test_a_study_of_generated_questions_gives_yields_in_tables_report_and_release(tmp_path: Path) -> None:
    folder = generated(tmp_path / "book", passages=14, model="phantom/author?invalid=0.3")
    raters = {"r1": verified("list"), "r2": verified("nothing")}
    with studied(folder / "generation", "qa-verification", tmp_path / "study", raters) as study:
        export_file(study, tmp_path / "export.csv", "csv")
        assert export_to_run(study, folder / "generation")
    rows = [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    good = [row for row in rows if row.get("valid", True)]
    lists = sum(row["type"] == "list" for row in good)
    assert lists
    ideal = (len(good) - lists) / len(good)
    said = told(TablesOptions(file=str(tmp_path / "export.csv"), run=str(folder / "generation")))
    assert f"hallucination: {lists / len(good):.3f}" in said
    assert f"ideal pair yield: {ideal:.3f}" in said
    assert f"relevance 5: {lists} flagged, {len(good) - lists} not; other items: 0 flagged, 0 not" in said
    assert f"list  {lists}  1.000" in said  # the yields of one type
    assert f"ideal pair yield over all questions asked for: {(len(good) - lists) / len(rows):.3f}" in said
    options = GenerateOptions(prompts=load_prompts(GENERATE.folder))
    with RunStore.open(folder / "generation") as store:
        made = [
            cell
            for cell in item_cells(store.view(store.latest_scoring().id), options)
            if cell.labels == "human"
        ]
    shares = {
        name: (
            sum(cell.num for cell in made if cell.name == name),
            sum(cell.den for cell in made if cell.name == name),
        )
        for name in (
            "plausibility",
            "answerability",
            "ideal_pair_yield",
            "ideal_pair_yield_of_all",
            "hallucination_rate",
        )
    }
    n = len(good)
    assert shares == {
        "plausibility": (n, n), "answerability": (n - lists, n), "ideal_pair_yield": (n - lists, n),
        "ideal_pair_yield_of_all": (n - lists, len(rows)), "hallucination_rate": (lists, n),
    }  # fmt: skip
    session = OwnSession(Roles({}, seed=1))
    out = asyncio.run(
        release(
            ReleaseOptions(folder=str(folder), out=str(tmp_path / "set"), study=str(tmp_path / "export.csv")),
            session,
        )
    )
    loaded = load_released(tmp_path / "set")
    assert ({item.id for item in loaded.items}, loaded.errors) == ({row["id"] for row in good}, ())
    assert out.data["canary"] in (tmp_path / "set" / "card.md").read_text(encoding="utf-8")
    first = json.loads((tmp_path / "set" / "list.json").read_text(encoding="utf-8"))[0]
    assert first["canary"] == out.data["canary"]
    assert first["source"]["licence"] == bundled().passages[0].licence
    labels = [
        json.loads(line)
        for line in (tmp_path / "set" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert sum(row["dispute"] for row in labels) == lists
    assert len(labels) == len(good)


def test_a_set_without_licence_is_not_released(tmp_path: Path) -> None:
    folder = generated(tmp_path / "book", passages=2, model="phantom/author?invalid=0")
    rows = [
        json.loads(line) | {"licence": ""}
        for line in (folder / "passages.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    (folder / "passages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(BadInput, match="names no licence; ingest it with --licence"):
        asyncio.run(
            release(
                ReleaseOptions(folder=str(folder), out=str(tmp_path / "set")), OwnSession(Roles({}, seed=1))
            )
        )


def test_minutes_of_an_export_are_what_verification_costs(tmp_path: Path) -> None:
    stamps = (
        "2026-01-01T10:00:00+00:00",
        "2026-01-01T10:02:00+00:00",
        "2026-01-01T10:04:06+00:00",
        "2026-01-01T12:00:00+00:00",
    )
    rows = [
        {"item": f"i{at}", "rater": "r1", "relevance": "5", "saved_at": stamp}
        for at, stamp in enumerate(stamps)
    ]
    file = tmp_path / "export.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = CostOptions(models=("llama-70b=253",), study=str(file))
    made = asyncio.run(cost_table(options, OwnSession(Roles({}, seed=1)))).data["rows"][0]
    assert made["+verification"] == pytest.approx(253 / 3600 * 4.01 + 2.05 / 60 * 20)  # the paper's .28 + .68
