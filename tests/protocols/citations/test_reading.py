"""The readers of citations on the labelled texts of tests/reading/citations; the passports that reports quote are of these rules and rows."""

import importlib.util
import json
import os
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from percuss.core.reading import ReadRight
from percuss.judging.passport import passport_of
from percuss.protocols.citations.estimate.read_right import _line
from percuss.protocols.citations.estimate.saying import abstains
from percuss.protocols.citations.marked import reference_of
from percuss.protocols.citations.references.extract import cited_claims
from percuss.protocols.citations.references.identity import same_reference

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    return loaded("reading_citations")


def loaded(name: str) -> ModuleType:
    """Return a script as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_version_reads_as_it_did(reading: ModuleType) -> None:
    held = json.loads(reading.PASSPORTS.read_text(encoding="utf-8"))["passports"]
    found = reading.figures_of("locked")
    assert [row["reader"] for row in held] == list(found)
    for row in held:
        corpus, figures = found[row["reader"]]
        assert {name: row[name] for name in figures} == figures
        assert row["floors_met"] == reading.met(figures)
        passport = passport_of(row["reader"], corpus=f"citations_{corpus}", layout="")
        assert passport is not None
        assert (passport.version, passport.n) == (reading.VERSIONS[row["reader"]], figures["n"])


def test_no_text_or_question_is_in_both_halves_and_whole_origins_are_held_back(reading: ModuleType) -> None:
    for name in ("texts", "identity", "works", "abstention"):
        halves = {half: {row["group"] for row in reading.rows(name) if row["half"] == half} for half in ("dev", "locked")}  # fmt: skip
        assert not halves["dev"] & halves["locked"]
    origins = {half: {row["origin"].partition("|")[0] for row in reading.rows("texts") if row["half"] == half} for half in ("dev", "locked")}  # fmt: skip
    assert origins["locked"] - origins["dev"] == {"model:qwen2.5-coder-1.5b-instruct", "person:lawyer", "person:leaflet"}  # fmt: skip


def test_labels_stand_in_their_texts_and_real_answers_in_the_journal(reading: ModuleType) -> None:
    answers = {row["id"]: row["answer"] for row in reading.rows("answers")}
    for row in reading.rows("texts"):
        assert row["origin"].startswith("person:") or answers[row["id"]] == row["text"]
        for one in row["claims"]:
            (start, stop), (low, high) = one["marker"], one["reference"]
            assert 0 <= one["start"] <= start < stop <= one["stop"] <= len(row["text"])
            assert 0 <= low < high <= len(row["text"])


def test_the_page_says_what_was_found(reading: ModuleType) -> None:
    page = reading.PAGE.read_text(encoding="utf-8")
    assert page in (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
    assert "A second reader, who saw no label and no rule, agrees on" in page


@pytest.mark.parametrize(("corpus", "n"), [("texts", 150), ("identity", 260), ("abstention", 100)])
def test_a_second_reader_agrees_before_a_passport_counts(reading: ModuleType, corpus: str, n: int) -> None:
    """Below kappa .70 the definition is mended first (spec, reading, section 2)."""
    found = reading.again(corpus)
    assert found["n"] == n
    assert found["kappa"] >= 0.70


def test_the_passport_of_the_content_check_is_of_the_pairs_that_people_labelled() -> None:
    folder = Path(os.environ.get("PERCUSS_SHARED") or ROOT.parent / "shared") / "data" / "reading"
    if not folder.is_dir():
        pytest.skip("the labelled pairs are not beside this checkout (PERCUSS_SHARED)")
    script = loaded("content_accuracy")
    found = script.passport(sum((script.counted(folder / name) for name in script.SETS), Counter()))
    (held,) = json.loads(script.PASSPORT.read_text(encoding="utf-8"))["passports"]
    assert {name: held[name] for name in found} == found


def read(text: str) -> list[str]:
    """Return the words of each citation of a text."""
    return [text[claim.marker_start : claim.marker_stop] for claim in cited_claims(text).claims]


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("Masks did little in one trial (Abara et al., NEJM 2020).", ["Abara et al., NEJM 2020"]),
        ("Ten days are enough (Oduya P, Clin Infect Dis 2019;69:1-8).", ["Oduya P, Clin Infect Dis 2019;69:1-8"]),
        ("Two trials agree on it (NOVA Study Group, 1987; SOLEIL Investigators, 1991).", ["NOVA Study Group, 1987", "SOLEIL Investigators, 1991"]),
        ("A duty is owed to neighbours: Hale v Brook [1932] AC 562.", ["Hale v Brook [1932] AC 562"]),
        ("Warnings come before questions. Hale v. Arizona, 384 U.S. 436 (1966).", ["Hale v. Arizona, 384 U.S. 436 (1966)"]),
        ("Capacity is presumed under section 1(2) of the Mental Capacity Act 2005.", ["section 1(2) of the Mental Capacity Act 2005"]),
        ("Consent is needed for it (GDPR, art. 9(2)).", ["GDPR, art. 9(2)"]),
        ("Reviews trace it to work (Odum 2018). Others agree on that (ibid.).", ["Odum 2018", "ibid."]),
        ("The dose is 2 g/m² in 10⁹ cells, and it works.\n\n2. Odum P. A trial of doses. Lancet 2019.", []),
        ("He slept badly (March 2019), see Table 2 (2021) and [4.5 mmol/L].", []),
        ("Aspirin helps a little.² More research is needed on this.¹\n\n1. Odum P. One. Lancet 2018.\n2. Abara Q. Two. BMJ 2019.", ["²"]),
        ("Heparin came first [3, Table 2] in trials.\n\nReferences\n[3] Odum P. A trial of heparin. Lancet 2019.", ["[3, Table 2]"]),
        ("Take one tablet (1). It helps most people (2).\n\n1. Swallow it whole.\n2. Drink water with it.", []),
    ],
)  # fmt: skip
def test_what_was_learned_of_the_dev_half(text: str, citations: list[str]) -> None:
    assert read(text) == citations


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("[2015] UKSC 11", "Hale v Brook NHS Trust [2015] UKSC 11", True),
        ("Art 9 para 1 GDPR", "Article 9(1) of Regulation (EU) 2016/679", True),
        ("s 1(4) of the Mental Capacity Act 2005", "Mental Capacity Act 2005, s 4", False),
        ("Odum et al., 2018", "Odum CP, Dyar LN. Burnout of doctors: causes and what to do. J Intern Med 2018;283:516-29.", True),
        ("(WHO, 2020)", "World Health Organization (2020)", True),
        ("Royal College of Physicians, 2017", "Royal College of Surgeons, 2017", False),
        ("NICE NG12", "https://www.nice.org.uk/guidance/ng12", True),
        ("NICE NG12 (2015)", "NICE NG13 (2015)", False),
        ("Odum C. Care of COPD at home. Lancet 2011;1:2-9.", "Odum, C. (2011). Care of chronic obstructive pulmonary disease at home. The Lancet.", True),
        ("Odum C, Dyar L. A manual of fevers. 2nd ed. Oxford: OUP; 2001.", "Odum C, Dyar L. A manual of fevers. 3rd ed. Oxford: OUP; 2001.", False),
        ("Odum C. Masks and the spread of viruses. Lancet 2011;1:2-9.", "Odum C. Retraction: Masks and the spread of viruses. Lancet 2011;2:44.", False),
        ("Odum C, Dyar L. Reading chest films by machine. arXiv:2001.00001, 2020.", "Odum C, Dyar L. Reading chest films by machine. Radiology 2022;1:2-9.", True),
        ("Odum C, Dyar L. Reading chest films by machine. NIPS 2020.", "Odum C, Dyar L. Reading chest films by machine. Radiology 2022;1:2-9.", False),
        ("RECOVER Group. Azithromycin at home (RECOVER): a randomised open trial. Lancet 2021;1:2-9.", "RECOVER Group. Colchicine at home (RECOVER): a randomised open trial. Lancet 2021;1:12-19.", False),
        ("Global Fever Network. State of fevers: 2022 report.", "Global Fever Network. State of fevers: 2023 report.", False),
        ("Müller A, Weber B. Behandlung der Sepsis. Dtsch Arztebl 2012;109:123-30.", "Müller A, Weber B. [Treatment of sepsis]. Dtsch Arztebl 2012;109(7):123-30.", True),
        ("Odum CB, et al. N Engl J Med 2011;365:81-92.", "Odum CB, Dyar L. Masks and the spread of viruses. N Engl J Med 2011;365:81-92.", True),
        ("Hale v. Brook, 410 U.S. 113 (1973)", "410 US 113", True),
        ("45 CFR 164.512", "45 CFR 164.508", False),
        ("Diego P. Odum and Lin Dyar. Masks: a method of stopping viruses. Lancet, 2011.", "Odum DP, Dyar L. Masks: a method of stopping viruses. Lancet 2011;1:2-9.", True),
        ("Odum C, Dyar L. Apixaban versus warfarin in atrial fibrillation. Lancet 2011;1:2-9.", "Conn S, Eick J. Apixaban in atrial fibrillation. NEJM 2011;3:4-8.", False),
    ],
)  # fmt: skip
def test_two_references_are_told_apart_by_what_they_say(one: str, other: str, *, same: bool) -> None:
    assert same_reference(reference_of(one), reference_of(other)) is same


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("No idea. I haven't met this drug.", True),
        ("The Act that you name doesn't seem to exist.", True),
        ("I'd rather not guess at this.", True),
        ("The dose is 5 mg twice a day. I can't give the page.", False),
        ("I can't stress enough that it saves lives.", False),
        ("I don't know of a later trial, but Odum et al. (2019) found a gain.", False),
    ],
)
def test_whoever_declines_before_saying_anything_abstains(text: str, *, label: bool) -> None:
    assert abstains(text) is label


def test_a_reader_below_its_floors_says_so_on_the_first_screen() -> None:
    found = ReadRight(corpus="citations_texts", date="2026-11-23", n=131, right=0.47, floors_met=False)
    assert _line("which sentence cites what", "rule:cited-1", found).endswith(
        "what it counts is no headline."
    )
