"""One Chromium for the tests of a file, and empty databases for those that play a study."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.study_people import chromium
from tests.study_databases import fresh_database

__all__ = ["fresh_database"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, or a skip with the reason."""
    with chromium() as started:
        yield started
