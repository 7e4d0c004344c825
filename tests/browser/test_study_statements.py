"""Designs that judge one statement or answer, each a whole study in the browser; the other half is `test_study_answers`."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.study_whole import STATEMENTS, whole_study
from tests.study_databases import Fresh

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("design", "fresh_database"),
    [
        *((design, "sqlite") for design in STATEMENTS),
        pytest.param("claim-adjudication", "postgresql", marks=pytest.mark.postgres),
    ],
    indirect=["fresh_database"],
)
def test_two_people_and_an_adjudicator_finish_a_study(
    browser: Any, tmp_path: Path, design: str, fresh_database: Fresh
) -> None:
    whole_study(browser, tmp_path / "s", design, fresh_database())
