"""Designs with pictures, several answers, spans or sources, each a whole study in the browser."""

from pathlib import Path
from typing import Any

import pytest

from percuss.study.design import design_names
from tests.browser.study_whole import ANSWERS, STATEMENTS, whole_study
from tests.study_databases import Fresh

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("design", "fresh_database"), [(design, "sqlite") for design in ANSWERS], indirect=["fresh_database"]
)
def test_two_people_and_an_adjudicator_finish_a_study(
    browser: Any, tmp_path: Path, design: str, fresh_database: Fresh
) -> None:
    whole_study(browser, tmp_path / "s", design, fresh_database())


def test_every_design_is_played() -> None:
    assert {*STATEMENTS, *ANSWERS} == set(design_names())
