"""Seal a study: an archive with plan, methods, flow, agreement, checklist and everything that anyone needs to verify it."""

import hashlib
import io
import json
import sqlite3
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from percuss import __version__
from percuss.core.errors import BadInput
from percuss.core.ids import canonical_json
from percuss.study.agreement import agreement
from percuss.study.export import export_file
from percuss.study.lifecycle import state_of
from percuss.study.papers import checklist, flow, methods, plan_text, tables_text
from percuss.study.saying import CantNow, Said
from percuss.study.store import ledger
from percuss.study.store.accounts import SALT
from percuss.study.store.database import Database, open_engine
from percuss.study.store.migrate import make_tables
from percuss.study.store.signing import PUBLIC, fingerprint, signed_by
from percuss.study.store.tables import (
    assignments,
    blobs,
    consensus,
    contents,
    items,
    labels,
    people,
    reserve,
    study,
)
from percuss.study.store.tables import ledger as chain
from percuss.study.store.verifying import Verification, verify
from percuss.study.study import Study

__all__ = ["seal", "verify_archive"]

KEPT = (study, people, items, blobs, assignments, labels, consensus, chain, contents, reserve)
PRIVATE = ("name", "login", "password", "issuer", "subject", "factor")
DATABASE, MANIFEST = "study.sqlite", "MANIFEST.json"
MAX_FILES, MAX_BYTES = 64, 20_000_000_000  # of an archive that is opened


def _copy(connection: Connection, path: Path) -> None:
    """Write the tables as SQLite, without names, passwords and sessions."""
    database = Database(open_engine(f"sqlite:///{path}"))
    try:
        make_tables(database)

        def write(inner: Connection) -> None:
            for table in KEPT:
                rows = [dict(row._mapping) for row in connection.execute(select(table))]
                if table is people:
                    rows = [{**row, **dict.fromkeys(PRIVATE)} for row in rows]
                if table is study:
                    rows = [row for row in rows if not str(row["key"]).startswith(SALT)]
                if rows:
                    inner.execute(insert(table), rows)

        database.write(write)
    finally:
        database.close()
    whole = sqlite3.connect(path)
    whole.execute("PRAGMA journal_mode=DELETE")
    whole.execute("VACUUM")
    whole.close()


def _files(study_: Study, scratch: Path) -> Iterator[tuple[str, bytes]]:
    report = agreement(study_)
    yield "plan.md", plan_text(study_).encode()
    yield "methods.md", methods(study_, report).encode()
    yield "flow.md", flow(study_, report).encode()
    yield "agreement.md", tables_text(report).encode()
    yield "agreement.json", msgspec.json.format(msgspec.json.encode(report))
    yield "grras.md", checklist(study_, report).encode()
    yield "design.toml", (study_.folder / "design.toml").read_bytes()
    yield PUBLIC, (study_.folder / PUBLIC).read_bytes()
    for kind, ending in (("csv", "answers.csv"), ("labels", "labels.csv")):
        yield ending, export_file(study_, scratch / ending, kind).read_bytes()
    with study_.database.read() as connection:
        _copy(connection, scratch / DATABASE)
    yield DATABASE, (scratch / DATABASE).read_bytes()


def seal(study_: Study, path: Path, *, by: str = "system") -> str:
    """Write the archive of a locked study and return the fingerprint of its key.

    Args:
        study_: locked. path: of the archive, `.zip`. by: code of who does it.

    Raises:
        UsageError: the study is not locked.
    """
    with study_.database.read() as connection:
        state = state_of(connection)
    if state not in ("locked", "archived"):
        raise CantNow(
            "the study is {state}; lock it first, so that nothing changes after it was sealed", state=state
        )
    signer = study_.database.signer
    assert signer is not None
    study_.database.write(lambda c: ledger.append(c, by, "sealed", path.name, {"release": __version__}))
    with TemporaryDirectory() as scratch:
        files = dict(_files(study_, Path(scratch)))
    with study_.database.read() as connection:
        seq, head = ledger.head(connection)
    told = {
        "study": study_.settings.name,
        "made_at": ledger.now(),
        "release": __version__,
        "head": {"entries": seq, "hash": head},
        "key": fingerprint(signer.public),
        "files": {name: hashlib.blake2b(data, digest_size=32).hexdigest() for name, data in files.items()},
    }
    signature = signer.sign(_digest(told))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps({**told, "signature": signature}, ensure_ascii=False, indent=1))
        for name, data in files.items():
            archive.writestr(name, data)
    part = path.with_name(path.name + ".part")
    part.write_bytes(out.getvalue())
    part.replace(path)
    return fingerprint(signer.public)


