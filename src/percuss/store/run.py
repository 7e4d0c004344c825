"""The run folder as one object: run.sqlite, its lock, and manifest.json beside it."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from weakref import WeakValueDictionary

from percuss.core.accounting import AnswerAccount, JudgeAccount
from percuss.core.errors import RunError
from percuss.core.records import Blob, Case, Cell, Estimate, Response, Scoring, Verdict
from percuss.core.renamed import Names, names_of
from percuss.core.sections import Section
from percuss.store import blobs, calls, cases, manifest, responses, results, scorings
from percuss.store.accounting import answer_accounts, judge_accounts
from percuss.store.database import Database, NotBegunError, explained
from percuss.store.identity import Identity
from percuss.store.lock import FolderLock
from percuss.store.packed import read_json
from percuss.store.view import StoredView
from percuss.store.writer import Writer

__all__ = ["RunStore", "StoredBlobs"]

T = TypeVar("T")
P = ParamSpec("P")

FILE = "run.sqlite"


class StoredBlobs:
    """The run's bytes by digest, as the `Blobs` port."""

    def __init__(self, store: "RunStore") -> None:
        self._store = store
        self._lent: WeakValueDictionary[str, Blob] = WeakValueDictionary()

    def get(self, digest: str) -> Blob:
        """Return the blob.

        Raises:
            KeyError: the run holds none of this digest.
        """
        lent = self._lent.get(digest)
        return self._store.read(blobs.get_blob, digest) if lent is None else lent

    def lend(self, blob: Blob) -> None:
        """Have the blob at hand for as long as somebody holds it; the run keeps nothing of it."""
        self._lent[blob.digest] = blob

    def put(self, blob: Blob) -> None:
        """Keep the blob; keeping it twice is the same as once."""
        if not self._store.read(blobs.has_blob, blob.digest):
            self._store.write_now(blobs.put_blob, blob)


