"""Generation: which type a passage gets, resampling, what is kept, and that its items run."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from numpy.typing import NDArray

from percuss.cli import cli
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Roles
from percuss.core.records import Message, Posed
from percuss.engine import ask as engine_ask
from percuss.engine import check as engine_check
from percuss.engine import identity_of
from percuss.engine.prompts import load_prompts
from percuss.phantoms import phantom
from percuss.protocols.textbook import PROTOCOL as TEXTBOOK
from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.generate import PROTOCOL
from percuss.protocols.textbook.generate.ask import ask
from percuss.protocols.textbook.generate.choosing import chosen_types, fitting
from percuss.protocols.textbook.generate.focus import focus_of, truth_of
from percuss.protocols.textbook.generate.options import GenerateOptions
from percuss.protocols.textbook.generate.phantom import PHANTOMS
from percuss.protocols.textbook.generate.schemas import as_json, item_from, schema_of
from percuss.protocols.textbook.generate.taking import rows_of
from percuss.protocols.textbook.items.item import TYPES
from percuss.protocols.textbook.items.valid import faults
from percuss.protocols.textbook.options import TextbookOptions
from percuss.store import RunStore, survey
from percuss.testing import check
from tests.protocols.textbook.books import PROSE
from tests.protocols.textbook.test_items import GOOD


def test_the_type_is_the_first_that_fits() -> None:
    assert next(kind for kind, _ in fitting("It has fever, cough, rash and pain. It ends.")) == "list"
    chain = "It rises because salt is kept. It is so. Therefore water follows. It ends."
    assert next(kind for kind, _ in fitting(chain)) == "multi_hop"
    assert next(kind for kind, _ in fitting("A dose of 40 mg is given. It ends.")) == "multiple_choice"
    assert next(kind for kind, _ in fitting("It goes on. It ends.")) == "true_false"


def test_quotas_are_equal_and_the_choice_is_the_same_again() -> None:
    passages = bundled().passages
    chosen = chosen_types(passages, TYPES, 5)
    counts = {kind: sum(each.type == kind for each in chosen) for kind in TYPES}
    assert max(counts.values()) <= -(-len(passages) // len(TYPES)) + 3
    assert all(counts.values())
    assert {each.type for each in chosen[:14]} == set(TYPES)
    assert chosen == chosen_types(passages, TYPES, 5)
    assert all(each.reason for each in chosen)
    assert {each.type for each in chosen_types(passages, ("true_false",), 5)} == {"true_false"}


@pytest.mark.parametrize("kind", TYPES)
def test_a_reply_of_the_schema_is_an_item(kind: str) -> None:
    good = GOOD[kind]
    made = item_from(f"Here it is: {as_json(good)}", kind, passage="p")
    assert not isinstance(made, str)
    assert (made.type, made.question, made.answer, made.answers) == (kind, good.question, good.answer, good.answers)  # fmt: skip
    assert set(made.options) == set(good.options)
    assert set(schema_of(kind)["required"]) == set(json.loads(as_json(good)))


@pytest.mark.parametrize(
    ("text", "words"),
    [("no json", "holds no JSON"), ('{"question": "q", "wrong": "x", "answer": "a"}', "wrong is no list"), ('{"question": 3, "wrong": ["a"], "answer": "a"}', "question is no text")],
)  # fmt: skip
def test_a_reply_of_another_form_is_named(text: str, words: str) -> None:
    assert words in str(item_from(text, "multiple_choice", passage="p"))


def test_options_are_mixed_here_so_that_the_right_one_is_among_them() -> None:
    places = set()
    for number in range(20):
        reply = {
            "question": f"Which of {number} is it?",
            "answer": "Tin",
            "wrong": ["tin.", "gold", "Gold", "lead", "zinc"],
        }
        made = item_from(json.dumps(reply), "multiple_choice", passage="p")
        assert not isinstance(made, str)
        assert set(made.options) == {
            "Tin",
            "gold",
            "lead",
            "zinc",
        }  # what says another option again is left out
        assert faults(made) == ()
        assert made == item_from(json.dumps(reply), "multiple_choice", passage="p")
        places.add(made.options.index("Tin"))
    assert places == {0, 1, 2, 3}


def test_a_statement_is_asked_for_as_true_or_as_false() -> None:
    truths = {passage.id: truth_of(5, passage.id) for passage in bundled().passages}
    assert 20 <= sum(truth == "true" for truth in truths.values()) <= 40
    assert schema_of("true_false", "false")["properties"]["answer"]["enum"] == ["false"]
    options = replace(GenerateOptions(), prompts=load_prompts(PROTOCOL.folder), types="true_false")
    (arm,) = PROTOCOL.arms(options)
    for case in PROTOCOL.cases(None, options, 5):
        made = PROTOCOL.pose(case, arm, None, options, 5)
        assert made.script["truth"] == truths[case.id]
        assert f"Write one {truths[case.id]} statement" in made.messages[1].text


def test_a_question_is_asked_about_a_sentence_that_stands_by_itself() -> None:
    text = "It acts in the loop of the nephron there. A dose of 40 mg is given by mouth to adults. Salt is lost, so water follows. Signs are fever, cough, rash and pain."
    assert focus_of(text, "multiple_choice", 1, "p") == "A dose of 40 mg is given by mouth to adults."
    assert focus_of(text, "list", 1, "p") == "Signs are fever, cough, rash and pain."
    assert focus_of(text, "multi_hop", 1, "p") == ""
    drawn = {focus_of(text, "short_answer", seed, "p") for seed in range(30)}
    assert drawn == {"A dose of 40 mg is given by mouth to adults.", "Salt is lost, so water follows.", "Signs are fever, cough, rash and pain."}  # fmt: skip
    assert focus_of("", "short_answer", 1, "p") == ""


class Scripted:
    """Replies in order, the last one ever after."""

    id, pin = "test/scripted", "1"

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = list(texts), list[Request]()

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.asked.append(request)
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return Reply(parts=(Text(text=text),), finish="stop")


def posed(kind: str) -> Posed:
    script = {
        "type": kind,
        "passage": PROSE[0],
        "passage_id": "p",
        "domain": "",
        "truth": "",
        "distractors": "{passage}{question}{answer}{wrong}{n}",
    }
    return Posed(messages=(Message.of("user", "x"),), script=script)


def asked(model: Scripted, kind: str, **settings: Any) -> Any:
    options = replace(GenerateOptions(), **settings)
    return asyncio.run(ask(posed(kind), Roles({"model": model}, seed=1), options))


def test_an_invalid_question_is_asked_again_with_another_seed_and_kept() -> None:
    model = Scripted("nothing", '{"question": "Where", "answer": "x"}', as_json(GOOD["short_answer"]))
    made = asked(model, "short_answer")
    assert made.artifacts["attempts"] == len(made.turns) == 3
    assert made.artifacts["faults"][0] == ["the reply holds no JSON object with a question"]
    assert made.artifacts["faults"][1] == ["the question has fewer than three words"]
    assert made.artifacts["faults"][2] == []
    assert len({request.seed for request in model.asked}) == 3
    assert all(request.reply_schema == schema_of("short_answer") for request in model.asked)


def test_tries_end_and_the_faults_stay() -> None:
    made = asked(Scripted("nothing"), "list", resamples_of_item=2)
    assert made.artifacts["attempts"] == 3
    assert "item" not in made.artifacts


def test_stronger_wrong_options_replace_the_old_ones_and_never_the_right_one() -> None:
    good = as_json(GOOD["multiple_choice"])
    made = asked(
        Scripted(good, '{"options": ["b cells", "amber", "tin"]}'), "multiple_choice", distractors=True
    )
    assert set(made.artifacts["item"]["options"]) == {"amber", "b cells", "tin"}
    same = asked(Scripted(good, '{"options": ["b cells"]}'), "multiple_choice", distractors=True)
    assert set(same.artifacts["item"]["options"]) == {"an artery", "b cells", "c fibres"}


def test_without_a_model_the_local_one_takes_as_many_passages_as_it_says(tmp_path: Path) -> None:
    rows = [msgspec.json.encode(passage).decode() for passage in bundled().passages]
    (tmp_path / "passages.jsonl").write_text("\n".join(rows), encoding="utf-8")
    done = CliRunner().invoke(cli, ["textbook", "generate", str(tmp_path), "--dry-run"])
    assert (
        "no model was named: embedded/qwen2.5-coder-1.5b-instruct takes the first 14 passages" in done.output
    )
    assert not (tmp_path / "items.jsonl").exists()


@pytest.mark.slow
def test_every_law_holds_for_generation() -> None:
    assert [outcome.line for outcome in check(PROTOCOL).failures] == []


def generated(folder: Path, *, passages: int, model: str, **more: str) -> Path:
    """Make questions of the first bundled passages in a folder, and return it."""
    folder.mkdir()
    rows = [msgspec.json.encode(passage).decode() for passage in bundled().passages[:passages]]
    (folder / "passages.jsonl").write_text("\n".join(rows), encoding="utf-8")
    words = [
        "textbook",
        "generate",
        str(folder),
        "--model",
        model,
        "--no-report",
        "--resamples",
        "100",
        "--fail-on-error",
        "1.0",
    ]
    words += [word for name, value in more.items() for word in (f"--{name}", value)]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert "valid items" in done.output
    return folder


def test_generated_items_stand_beside_the_passages_and_run(tmp_path: Path) -> None:
    folder = generated(tmp_path / "book", passages=6, model="phantom/author?invalid=0.5")
    held = [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(held) == 6
    good = [row for row in held if row.get("valid", True)]
    assert all(row["provenance"]["generator"].startswith("phantom/author") for row in good)
    assert all(row["faults"] for row in held if not row.get("valid", True))
    options = replace(TextbookOptions(), prompts=load_prompts(TEXTBOOK.folder))
    by_folder = list(TEXTBOOK.cases(str(folder), options, 1))
    by_run = list(TEXTBOOK.cases(str(folder / "generation"), options, 1))
    assert {case.id for case in by_folder} == {case.id for case in by_run} == {row["id"] for row in good}


def test_a_true_statement_is_read_against_its_passage(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    rows = [msgspec.json.encode(passage).decode() for passage in bundled().passages[:8]]
    (folder / "passages.jsonl").write_text("\n".join(rows), encoding="utf-8")
    words = ["run", "textbook-generate", "--cases", str(folder), "--out", str(folder / "generation"), "--model", "phantom/author?invalid=0&invents=0.5",
             "--types", "true_false", "--no-report", "--resamples", "100"]  # fmt: skip
    CliRunner().invoke(cli, words, catch_exceptions=False)
    with RunStore.open(folder / "generation") as store:
        held = list(store.view(store.latest_scoring().id).assessed())
    said = {
        one.response.artifacts["item"]["question"]: next(v for v in one.verdicts if v.aspect == "support") for one in held
    }  # fmt: skip
    invented = [v for text, v in said.items() if "777 mg" in text]
    own = [v for text, v in said.items() if "777 mg" not in text]
    assert not [v for v in invented if v.label == "supported"]
    assert not [v for v in own if v.label == "unsupported"]
    assert all(v.rater == "rule:quoted-1" for v in said.values())
    assert all(v.label is not None or str(v.unscored).startswith("undecided") for v in said.values())


class Alike:
    """An embedder to which all questions are the same, or each is its own."""

    id = "scripted/alike"

    def __init__(self, *, same: bool) -> None:
        self.same, self.seen = same, 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (n, 64)."""
        first = 0 if self.same else self.seen
        self.seen += len(texts)
        return np.eye(64, dtype=np.float32)[[first if self.same else first + at for at in range(len(texts))]]


@pytest.mark.parametrize(("same", "expected"), [(True, 1), (False, 4)])
def test_duplicates_are_told_by_the_vectors_of_questions(same: bool, expected: int, tmp_path: Path) -> None:
    options = replace(GenerateOptions(types="true_false"), prompts=load_prompts(PROTOCOL.folder))
    cases = list(PROTOCOL.cases(None, options, 1))[:4]
    model = phantom("phantom/author?invalid=0", seed=1, known=PHANTOMS)
    roles = Roles({}, seed=1, embedder=Alike(same=same))

    async def made() -> None:
        identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=1, roles={})
        with RunStore.create(tmp_path / "run", identity) as store:
            store.add_cases(iter(cases))
            await engine_ask(
                store, PROTOCOL, options, roles=roles, models=[model], arms=list(PROTOCOL.arms(options))
            )
            await engine_check(store, PROTOCOL, options, roles=roles)

    asyncio.run(made())
    rows = list(rows_of(tmp_path / "run"))
    assert sum(not row.faults for row in rows) == expected
    assert all("says again what" in row.faults[0] for row in rows if row.faults)
