"""The reader of key points on the labelled answers of tests/reading/skills; the passport that reports quote is of this rule and these rows."""

import importlib.util
import json
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from percuss.judging.passport import passport_of
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.scorers.points import HIT, MISSED, NAME, KeyPoint, read_points

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reading_skills", ROOT / "scripts" / "reading_skills.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_version_reads_as_it_did(reading: ModuleType) -> None:
    held = json.loads(reading.PASSPORTS.read_text(encoding="utf-8"))["passports"][0]
    found = reading.figures(list(reading.pairs("locked")))
    assert {name: held[name] for name in found} == found
    assert held["floors_met"] == reading.met(found)
    toml = tomllib.loads((PROTOCOL.folder / "protocol.toml").read_text(encoding="utf-8"))
    assert toml["readers"]["versions"][NAME] == held["version"] == reading.VERSION
    passport = passport_of(NAME, corpus="skills_points", layout="")
    assert passport is not None
    assert passport.n == found["n"]


def test_a_second_reader_agrees_with_the_first(reading: ModuleType) -> None:
    """Reading, section 2: a tenth, at least 100 rows, labelled twice blind; below .70 the definition is mended."""
    found = reading.second_labels()
    assert found["n"] >= 100
    assert found["kappa"] >= 0.70


def test_the_page_says_what_was_found(reading: ModuleType) -> None:
    assert reading.PAGE.read_text(encoding="utf-8") in (ROOT / "docs" / "reading.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("text", "point", "label"),
    [
        ("It should not be begun: the bleeding outweighs what is gained.", KeyPoint(says="bleeding", any=("bleeding",)), HIT),
        ("It is not recommended because it makes bleeds likelier.", KeyPoint(says="bleeding", any=("bleeds",)), HIT),
        ("Azithromycin is no longer added.", KeyPoint(says="no azithromycin", any=("azithromycin",), denied=True), HIT),
        ("Keep pillows and soft toys out.", KeyPoint(says="no pillows", any=("pillows",), denied=True), HIT),
        ("Saline is preferred to balanced crystalloids.", KeyPoint(says="balanced", any=("balanced crystalloids",)), MISSED),
        ("It had diarrhoea at 6.2% versus 14.6% on placebo.", KeyPoint(says="diarrhoea", any=("diarrhoea",), numbers=("14.6%",)), MISSED),
        ("It had diarrhoea at 6.2% versus 14.6% on placebo.", KeyPoint(says="placebo", any=("placebo",), numbers=("14.6%",)), HIT),
        ("It increased attacks by 48%.", KeyPoint(says="attacks 48% lower", any=("attacks",), numbers=("48%",)), MISSED),
        ("Attacks dropped by 48%.", KeyPoint(says="attacks 48% lower", any=("attacks",), numbers=("48%",)), HIT),
        ("A crisis in 1.4% against 0.3%.", KeyPoint(says="0.3%", any=("0.3%",)), HIT),
    ],
)  # fmt: skip
def test_what_was_learned_of_the_dev_half(text: str, point: KeyPoint, label: str) -> None:
    assert read_points(text, [point])[0].label == label