def _digest(told: Mapping[str, Any]) -> str:
    return hashlib.blake2b(canonical_json(dict(told)), digest_size=32).hexdigest()


_UNREAD = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)
"""What reading a file raises that is no archive of a study: no zip, a broken or locked one, one without a manifest like ours."""


def verify_archive(path: Path, *, expected: str = "") -> Verification:
    """Verify a sealed study with nothing but its archive; no network, no secret.

    Args:
        path: of the archive. expected: fingerprint of the key, from elsewhere; empty: only what the archive says itself.

    Raises:
        BadInput: not an archive of a study.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [entry.file_size for entry in archive.infolist()]
            if len(sizes) > MAX_FILES or sum(sizes) > MAX_BYTES:
                raise BadInput("larger than the archive of a study can be", source=path.name)
            names = archive.namelist()
            files = {name: archive.read(name) for name in names}
        told = json.loads(files.pop(MANIFEST))
        signature, public = str(told.pop("signature")), files[PUBLIC].decode("ascii").strip()
        listed: dict[str, str] = dict(told["files"])
        head = str(told["head"]["hash"])
    except OSError as error:
        raise BadInput(
            f"can't be read ({error.strerror}); expected a file of `percuss study seal`", source=path.name
        ) from None
    except _UNREAD:
        raise BadInput(
            "not a sealed study; expected a file that `percuss study seal` wrote", source=path.name
        ) from None
    problems: list[Said] = []
    if not signed_by(public, _digest(told), signature):
        problems.append(Said(sentence="the manifest is not signed with the archive's key"))
    if expected and expected != fingerprint(public):
        values = {"key": fingerprint(public), "expected": expected}
        problems.append(Said(sentence="the key is {key}, expected {expected}", values=values))
    problems += _unlike(listed, files, names)
    found = _inside(files.get(DATABASE, b""), public, head)
    return msgspec.structs.replace(found, said=(*problems, *found.said))


def _unlike(listed: Mapping[str, str], files: Mapping[str, bytes], names: Sequence[str]) -> Iterator[Said]:
    """Yield where the files are not those of the manifest; of a name that is there twice, programs open either."""
    for name, count in sorted(Counter(names).items()):
        if count > 1:
            yield Said(sentence="{name} is in the archive more than once", values={"name": name})
    for name in sorted(listed.keys() | files.keys()):
        data = files.get(name)
        if data is None or name not in listed:
            sentence = "{name} is missing" if data is None else "{name} is not in the manifest"
            yield Said(sentence=sentence, values={"name": name})
        elif hashlib.blake2b(data, digest_size=32).hexdigest() != listed[name]:
            yield Said(sentence="{name} was changed after it was sealed", values={"name": name})


def _inside(data: bytes, public: str, head: str) -> Verification:
    from sqlalchemy.exc import SQLAlchemyError

    with TemporaryDirectory() as scratch:
        copy = Path(scratch) / DATABASE
        copy.write_bytes(data)
        database = Database(open_engine(f"sqlite:///{copy}"))
        try:
            with database.read() as connection:
                return verify(connection, key=public, expect=head, accounts=False)
        except SQLAlchemyError as error:
            values = {"name": DATABASE, "error": type(error).__name__}
            unread = Said(sentence="{name} can't be read ({error})", values=values)
            return Verification(entries=0, head="", at=ledger.now(), said=(unread,))
        finally:
            database.close()
