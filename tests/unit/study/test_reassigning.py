"""Open items go to another rater: one, some or all; hidden repeats stay far apart, the record says who did it."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from percuss.cli.study import command
from percuss.core.errors import UsageError
from percuss.study import lifecycle
from percuss.study.answers import Given
from percuss.study.assignment import REPEAT_GAP
from percuss.study.lists import Place, spaced
from percuss.study.reassigning import Moved, reassign
from percuss.study.store import ledger, work
from percuss.study.store.work import Slot
from percuss.study.study import Study, open_study
from tests.studies import answer_all, items, make
from tests.unit.study.conftest import Browser
from tests.unit.study.test_lifecycle import verified


def list_of(study: Study, code: str) -> tuple[Slot, ...]:
    """Return a rater's list."""
    with study.database.read() as connection:
        return work.slots_of(connection, code)


def answer(study: Study, code: str, count: int) -> None:
    """Answer the first items of a list."""
    said = Given(answer={"support": "supported"}, active_ms=9000)
    for slot in list_of(study, code)[:count]:
        study.database.write(lambda c, t=slot.token: work.save_label(c, code, t, said))  # type: ignore[misc]


def move(study: Study, code: str, to: str, *named: str) -> Moved:
    """Give items of one rater to another."""
    return study.database.write(lambda c: reassign(c, study, code, to, by="c1", named=named))


def well_spaced(study: Study, code: str) -> bool:
    """Return whether a list is numbered from 0 on and each hidden repeat stands far enough from the first time."""
    listed = list_of(study, code)
    first = {slot.item: slot.ordinal for slot in listed if not slot.again}
    far = all(slot.ordinal - first[slot.item] > REPEAT_GAP for slot in listed if slot.again)
    return far and [slot.ordinal for slot in listed] == list(range(len(listed)))


def test_a_single_item_goes_to_somebody_who_does_not_judge_it(folder: Path, database: str) -> None:
    with make(folder, count=40, raters=3, database=database) as study:
        answer(study, "r1", 3)
        mine, theirs = list_of(study, "r1"), {slot.item for slot in list_of(study, "r3")}
        wanted = next(slot for slot in mine[3:] if slot.item not in theirs)
        name = f"zz-item-{wanted.item}"
        assert move(study, "r1", "r3", name) == Moved(items=(name,), stayed=())
        assert wanted.item not in {slot.item for slot in list_of(study, "r1")}
        last = list_of(study, "r3")[-1]
        assert (last.item, last.given, last.token != wanted.token) == (wanted.item, None, True)
        assert all(well_spaced(study, code) for code in ("r1", "r2", "r3"))
        for code in ("r1", "r2", "r3"):
            answer_all(study, code, lambda n, again: {"support": "supported"})
        with study.database.read() as connection:
            assert len(work.answered_by_all(connection)) == 40
            entry = [one for one in ledger.entries(connection) if one.what == "assigned"][-1]
        assert (entry.who, entry.subject) == ("c1", "r3")
        assert (entry.value["reassigned"], entry.value["from"]) == ([name], "r1")
        assert verified(study)


def test_all_open_items_go_and_those_that_both_judge_stay(folder: Path, database: str) -> None:
    with make(folder, count=60, raters=3, database=database) as study:
        answer(study, "r1", 5)
        mine = {slot.item for slot in list_of(study, "r1")[5:] if not slot.again}
        both = mine & {slot.item for slot in list_of(study, "r2")}
        moved = move(study, "r1", "r2")
        assert {int(one.rpartition("-")[2]) for one in moved.stayed} == both
        assert {int(one.rpartition("-")[2]) for one in moved.items} == mine - both
        assert mine - both <= {slot.item for slot in list_of(study, "r2")}
        assert [slot.given is not None for slot in list_of(study, "r1")[:6]] == [True] * 5 + [False]
        assert all(well_spaced(study, code) for code in ("r1", "r2", "r3"))
        assert verified(study)


def test_what_cannot_go_is_refused_and_changes_nothing(folder: Path) -> None:
    with make(folder, count=12, raters=3, depth=2, repeats=0.0) as study:
        answer(study, "r1", 1)
        before = [list_of(study, code) for code in ("r1", "r2", "r3")]
        done = f"zz-item-{list_of(study, 'r1')[0].item}"
        both = {slot.item for slot in before[0][1:]} & {slot.item for slot in before[1]}
        for words, asked in (
            ("is not open on the list of r1", ("r1", "r2", done)),
            ("is not open on the list of r1", ("r1", "r2", "nothing of the sort")),
            ("judges zz-item", ("r1", "r2", f"zz-item-{min(both)}")),
            ("no rater 'a1'", ("r1", "a1")),
            ("no rater 'r9'", ("r9", "r1")),
            ("has these items already", ("r1", "r1")),
        ):
            with pytest.raises(UsageError, match=words):
                move(study, *asked)
        assert [list_of(study, code) for code in ("r1", "r2", "r3")] == before
        study.database.write(lambda c: lifecycle.move(c, "locked", by="c1"))
        with pytest.raises(UsageError, match="items stay where they are"):
            move(study, "r1", "r3")


