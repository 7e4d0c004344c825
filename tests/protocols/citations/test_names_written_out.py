"""A name written out, surname first, in a list of surnames with initials: the authors were taken for the title."""

import json
from pathlib import Path

import pytest

from percuss.protocols.citations.audit.document import of_text
from percuss.protocols.citations.audit.issues import issues_of
from percuss.protocols.citations.references.names import parse_name, same_person
from percuss.protocols.citations.references.record import Name
from percuss.protocols.citations.references.strings import parse

MIXED = {
    "Zhang Wei, García Márquez J. Sepsis outcomes in older adults. Crit Care Med. 2019;47(3):345-52.": ("Zhang", "García Márquez"),
    "Smith J, Zhang Wei. Sepsis outcomes in older adults. Crit Care Med. 2019;47(3):345-52.": ("Smith", "Zhang"),
    "Wang Xiaoming, Chen L, Liu Yang. Sepsis outcomes in older adults. Chest. 2020;157(2):301-9.": ("Wang", "Chen", "Liu"),
    "Li Xiao-Ping, Brown TR. Sepsis outcomes in older adults. BMJ. 2017;356:j100.": ("Li", "Brown"),
    "Nguyen Van Hung, Tran T. Sepsis outcomes in older adults. PLoS One. 2016;11(4):e0150000.": ("Nguyen", "Tran"),
    "Kim Min-jun, Park S, Lee Ji-hye. Sepsis outcomes in older adults. Gut. 2021;70(5):900-8.": ("Kim", "Park", "Lee"),
}  # fmt: skip
TITLES = {
    "Wang Z, Huang Y. Song Dynasty physicians. Med Hist. 2001;45:1-20.": "Song Dynasty physicians",
    "Chen X. Yang Deficiency and fatigue. J Tradit Med. 2011;5(1):1-6.": "Yang Deficiency and fatigue",
}

ORDERS = [
    json.loads(line) for line in (Path(__file__).parent / "name_orders.jsonl").read_text("utf-8").splitlines()
]
"""Labelled before the rule was written: style, entry, surnames in order."""


@pytest.mark.parametrize("row", ORDERS, ids=[row["style"] for row in ORDERS])
def test_surnames_are_told_from_given_names(row: dict[str, object]) -> None:
    made = parse(str(row["entry"]))
    assert [name.family for name in made.authors] == row["families"]
    assert made.title == "Effect of rest on sepsis"
    assert made.year is not None


@pytest.mark.parametrize(
    ("entry", "family", "given"),
    [
        ("Sims JR, Doe A. Rest in sepsis. JAMA. 2023;330:512.", "Sims", "JR"),  # initials, and no "junior"
        ("Frenck RW Jr, Doe A. Rest in sepsis. JAMA. 2023;330:512.", "Frenck", "RW"),
        ("Bell KM III, Doe A. Rest in sepsis. JAMA. 2023;330:512.", "Bell", "KM"),
    ],
)
def test_a_suffix_is_no_name_and_initials_are_no_suffix(entry: str, family: str, given: str) -> None:
    first = parse(entry).authors[0]
    assert (first.family, first.given) == (family, given)
    assert parse_name("Sims JR") == Name(family="Sims", given="JR")
    assert parse_name("Sims Jr").family == "Sims"


def test_names_in_either_order_are_found_by_their_citations() -> None:
    text = (
        "Rest helps (Smith & Doe, 2020), as García (2019) and Brennan (2018) say.\n\nReferences\n\n"
        "Smith John, Doe A. Effect of rest on sepsis. Lancet. 2020;395(1):10-20.\n\n"
        "García Márquez L, Doe A. Rest in asthma. Gut. 2019;68:1-9.\n\nBrennan Tobias. Rest in gout. BMJ. 2018;1:1-9.\n"
    )
    document = of_text("a.txt", text)
    assert [each.key for each in document.references] == ["Smith 2020", "García Márquez 2019", "Brennan 2018"]
    assert issues_of(document) == ()


def test_commas_alone_part_names_title_and_journal() -> None:
    made = parse(
        "[1] A. Vossler, N. de Wit, Rest in sepsis, revisited: a trial, J. Clin. Oncol. 12 (2017) 5998–6008."
    )
    assert [name.family for name in made.authors] == ["Vossler", "de Wit"]
    assert (made.title, made.container) == ("Rest in sepsis, revisited: a trial", "J. Clin. Oncol.")
    assert (made.year, made.volume, made.pages) == (2017, "12", "5998-6008")


@pytest.mark.parametrize("entry", MIXED)
def test_the_surname_stands_first_and_the_title_is_the_title(entry: str) -> None:
    made = parse(entry)
    assert tuple(name.family for name in made.authors) == MIXED[entry]
    assert made.title == "Sepsis outcomes in older adults"


@pytest.mark.parametrize("entry", TITLES)
def test_a_title_that_begins_with_a_surname_stays_one(entry: str) -> None:
    assert parse(entry).title == TITLES[entry]


def test_a_list_of_names_written_out_is_held_against_either_order() -> None:
    made = parse("Zhang Wei, Li Na, Wang Fang. Hypertension in rural China. Lancet. 2018;391(1):12-20.")
    held = (
        Name(family="Zhang", given="Wei"),
        Name(family="Li", given="Na"),
        Name(family="Wang", given="Fang"),
    )
    assert made.title == "Hypertension in rural China"
    assert all(same_person(one, other) for one, other in zip(made.authors, held, strict=True))
