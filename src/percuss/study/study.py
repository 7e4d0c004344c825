"""An open study: its folder, design, settings and database."""

from pathlib import Path
from typing import Any, Self

import msgspec
from sqlalchemy import Connection, select

from percuss.core.errors import RunError
from percuss.study.design import Design, parse_design
from percuss.study.items import Prepared
from percuss.study.settings import Settings, read_settings, secret_of, study_folder
from percuss.study.store import work
from percuss.study.store.database import Database, open_engine, read_anchor
from percuss.study.store.migrate import refuse_other_versions
from percuss.study.store.signing import PUBLIC, read_signer
from percuss.study.store.tables import items, study

__all__ = ["ANCHOR", "Study", "open_study"]

ANCHOR = "ledger.head"


class Study:
    """A study that can be read and written.

    Args:
        folder: where `study.toml`, `design.toml`, `secret` and, by default, `study.sqlite` lie.
        secret: from which links and opaque ids are made.
    """

    def __init__(
        self, folder: Path, settings: Settings, design: Design, database: Database, secret: bytes
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.design = design
        self.database = database
        self.secret = secret
        self.memo: dict[str, Any] = {}  # what was computed, with what it was computed from
        self._items: dict[int, Prepared] = {}
        self._labels: tuple[tuple[int, int], dict[tuple[str, int], work.Labelled]] = ((0, 0), {})

    def item(self, connection: Connection, number: int) -> Prepared:
        """Return an item by its number; items never change, so they are kept once read.

        Raises:
            KeyError: no such item.
        """
        if number not in self._items:
            body = connection.scalar(select(items.c.body).where(items.c.id == number))
            if body is None:
                raise KeyError(number)
            self._items[number] = msgspec.json.decode(body, type=Prepared)
        return self._items[number]

    def held_item(self, number: int) -> Prepared:
        """Return an item by its number, without asking the database where it was read before."""
        if number in self._items:
            return self._items[number]
        with self.database.peek() as connection:
            return self.item(connection, number)

    def all_items(self, connection: Connection) -> dict[int, Prepared]:
        """Return all items by number."""
        for row in connection.execute(select(items.c.id, items.c.body).order_by(items.c.id)):
            if row.id not in self._items:
                self._items[row.id] = msgspec.json.decode(row.body, type=Prepared)
        return dict(sorted(self._items.items()))

    def labels(self, connection: Connection) -> tuple[work.Labelled, ...]:
        """Return all labels, hidden repeats included, by rater and place; only what came or changed since is read anew."""
        newest = work.newest(connection)
        seen, held = self._labels
        if newest != seen:
            fresh = work.placed(connection, after=seen[0])
            together = {**held, **fresh}
            held = together if len(together) == newest[1] else work.placed(connection)
            held = dict(sorted(held.items()))
            self._labels = (newest, held)
        return tuple(held.values())

    @property
    def held(self) -> int:
        """How many labels were read so far: what it would take to count them again."""
        return len(self._labels[1])

    @property
    def values(self) -> dict[str, str]:
        """What the table `study` holds: name, state, what an older release made."""
        with self.database.peek() as connection:
            return {row.key: row.value for row in connection.execute(select(study))}

    @property
    def public_key(self) -> str:
        """The public half of the key that signs the ledger."""
        return (self.folder / PUBLIC).read_text(encoding="ascii").strip()

    @property
    def anchored(self) -> tuple[str, ...]:
        """The head of the ledger that was written down outside the database; nothing where there is none."""
        return read_anchor(self.folder / ANCHOR)

    def close(self) -> None:
        """Finish what waits to be written and close the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def database_url(folder: Path, settings: Settings) -> str:
    """Return the URL of the study's database."""
    return settings.database or f"sqlite:///{(folder / 'study.sqlite').resolve()}"


def open_study(name: str | Path) -> Study:
    """Open a study by name or folder.

    Raises:
        UsageError: no such study.
        RunError: its database is of another release, its key is missing, or its design was changed after it was made.
    """
    folder = name if isinstance(name, Path) else study_folder(name)
    settings = read_settings(folder)
    design = parse_design((folder / "design.toml").read_text(encoding="utf-8"), "design.toml")
    secret = secret_of(folder)
    database = Database(open_engine(database_url(folder, settings)), anchor=folder / ANCHOR)
    try:
        refuse_other_versions(database)
        database.signer = read_signer(folder)
    except RunError:
        database.close()
        raise
    with database.read() as connection:
        made_with = connection.scalar(select(study.c.value).where(study.c.key == "design"))
    if made_with != design.digest:
        database.close()
        raise RunError(
            f"design.toml of {settings.name} is not the one that the study was made with; restore it, or make a new study"
        )
    return Study(folder, settings, design, database, secret)