def test_what_is_judged_on_one_page_goes_together(folder: Path) -> None:
    shared = {"evidence": {"clinical": {"stage": "IB"}}, "context": "The patient is 60."}
    listed = items("claim-adjudication", 24, **shared)
    for n, one in enumerate(listed):
        one.hidden["case"] = f"case {n // 3}"
    with make(folder, listed=listed, raters=3, page_by="case", repeats=0.0) as study:
        theirs = {slot.item // 3 for slot in list_of(study, "r3")}
        wanted = next(slot.item for slot in list_of(study, "r1") if slot.item // 3 not in theirs)
        moved = move(study, "r1", "r3", f"zz-item-{wanted}")
        page = {f"zz-item-{3 * (wanted // 3) + n}" for n in range(3)}
        assert set(moved.items) == page
        assert {f"zz-item-{slot.item}" for slot in list_of(study, "r3")[-3:]} == page


def test_a_withdrawn_raters_items_are_judged_after_all(folder: Path) -> None:
    from percuss.study.store import people

    with make(folder, count=4, raters=3, depth=2, repeats=0.0) as study:
        answer(study, "r1", 1)
        study.database.write(lambda c: people.withdraw(c, "r1", by="r1"))
        open_ones = [slot for slot in list_of(study, "r1") if slot.given is None]
        assert len(open_ones) == len(list_of(study, "r1"))
        free = {slot.item for slot in list_of(study, "r2")}
        moved = move(study, "r1", "r2")
        assert {f"zz-item-{slot.item}" for slot in open_ones if slot.item not in free} == set(moved.items)
        with pytest.raises(UsageError, match="r1 has left"):
            move(study, "r2", "r1")


def test_the_coordinator_gives_items_by_page_and_by_command(folder: Path, database: str) -> None:
    with make(folder, count=8, raters=3, repeats=0.0, language="de", database=database) as study:
        browser, rater = Browser(study), Browser(study)
        browser.join("c1")
        rater.join("r1")
        rater.practise()
        here = rater.here(rater.get("/work"))
        slot = list_of(study, "r1")[0]
        page = browser.get(f"/coordinate/item/{slot.item}").text
        assert "Offen auf der Liste von r1; übergeben an" in page
        (free,) = {"r1", "r2", "r3"} - {
            code for code in ("r1", "r2", "r3") if slot.item in {one.item for one in list_of(study, code)}
        }
        assert f"<option>{free}</option>" in page
        form = {"code": "r1", "to": free, "item": f"zz-item-{slot.item}"}
        assert (
            "1 Aufgabe von r1 steht jetzt auf der Liste"
            in browser.post("/coordinate/act/reassign", form).text
        )
        assert "ist auf der Liste von r1 nicht offen" in browser.post("/coordinate/act/reassign", form).text
        assert rater.post(here, {"q.support": "supported"}).status_code == 404
        assert rater.post("/coordinate/act/reassign", form).status_code == 403
    said = CliRunner().invoke(command, ["reassign", str(folder), "r1", "r2"], catch_exceptions=False).output
    assert " of r1 now on the list of r2" in said
    refused = CliRunner().invoke(command, ["reassign", str(folder), "r1", "a1"])
    assert "no rater 'a1'" in str(refused.exception)
    with open_study(folder) as study:
        assert verified(study)


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.booleans()), max_size=60), st.integers(0, 8))
def test_repeats_stand_far_from_the_first_time_whatever_was_moved(
    drawn: list[tuple[int, bool, bool]], gap: int
) -> None:
    listed: list[Place] = []
    seen: set[tuple[int, bool]] = set()
    for item, again, answered in drawn:
        if (item, again) not in seen:
            seen.add((item, again))
            listed.append(Place(len(listed), item, again, answered, str(item)))
    done = spaced(listed, gap)
    at = {(one.item, one.again): n for n, one in enumerate(done)}
    for one in done:
        if one.again and not one.answered:
            assert at[one.item, True] - at[one.item, False] > gap
    kept = [one for one in listed if one.answered or not one.again]
    assert [one for one in done if one.answered or not one.again] == kept
    assert len(set(done)) == len(done)
