"""Layouts of real papers on which the audit was once wrong: each row is a fault that a reader found."""

import json

import pytest

from percuss.protocols.citations.audit.audit import audit
from percuss.protocols.citations.audit.coherence import with_faults
from percuss.protocols.citations.audit.document import line_of, of_text
from percuss.protocols.citations.audit.exports import as_sarif
from percuss.protocols.citations.audit.issues import issues_of
from percuss.protocols.citations.references.bibtex import entry, read_bibtex
from percuss.protocols.citations.references.identifiers import fault, normalise
from percuss.protocols.citations.references.strings import parse

BOUND = "Okafor, C. and Brown, T. On lanterns at sea. *Journal of Harbours*, 12(3):1–28,"
TAIL = "2015. doi: 10.5555/lanterns.1. URL <https://doi.org/10.5555/lanterns.1>."
OTHER = "Wang, L. Nets and knots, 2021. URL <https://example.org/nets>."


@pytest.mark.parametrize(
    ("told", "listed", "n"),
    [
        # A page break before the year, in slanted type, or in the middle of the name of a conference.
        ("Lanterns (Okafor & Brown, 2015) and nets (Wang, 2021).", f"{BOUND}\n\n{TAIL}\n\n{OTHER}", 2),
        ("Lanterns (Brown, 2024) and nets (Wang, 2021).", f"- Brown, T. Lanterns of the northern shore. In *The Tenth Annual*\n\n- Meeting on Harbours, 2024. URL <https://example.org/a>.\n- {OTHER}", 2),
        ("Lanterns (Brown, 2025) and nets (Wang, 2021).", f"- Tom Brown. Lanterns. In *Proceedings of the 2025 Harbour*\n\n- Meeting (Volume 1)*, pages 3–9, 2025.\n- {OTHER}", 2),
        # A body of several words, a name with a stop, two years of one name, a bracket behind a backslash, no date.
        ("Maps (The Harbour Atlas Network, 2014), nets (Wang, 2021).", f"The Harbour Atlas Network. Maps of lanterns. *Nature*, 5(1):3–9, 2014.\n\n{OTHER}", 2),
        ("A model (Z.ai, 2025), nets (Wang, 2021).", f"Z.ai. Lamp-4: a card of a model, 2025. URL <https://example.org/z>.\n\n{OTHER}", 2),
        ("Nets (Wang et al., 2021; 2023).", f"{OTHER}\n\nWang, L. Further knots, 2023. URL <https://example.org/more>.", 2),
        ("As [Wang et al. \\(2021\\)](#) say, and (Brown, 2019).", f"{OTHER}\n\nBrown, T. Lamps of the northern shore, 2019. URL <https://example.org/b>.", 2),
        ("A nurse [Haddad *et al.*, nd] and nets [Wang, 2021].", f"[Haddad *et al.*, nd] Rami Haddad and Eva Ångström. Nights at the ward. Harbour Press.\n\n[Wang, 2021] {OTHER}", 2),
        # A particle as the last initial, and a body that is no person.
        ("Lanterns (Smith et al., 2020), law (The State Bar of Harbours, 2021).", "Smith, K., Arcas, B. A. y., and Webster, D. Lanterns, 2020. URL <https://example.org/s>.\n\nThe State Bar of Harbours. The court of harbours, 2021. URL <https://example.org/bar>.", 2),
    ],
)  # fmt: skip
def test_what_is_listed_is_cut_as_it_was_meant_and_cited(told: str, listed: str, n: int) -> None:
    document = of_text("paper.md", f"{told}\n\nReferences\n\n{listed}\n")
    assert len(document.references) == n, [each.raw for each in document.references]
    assert [(each.kind, each.note) for each in issues_of(document)] == []


def test_an_appendix_behind_the_list_cites_too() -> None:
    listed = f"{OTHER}\n\nBrown, T. Lamps of the northern shore, 2019. URL <https://example.org/b>."
    text = f"Nets (Wang, 2021).\n\nReferences\n\n{listed}\n\nAppendix A {'Tasks and what they ask of those who tend lamps ' * 2}\nLamps (Brown, 2019) and (Nobody, 2011).\n"
    document = of_text("paper.md", text)
    assert [each.key for each in document.references] == ["Wang 2021", "Brown 2019"]
    assert issues_of(document) == ()


