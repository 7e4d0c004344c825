"""The statuses and tolerances of the definitions, one line each."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from percuss.protocols.citations.audit.audit import EXACT, check_one
from percuss.protocols.citations.audit.coherence import with_faults
from percuss.protocols.citations.audit.library import Library
from percuss.protocols.citations.references.bibtex import entry, read_bibtex
from percuss.protocols.citations.references.compare import Tolerance, compare
from percuss.protocols.citations.references.extract import cited_claims
from percuss.protocols.citations.references.extracted import ModelClaim, ModelExtraction, verified
from percuss.protocols.citations.references.identifiers import fault, find, normalise
from percuss.protocols.citations.references.identity import key_of, same_reference
from percuss.protocols.citations.references.names import parse_name, same_person
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide
from percuss.protocols.citations.references.strings import parse
from percuss.protocols.citations.references.titles import same_title
from percuss.protocols.citations.references.venues import same_venue
from tests.citing import known, vancouver, work

ONE, OTHER = work(1), work(2)


def _ask(cited: Reference, *records: Known, complete: bool = False, tolerance: Tolerance = EXACT) -> Finding:
    return check_one(
        cited, [Library(records or (known(ONE), known(OTHER)), complete=complete)], tolerance=tolerance
    )


@pytest.mark.parametrize("state", ["retracted", "superseded", "corrected", "concern"])
def test_flags_of_the_record(state: str) -> None:
    assert _ask(ONE.record, Known(reference=ONE.record, state=state)).status == state  # type: ignore[arg-type]


def test_nonexistent_needs_an_authority() -> None:
    ghost = Reference(ids={"doi": "10.5555/ghost"}, title="A ghost among references")
    assert _ask(ghost).status == "not_located"
    assert _ask(ghost, complete=True).status == "nonexistent"
    untitled = _ask(structs.replace(ghost, ids={}), complete=True)
    assert untitled.status == "nonexistent"
    assert untitled.notes[0].endswith("has no such record")
    assert (
        decide(ghost, [Answer(source="crossref", by="doi", state="absent", authority=True)]).status
        == "nonexistent"
    )
    assert decide(ghost, [Answer(source="openalex", by="doi", state="absent")]).status == "not_located"


@pytest.mark.parametrize(
    "failure", ["timeout", "dns", "tls", "refused", "too_large", "blocked", "status 403", "status 404"]
)
def test_unreachable_is_never_nonexistent(failure: str) -> None:
    cited = Reference(ids={"url": "example.org/a"}, kind="web")
    assert (
        decide(cited, [Answer(source="web", by="url", state="failed", failure=failure)]).status
        == "unreachable"
    )


def test_doi_of_another_paper_is_a_mismatch() -> None:
    finding = _ask(structs.replace(ONE.record, ids={"doi": OTHER.record.ids["doi"]}))
    assert finding.word == "mismatch:identifier"
    assert finding.candidate is not None
    assert finding.candidate.reference.title == ONE.record.title


def test_doi_that_no_registry_knows_on_a_work_that_is_there() -> None:
    cited = structs.replace(ONE.record, ids={"doi": "10.5555/ghost"})
    answers = [
        Answer(source="crossref", by="doi", state="absent", authority=True),
        Answer(source="crossref", by="search", state="found", records=(known(ONE),)),
    ]
    assert decide(cited, answers).word == "mismatch:identifier"


def test_author_and_year_with_two_candidates_are_ambiguous() -> None:
    twin = Known(reference=structs.replace(ONE.record, title="Quite another work on kites", ids={}))
    bare = Reference(authors=ONE.record.authors[:1], year=ONE.record.year)
    assert _ask(bare, known(ONE), twin).status == "ambiguous"
    assert _ask(bare, known(ONE)).status == "found"


def test_nobody_asked_and_outside_the_corpus() -> None:
    assert decide(ONE.record, []).status == "not_checkable"
    answer = Answer(source="pel", by="search", state="absent")
    assert decide(Reference(title="Something else"), [answer], corpus_only=True).status == "out_of_corpus"


def test_last_page_off_by_one_is_right_with_a_note_and_wrong_under_strict() -> None:
    first, last = ONE.record.pages.split("-")
    cited = structs.replace(ONE.record, pages=f"{first}-{int(last) + 1}")
    lax = _ask(cited)
    assert (lax.status, bool(lax.notes)) == ("found", True)
    assert _ask(cited, tolerance=Tolerance(pages="exact")).word == "mismatch:pages"


def test_online_first_is_a_year_apart_with_the_same_doi_only() -> None:
    cited = structs.replace(ONE.record, year=(ONE.record.year or 0) - 1)
    assert _ask(cited).status == "found"
    assert _ask(structs.replace(cited, ids={})).word == "mismatch:year"


def test_preprint_and_article_are_versions_of_one_work() -> None:
    cited = structs.replace(
        ONE.record,
        container="arXiv preprint hep-th/0201001",
        ids={"arxiv": "hep-th/0201001"},
        volume="",
        pages="",
    )
    finding = _ask(cited)
    assert finding.status == "found"
    assert any("published in" in note for note in finding.notes)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("year", {"year": 2093}),
        ("identifier", {"ids": {"isbn": "9780306406158"}}),
        ("identifier", {"ids": {"pmid": "999999999"}}),
        ("identifier", {"ids": {"arxiv": "2113.00001"}, "year": 2021}),
        ("pages", {"pages": "310-305"}),
        ("volume", {"volume": "123456"}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_malformed(field: str, change: dict[str, object]) -> None:
    cited = structs.replace(structs.replace(ONE.record, title="Nowhere to be found at all", ids={}), **change)
    finding = check_one(cited, [])
    assert (finding.status, finding.fields) == ("malformed", (field,))


def test_years_are_read_against_the_day() -> None:
    cited = structs.replace(ONE.record, year=2012)
    assert with_faults(cited, today=dt.date(2011, 1, 1)).broken == ()
    assert with_faults(cited, today=dt.date(2010, 1, 1)).broken[0][0] == "year"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("<https://doi.org/10.1000/ABC.>", "doi", "10.1000/abc"),
        ("doi:10.1000/a–b.", "doi", "10.1000/a-b"),
        ("(doi: 10.1016/S0140-6736(19)30041-8).", "doi", "10.1016/s0140-6736(19)30041-8"),
        ("https://doi.org/10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2", "doi",
         "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2"),
        ("[text](https://doi.org/10.1000/xyz)", "doi", "10.1000/xyz"),
        ("https://pubmed.ncbi.nlm.nih.gov/12345678/", "pmid", "12345678"),
        ("arXiv:2101.00001v3", "arxiv", "2101.00001"),
        ("ISBN 0-306-40615-2", "isbn", "9780306406157"),
        ("PMCID: PMC1234567", "pmcid", "PMC1234567"),
        ("410 U.S. 113", "legal", "410 U.S. 113"),
    ],
)  # fmt: skip
def test_identifiers_in_the_wild(text: str, kind: str, value: str) -> None:
    assert [(each.kind, each.value) for each in find(text)] == [(kind, value)]


@given(st.text(max_size=300))
def test_reading_never_raises_and_spans_hold(text: str) -> None:
    for each in find(text):
        assert 0 <= each.start < each.stop <= len(text)
    parse(text)
    for claim in cited_claims(text).claims:
        assert text[claim.marker_start : claim.marker_stop]


@given(st.integers(10**8, 10**9 - 1))
def test_a_changed_digit_fails_an_isbn(stem: int) -> None:
    body = f"978{stem}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    right = body + str(-total % 10)
    assert fault("isbn", right) == ""
    assert fault("isbn", right[:-1] + str((int(right[-1]) + 1) % 10)) != ""


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("van der Berg, Anneke", "A. Berg", True),
        ("García Márquez, Lucía", "L Garcia", True),
        ("Wang, Lei", "Lei Wang", True),
        ("Wang, Lei", "Wei Liang", False),
        ("Müller, Jürgen", "J. Muller", True),
        ("O'Neill, Siobhán", "S. O’Neill", True),
        ("Smith, Jane A.", "Smith, Robert", False),
        ("{World Health Organization}", "{WHO}", True),
    ],
)  # fmt: skip
def test_one_person_in_two_notations(one: str, other: str, *, same: bool) -> None:
    assert same_person(parse_name(one), parse_name(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Tumour necrosis: a review", "Tumor Necrosis – A Review", True),
        ("Sepsis in adults", "Sepsis in adults: a randomised trial", True),
        ("Sepsis in adults", "Sepsis in children", False),
        ("Debiasing for model training", "Debiasing towards model training", False),
        ("Non-linear β-blockade", "Nonlinear β blockade", True),
    ],
)  # fmt: skip
def test_one_title_in_two_notations(one: str, other: str, *, same: bool) -> None:
    assert same_title(one, other) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("N Engl J Med", "New England Journal of Medicine", True),
        ("Ann. Intern. Med.", "Annals of Internal Medicine", True),
        ("Proceedings of the 37th International Conference on Machine Learning", "ICML", True),
        ("Scand J Rheumatol", "Scandinavian Journal of Rheumatology", True),
        ("Lancet", "Lancet Oncology", False),
        ("ICML", "ICLR", False),
    ],
)  # fmt: skip
def test_one_venue_in_two_notations(one: str, other: str, *, same: bool) -> None:
    assert same_venue(one, other) is same


def test_bibtex_comes_back_as_it_went() -> None:
    for number in range(60):
        (back,) = read_bibtex(entry(work(number).record))
        assert compare(back, known(work(number)), EXACT).differing == ()
        assert key_of(back) == key_of(work(number).record)


@given(st.integers(0, 400), st.integers(0, 400))
def test_two_works_are_the_same_only_if_they_are(one: int, other: int) -> None:
    first, second = work(one).record, work(other).record
    assert same_reference(first, second) is (one == other)
    assert same_reference(first, parse(vancouver(first)))


def test_a_broken_entry_is_a_finding_and_hides_nothing() -> None:
    text = f"{entry(ONE.record)}\n\n@article{{broken, title = {{No end,\n\n{entry(OTHER.record)}\n"
    read = read_bibtex(text)
    assert {"w1", "w2"} <= {each.key for each in read}
    assert any(field == "entry" for each in read for field, _ in each.broken)


TURN = (
    "Metformin lowers HbA1c by about 1.1% [1]. It is rarely stopped.[2,3] Current guidance agrees with its use (Okafor et al., 2002; NICE NG28).\n"
    "Would you like more?\n\n## References\n"
    f"1. {vancouver(ONE.record)}\n2. {vancouver(OTHER.record)}\n3. {vancouver(work(3).record)}\n"
)


def test_claims_are_pairs_of_sentence_and_citation() -> None:
    found = cited_claims(TURN)
    assert [(claim.form, claim.text) for claim in found.claims] == [
        ("number", "Metformin lowers HbA1c by about 1.1%."),
        ("number", "It is rarely stopped."),
        ("number", "It is rarely stopped."),
        ("author_year", "Current guidance agrees with its use."),
        ("body", "Current guidance agrees with its use."),
    ]
    assert [claim.identity for claim in found.claims[:3]] == [key_of(work(n).record) for n in (1, 2, 3)]
    assert (found.factual, found.cited) == (3, 3)


def test_a_list_without_markers_gives_no_claim() -> None:
    text = (
        f"Metformin lowers HbA1c.\n\nReferences\n1. {vancouver(ONE.record)}\n2. {vancouver(OTHER.record)}\n"
    )
    found = cited_claims(text)
    assert (len(found.claims), len(found.listed)) == (0, 2)


def test_a_model_cannot_bring_a_reference_that_the_turn_lacks() -> None:
    claims = (
        ModelClaim(
            kind="trial",
            sentence="Metformin lowers HbA1c by about 1.1% [1].",
            citation="[1]",
            reference="An invented work, 2020",
        ),
        ModelClaim(
            kind="trial", sentence="This sentence is not in the turn at all.", citation="[1]", reference=""
        ),
        ModelClaim(
            kind="trial", sentence="Metformin lowers HbA1c by about 1.1% [1].", citation="[7]", reference=""
        ),
    )
    kept, dropped = verified(ModelExtraction(claims=claims), TURN)
    assert [key_of(claim.reference) for claim in kept] == [key_of(ONE.record)]
    assert len(dropped) == 2


def test_normalised_identity_is_nfkc_and_ranked() -> None:
    assert normalise("doi", "10．5555/ABC") == "10.5555/abc"
    assert key_of(Reference(ids={"url": "a.org/b", "pmid": "12", "doi": "10.5555/x"})) == "doi:10.5555/x"
    assert (
        key_of(Reference(title="The Rôle of Zinc", authors=(Name(family="Ångström"),), year=2001))
        == "work:angstrom|2001|role of zinc"
    )


def test_what_is_written_as_a_doi_and_is_none_is_malformed() -> None:
    assert (
        parse(f"{vancouver(structs.replace(ONE.record, ids={}))} doi:10.1/zz9").broken[0][0] == "identifier"
    )
    assert parse(vancouver(ONE.record)).broken == ()
    assert (
        parse(f"{vancouver(structs.replace(ONE.record, ids={}))} doi: https://doi.org/10.5555/x").broken == ()
    )
