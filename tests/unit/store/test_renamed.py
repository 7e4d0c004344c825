"""What was written under an old name is read under the name of today; the file keeps what it holds."""

from pathlib import Path

from percuss.core.records import Cell, Estimate, Scoring
from percuss.core.renamed import RENAMED, Names, names_of
from percuss.store.view import StoredView
from tests.tiny import Echo, TinyOptions, create, whole

NAMES = Names(
    raters={"rule:strict": "rule:paper"}, estimates={"unsupported_rate": "rate", "unsupported": "u"}
)


async def test_verdicts_are_read_under_the_name_of_today(tmp_path: Path) -> None:
    with create(tmp_path / "r", source="2") as store:
        await whole(store, [Echo()], TinyOptions())
        scoring = store.latest_scoring().id
        for names, rater in ((NAMES, "rule:paper"), (None, "rule:strict")):
            view = StoredView(store._database, scoring, names)
            assert {v.rater for one in view.assessed() for v in one.verdicts} == {rater}
        (cell, *_), (estimate, *_) = list(store.cells(scoring)), store.estimates(scoring)
        assert (cell.labels, estimate.labels) == ("rule:strict", "rule:strict")
    assert (NAMES.cell(cell).name, NAMES.cell(cell).labels) == ("u", "rule:paper")
    assert (NAMES.estimate(estimate).name, NAMES.estimate(estimate).labels) == ("rate", "rule:paper")
    assert NAMES.estimate(estimate).value == estimate.value


def test_what_has_no_old_name_stays_as_it_is() -> None:
    cell = Cell(name="x", model="m", arm="a", labels="human", case_id="c", cluster="c", num=1, den=2)
    estimate = Estimate(name="x", model="m", arm="a", labels="human", value=0.5)
    old, new = Scoring.of(("rule:strict", "judge:j#1"), {}, ""), Scoring.of(("rule:flow",), {}, "")
    assert NAMES.cell(cell) is cell
    assert NAMES.estimate(estimate) is estimate
    assert NAMES.scoring(new) is new
    assert (NAMES.scoring(old).raters, NAMES.scoring(old).id) == (("rule:paper", "judge:j#1"), old.id)


def test_no_name_of_the_table_leads_to_an_old_one() -> None:
    assert names_of("nobody") == Names()
    for names in (NAMES, *RENAMED.values()):
        for table in (names.raters, names.estimates):
            assert not set(table) & set(table.values())
