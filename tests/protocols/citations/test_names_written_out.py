"""A name written out, surname first, in a list of surnames with initials: the authors were taken for the title."""

import pytest

from percuss.protocols.citations.references.names import same_person
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
