"""One hospital on three databases: equal rows, equal answers to gold queries, equal grades, nothing left behind."""

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Message, Reply, Request
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.protocols.skills.acting import Actor
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Script
from percuss.protocols.skills.worlds.hospital import Hospital
from percuss.protocols.skills.worlds.hospital.comparing import compared
from percuss.protocols.skills.worlds.hospital.database import Database, expected
from percuss.protocols.skills.worlds.hospital.servers import (
    _NAMES,
    Mariadb,
    Postgresql,
    _owner,
    dialect_of,
    require_server,
)
from percuss.protocols.skills.worlds.hospital.tasks import tasks_of
from percuss.protocols.skills.worlds.hospital.tasks.round import Gold
from tests.protocols.skills.hospital.databases import ALL, SEED, SERVERS, database, played, url_of

TASKS = tasks_of(SEED)


@pytest.mark.parametrize("dialect", ALL)
def test_every_gold_query_gives_the_right_rows(dialect: Any, tmp_path: Path) -> None:
    wrong = []
    with database(dialect, tmp_path) as opened:
        assert opened.digests() == expected(SEED)
        for task in TASKS:
            for number, (step, held) in enumerate(zip(task.setting["steps"], task.gold, strict=True)):
                gold = msgspec.convert(held, Gold)
                if step["tool"] != "query" or "beds.csv" in task.says[number]:
                    continue
                found = opened.run(step["arguments"]["sql"])
                names = [column.name for column in gold.columns]
                rows = [dict(zip(names, row, strict=False)) for row in found.rows]
                if not compared(gold, rows).right:
                    wrong.append((task.id, number, found.error, compared(gold, rows).why))
    assert wrong == []


@pytest.mark.parametrize("dialect", SERVERS)
@pytest.mark.parametrize(("agent", "tasks"), [("gold", 5), ("random", 2), ("writer", 1)])
async def test_grades_and_ends_are_those_of_sqlite(
    dialect: Any, agent: str, tasks: int, tmp_path: Path
) -> None:
    here, there = Hospital(), Hospital(url_of(dialect))
    for task in TASKS[:tasks]:  # the first five are one of each kind
        script = here.agents(task, SEED)[agent]
        one = await played(here, task, script, tmp_path / f"here-{task.id}")
        other = await played(there, task, script, tmp_path / f"there-{task.id}")
        assert there.grade(task, other) == here.grade(task, one)
        assert (other.before, other.after, other.submitted) == (one.before, one.after, one.submitted)
        assert [action.outcome for action in other.log] == [action.outcome for action in one.log]


class Killed(BaseException):
    """The process ends here."""


class Dying:
    """A scripted agent that is killed before its nth reply."""

    id, pin = "test/dying", ""

    def __init__(self, script: Script, kept: list[Reply], dies_before: int) -> None:
        self.actor, self.kept, self.dies_before, self.asked = Actor(script), kept, dies_before, 0

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        if self.asked == len(self.kept):
            if self.asked == self.dies_before:
                raise Killed
            self.kept.append(await self.actor.generate(request))
        self.asked += 1
        return self.kept[self.asked - 1]


@pytest.mark.parametrize("dialect", ALL)
async def test_killed_after_each_step_it_ends_the_same(dialect: Any, tmp_path: Path) -> None:
    world = Watched(url_of(dialect))
    task = min(TASKS, key=lambda task: len(task.says))
    script = world.agents(task, SEED)["gold"]
    posed = Posed(messages=(Message.of("user", task.says[0]),), tools=world.tools(task))
    whole = await played(world, task, script, tmp_path / "whole")
    steps = sum(len(round_) for round_ in script.steps)
    kept: list[Reply] = []
    for step in range(1, steps):
        roles = Roles({"model": Dying(script, kept, step)}, seed=5, scratch=_made(tmp_path / str(step)))
        with pytest.raises(Killed):
            await run(posed, roles, Options(), world, task, seed=SEED)
        assert len(kept) == step
    roles = Roles({"model": Dying(script, kept, 99)}, seed=5, scratch=_made(tmp_path / "last"))
    resumed = await run(posed, roles, Options(), world, task, seed=SEED)
    assert final_of(resumed.artifacts) == whole
    if dialect != "sqlite":
        assert len(world.names) == steps + 1
        assert not world.names & _there(dialect)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


