"""The writer thread: one commit for all that waits, a failing job fails alone."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from percuss.core.errors import RunError
from percuss.store.database import Database
from percuss.store.manifest import put_manifest, read_manifest
from percuss.store.writer import Writer


def keeping(key: str) -> Callable[[sqlite3.Connection], None]:
    return lambda db: put_manifest(db, {key: 1})


def test_a_failing_job_fails_alone(tmp_path: Path) -> None:
    database = Database(tmp_path / "run.sqlite", writable=True)
    writer = Writer(database)

    def broken(db: sqlite3.Connection) -> None:
        put_manifest(db, {"broken": True})
        raise ValueError("mine")

    async def both() -> list[object]:
        jobs = [writer.write(keeping(f"k{n}")) for n in range(20)]
        return list(
            await asyncio.gather(*jobs[:10], writer.write(broken), *jobs[10:], return_exceptions=True)
        )

    outcomes = asyncio.run(both())
    assert [str(one) for one in outcomes if one is not None] == ["mine"]
    assert database.read(read_manifest) == {f"k{n}": 1 for n in range(20)}
    writer.close()
    database.close()


def test_waiting_jobs_share_a_commit(tmp_path: Path) -> None:
    database = Database(tmp_path / "run.sqlite", writable=True)
    writer = Writer(database)
    commits: list[str] = []
    assert database.writer is not None
    database.writer.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)

    async def many() -> None:
        await asyncio.gather(*(writer.write(keeping(str(n))) for n in range(300)))

    asyncio.run(many())
    assert 1 <= len(commits) <= 30
    writer.close()
    assert len(database.read(read_manifest)) == 300
    database.close()


def test_what_was_handed_in_is_committed_before_closing(tmp_path: Path) -> None:
    database = Database(tmp_path / "run.sqlite", writable=True)
    writer = Writer(database)

    async def leave() -> None:
        task = asyncio.create_task(writer.write(lambda db: put_manifest(db, {"late": 1})))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave())
    writer.close()
    assert database.read(read_manifest) == {"late": 1}
    with pytest.raises(RunError, match="is closed"):
        writer.write_now(lambda db: put_manifest(db, {"too late": 1}))
    database.close()
