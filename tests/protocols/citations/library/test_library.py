"""The bundled library is sound, its numbers are right where they can be worked out, and the lint finds what is wrong."""

import json
import math
import statistics
from decimal import getcontext
from pathlib import Path

import msgspec
import pytest

from percuss.core.errors import BadInput
from percuss.protocols.citations.library import (
    Document,
    Library,
    Seed,
    bundled,
    bundled_seeds,
    fabricated,
    read_document,
    read_niche,
    templates,
)
from percuss.protocols.citations.library.documents import FOLDER
from percuss.protocols.citations.library.lint import lint


def test_enough_and_sound() -> None:
    library, seeds = bundled(), bundled_seeds()
    assert lint(library, seeds) == ()
    assert library.complete
    assert len(library.documents) >= 60
    assert sum(len(document.facts) for document in library.documents) >= 400
    assert sum(seed.domain == "medical_guidelines" and bool(seed.documents) for seed in seeds) >= 40
    assert {document.domain for document in library.documents} == {seed.domain for seed in seeds}
    assert {document.status for document in library.documents} == {"current", "superseded", "retracted"}
    assert sum(bool(seed.unanswerable) for seed in seeds) >= 4


def test_every_document_is_asked_about() -> None:
    asked = {name for seed in bundled_seeds() for name in seed.documents}
    assert asked == {document.id for document in bundled().documents}


def test_facts_stand_in_the_text_on_their_page() -> None:
    for document in bundled().documents:
        for fact in document.facts:
            part = document.section(fact.section)
            assert fact.sentence in part.text
            assert fact.value in fact.sentence
            assert fact.unit in fact.sentence
            assert document.pages[0] <= part.page <= document.pages[1]


def test_found_by_id_and_doi() -> None:
    library = bundled()
    document = library.find(" pel-0006 ")
    assert document is not None
    assert document.title == "Hyperkalaemia in adults"
    assert library.find("https://doi.org/10.5555/pel.0006") is document
    assert library.find("PEL-9999") is None
    assert document.text.startswith(
        "PEL-0006. Hyperkalaemia in adults. Percuss Educational Library, Renal Panel."
    )


def value(name: str, relation: str) -> str:
    document = bundled().find(name)
    assert document is not None
    return next(
        fact.value for fact in document.facts if fact.relation == relation or fact.subject == relation
    )


def test_worked_examples_are_right() -> None:
    assert value("PEL-0061", "positive predictive value") == f"{100 * 90 / (90 + 180):.1f}"
    assert value("PEL-0061", "negative predictive value") == f"{100 * 720 / (720 + 10):.1f}"
    assert float(value("PEL-0061", "positive likelihood ratio")) == pytest.approx(0.9 / 0.2)
    assert float(value("PEL-0061", "negative likelihood ratio")) == pytest.approx(0.1 / 0.8)
    normal = statistics.NormalDist()
    each = (normal.inv_cdf(0.975) + normal.inv_cdf(0.8)) ** 2 * (0.2 * 0.8 + 0.3 * 0.7) / 0.1**2
    assert int(value("PEL-0062", "in the example")) == math.ceil(each)
    assert int(value("PEL-0062", "with losses")) == math.ceil(math.ceil(each) / 0.9)
    low, high = wilson(5, 10)
    assert value("PEL-0063", "lower end for 5 events in 10") == f"{low:.3f}"
    assert value("PEL-0063", "upper end for 5 events in 10") == f"{high:.3f}"
    assert value("PEL-0063", "upper end for 0 events in 20") == f"{wilson(0, 20)[1]:.3f}"
    assert float(value("PEL-0064", "in the example")) == pytest.approx((0.8 - 0.5) / (1 - 0.5))
    assert float(value("PEL-0065", "after the second time in the example")) == pytest.approx(8 / 10 * 4 / 5)
    assert float(value("PEL-0066", "in the example")) == pytest.approx(100 * (20 - 10) / 20)
    assert value("PEL-0068", "with 20 hypotheses") == f"{100 * (1 - 0.95**20):.0f}"
    assert float(value("PEL-0069", "predicting 0.5 for everyone")) == 0.5**2


def wilson(events: int, total: int) -> tuple[float, float]:
    z, share = 1.959964, events / total
    middle = (share + z**2 / (2 * total)) / (1 + z**2 / total)
    half = z / (1 + z**2 / total) * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2))
    return middle - half, middle + half


def test_what_is_said_of_python_is_right() -> None:
    assert json.dumps("é") == '"\\u00e9"'
    assert json.dumps(math.nan) == "NaN"
    assert issubclass(json.JSONDecodeError, ValueError)
    with pytest.raises(TypeError):
        json.dumps({(1, 2): 1})
    assert (round(2.5), round(3.5), round(1234, -2)) == (2, 4, 1200)
    assert getcontext().prec == int(value("PEL-0077", "default digits"))
    assert math.isclose(1, 1 + 9e-10)
    assert not math.isclose(1, 1 + 2e-9)
    assert len(statistics.quantiles([1, 2, 3, 4, 5])) == int(value("PEL-0076", "groups by default")) - 1


