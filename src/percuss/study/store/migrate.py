"""Make the tables of a new study; a database of another version is refused, never changed."""

from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from percuss.core.errors import RunError, UsageError
from percuss.study.store.database import Database

__all__ = ["VERSION", "make_tables", "refuse_other_versions"]

SCRIPTS = Path(__file__).parent / "migrations"
VERSION = "0004"


def make_tables(database: Database) -> None:
    """Make all tables of a new study in one transaction, by the migrations from the first on.

    Raises:
        UsageError: the database already holds a study.
    """
    with database.engine.connect().execution_options(writes=True) as connection, connection.begin():
        if inspect(connection).has_table("alembic_version"):
            raise UsageError("the database already holds a study; give another one for --database-url")
        _upgrade(connection)


def refuse_other_versions(database: Database) -> None:
    """Refuse a database that another release made; nothing is written.

    Raises:
        RunError: it is older (which command copies it is said), newer, or no study at all.
    """
    with database.read() as connection:
        if not inspect(connection).has_table("alembic_version"):
            raise RunError("the database holds no study; restore it from your backup, or make a new study")
        current = connection.scalar(select(column("version_num")).select_from(table("alembic_version")))
    if current == VERSION:
        return
    if "0001" < str(current) < VERSION:
        raise RunError(
            f"this study is at database version {current}, this release writes {VERSION}; finish it with the release that made "
            "it, or seal it there: `percuss study verify` reads its archive here too"
        )
    if str(current) < VERSION:
        raise RunError(
            f"this study is at database version {current} (Percuss 0.1), this release writes {VERSION}; copy it with "
            "`percuss study migrate STUDY --out NEW`, the old one stays as it is"
        )
    raise RunError(
        f"this study is at database version {current}, which is newer than this release knows; use the newer release"
    )


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
