"""A study's life: states, pilot, replacing, extending, alarms, the coordinator's pages, sealing and verifying offline."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from percuss.core.errors import BadInput, UsageError
from percuss.study import lifecycle
from percuss.study.alarms import alarms
from percuss.study.answers import Given
from percuss.study.blinding import opaque
from percuss.study.create import create
from percuss.study.extending import extend
from percuss.study.portal.app import portal
from percuss.study.sealing import seal, verify_archive
from percuss.study.settings import Settings
from percuss.study.store import ledger, work
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import CHEAP, answer_all, items, make
from tests.unit.study.conftest import Browser


def state(study: Study) -> str:
    """Return the state of a study."""
    with study.database.read() as connection:
        return lifecycle.state_of(connection)


def move(study: Study, to: str) -> int:
    """Bring a study into a state."""
    return study.database.write(lambda c: lifecycle.move(c, to, by="c1"))


def verified(study: Study) -> bool:
    """Verify the ledger with its public key."""
    with study.database.read() as connection:
        found = verify(connection, key=study.public_key, expect=study.anchored)
    assert found.ok, found.problems
    return found.ok


def drafted(folder: Path, database: str = "", size: int = 6) -> Study:
    """Make a draft of some of 20 items."""
    settings = Settings(
        name="trial", design="claim-adjudication", seed=7, strata=("model",), database=database
    )
    study, _ = create(
        settings, items("claim-adjudication", 20), folder=folder, raters=2, size=size, state="draft"
    )
    return study


def test_states_follow_each_other_and_no_other(folder: Path, database: str) -> None:
    with drafted(folder, database) as study:
        with pytest.raises(UsageError, match="pilot or open may follow"):
            move(study, "locked")
        for to in ("pilot", "open", "paused", "open", "locked", "archived"):
            move(study, to)
        assert state(study) == "archived"
        with pytest.raises(UsageError, match="nothing may follow"):
            move(study, "open")
        assert verified(study)


def test_what_was_said_in_the_pilot_is_set_aside_and_kept_in_the_ledger(folder: Path, database: str) -> None:
    with drafted(folder, database) as study:
        move(study, "pilot")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        assert move(study, "open") == 6
        with study.database.read() as connection:
            assert work.labelled(connection) == ()
            assert work.progress(connection, "r1").done == 0
        answer_all(study, "r1", lambda n, again: {"support": "partial"})
        with study.database.read() as connection:
            assert {one.first.answer["support"] for one in work.labelled(connection)} == {"partial"}
        assert verified(study)


def test_a_replaced_raters_answers_stay_and_the_rest_goes_to_the_new_one(folder: Path, database: str) -> None:
    with make(folder, count=30, database=database) as study:
        for _ in range(10):
            with study.database.read() as connection:
                slot = work.next_slot(connection, "r1")
            assert slot is not None
            given = Given(answer={"support": "supported"}, active_ms=9000)
            study.database.write(lambda c, t=slot.token, g=given: work.save_label(c, "r1", t, g))  # type: ignore[misc]
        fresh = study.database.write(lambda c: lifecycle.replace(c, study, "r1", by="c1"))
        assert fresh == "r3"
        answer_all(study, "r3", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "supported"})
        with study.database.read() as connection:
            labels = [one for one in work.labelled(connection) if not one.again]
            complete = work.answered_by_all(connection)
        assert sum(one.rater == "r1" for one in labels) == 10
        assert sum(one.rater == "r3" for one in labels) == 20
        assert len(complete) == 30
        with pytest.raises(UsageError, match="could be replaced"):
            study.database.write(lambda c: lifecycle.replace(c, study, "r1", by="c1"))
        assert verified(study)


def test_a_study_is_extended_from_its_reserve(folder: Path, database: str) -> None:
    with drafted(folder, database) as study:
        move(study, "open")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        more = extend(study, 4, by="c1")
        assert more == 4
        with study.database.read() as connection:
            assert work.progress(connection, "r1").total == 10
            assert lifecycle.in_reserve(connection) == 10
            assert len(study.all_items(connection)) == 10
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        assert verified(study)
        move(study, "locked")
        with pytest.raises(UsageError, match="can't be extended"):
            extend(study, 1, by="c1")


def test_alarms_name_who_is_too_fast_who_answers_all_alike_and_whose_repeats_differ(folder: Path) -> None:
    with make(folder, count=60, raters=3, depth=3) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"}, seconds=1)
        seen: set[int] = set()

        def other(n: int, again: bool) -> dict[str, str]:
            seen.add(n)
            return {"support": "unknown" if again else ("supported", "partial", "unsupported")[n % 3]}

        answer_all(study, "r2", other)
        answer_all(study, "r3", lambda n, again: {"support": ("supported", "partial")[n % 2]})
        with study.database.read() as connection:
            found = alarms(work.labelled(connection), study.design)
    assert {(one.who, one.kind) for one in found} == {("r1", "fast"), ("r1", "alike"), ("r2", "repeats")}


def test_nobody_judges_while_a_study_is_not_open(folder: Path) -> None:
    with drafted(folder) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        assert "has not begun" in browser.get("/work").text
        move(study, "open")
        page = browser.get("/work")
        action = browser.here(page)
        move(study, "paused")
        assert "is paused" in browser.post(action, {"q.support": "supported"}).text
        with study.database.read() as connection:
            assert work.labelled(connection) == ()


def test_the_coordinator_does_a_whole_study(folder: Path, tmp_path: Path, database: str) -> None:
    """Pilot, open, replace, extend, differences, lock, look into an item, seal, verify offline."""
    with drafted(folder, database) as study:
        browser = Browser(study)
        browser.join("c1")
        browser.get("/coordinate")

        def do(what: str, **form: str) -> str:
            return str(browser.post(f"/coordinate/act/{what}", form).text)

        assert "State of the study: pilot" in do("state", to="pilot")
        assert "not archived" in do("state", to="archived")
        assert "State of the study: open" in do("state", to="open")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        assert "r3 takes over" in do("replace", code="r2")
        assert "4 more items" in do("extend", count="4")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r3", lambda n, again: {"support": "partial" if n % 2 else "supported"})
        page = browser.get("/coordinate").text
        listed = re.findall(r'href="/coordinate/item/(\d+)">zz-item', page)
        assert len(listed) == 5
        inside = browser.get(f"/coordinate/item/{listed[0]}").text
        assert "once the study is locked" in inside
        assert "zz_truth" not in inside
        given = Given(answer={"support": "partial"})
        study.database.write(
            lambda c: work.save_consensus(c, "a1", int(listed[0]), given, "The record says so.")
        )
        assert "State of the study: locked" in do("state", to="locked")
        opened = browser.get(f"/coordinate/item/{listed[0]}").text
        assert "r1</h2>" in opened
        assert "Settled by a1</h2>" in opened
        assert "The record says so." in opened
        reply = browser.post("/coordinate/seal")
        assert reply.headers["content-type"] == "application/zip"
        path = tmp_path / "sealed.zip"
        path.write_bytes(reply.content)
        assert verified(study)
    found = verify_archive(path)
    assert found.ok, found.problems


def sealed(folder: Path, tmp_path: Path) -> tuple[Path, str]:
    """Seal a small study and return archive and key."""
    with make(folder, count=4, name="研究") as study:
        Browser(study).join("r1")
        for rater in ("r1", "r2"):
            answer_all(study, rater, lambda n, again: {"support": "supported" if n % 2 else "partial"})
        with pytest.raises(UsageError, match="lock it first"):
            seal(study, tmp_path / "x.zip")
        move(study, "locked")
        return tmp_path / "x.zip", seal(study, tmp_path / "x.zip")


def test_an_archive_verifies_alone_and_holds_no_name(folder: Path, tmp_path: Path) -> None:
    path, key = sealed(folder, tmp_path)
    for file in folder.iterdir():
        file.unlink()
    assert verify_archive(path, expected=key).ok
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        whole = b"".join(archive.read(name) for name in names)
    assert {
        "plan.md",
        "methods.md",
        "flow.md",
        "grras.md",
        "agreement.json",
        "study.sqlite",
        "ledger.pub",
    } <= names
    for private in (b"Person r1", b"r1@example.org", b"argon2"):
        assert private not in whole
    assert any("expected" in problem for problem in verify_archive(path, expected="0000").problems)


def rewritten(path: Path, out: Path, change: Any) -> Path:
    """Copy an archive with its files changed."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out


