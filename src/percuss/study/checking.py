"""Verify a study's folder with nothing but its database and the public key: no secret, no private key, no network."""

from pathlib import Path

from percuss.core.errors import RunError
from percuss.study.settings import read_settings
from percuss.study.store.database import Database, open_engine, read_anchor
from percuss.study.store.migrate import refuse_other_versions
from percuss.study.store.signing import PUBLIC
from percuss.study.store.verifying import Verification, verify
from percuss.study.study import ANCHOR, database_url

__all__ = ["verify_folder"]


def verify_folder(folder: Path, *, key: Path | None = None, expect: str | None = None) -> Verification:
    """Verify a study's ledger and tables.

    Args:
        folder: of the study. key: file of the public key, best from elsewhere; None takes the one in the folder.
        expect: hash of a head that was written down; the one in `ledger.head` is looked for too.

    Raises:
        UsageError: no study there.
        RunError: the public key is missing, or the database is of another release.
    """
    settings = read_settings(folder)
    path = key or folder / PUBLIC
    database = Database(open_engine(database_url(folder, settings)))
    try:
        refuse_other_versions(database)
        if not path.is_file():
            raise RunError(f"{path} is missing; give the study's public key with --key")
        heads = (*read_anchor(folder / ANCHOR), *((expect,) if expect else ()))
        with database.read() as connection:
            return verify(connection, key=path.read_text(encoding="ascii").strip(), expect=heads)
    finally:
        database.close()
