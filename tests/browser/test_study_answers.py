"""Designs with pictures, several answers, spans or sources, each a whole study in the browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from percuss.study.design import design_names
from tests.browser import test_study_statements
from tests.browser.study_people import chromium
from tests.browser.study_whole import whole_study
from tests.study_databases import Fresh, fresh_database

__all__ = ["fresh_database"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


DESIGNS = ("extraction", "ranking", "reader-study", "source-grounding")


@pytest.mark.parametrize(
    ("design", "fresh_database"), [(design, "sqlite") for design in DESIGNS], indirect=["fresh_database"]
)
def test_two_people_and_an_adjudicator_finish_a_study(
    browser: Any, tmp_path: Path, design: str, fresh_database: Fresh
) -> None:
    whole_study(browser, tmp_path / "s", design, fresh_database())


def test_every_design_is_played() -> None:
    assert {*DESIGNS, *test_study_statements.DESIGNS} == set(design_names())