def test_an_archive_that_was_changed_is_found(folder: Path, tmp_path: Path) -> None:
    path, _ = sealed(folder, tmp_path)

    def words(files: dict[str, bytes]) -> None:
        files["methods.md"] += b"and more"

    def table(files: dict[str, bytes]) -> None:
        files["study.sqlite"] = files["study.sqlite"].replace(b"partial", b"unknown", 1)

    def manifest(files: dict[str, bytes]) -> None:
        told = json.loads(files["MANIFEST.json"])
        files["MANIFEST.json"] = json.dumps({**told, "made_at": "2001-01-01"}).encode()

    def without(files: dict[str, bytes]) -> None:
        del files["agreement.md"]

    for n, (change, said) in enumerate(
        (
            (words, "methods.md was changed"),
            (table, "study.sqlite was changed"),
            (manifest, "not signed"),
            (without, "missing"),
        )
    ):
        found = verify_archive(rewritten(path, tmp_path / f"{n}.zip", change))
        assert any(said in problem for problem in found.problems), found.problems
    with pytest.raises(BadInput, match="not a sealed study"):
        verify_archive(rewritten(path, tmp_path / "n.zip", dict.clear))


NO_ARCHIVES: dict[str, bytes | dict[str, bytes]] = {
    "text": b"Dear all, please find the study attached.",
    "nothing": b"",
    "a zip of something else": {"report.docx": b"x"},
    "a list for a manifest": {"MANIFEST.json": b"[]", "ledger.pub": b"x"},
    "a manifest without files": {"MANIFEST.json": b'{"signature": "x", "files": 3}', "ledger.pub": b"x"},
    "a manifest of words": {"MANIFEST.json": b"hello", "ledger.pub": b"x"},
    "a head that is a word": {
        "MANIFEST.json": b'{"signature": "x", "files": {}, "head": "x"}',
        "ledger.pub": b"x",
    },
}