class Watched(Hospital):
    """A hospital that keeps the names of the schemas that it made."""

    def _database(self, seed: int, scratch: Path) -> Database:
        opened = super()._database(seed, scratch)
        self.names = {*getattr(self, "names", ()), getattr(opened, "_name", "")} - {""}
        return opened


def _there(dialect: str) -> set[str]:
    """Return the schemas and roles on a server."""
    with _owner(url_of(dialect), dialect_of(url_of(dialect))) as owner, owner.cursor() as cursor:
        cursor.execute(_NAMES[dialect_of(url_of(dialect))])
        return {str(row[0]) for row in cursor.fetchall()}


@pytest.mark.parametrize("dialect", SERVERS)
def test_what_killed_processes_left_is_dropped_after_a_day(dialect: Any) -> None:
    url, old = url_of(dialect), "percuss_0000000100000001"
    kind = dialect_of(url)
    young = f"percuss_{int(time.time()):08x}00000002"
    with _owner(url, kind) as owner, owner.cursor() as cursor:
        for name in (old, young):
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
        assert {old, young} <= _there(dialect)
        require_server(url)
        assert {old, young} & _there(dialect) == {young}
        cursor.execute(f"DROP SCHEMA {young}")


@pytest.mark.parametrize("dialect", SERVERS)
async def test_what_a_server_gave_is_kept_by_once(dialect: Any, tmp_path: Path) -> None:
    kept: dict[str, bytes] = {}

    async def once(kind: str, key: Any, make: Any) -> bytes:
        name = repr((kind, key))
        if name not in kept:
            kept[name] = await make()
        return kept[name]

    world, task = Hospital(url_of(dialect)), TASKS[0]
    with world.open(task, SEED, tmp_path, Roles({}, seed=1, once=once)) as state:
        first = await state.call("query", {"sql": "SELECT COUNT(*) AS n FROM labs"})
        assert len(kept) == 1
        kept[next(iter(kept))] = msgspec.json.encode({"columns": ["n"], "rows": [[7]]})
        again = await state.call("query", {"sql": "SELECT COUNT(*) AS n FROM labs"})
    assert first.outcome == again.outcome == "ok"
    assert '"rows":[[7]]' in again.text


@pytest.mark.parametrize("dialect", SERVERS)
async def test_an_error_names_no_schema_of_the_moment(dialect: Any, tmp_path: Path) -> None:
    world, task = Hospital(url_of(dialect)), TASKS[0]
    with world.open(task, SEED, tmp_path, None) as state:
        said = [(await state.call("query", {"sql": "SELECT value + nope FROM labs"})).text]
    with database(dialect, tmp_path) as opened:
        said.append(opened.run("SELECT * FROM absent").error)
    assert "nope" in said[0]
    assert not any("percuss_" in text for text in said)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("oracle://x", "got a database of the kind 'oracle'; expected one of sqlite, postgresql"),
        ("postgresql://nobody@127.0.0.1:9/none", "no database at 127.0.0.1:9"),
        ("mariadb://nobody@127.0.0.1:9", "no database at 127.0.0.1:9"),
        ("mariadb://nobody:secret@127.0.0.1:9", "expected it in PGPASSWORD or MYSQL_PWD"),
    ],
)
def test_a_missing_server_is_a_usage_error_before_the_first_call(url: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        Hospital(url).tasks(SEED)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("dialect", SERVERS)
def test_a_user_without_rights_is_a_usage_error(dialect: Any) -> None:
    url = url_of(dialect)
    make = Postgresql if dialect == "postgresql" else Mariadb
    opened = make(SEED, url)
    try:
        host = url.split("@")[-1]
        scheme = url.split(":")[0]
        bare = f"{scheme}://{opened._name}:{opened._password}@{host}"
        with pytest.raises(UsageError, match="may not make roles"):
            require_server(bare)
    finally:
        opened.close()
