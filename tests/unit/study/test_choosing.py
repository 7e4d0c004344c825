"""Passwords: the most used ones and, where the coordinator gave a list, breached ones are refused."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.study.portal import choosing
from percuss.study.portal.choosing import is_breached, password_problem, refuse_unsorted
from percuss.study.serve import serve
from tests.studies import make
from tests.unit.study.conftest import PASSWORD, Browser

LISTS = Path(choosing.__file__).parent / "passwords"


def listed(path: Path, passwords: set[str], *, counted: bool = False) -> Path:
    """Write a list of breached passwords as the one everybody downloads is: sorted hashes, perhaps with counts."""
    hashes = sorted(
        hashlib.sha1(one.encode(), usedforsecurity=False).hexdigest().upper() for one in passwords
    )
    path.write_text("".join(f"{one}:{n + 1}\r\n" if counted else f"{one}\n" for n, one in enumerate(hashes)))
    return path


def test_none_of_the_3000_most_used_passwords_that_are_long_enough_is_taken() -> None:
    words = (LISTS / "most_used.txt").read_text(encoding="utf-8").split()
    assert len({one for one in words if len(one) >= 10}) >= 3000
    assert all("first that are guessed" in password_problem(one, "ada", "Ada") for one in words)
    assert "first that are guessed" in password_problem("QwertyUiop", "ada", "Ada")
    assert password_problem(PASSWORD, "ada", "Ada") == ""


def test_the_list_of_passwords_is_the_one_whose_source_is_named() -> None:
    told = (LISTS / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256((LISTS / "most_used.txt").read_bytes()).hexdigest() in told
    assert (LISTS / "most_used.LICENSE").read_text(encoding="utf-8").startswith("MIT License")


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.text(min_size=1, max_size=8, alphabet="abcdé研"), min_size=1, max_size=40),
    st.text(min_size=1, max_size=8, alphabet="abcdé研"),
    st.booleans(),
)
def test_exactly_what_stands_in_the_list_is_breached(
    tmp_path_factory: pytest.TempPathFactory, breached: set[str], other: str, counted: bool
) -> None:
    path = listed(tmp_path_factory.mktemp("breached") / "hashes.txt", breached, counted=counted)
    refuse_unsorted(path)
    assert all(is_breached(path, one) for one in breached)
    assert is_breached(path, other) == (other in breached)


def test_a_password_that_was_breached_elsewhere_is_refused_without_asking_anybody(
    folder: Path, tmp_path: Path
) -> None:
    path = listed(tmp_path / "hashes.txt", {PASSWORD, "another long sentence"})
    with make(folder, breached_passwords=str(path)) as study:
        browser = Browser(study)
        assert "found in a breach elsewhere" in browser.join("r1").text
        assert password_problem(PASSWORD, "", "", breached="") == ""


def test_a_list_in_which_nobody_would_be_found_is_refused_when_the_study_is_served(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "hashes.txt"
    with make(folder, breached_passwords=str(path)) as study:
        with pytest.raises(UsageError, match="is no file"):
            serve(study, port=0)
        path.write_text("letmein12345\n" * 9)
        with pytest.raises(UsageError, match="no list of SHA-1"):
            serve(study, port=0)
        path.write_text("".join(f"{n:040X}\n" for n in range(500, 0, -1)))
        with pytest.raises(UsageError, match="not in order"):
            serve(study, port=0)