@pytest.mark.parametrize("held", NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_what_is_no_archive_is_told_so_in_one_sentence(
    tmp_path: Path, held: bytes | dict[str, bytes]
) -> None:
    path = tmp_path / "study.zip"
    if isinstance(held, bytes):
        path.write_bytes(held)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in held.items():
                archive.writestr(name, data)
    with pytest.raises(BadInput, match="not a sealed study; expected a file that `percuss study seal` wrote"):
        verify_archive(path)
    with pytest.raises(BadInput, match=r"can't be read .No such file"):
        verify_archive(tmp_path / "absent.zip")


def test_two_adjudicators_never_replace_each_other_unseen(folder: Path, database: str) -> None:
    with make(folder, count=1, adjudicators=2, database=database) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "unsupported"})
        one, other = Browser(study), Browser(study)
        pages = [one.join("a1"), other.join("a2")]
        form = {"q.support": "partial", "reason": "The table says so.", "seen": ""}
        assert one.post(one.here(pages[0]), form).status_code == 200
        late = other.post(other.here(pages[1]), {**form, "q.support": "supported"})
        assert late.status_code == 422
        assert "was settled meanwhile" in late.text
        assert "The table says so." in late.text, "the decision that stands is shown"
        with study.database.read() as connection:
            (settled,) = work.agreed(connection).values()
        assert (settled.adjudicator, settled.given.answer) == ("a1", {"support": "partial"})
        seen = re.search(r'name="seen" value="([^"]+)"', late.text).group(1)  # type: ignore[union-attr]
        form = {"q.support": "supported", "reason": "Read it again.", "seen": seen}
        assert other.post(other.here(late), form).status_code == 200
        with study.database.read() as connection:
            assert work.agreed(connection)[0].adjudicator == "a2"
            assert [e.who for e in ledger.entries(connection) if e.what == "consensus"] == ["a1", "a2"]
            assert verify(connection, key=study.public_key).ok


def test_attention_items_that_were_failed_are_named(folder: Path) -> None:
    listed = [
        msgspec.structs.replace(one, hidden={**one.hidden, "attention": "supported"} if n < 2 else one.hidden)
        for n, one in enumerate(items("claim-adjudication", 4))
    ]
    with make(folder, listed=listed) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "partial"})
        with study.database.read() as connection:
            found = alarms(work.labelled(connection), study.design, study.all_items(connection))
    assert [(one.who, one.words) for one in found if one.kind == "attention"] == [
        ("r2", "2 of 2 attention items were failed")
    ]


@pytest.mark.parametrize(("mark", "again"), [(0.0, False), (0.6, True), (0.2, False)])
def test_practice_below_the_pass_mark_begins_again(folder: Path, mark: float, again: bool) -> None:
    """Two of the four practice items of the form are supported: whoever says so of all has half of them."""
    with make(folder, count=1, pass_mark=mark) as study:
        rater = Browser(study)
        rater.join("r1")
        for n in range(4):
            rater.get("/practice")
            page = rater.post("/practice", {"q.support": "supported", "step": str(n)})
        assert ("practise once more" in page.text) is again
        assert (rater.client.get("/work").headers.get("location") == "/guide") is again


def test_two_adjudicators_on_one_queue_get_different_items(folder: Path) -> None:
    with make(folder, count=3, adjudicators=3, repeats=0.0) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "unsupported"})
        app = portal(study, passwords=CHEAP)
        people = {code: Browser(study) for code in ("a1", "a2", "a3")}
        for browser in people.values():
            browser.client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
        first = {code: number_of(study, code, browser.join(code)) for code, browser in people.items()}
        assert sorted(first.values()) == [0, 1, 2]
        again = {code: number_of(study, code, browser.get("/adjudicate")) for code, browser in people.items()}
        assert again == first, "what somebody has open stays theirs"


def number_of(study: Study, code: str, page: Any) -> int:
    """Return the item that an adjudicator sees."""
    token = re.search(r'action="/adjudicate/([0-9a-f]+)"', page.text).group(1)  # type: ignore[union-attr]
    return next(n for n in range(3) if opaque(study.secret, "adjudicate", code, n) == token)