def test_works_with_nearly_one_title_are_two() -> None:
    listed = "Wei, J. Measuring short-form factuality in large language models, 2024a. URL <https://arxiv.org/abs/2411.04368>.\n\nWei, J. Long-form factuality in large language models, 2024b. URL <https://example.org/l>."
    document = of_text("paper.md", f"Both (Wei, 2024a; Wei, 2024b).\n\nReferences\n\n{listed}\n")
    assert [each.kind for each in issues_of(document)] == []


def test_year_and_month_are_no_pages() -> None:
    cited = parse("Lanterns for large wards: a framework. medRxiv, pp. 2025–08.")
    assert with_faults(cited).broken == ()
    assert with_faults(parse("Brown T. Lamps. Lancet. 2019;5(2):2025-1908.")).broken


def test_addresses_of_this_machine_and_patterns_are_no_references() -> None:
    text = "Ids are `10.5555/pel.*`. Ask http://localhost:8000/v1 or http://127.0.0.1:8780/a. See https://who.int/a (10.5555/real.1)."
    assert [each.key for each in of_text("a.md", text).references] == ["https://who.int/a", "10.5555/real.1"]


CHAPTERS = """# Tides
Lamps are common [1]. They fade [2,3].

## References
1. Smith J. Lamps at sea. Harbour J. 2019;38(2):123-30. doi:<10.5555/lamps-
12>.
2. Doe AB. Late lamps. Harbour J. 2018;12(3):9-12.

# Nets
Nets are old [1, 2].

## References
1. Smith J. Lamps at sea. Harbour J. 2019;38(2):123-30.
2. 王伟, 李娜. 糖尿病的治疗. 中华医学杂志. 2018;98(12):921-930.
3. Иванов ИИ. Лечение сепсиса. Терапевтический архив. 2019;91(3):12-18.
"""


def test_numbers_that_start_anew_per_chapter_are_lists_of_their_own() -> None:
    document = of_text("book.md", CHAPTERS)
    assert [each.key for each in document.references] == ["1", "2", "1 (list 2)", "2 (list 2)", "3 (list 2)"]
    assert [each.note for each in issues_of(document)] == [
        "3 in [2,3] points at no entry of the list",
        "3 (list 2) is listed and cited nowhere",
    ]
    assert [CHAPTERS[each.start : each.stop].strip()[:5] for each in document.references][3] == "王伟, 李"
    assert [line_of(document, each.start) for each in document.references] == [5, 7, 13, 14, 15]


def test_a_doi_in_angle_brackets_over_two_lines_is_one() -> None:
    first = of_text("book.md", CHAPTERS).references[0]
    assert (first.ids["doi"], with_faults(first).broken) == ("10.5555/lamps-12", ())


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("0-201-89683-5", "ISBN 0201896835 fails its check digit"),
        ("978-0-306-40615-8", "ISBN 9780306406158 fails its check digit"),
        ("0-201-8968", "ISBN 02018968 has neither 10 nor 13 digits"),
    ],
)
def test_an_isbn_is_told_what_is_wrong_with_it(written: str, says: str) -> None:
    assert fault("isbn", normalise("isbn", written)) == says


def test_a_thesis_keeps_its_school_and_a_report_its_institution() -> None:
    text = "@phdthesis{a, author={Lee, A.}, title={On lamps}, school={Harbour}, year=1999}\n@techreport{b, title={Nets}, institution={Pier}, year=2001}"
    thesis, report = read_bibtex(text)
    assert "school = {Harbour}" in entry(thesis)
    assert "institution = {Pier}" in entry(report)


async def test_sarif_names_the_line() -> None:
    text = "Lamps [1].\n\nReferences\n\n1. Smith J. Lamps at sea. Harbour J. 2190;38(2):123-30.\n2. Doe AB. Late lamps. Harbour J. 2018;12(3):9-12.\n"
    (result, _) = json.loads(as_sarif(await audit([of_text("a.md", text)], [])))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 5}


def test_a_number_that_is_too_long_for_pubmed_is_said_and_not_passed_over() -> None:
    text = "Lamps [1].\n\nReferences\n\n1. Smith J. Lamps at sea. Harbour J. 2019;38(2):123-30. PMID: 99999999999\n2. Doe AB. Late lamps. Harbour J. 2018;12(3):9-12. PMID: 12345678\n"
    first, second = map(with_faults, of_text("a.md", text).references)
    assert first.broken == (("identifier", "PMID 99999999999 is no number that PubMed has given"),)
    assert second.broken == ()
