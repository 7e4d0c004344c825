"""Empty databases of both kinds, for the study tests of every folder."""

import os
import uuid
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import make_url, text

from percuss.study.store.database import open_engine

__all__ = ["Fresh", "fresh_database"]

URL = os.environ.get("PERCUSS_TEST_POSTGRES_URL", "")
Fresh = Callable[[], str]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def fresh_database(request: pytest.FixtureRequest) -> Iterator[Fresh]:
    """Give what makes an empty database and returns its URL: a schema each of one PostgreSQL server; empty text for
    SQLite, the file in each study's folder.
    """
    if request.param == "sqlite":
        yield str
        return
    if not URL:
        pytest.skip('PERCUSS_TEST_POSTGRES_URL is not set; eval "$(scripts/services start)" starts a server')
    made: list[str] = []
    engine = open_engine(URL)

    def fresh() -> str:
        made.append(f"percuss_{uuid.uuid4().hex[:12]}")
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {made[-1]}"))
        url = make_url(URL).update_query_dict({"options": f"-csearch_path={made[-1]}"})
        return url.render_as_string(hide_password=False)

    yield fresh
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL lock_timeout = '10s'"))  # a study left open fails here, not hangs
        for name in made:
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    engine.dispose()
