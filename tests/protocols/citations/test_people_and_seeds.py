"""Three designs for people, and seed questions that a model writes from documents."""

from pathlib import Path

import msgspec
import pytest

from percuss.api.run.session import OwnSession
from percuss.core.ports import Roles
from percuss.engine.prompts import load_prompts
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.cases import cases
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.seeding import SeedOptions, seeds, usable
from percuss.store import RunStore
from percuss.study.design import load_design
from percuss.study.items import prepare
from tests.citing_people import Writer
from tests.protocols.citations.conversations import SEED, answer, document, entry, run
from tests.protocols.citations.test_other_ways import Asker

HELD = document("PEL-0001")


@pytest.mark.parametrize("name", ["extraction", "source-grounding", "confirm", "claim-adjudication"])
def test_each_design_gets_the_fields_that_it_shows_and_no_name_of_model_or_arm(
    name: str, tmp_path: Path
) -> None:
    said = answer(
        (HELD.facts[0].sentence, entry(HELD)), (HELD.facts[1].sentence, entry(HELD, year=HELD.year - 9))
    )
    first = next(cases(None, CitationsOptions(), SEED)).payload["question"]
    run(tmp_path / "r", Writer({first: said}), turns=1)
    options = CitationsOptions(prompts=load_prompts(PROTOCOL.folder), turns=1)
    design = load_design(name)
    with RunStore.open(tmp_path / "r") as store:
        view = store.view(store.latest_scoring().id)
        found = [prepare(item, design)[0] for item in PROTOCOL.items(view, name, options)]
    assert len(found) == (1 if name == "extraction" else 2)
    for item in found:
        needed = {field.name for field in design.field if field.required}
        assert needed <= set(item.shown)
        assert "scripted/writer" not in str(item.shown)
    if name == "confirm":
        assert [item.shown["verdict"]["reference"] for item in found] == ["yes", "no"]
    if name == "source-grounding":
        assert found[0].shown["sources"][0]["text"]
        assert "verdict" not in found[0].shown


DOCUMENT = {
    "id": "d1",
    "title": "Lamp oil and night watches",
    "abstract": "Lamp oil was dearer in winter. Watches were longer.",
    "doi": "10.5555/x",
}


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How does the price of fuel change how long a harbour is guarded?", ""),
        ("Is lamp oil dearer in winter?", "can be answered by yes or no"),
        ("Explain the price of oil.", "is no question"),
        ("What does this study say of oil?", "names the document"),
        ("Why do lamp oil and night watches belong together?", "holds the title"),
    ],
)
def test_which_questions_can_be_seeds(question: str, reason: str) -> None:
    assert usable(question, {"title": DOCUMENT["title"], "text": ""}) == reason


async def test_seeds_are_written_and_can_be_asked(tmp_path: Path) -> None:
    source, out = tmp_path / "docs.jsonl", tmp_path / "seeds.jsonl"
    source.write_bytes(msgspec.json.encode(DOCUMENT))
    good = "How does the price of fuel change how long a harbour is guarded?"
    said = msgspec.json.encode({"questions": [good, "Is oil dear?", good]}).decode()
    options = SeedOptions(documents=str(source), out=str(out), count=3)
    session = OwnSession(Roles({"builder": Asker("scripted/builder", said)}, seed=1))
    result = await seeds(options, session)
    assert result.data["written"] == 1
    assert len(result.data["dropped"]) == 1
    (case,) = cases(str(out), CitationsOptions(turns=1), SEED)
    assert case.payload["question"] == good
    assert case.payload["sources"][0]["text"] == DOCUMENT["abstract"]
    assert "would ask" in (await seeds(options, OwnSession(Roles({}, seed=1), dry_run=True))).text
