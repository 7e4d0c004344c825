"""The connection: SQLite in WAL mode or PostgreSQL by URL, and one writer that groups what waits into one commit.

A label is durable before anybody is told that it is saved: `write` returns after the commit (`synchronous=FULL` in
SQLite, `synchronous_commit` as the server has it in PostgreSQL). A hundred raters who save at once share a few commits.
"""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from percuss.core.errors import RunError, UsageError
from percuss.study.store.ledger import Held, flush, head
from percuss.study.store.signing import Signer

__all__ = ["Asked", "Database", "open_engine", "read_anchor", "write_anchor"]

T = TypeVar("T")
BUSY_MS = 15_000
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    f"busy_timeout={BUSY_MS}",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is deleted is overwritten, wherever SQLite was built without that
)
CHAIN_LOCK = 7_406_251  # PostgreSQL advisory lock: one writer of the chain at a time, over all processes
BATCH = 200
POST_S = 0.05  # seconds for which what nobody waits for may wait to share a commit
POOL: dict[str, Any] = {"pool_size": 48, "max_overflow": 8, "pool_use_lifo": True}
"""One connection for each thread that serves: a pool that is too small opens and closes one at each request of a crowd."""
Outcome = tuple["Future[Any]", Any, BaseException | None]  # who is told, what came of it, what was raised


class Asked(NamedTuple):
    """What a job that only adds must know first; the writer asks it once for all jobs of a batch (`Held.known`).

    Args:
        of: keys -> what is known of each. key: of this job.
    """

    of: Callable[[Connection, Sequence[str]], dict[str, Any]]
    key: str


class Job(NamedTuple):
    """What to do on a connection, who is told, whether somebody waits for it.

    Args:
        adds: it only adds rows, by `ledger.put`, and reads nothing that another one may add but what is asked for it.
    """

    work: Callable[[Connection], Any]
    told: "Future[Any]"
    awaited: bool
    adds: bool = False
    asked: Asked | None = None


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
        return create_engine(parsed.set(drivername="postgresql+psycopg"), pool_size=8, max_overflow=40)
    if backend != "sqlite":
        raise UsageError(f"got a {backend} database; a study is kept in SQLite or PostgreSQL")
    engine = create_engine(parsed, connect_args={"check_same_thread": False}, **POOL)

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are ours, below
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("peeks"):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")

    return engine


def _peeking(engine: Engine) -> Engine:
    """Return an engine whose connections are in no transaction; PostgreSQL's are their own, since switching takes longer than asking."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(peeks=True)
    return create_engine(engine.url, isolation_level="AUTOCOMMIT", **POOL)


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
        self._peeking = _peeking(engine)
        self._last: tuple[int, str, str] | None = None  # the ledger's last entry, as this writer left it
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._guard = threading.Lock()

    @property
    def engines(self) -> tuple[Engine, ...]:
        """The engines whose connections it uses: one, or one more for looks at PostgreSQL."""
        return (self.engine,) if self.engine.dialect.name == "sqlite" else (self.engine, self._peeking)

    @property
    def waiting(self) -> int:
        """How many jobs wait for the writer, about."""
        return self._jobs.qsize()

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

    def write(self, job: Callable[[Connection], T], *, asked: Asked | None = None) -> T:
        """Run a job in a transaction and return its result once it is durable.

        The job may share its transaction with others that wait; if it raises, only its own changes are undone. It may be run
        twice, the first time being undone whole, so it changes nothing but the database.

        Args:
            job: what to do.
            asked: of a job that only adds: what it must know first, asked once for all of a batch; its rows go out with theirs.
        """
        return self._put(Job(job, Future(), awaited=True, adds=asked is not None, asked=asked)).result()  # type: ignore[no-any-return]

    def post(self, job: Callable[[Connection], Any]) -> None:
        """Run a job that only adds soon, without waiting for it: for the log of what was seen, never for an answer."""
        self._put(Job(job, Future(), awaited=False, adds=True))

    def scrub(self) -> None:
        """Empty SQLite's write-ahead log, in which what was just deleted would stand until others write over it."""
        if self.engine.dialect.name == "sqlite":
            with self.peek() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def _put(self, job: Job) -> "Future[Any]":
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="percuss-study-writer", daemon=True)
                self._thread.start()
            self._jobs.put(job)
        return job.told

    def close(self) -> None:
        """Finish what waits and close the connections."""
        with self._guard:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._jobs.put(None)
        if thread is not None:
            thread.join()
        self._peeking.dispose()
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

        The ledger's last entry is asked for once: where another process appended since, the number of the next one is taken,
        all is undone, and what follows asks anew.
        """
        held = Held()  # nobody else writes meanwhile
        held.last, self._last = (None if apart else self._last), None
        options = {"writes": True, "signer": self.signer, "held": held}
        with self.engine.connect().execution_options(**options) as connection, connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(_ALONE, {"key": CHAIN_LOCK})
            if not apart:
                held.known = _answers(connection, batch)
            run = _apart if apart else _shared
            done = [run(connection, held, job) for job in batch]
            flush(connection)
            newest = held.last
            ended = newest[:2] if newest else head(connection)
        self._last = newest
        return done, ended


_ALONE = text("SELECT pg_advisory_xact_lock(:key)")


def _answers(connection: Connection, batch: Sequence[Job]) -> dict[str, Any]:
    """Ask what the jobs of a batch must know, once for all that ask alike."""
    keys: dict[Callable[[Connection, Sequence[str]], dict[str, Any]], list[str]] = {}
    for job in batch:
        if job.asked is not None:
            keys.setdefault(job.asked.of, []).append(job.asked.key)
    return {key: found for of, listed in keys.items() for key, found in of(connection, listed).items()}


def _shared(connection: Connection, held: Held, job: Job) -> Outcome:
    """Run a job of a batch; one that does more than add finds all rows in place, and leaves nothing known behind."""
    held.together = job.adds
    if not job.adds:
        flush(connection)
        held.known = {}
    return job.told, job.work(connection), None


def _apart(connection: Connection, held: Held, job: Job) -> Outcome:
    """Run a job in a savepoint of its own."""
    try:
        with connection.begin_nested():
            return job.told, job.work(connection), None
    except Exception as error:  # noqa: BLE001 - it is handed to the asker
        held.last = None  # what it appended is undone
        return job.told, None, error
