"""The world of the hospital: its tasks, tools, database and grade."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from percuss.core.errors import UsageError
from percuss.core.messages import Tool
from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Final, Grade, Script, State, Task
from percuss.protocols.skills.worlds.hospital.database import Database
from percuss.protocols.skills.worlds.hospital.grading import grade, recap
from percuss.protocols.skills.worlds.hospital.guard import require_parser
from percuss.protocols.skills.worlds.hospital.schema import Dialect
from percuss.protocols.skills.worlds.hospital.scripts import agents
from percuss.protocols.skills.worlds.hospital.state import Ward
from percuss.protocols.skills.worlds.hospital.tasks import tasks_of

__all__ = ["Hospital"]

_TEXT = {"type": "string"}
_TOOLS = (
    Tool(
        name="schema",
        description="Show the database's tables and columns, its SQL dialect, and the CSV files there are.",
        parameters={"type": "object", "properties": {}, "additionalProperties": False},
    ),
    Tool(
        name="query",
        description="Run one SELECT on the hospital's database and read its rows. The database is read only.",
        parameters={
            "type": "object",
            "properties": {"sql": _TEXT},
            "required": ["sql"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="notes",
        description="Read the free-text notes of a patient, the earliest first; contains: only notes with these words.",
        parameters={
            "type": "object",
            "properties": {"patient_id": {"type": "integer"}, "contains": _TEXT},
            "required": ["patient_id"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="read_csv",
        description="Read rows of a CSV file; equals: column -> value that a row must have.",
        parameters={
            "type": "object",
            "properties": {"file": _TEXT, "equals": {"type": "object"}},
            "required": ["file"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="submit",
        description="Hand in the answer to the question: one object per row, column -> value. This ends the question.",
        parameters={
            "type": "object",
            "properties": {"rows": {"type": "array", "items": {"type": "object"}}},
            "required": ["rows"],
            "additionalProperties": False,
        },
    ),
)


class Hospital:
    """DataAgent: a synthetic hospital, asked in rounds by SQL, notes and CSV files.

    Args:
        url: of the database: empty or `sqlite`, `postgresql://USER@HOST/DB`, `mariadb://USER@HOST`.

    Raises:
        UsageError: a database of another kind, or a password in the address, which a run would keep.
    """

    name = "data"

    def __init__(self, url: str = "") -> None:
        from percuss.protocols.skills.worlds.hospital.servers import dialect_of

        if urlsplit(url).password:
            raise UsageError(
                "got an address with a password, which the run would keep; expected it in PGPASSWORD or MYSQL_PWD"
            )
        self._url = url
        self.dialect: Dialect = dialect_of(url)

    @property
    def blocking(self) -> bool:
        """Whether opening takes so long that it belongs into a thread."""
        return self.dialect != "sqlite"

    def tasks(self, seed: int) -> tuple[Task, ...]:
        """Return all tasks of a seed; a server or the parser of SQL that is missing is found here, before the first call.

        Args:
            seed: of the hospital.

        Raises:
            UsageError: sqlglot isn't installed, the server can't be reached, or its user may not make schemas and roles.
        """
        require_parser()
        from percuss.protocols.skills.worlds.hospital.servers import require_server

        require_server(self._url)
        return tasks_of(seed)

    def tools(self, task: Task) -> tuple[Tool, ...]:
        """Return the tools; every task has the same."""
        del task
        return _TOOLS

    @contextmanager
    def open(self, task: Task, seed: int, scratch: Path, roles: Roles | None) -> Iterator[State]:
        """Build the hospital for one response, and leave nothing of it on a server after.

        Args:
            task: every one has the same hospital. seed: of the hospital. scratch: where a file is written.
            roles: `once` keeps what a server gave; None in tests of the world alone.
        """
        del task
        database = self._database(seed, scratch)
        try:
            yield Ward(seed, database, None if roles is None else roles.once)
        finally:
            database.close()

    def _database(self, seed: int, scratch: Path) -> Database:
        from percuss.protocols.skills.worlds.hospital.servers import Mariadb, Postgresql
        from percuss.protocols.skills.worlds.hospital.sqlite import Sqlite

        if self.dialect == "sqlite":
            return Sqlite(seed, scratch)
        return Postgresql(seed, self._url) if self.dialect == "postgresql" else Mariadb(seed, self._url)

    def grade(self, task: Task, final: Final) -> Grade:
        """Grade what is left; the database isn't needed for it."""
        return grade(task, final)

    def recap(self, task: Task, round_: int, submitted: Any) -> str:
        """Return the right answer in words where a round's (`round_`, from 0) was wrong, else nothing."""
        return recap(task, round_, submitted)

    def agents(self, task: Task, seed: int) -> Mapping[str, Script]:
        """Return gold, nothing, liar, random and `writer`."""
        return agents(task, seed)
