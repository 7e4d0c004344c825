"""The three databases as tests get at them; a server's tests skip with a reason where there is none."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from percuss.core.messages import Message
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Final, Script, Task
from percuss.protocols.skills.worlds.hospital import Hospital
from percuss.protocols.skills.worlds.hospital.database import Database

SEED = 1
_VARIABLES = {"postgresql": "PERCUSS_TEST_POSTGRES_URL", "mariadb": "PERCUSS_TEST_MARIADB_URL"}
SERVERS = [
    pytest.param("postgresql", marks=pytest.mark.postgres),
    pytest.param("mariadb", marks=pytest.mark.mariadb),
]
ALL: Sequence[Any] = ["sqlite", *SERVERS]


def url_of(dialect: str) -> str:
    """Return the address of a database, or skip."""
    if dialect == "sqlite":
        return ""
    url = os.environ.get(_VARIABLES[dialect])
    if not url:
        pytest.skip(f'no {dialect} server: eval "$(scripts/services start)" sets {_VARIABLES[dialect]}')
    return url


@contextmanager
def database(dialect: str, folder: Path, seed: int = SEED) -> Iterator[Database]:
    """Open a database as a response has it."""
    opened = Hospital(url_of(dialect))._database(seed, folder)
    try:
        yield opened
    finally:
        opened.close()


async def played(world: Hospital, task: Task, script: Script, folder: Path, **settings: Any) -> Final:
    """Return what a scripted agent leaves."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    posed = Posed(messages=(Message.of("user", task.says[0]),), tools=world.tools(task))
    roles = Roles({}, seed=5, scratch=folder)
    transcript = await run(posed, roles, Options(), world, task, seed=SEED, script=script, **settings)
    return final_of(transcript.artifacts)