class RunStore:
    """A run, open. Use `create` to start or extend one, `open` to read or check one; close it when done (or `with`)."""

    def __init__(self, folder: Path, database: Database, lock: FolderLock | None) -> None:
        self.folder = folder
        self.blobs = StoredBlobs(self)
        self._database = database
        self._lock = lock
        self._writer = Writer(database) if lock is not None else None

    @classmethod
    def create(cls, folder: Path, identity: Identity, *, network: bool | None = None) -> "RunStore":
        """Start a run in a folder, or open the one that is there to extend it.

        Args:
            folder: made with mode 0700 where it is missing; an existing one must be empty or a run.
            identity: what makes the answers comparable.
            network: whether the folder is on a network file system; None finds out.

        Raises:
            UsageError: the folder holds a run of another identity; the sentence names what differs.
            RunError: locked, unwritable, full, newer, or not a run.
        """
        fresh = not (folder / FILE).exists()
        if fresh:
            _make_folder(folder)
        else:
            cls._require_same(folder, identity, network)
        store = cls._locked(folder, network)
        try:
            held = store.identity()
            if held is None:
                entries = {
                    "identity": identity,
                    "identity_digest": identity.digest,
                    "made_at": scorings.now(),
                }
                store.update_manifest({**entries, "protocol": identity.protocol, "seed": identity.seed})
            else:
                held.require_same(identity, folder)
        except BaseException:
            store.close()
            if fresh:
                _unmake(folder)
            raise
        return store

    @classmethod
    def _require_same(cls, folder: Path, identity: Identity, network: bool | None) -> None:
        """Refuse a folder of another identity before anything in it is migrated."""
        try:
            with cls.open(folder, network=network) as seen:
                held = seen.identity()
        except NotBegunError:
            return
        if held is not None:
            held.require_same(identity, folder)

    @classmethod
    def open(cls, folder: Path, *, writable: bool = False, network: bool | None = None) -> "RunStore":
        """Open an existing run; for reading it takes no lock, so a running run can be looked at.

        Raises:
            RunError: there is no run in the folder, or it is locked (when writing), newer or damaged.
        """
        if not (folder / FILE).exists():
            raise RunError(
                f"{folder} holds no run (no {FILE}); start one with percuss run, or check the path"
            )
        if writable:
            return cls._locked(folder, network)
        return cls(folder, Database(folder / FILE, writable=False, network=network), None)

    @classmethod
    def exists(cls, folder: Path) -> bool:
        """Tell whether a folder holds a run."""
        return (folder / FILE).exists()

    @classmethod
    def discard(cls, folder: Path) -> None:
        """Take away a run that a refused start has made; one that holds an answer or a call stays."""
        if not cls.exists(folder):
            return
        with cls.open(folder, writable=True) as store:
            if store.answers() or store.read(calls.spent)["calls"]:
                return
        _unmake(folder)

    @classmethod
    def remove(cls, folder: Path) -> None:
        """Take away a run and its report; what percuss did not write stays, and so does a folder that is not empty then.

        Raises:
            RunError: there is no run in the folder, or a running one holds it.
        """
        cls.open(folder, writable=True).close()
        _unmake(folder)
        for path in (folder / "report.html", *folder.glob(FILE + ".v[0-9]*")):
            path.unlink(missing_ok=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()

    @classmethod
    def _locked(cls, folder: Path, network: bool | None) -> "RunStore":
        fresh = not (folder / FILE).exists()
        with explained(folder):
            lock = FolderLock(folder)
        try:
            return cls(folder, Database(folder / FILE, writable=True, network=network), lock)
        except BaseException:
            lock.release()
            if fresh:
                _unmake(folder)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Commit what is waiting, close the file and give the lock back."""
        if self._writer is not None:
            self._writer.close()
        self._database.close()
        if self._lock is not None:
            self._lock.release()

    def read(
        self, query: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one of this package's reading functions (`get_..`, `find_..`, `read_..`) and return its result."""
        return self._database.read(query, *args, **kwargs)

    async def write(
        self, job: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one of this package's writing functions (`put_..`) and return once it is on disk."""
        return await self._writing().write(lambda db: job(db, *args, **kwargs))

    def write_now(
        self, job: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Like `write`, for callers without an event loop: blocks until the commit."""
        return self._writing().write_now(lambda db: job(db, *args, **kwargs))

    def _writing(self) -> Writer:
        if self._writer is None:
            raise RunError(f"{self.folder} was opened for reading; nothing can be written to it")
        return self._writer

    def identity(self) -> Identity | None:
        """Return the identity of the run; None in a folder that was only just made."""
        rows = self.read(
            lambda db: db.execute("SELECT value FROM manifest WHERE key = 'identity'").fetchall()
        )
        return read_json(rows[0][0], Identity) if rows else None

    @property
    def names(self) -> Names:
        """Old names of the protocol's raters and estimates, under which an older run was written."""
        return names_of(str(self.manifest().get("protocol", "")))

    def manifest(self) -> dict[str, Any]:
        """Return the manifest as JSON values."""
        return self.read(manifest.read_manifest)

    def update_manifest(self, entries: Mapping[str, Any]) -> None:
        """Write entries of the manifest (others stay), and manifest.json anew."""
        self.write_now(manifest.put_manifest, entries)
        self.write_manifest_file()

    def answers(self, scoring: str = "") -> tuple[AnswerAccount, ...]:
        """Return what became of the answers, one account per model and arm.

        Args:
            scoring: id of the scoring whose failed checks are counted; "" leaves checks aside.
        """
        return self.read(answer_accounts, scoring)

    def judges(self, scoring: str) -> tuple[JudgeAccount, ...]:
        """Return what became of the replies of each judge of a scoring."""
        return self.read(judge_accounts, scoring)

    def write_manifest_file(self) -> None:
        """Write manifest.json: the manifest, what became of the answers, every scoring, and what was spent."""
        made = self.scorings()
        latest = next((scoring.id for scoring in reversed(made) if scoring.id != scorings.HUMAN), "")
        held: dict[str, Any] = {
            **self.manifest(),
            "answers": self.answers(latest),
            "scorings": made,
            "spent": self.read(calls.spent),
        }
        with explained(self.folder):
            manifest.write_beside(self.folder, held)

    def add_cases(self, source: Iterable[Case], *, limit: int | None = None) -> int:
        """Write the cases that the run does not hold yet, up to `limit`, in one transaction; return how many were new."""
        return self.write_now(cases.put_cases, source, limit)

    def extend(
        self, source: Iterable[Case], answers: Iterable[Response], *, limit: int | None = None
    ) -> tuple[int, int]:
        """Write new cases up to `limit` and answers made elsewhere, in one transaction: a bad row leaves neither behind.

        Args:
            source, limit: as `add_cases`. answers: as `import_responses`.

        Returns:
            How many cases and answers were new.

        Raises:
            BadInput: as `import_responses`.
        """

        def both(db: sqlite3.Connection) -> tuple[int, int]:
            return cases.put_cases(db, source, limit), responses.import_responses(db, answers)

        return self.write_now(both)

    def import_responses(self, source: Iterable[Response]) -> int:
        """Write answers made elsewhere as the rows that asking writes, in one transaction; return how many were new.

        Raises:
            BadInput: an answer to a case that the run does not hold, or one that contradicts an answer it holds.
        """
        return self.write_now(responses.import_responses, source)

    def put_human(self, verdicts: Iterable[Verdict]) -> None:
        """Write people's labels (scoring `human`); a rater's newer label of a subject replaces the older."""
        self.write_now(scorings.put_human, verdicts)

    def cases(self) -> Iterator[Case]:
        """Yield the cases of the run, in order."""
        return self.view("").cases()

    def scorings(self) -> tuple[Scoring, ...]:
        """Return the scorings in the order in which they were made, people's labels (`human`) included."""
        return tuple(map(self.names.scoring, self.read(scorings.list_scorings)))

    def latest_scoring(self) -> Scoring:
        """Return the newest scoring that is not people's.

        Raises:
            RunError: nothing has been checked yet.
        """
        made = [scoring for scoring in self.scorings() if scoring.id != scorings.HUMAN]
        if not made:
            raise RunError(f"{self.folder} has no scoring yet; run percuss check on it first")
        return made[-1]

    def view(self, scoring: str) -> StoredView:
        """Return the run as one scoring sees it (a `RunView`); "" reads responses alone."""
        return StoredView(self._database, scoring)

    def cells(self, scoring: str) -> Iterator[Cell]:
        """Yield the cells of a scoring by name, model, arm, labels, case order and epoch."""
        return map(self.names.cell, self.read(results.read_cells, scoring))

    def estimates(self, scoring: str) -> tuple[Estimate, ...]:
        """Return the estimates of a scoring, in the protocol's order."""
        return tuple(map(self.names.estimate, self.read(results.read_estimates, scoring)))

    def sections(self, scoring: str) -> tuple[Section, ...]:
        """Return the sections of a scoring, in the protocol's order."""
        return self.read(results.read_sections, scoring)


def _make_folder(folder: Path) -> None:
    with explained(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        strangers = sorted(path.name for path in folder.iterdir() if path.name != "run.lock")
        if strangers:
            raise RunError(
                f"{folder} is not empty and holds no run ({', '.join(strangers[:3])}); give --out a new or empty folder"
            )
        folder.chmod(0o700)


def _unmake(folder: Path) -> None:
    """Take away what a failed start has made, so that nothing is left half-written."""
    for name in (
        FILE,
        FILE + "-wal",
        FILE + "-shm",
        FILE + "-journal",
        "run.lock",
        "manifest.json",
        "manifest.json.new",
    ):
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
