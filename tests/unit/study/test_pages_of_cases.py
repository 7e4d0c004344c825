"""All statements of a case on one page: whole cases are drawn, assigned, extended; a page shows one record."""

from pathlib import Path

import pytest

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import AnnotationItem
from percuss.study.assignment import REPEAT_GAP, plan_pages
from percuss.study.create import create
from percuss.study.extending import extend
from percuss.study.portal.record import linked, read_record
from percuss.study.portal.words import words_of
from percuss.study.settings import Settings
from percuss.study.store import work
from tests.studies import items, make

EN = words_of("en")


def claims(cases: int, each: int, **evidence: object) -> list[AnnotationItem]:
    """Return statements of cases, each on the record of its case."""
    return [
        AnnotationItem(
            id=f"i{case}-{n}",
            subject=f"s{case}-{n}",
            response_id="r",
            stratum={"model": "ab"[n % 2]},
            shown={"claim": f"Statement {n}.", "evidence": {"age_years": 60 + case, **evidence}},
            hidden={"case": f"case-{case}"},
        )
        for case in range(cases)
        for n in range(each)
    ]


def test_pages_are_never_parted_and_their_order_is_each_raters_own() -> None:
    groups = [f"case-{n % 30}" for n in range(120)]
    slots = plan_pages(groups, ["s"] * 120, ["r1", "r2"], overlap=1.0, repeats=0.1, seed=3)
    orders = {}
    for rater in ("r1", "r2"):
        mine = sorted((one for one in slots if one.rater == rater), key=lambda one: one.ordinal)
        assert [one.ordinal for one in mine] == list(range(len(mine)))
        pages = [(groups[one.item], one.repeat) for one in mine]
        starts = [page for n, page in enumerate(pages) if n == 0 or pages[n - 1] != page]
        assert len(starts) == len(set(starts)) == 33
        for name, repeat in starts:
            if repeat:
                assert starts.index((name, True)) - starts.index((name, False)) > REPEAT_GAP
        orders[rater] = [one.item for one in mine if not one.repeat]
    assert orders["r1"] != orders["r2"]
    assert sorted(orders["r1"]) == sorted(orders["r2"]) == list(range(120))


def test_whole_cases_are_drawn_and_a_study_is_extended_by_whole_cases(folder: Path) -> None:
    settings = Settings(name="trial", design="claim-adjudication", seed=7, page_by="case", repeats=0.0)
    study, made = create(settings, claims(5, 3), folder=folder, raters=1, size=2)
    with study:
        assert (made.items, made.offered) == (6, 15)
        more = extend(study, 4, by="c1")
        assert more == 6
        with study.database.read() as connection:
            cases = [
                study.item(connection, slot.item).hidden["case"] for slot in work.slots_of(connection, "r1")
            ]
    assert [len(set(cases[n : n + 3])) for n in range(0, 12, 3)] == [1, 1, 1, 1]


def test_a_page_shows_one_record_and_one_kind_of_item(folder: Path) -> None:
    listed = [*claims(1, 2), *claims(1, 1, sex="female")]
    listed[2] = AnnotationItem(
        id="other", subject="o", response_id="r", shown=listed[2].shown, hidden=listed[2].hidden
    )
    with pytest.raises(BadInput, match="same case and another evidence"):
        make(folder, listed=listed, page_by="case", strata=())
    with pytest.raises(UsageError, match="leave --page-by out"):
        make(folder, "ranking", page_by="model")
    with pytest.raises(UsageError, match="no such field"):
        make(folder, listed=items("claim-adjudication", 2), page_by="ward")


def test_a_record_is_read_in_words_and_units() -> None:
    record = read_record(
        {
            "clinical": {"age_years": 64, "pack_years": 12.5, "size_mm": 31, "tmb_silent_per_mb": 3.9},
            "tumour": {"purity_share": 0.552, "z_cd274": -0.4, "known": True, "grade": None},
            "labs": [{"path": "labs.sodium", "value": 139, "unit": "mmol/L"}],
        },
        EN,
    )
    told = {cell.label: cell.text for cell in record.cells}
    assert told == {
        "Age": "64 years",
        "Pack years": "12.5",
        "Size": "31 mm",
        "TMB silent": "3.9 per Mb",
        "Purity share": "0.552 (55.2 %)",
        "CD274, z": "-0.4",
        "Known": "yes",
        "Grade": "not given",
        "Sodium": "139 mmol/L",
    }
    as_sent = read_record('{"clinical": {"age_years": 64}}\n\nA note of the ward.', words_of("de"))
    assert [cell.text for cell in as_sent.cells] == ["64 Jahre"]
    assert as_sent.texts == ("A note of the ward.",)


def test_numbers_of_a_record_are_written_as_the_language_writes_them() -> None:
    told = {"purity_share": 0.552, "z_cd274": -0.4, "doses": [0.5, 2], "content": "no", "code": "C34.1"}
    german, english = ([cell.text for cell in read_record(told, words_of(one)).cells] for one in ("de", "en"))
    assert german == ["0,552 (55,2 %)", "-0,4", "0,5; 2", "nein", "C34.1"]
    assert english == ["0.552 (55.2 %)", "-0.4", "0.5, 2", "no", "C34.1"]
    cells = read_record(told, words_of("de")).cells
    assert [piece.cell for piece in linked("Die Reinheit ist 55%.", cells) if piece.cell is not None] == [0]


def test_numbers_of_a_statement_find_the_cells_that_round_to_them() -> None:
    cells = read_record({"age_years": 64, "purity_share": 0.552, "size_mm": 31.4}, EN).cells
    pieces = linked("At 64, with 55% purity, 31 mm wide and grade 3.", cells)
    assert [(piece.text, piece.cell) for piece in pieces if piece.cell is not None] == [
        ("64", 0),
        ("55%", 1),
        ("31 mm", 2),
    ]
    assert "".join(piece.text for piece in pieces) == "At 64, with 55% purity, 31 mm wide and grade 3."