def changed(document: Document, **fields: object) -> Document:
    return msgspec.structs.replace(document, **fields)


def faults(*documents: Document, seeds: tuple[Seed, ...] = ()) -> str:
    return "\n".join(lint(Library(documents=documents, complete=True), seeds))


def test_the_lint_finds_what_is_wrong() -> None:
    first, second = bundled().documents[0], bundled().documents[5]
    assert faults(first, second) == ""
    assert "documents have this id" in faults(first, changed(second, id=first.id))
    assert "its id is not" in faults(changed(first, id="NG-123"))
    assert "DOI does not follow" in faults(changed(first, doi="10.1000/pel.0001"))
    assert "year 1850" in faults(changed(first, year=1850))
    assert "it has 0 words" in faults(changed(first, sections=()))
    assert "facts" in faults(changed(first, facts=first.facts[:2]))
    assert "share 100%" in faults(first, changed(second, sections=first.sections))
    assert "same pages" in faults(first, changed(second, volume=first.volume, pages=first.pages))
    assert "one page per section" in faults(changed(first, pages=(1, 9)))
    assert "open with a notice" in faults(changed(first, status="retracted"))
    assert "do not go together" in faults(changed(first, status="superseded"))
    assert "not a later current document" in faults(
        changed(first, status="superseded", superseded_by="PEL-9999")
    )
    assert "no domain" in faults(changed(first, domain="poetry"))


def test_the_lint_finds_what_is_wrong_in_seeds() -> None:
    first = bundled().documents[0]
    seed = bundled_seeds()[0]

    def seed_faults(**fields: object) -> str:
        return faults(first, seeds=(msgspec.structs.replace(seed, **fields),))

    assert seed_faults() == ""
    assert "there is no PEL-9999" in seed_faults(documents=("PEL-9999",))
    assert "names no document and no reason" in seed_faults(documents=())
    assert "nothing in PEL-0001" in seed_faults(question="Why sing?", follow_ups=("Who?", "When?"))
    said = seed_faults(documents=(), unanswerable="the library has no document on adrenaline")
    assert "is about what the library is said not to hold" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no head", "no head between"),
        ("+++\nid = 3\n+++\n", "its head cannot be read"),
        ("+++\nid = [\n+++\n", "its head cannot be read"),
    ],
)
def test_a_document_of_another_form_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "PEL-0001.md"
    path.write_text(text)
    with pytest.raises(BadInput, match=message):
        read_document(path)


def test_a_fact_that_the_text_does_not_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "PEL-0001.md"
    text = (FOLDER / "PEL-0001.md").read_text(encoding="utf-8")
    path.write_text(text.replace("receive 0.5 mg of adrenaline", "receive 0.55 mg of adrenaline"))
    with pytest.raises(BadInput, match=r"no sentence of section 2 states '0\.5' mg"):
        read_document(path)


def test_fabricated_items_are_seeded_and_unknown_to_the_index() -> None:
    items = fabricated(20, seed=7)
    assert items == fabricated(20, seed=7)
    assert items != fabricated(20, seed=8)
    assert {item.domain for item in items} == {
        "research",
        "arts",
        "geography",
        "history",
        "science",
        "medicine",
    }
    assert len(items) == 6 * 20
    assert len({item.item for item in items}) == len(items)
    assert all(item.gold == () and item.item in item.question for item in items)
    assert set(fabricated(5, seed=7)) <= set(items)
    taken = items[0].item
    assert taken not in {item.item for item in fabricated(20, seed=7, known=lambda name: name == taken)}
    with pytest.raises(BadInput, match="ask for fewer"):
        fabricated(1, seed=1, known=lambda _: True)


def test_fabricated_items_are_not_in_the_library() -> None:
    text = "\n".join(document.text for document in bundled().documents).lower()
    assert not [item.item for item in fabricated(50, seed=1) if item.item.lower() in text]


def test_niche_items_come_from_a_file(tmp_path: Path) -> None:
    assert len(templates()) >= 10
    path = tmp_path / "niche.jsonl"
    path.write_text('{"template": "paper-year", "item": "A small paper", "gold": ["1998"]}\n\n')
    (item,) = read_niche(path)
    assert (item.kind, item.gold) == ("niche", ("1998",))
    assert item.question == "When did the paper 'A small paper' come out?"
    path.write_text('{"template": "sonnet", "item": "x", "gold": ["y"]}')
    with pytest.raises(BadInput, match=r"niche\.jsonl, line 1: got template 'sonnet'"):
        read_niche(path)
    path.write_text("[]")
    with pytest.raises(BadInput, match="this is no niche item"):
        read_niche(path)
