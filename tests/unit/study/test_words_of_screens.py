"""Words of screens that readers of their pictures tripped over: what is offered fits the state, what is said can be understood."""

from pathlib import Path

import pytest

from percuss.study import lifecycle
from percuss.study.design import load_design
from percuss.study.study import Study
from tests.studies import make
from tests.unit.study.conftest import Browser


def lead_of(study: Study) -> Browser:
    """Return the coordinator's browser."""
    lead = Browser(study)
    lead.join("c1")
    return lead


def into(study: Study, *states: str) -> None:
    """Bring a study through states."""
    for state in states:
        study.database.write(lambda c, s=state: lifecycle.move(c, s, by="c1"))  # type: ignore[misc]
    study.memo = {}


def test_the_example_of_missing_data_commits_to_nothing() -> None:
    """It was "The immune type is intermediate": a detail, which the row above calls not supported."""
    (question,) = load_design("claim-adjudication").question
    (missing,) = (one for one in question.option if one.value == "unknown")
    assert "commits to nothing specific" in missing.anchor
    assert missing.example.startswith("“The immune type has to be taken into account”")


def test_of_an_archived_study_the_archive_is_downloaded_not_sealed(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2) as study:
        lead = lead_of(study)
        into(study, "locked")
        locked = lead.get("/coordinate").text
        assert "the study can be sealed" in locked
        assert "Seal it (archive)" in locked
        into(study, "archived")
        archived = lead.get("/coordinate").text
        assert "can be sealed" not in archived
        assert "Seal it" not in archived
        assert "the archive can be downloaded" in archived
        assert "Download the archive" in archived
