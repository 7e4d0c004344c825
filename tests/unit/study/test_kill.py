"""kill -9 in the middle of a crowd: every answer that was acknowledged is there, and the ledger verifies."""

import asyncio
import signal
from pathlib import Path

import pytest

from percuss.study.store.verifying import verify
from percuss.study.study import open_study
from tests.studies import make
from tests.study_load import Load, crowd, missing, seat, server


@pytest.mark.slow
def test_no_acknowledged_label_is_lost_to_a_kill(folder: Path, database: str) -> None:
    raters = 20
    with make(folder, count=60, raters=raters, depth=raters, repeats=0.0, database=database) as study:
        cookies = seat(study, raters)
        load = Load()

        async def strike() -> None:
            with server(folder) as (process, address):
                working = asyncio.create_task(crowd(address, study, cookies, load, think_s=0.01, seconds=30))
                while len(load.saved) < 100 and not working.done():  # noqa: ASYNC110 - a list has no event
                    await asyncio.sleep(0.02)
                process.send_signal(signal.SIGKILL)
                await working
                assert process.wait() == -signal.SIGKILL

        asyncio.run(strike())
    assert 100 <= len(load.saved) < 60 * raters
    assert load.failed == 0
    with open_study(folder) as study:
        assert missing(study, load) == []
        with study.database.read() as connection:
            found = verify(connection)
    assert found.ok, found.problems
