"""Two raters at one screen settle where they differ: both are recorded, in table, ledger, exports and archive."""

from pathlib import Path

import pytest
from sqlalchemy import Connection

from percuss.core.errors import UsageError
from percuss.study.agreement import agreement
from percuss.study.answers import Given
from percuss.study.export import rows
from percuss.study.papers import methods
from percuss.study.store import people, together, work
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import answer_all, make
from tests.unit.study.conftest import Browser

SAID = {"r1": "supported", "r2": "unsupported", "r3": "partial"}


def judged(folder: Path, database: str = "", raters: int = 2) -> Study:
    """Make a study of two items on the first of which people differ."""
    study = make(folder, count=2, raters=raters, depth=raters, database=database, settling="together")
    for code in [f"r{n + 1}" for n in range(raters)]:
        answer_all(
            study, code, lambda n, again, code=code: {"support": SAID[code] if n == 0 else "supported"}
        )
    return study


def signed_in(study: Study, code: str) -> str:
    """Let somebody join and return the cookie of a session."""

    def seated(connection: Connection) -> str:
        people.join(connection, code, name=code, login=code)
        return people.open_session(connection, code)

    return study.database.write(seated)


def test_two_raters_settle_together_and_both_are_recorded(folder: Path, database: str) -> None:
    with judged(folder, database) as study:
        cookie = signed_in(study, "r1")
        with study.database.read() as connection:
            assert together.partner(connection, cookie) is None
            assert list(together.between(connection, study.design, "r1", "r2")) == [0]
        study.database.write(lambda c: together.sit_down(c, cookie, "r2"))
        with study.database.read() as connection:
            beside = together.partner(connection, cookie)
        assert beside is not None
        assert beside.code == "r2"
        said = Given(answer={"support": "partial"})
        pair = ("r1", "r2")
        study.database.write(lambda c: together.settle(c, pair, 0, said, "Read it together.", seen=""))
        with pytest.raises(work.Locked, match="settled meanwhile"):
            study.database.write(lambda c: together.settle(c, pair, 0, said, "Again.", seen=""))
        with study.database.read() as connection:
            (settled,) = work.agreed(connection).values()
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
        assert (settled.by, settled.given) == ("r1+r2", said)
        told = {row["rater"]: row["settled_by"] for row in rows(study)}
        assert told == {"r1": "", "r2": "", "adjudicated": "r1+r2"}
        assert "by the two raters together" in methods(study, agreement(study, B=100))


def test_a_second_name_that_was_changed_is_found(folder: Path, database: str) -> None:
    with judged(folder, database, raters=3) as study:
        said = Given(answer={"support": "partial"})
        study.database.write(lambda c: together.settle(c, ("r1", "r2"), 0, said, "Together."))
        study.database.write(lambda c: c.exec_driver_sql("UPDATE consensus SET beside = 'r3'"))
        with study.database.read() as connection:
            found = verify(connection, key=study.public_key)
        assert found.problems == ("consensus zz-item-0 in the table is not what the ledger says",)


def test_only_two_raters_who_judged_the_item_settle_it(folder: Path) -> None:
    with judged(folder) as study:
        cookie = signed_in(study, "r1")
        for code in ("r1", "a1", "r9"):
            with pytest.raises(UsageError, match="two different raters"):
                study.database.write(lambda c, code=code: together.sit_down(c, cookie, code))  # type: ignore[misc]
        with pytest.raises(UsageError, match="nobody is signed in"):
            study.database.write(lambda c: together.sit_down(c, "no session", "r2"))
        for pair in (("r1", "r1"), ("r1", "a1")):
            with pytest.raises(UsageError, match="both have to have judged"):
                study.database.write(lambda c, pair=pair: together.settle(c, pair, 0, Given(), "x"))  # type: ignore[misc]


def test_who_leaves_the_screen_or_the_study_is_recorded_no_further(folder: Path) -> None:
    with judged(folder, raters=3) as study:
        cookie = signed_in(study, "r1")

        def beside() -> str:
            with study.database.read() as connection:
                found = together.partner(connection, cookie)
            return found.code if found else ""

        for end in (
            lambda c: together.part(c, cookie),
            lambda c: people.reinvite(c, "r2", "c1"),
            lambda c: people.end_sessions(c, "r2"),
            lambda c: people.withdraw(c, "r2", by="r2"),
        ):
            study.database.write(lambda c: together.sit_down(c, cookie, "r2"))
            assert beside() == "r2"
            study.database.write(end)
            assert beside() == ""
        assert Browser(study).get("/health").text == "ok\n"
