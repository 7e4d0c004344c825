"""Copy a study that Percuss 0.1 made into one of this release; the old one is read and never written."""

import shutil
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, create_engine, insert, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.pool import StaticPool

from percuss.core.errors import PercussError, RunError, UsageError
from percuss.core.ids import b2
from percuss.core.records import Record
from percuss.study.design import parse_design
from percuss.study.settings import Settings, read_settings, secret_of, write_private, write_settings
from percuss.study.store import ledger, signing
from percuss.study.store.database import Database, open_engine
from percuss.study.store.migrate import make_tables
from percuss.study.store.tables import assignments, blobs, consensus, items, labels, people, study
from percuss.study.store.verifying import attested
from percuss.study.study import ANCHOR, database_url

__all__ = ["ATTACHMENT", "Migrated", "migrate"]

ATTACHMENT = "ledger-0.1.jsonl"
OLD = "0.1"
COPIED = (items, blobs, assignments)
Row = dict[str, Any]


class Migrated(Record):
    """What was copied. `entries` of the old ledger lie in the attachment."""

    folder: str
    labels: int
    settled: int
    entries: int


def migrate(folder: Path, out: Path, *, database: str = "") -> Migrated:
    """Copy a study of version 0.1: labels become events (`source: 0.1`), the old chain an attachment.

    Args:
        folder: the old study. out: a folder that does not exist yet. database: URL of the new one; empty: SQLite in `out`.

    Raises:
        UsageError: no study there, or `out` exists.
        RunError: the study is not of version 0.1.
    """
    settings = read_settings(folder)
    if out.exists():
        raise UsageError(f"{out} exists; give a new folder for --out")
    old = _read_only(database_url(folder, settings))
    try:
        held = _held(old, folder)
    finally:
        old.dispose()
    try:
        _write(folder, out, msgspec.structs.replace(settings, database=database), held)
    except PercussError:
        shutil.rmtree(out, ignore_errors=True)
        raise
    return Migrated(
        folder=str(out),
        labels=len(held["labels"]),
        settled=len(held["consensus"]),
        entries=len(held["ledger"]),
    )


def _read_only(url: str) -> Engine:
    """Open a database such that nothing can be written: an immutable SQLite file leaves no journal beside it either."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return open_engine(url).execution_options(postgresql_readonly=True)
    path = Path(str(parsed.database))
    if not path.is_file():
        raise UsageError(f"{path} is missing; restore the study from your backup")
    # A write-ahead log that was left behind holds labels. Even a reader writes files beside the log, so a copy is read.
    with TemporaryDirectory() as scratch:
        for name in (path.name, f"{path.name}-wal"):
            if (path.parent / name).is_file():
                shutil.copy(path.parent / name, Path(scratch) / name)
        source = sqlite3.connect(Path(scratch) / path.name)
        memory = sqlite3.connect(":memory:", check_same_thread=False)
        source.backup(memory)
        source.close()
    return create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)


def _held(engine: Engine, folder: Path) -> dict[str, list[Row]]:
    with engine.connect() as connection:
        version = None
        if inspect(connection).has_table("alembic_version"):
            version = connection.scalar(text("SELECT version_num FROM alembic_version"))
        if version != "0001":
            raise RunError(
                f"{folder} is at database version {version}; `percuss study migrate` copies studies of Percuss 0.1 (version 0001)"
            )
        names = ("study", "people", "items", "blobs", "assignments", "labels", "consensus", "ledger")
        return {
            name: [dict(row._mapping) for row in connection.execute(text(f"SELECT * FROM {name}"))]  # noqa: S608
            for name in names
        }


def _write(folder: Path, out: Path, settings: Settings, held: dict[str, list[Row]]) -> None:
    out.mkdir(parents=True)
    out.chmod(0o700)
    write_settings(out, settings)
    for name in ("design.toml", "secret"):
        write_private(out / name, (folder / name).read_bytes())
    secret_of(out)
    chain = b"".join(
        msgspec.json.encode(row) + b"\n" for row in sorted(held["ledger"], key=lambda row: int(row["seq"]))
    )
    write_private(out / ATTACHMENT, chain)
    design = parse_design((out / "design.toml").read_text(encoding="utf-8"), "design.toml")
    database = Database(
        open_engine(database_url(out, settings)), signer=signing.made(out), anchor=out / ANCHOR
    )
    try:
        make_tables(database)
        known = {"design": design.digest, "state": "open", "source_version": OLD}
        attachment = {"file": ATTACHMENT, "digest": b2(chain.decode()), "entries": len(held["ledger"])}
        database.write(lambda c: _copy(c, held, known, attachment))
    finally:
        database.close()
        for path in out.glob("study.sqlite*"):
            path.chmod(0o600)


def _copy(connection: Connection, held: dict[str, list[Row]], known: Row, attachment: Row) -> None:
    signer = connection.get_execution_options()["signer"]
    values = {row["key"]: row["value"] for row in held["study"]} | known | {"ledger_key": signer.public}
    connection.execute(insert(study), [{"key": key, "value": value} for key, value in values.items()])
    connection.execute(insert(people), held["people"])
    for table in COPIED:
        if held[table.name]:
            connection.execute(insert(table), held[table.name])
    roles = {row["code"]: row["role"] for row in held["people"]}
    decided = {"source": OLD, "attachment": attachment, "people": roles, **known}
    ledger.append(connection, "system", "created", values.get("name", ""), attested(connection, decided))
    for person in held["people"]:
        if person["consented_at"]:
            told = {"consent": True, "source": OLD, "at": person["consented_at"]}
            ledger.append(connection, person["code"], "joined", person["code"], told)
    _copy_labels(connection, held)


def _copy_labels(connection: Connection, held: dict[str, list[Row]]) -> None:
    slots = {row["id"]: row for row in held["assignments"]}
    imported = {row["code"] for row in held["people"] if row["role"] == "imported"}
    for row in sorted(held["labels"], key=lambda row: int(row["seq"])):
        slot = slots[row["assignment"]]
        kind = "imported" if slot["rater"] in imported else "repeat" if slot["again"] else "label"
        told = {**msgspec.json.decode(row["body"]), "source": OLD, "at": row["saved_at"]}
        seq, _ = ledger.append(connection, slot["rater"], kind, slot["token"], told)
        values = {"body": row["body"], "first": row["body"], "saved_at": row["saved_at"], "seq": seq}
        connection.execute(insert(labels).values(assignment=row["assignment"], revision=0, **values))
    ids = {row["id"]: row["item"] for row in held["items"]}
    for row in sorted(held["consensus"], key=lambda row: int(row["seq"])):
        value = {
            "given": msgspec.json.decode(row["body"]),
            "reason": row["reason"],
            "source": OLD,
            "at": row["saved_at"],
        }
        seq, _ = ledger.append(
            connection, row["adjudicator"], "consensus", ids[row["item"]], value, reason=row["reason"]
        )
        connection.execute(insert(consensus).values(**{**row, "seq": seq}))
