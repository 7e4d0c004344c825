"""The connection: SQLite in WAL mode or PostgreSQL by URL, and one writer that groups what waits into one commit.

A label is durable before anybody is told that it is saved: `write` returns after the commit (`synchronous=FULL` in
SQLite, `synchronous_commit` as the server has it in PostgreSQL). A hundred raters who save at once share a few commits.
"""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from percuss.core.errors import RunError, UsageError
from percuss.study.store.ledger import head
from percuss.study.store.signing import Signer

__all__ = ["Database", "open_engine", "read_anchor", "write_anchor"]

T = TypeVar("T")
BUSY_MS = 15_000
CHAIN_LOCK = 7_406_251  # PostgreSQL advisory lock: one writer of the chain at a time, over all processes
BATCH = 200
POST_S = 0.05  # seconds for which what nobody waits for may wait to share a commit
Outcome = tuple["Future[Any]", Any, BaseException | None]  # who is told, what came of it, what was raised


class Job(NamedTuple):
    """What to do on a connection, who is told, and whether somebody waits for it."""

    work: Callable[[Connection], Any]
    told: "Future[Any]"
    awaited: bool


def open_engine(url: str) -> Engine:
    """Open an engine for a URL.

    Args:
        url: `sqlite:///path` or `postgresql://user@host/name` (psycopg 3 is used).

    Raises:
        UsageError: another kind of database.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(
            "not a database URL; give postgresql://user@host/name or nothing for SQLite"
        ) from None
    backend = parsed.get_backend_name()
    if backend == "postgresql":
        return create_engine(parsed.set(drivername="postgresql+psycopg"), pool_size=10, max_overflow=40)
    if backend != "sqlite":
        raise UsageError(f"got a {backend} database; a study is kept in SQLite or PostgreSQL")
    engine = create_engine(parsed, pool_size=10, max_overflow=40, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are ours, below
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("peeks"):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")

    return engine


def write_anchor(path: Path, last: tuple[int, str]) -> None:
    """Write number and hash of the ledger's last entry, whole or not at all; one that lags is still in the chain."""
    part = path.with_name(path.name + ".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{last[0]} {last[1]}\n")
    part.replace(path)


def read_anchor(path: Path) -> tuple[str, ...]:
    """Return the hash that `write_anchor` wrote, nothing where there is none."""
    try:
        number, hash_ = path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return ()
    return (hash_,) if number != "0" else ()


class Database:
    """Reads from a pool of connections, writes through one thread.

    Args:
        engine: made by `open_engine`.
        signer: signs the ledger; None writes nothing that verifies.
        anchor: file that holds the last head of the ledger, outside the database, so that a cut ledger is found.
    """

    def __init__(self, engine: Engine, *, signer: Signer | None = None, anchor: Path | None = None) -> None:
        self.engine = engine
        self.signer = signer
        self.anchor = anchor
        postgres = engine.dialect.name == "postgresql"
        self._peeking = engine.execution_options(
            **({"isolation_level": "AUTOCOMMIT"} if postgres else {"peeks": True})
        )
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._guard = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection for one consistent view; nothing written on it is kept."""
        with self.engine.connect() as connection:
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def peek(self) -> Iterator[Connection]:
        """Give a connection whose statements each see the newest state: cheaper than `read` where one view is not needed."""
        with self._peeking.connect() as connection:
            yield connection

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction and return its result once it is durable.

        The job may share its transaction with others that wait; if it raises, only its own changes are undone. It may be run
        twice, the first time being undone whole, so it changes nothing but the database.
        """
        return self._put(job, awaited=True).result()

    def post(self, job: Callable[[Connection], Any]) -> None:
        """Run a job soon, without waiting for it: for the log of what was seen, never for an answer."""
        self._put(job, awaited=False)

    def _put(self, job: Callable[[Connection], T], *, awaited: bool) -> "Future[T]":
        future: Future[T] = Future()
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="percuss-study-writer", daemon=True)
                self._thread.start()
            self._jobs.put(Job(job, future, awaited))
        return future

    def close(self) -> None:
        """Finish what waits and close the connections."""
        with self._guard:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._jobs.put(None)
        if thread is not None:
            thread.join()
        self.engine.dispose()

    def _run(self) -> None:
        last = False
        while not last:
            batch, last = self._gathered()
            if batch:
                self._commit(batch)

    def _gathered(self) -> tuple[list[Job], bool]:
        """Wait for a job and return it with all that wait behind it, and whether it is the end."""
        batch: list[Job] = []
        awaited, until = False, 0.0
        while len(batch) < BATCH:
            try:
                left = None if not batch else 0.0 if awaited else max(0.0, until - time.monotonic())
                job = self._jobs.get(timeout=left)
            except queue.Empty:
                break
            if job is None:
                return batch, True
            until = until or time.monotonic() + POST_S
            awaited = awaited or job.awaited
            batch.append(job)
        return batch, False

    def _commit(self, batch: list[Job]) -> None:
        """Run a batch in one transaction; every asker hears only after the commit."""
        try:
            try:
                done, last = self._together(batch, apart=False)
            except Exception:  # noqa: BLE001 - run once more, each undone by itself, and its own asker is told
                done, last = self._together(batch, apart=True)
        except SQLAlchemyError as error:
            told = RunError(
                f"the study's database did not take the change ({type(error).__name__}); nothing was saved"
            )
            told.__cause__ = error
            for job in batch:
                job.told.set_exception(told)
            return
        if self.anchor is not None:
            write_anchor(self.anchor, last)
        for told_, result, fault in done:
            if fault is None:
                told_.set_result(result)
            else:
                told_.set_exception(fault)

    def _together(self, batch: list[Job], *, apart: bool) -> tuple[list[Outcome], tuple[int, str]]:
        """Run a batch in one transaction and return what came of each job, and the ledger's head.

        Args:
            batch: jobs. apart: each in a savepoint, so that one which raises undoes itself alone; else it raises here,
                and all is undone: a savepoint costs a save two more round trips, and nearly no job raises.
        """
        done: list[Outcome] = []
        held: list[tuple[int, str, str]] = []  # the ledger's last entry: nobody else writes meanwhile
        options = {"writes": True, "signer": self.signer, "last": held}
        with self.engine.connect().execution_options(**options) as connection, connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": CHAIN_LOCK})
            for job in batch:
                if not apart:
                    done.append((job.told, job.work(connection), None))
                    continue
                try:
                    with connection.begin_nested():
                        result = job.work(connection)
                    done.append((job.told, result, None))
                except Exception as error:  # noqa: BLE001 - it is handed to the asker
                    held.clear()  # what it appended is undone
                    done.append((job.told, None, error))
            return done, (held[0][0], held[0][1]) if held else head(connection)
