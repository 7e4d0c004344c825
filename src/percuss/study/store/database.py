"""The connection: SQLite in WAL mode or PostgreSQL by URL, and one writer that groups what waits into one commit.

A label is durable before anybody is told that it is saved: `write` returns after the commit (`synchronous=FULL` in
SQLite, `synchronous_commit` as the server has it in PostgreSQL). A hundred raters who save at once share a few commits.
"""

import os
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

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
Job = tuple[Callable[[Connection], Any], "Future[Any]"]


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

        The job may share its transaction with others that wait; if it raises, only its own changes are undone.
        """
        return self._put(job).result()

    def post(self, job: Callable[[Connection], Any]) -> None:
        """Run a job soon, without waiting for it: for the log of what was seen, never for an answer."""
        self._put(job)

    def _put(self, job: Callable[[Connection], T]) -> "Future[T]":
        future: Future[T] = Future()
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="percuss-study-writer", daemon=True)
                self._thread.start()
            self._jobs.put((job, future))
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
        while True:
            job = self._jobs.get()
            if job is None:
                return
            batch, last = [job], False
            while len(batch) < BATCH:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    last = True
                    break
                batch.append(following)
            self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[Job]) -> None:
        """Run a batch in one transaction; every asker hears only after the commit."""
        done: list[tuple[Future[Any], Any]] = []
        failed: list[tuple[Future[Any], BaseException]] = []
        try:
            options = {"writes": True, "signer": self.signer}
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                if connection.dialect.name == "postgresql":
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": CHAIN_LOCK})
                for job, future in batch:
                    try:
                        with connection.begin_nested():
                            done.append((future, job(connection)))
                    except Exception as error:  # noqa: BLE001 - it is handed to the asker
                        failed.append((future, error))
                last = head(connection)
        except SQLAlchemyError as error:
            told = RunError(
                f"the study's database did not take the change ({type(error).__name__}); nothing was saved"
            )
            told.__cause__ = error
            for _, future in batch:
                future.set_exception(told)
            return
        if self.anchor is not None:
            write_anchor(self.anchor, last)
        for future, result in done:
            future.set_result(result)
        for future, fault in failed:
            future.set_exception(fault)
