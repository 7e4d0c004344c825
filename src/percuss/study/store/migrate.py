"""Bring a study's database to the version that this release knows."""

from pathlib import Path

from sqlalchemy import Connection, inspect, select

from percuss.core.errors import RunError
from percuss.study.store.database import Database

__all__ = ["upgrade"]

SCRIPTS = Path(__file__).parent / "migrations"


def upgrade(database: Database) -> None:
    """Run the migrations that are missing, in one transaction.

    Raises:
        RunError: the database was made by a newer release.
    """
    with database.engine.connect().execution_options(writes=True) as connection, connection.begin():
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if inspect(connection).has_table("alembic_version"):
        from sqlalchemy import column, table

        current = connection.scalar(select(column("version_num")).select_from(table("alembic_version")))
        if current is not None and current not in known:
            raise RunError(
                f"this study is at database version {current}, which is newer than this release knows; use the newer release"
            )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
