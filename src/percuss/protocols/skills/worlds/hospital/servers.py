"""The hospital on a server: a schema and a reading role of each response's own, both dropped after."""

import os
import re
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import unquote, urlsplit

from percuss.core.errors import UsageError
from percuss.core.extras import needed
from percuss.protocols.skills.worlds.hospital.data import hospital_of
from percuss.protocols.skills.worlds.hospital.database import ROWS, SECONDS, Rows, plain, table_digest
from percuss.protocols.skills.worlds.hospital.schema import TABLES, Dialect, create_statement

__all__ = ["Mariadb", "Postgresql", "dialect_of", "require_server"]

_CONNECT_S = 5
_SCHEMES: dict[str, Dialect] = {
    "postgresql": "postgresql",
    "postgres": "postgresql",
    "mariadb": "mariadb",
    "mysql": "mariadb",
}
_DAY_S = 86_400
_OWN = re.compile(r"percuss_([0-9a-f]{8})[0-9a-f]{8}")
_NAMES: dict[Dialect, str] = {
    "postgresql": "SELECT nspname FROM pg_namespace UNION SELECT rolname FROM pg_roles",
    "mariadb": "SELECT schema_name FROM information_schema.schemata UNION SELECT user FROM mysql.user",
}
"""What lists the schemas and roles of a server."""
_TIMED_OUT = 1969  # MariaDB: max_statement_time exceeded
_DENIED = frozenset({1044, 1045, 1142, 1143, 1227, 1290, 1370, 1792})
"""MariaDB's numbers for a want of rights and for a read-only transaction."""


def dialect_of(url: str) -> Dialect:
    """Return the dialect of a database's address; empty or `sqlite` is SQLite.

    Raises:
        UsageError: an address of another kind.
    """
    scheme = urlsplit(url).scheme if "://" in url else url
    if scheme in {"", "sqlite"}:
        return "sqlite"
    if scheme not in _SCHEMES:
        known = "sqlite, postgresql://USER@HOST/DB, mariadb://USER@HOST"
        raise UsageError(f"got a database of the kind {scheme[:40]!r}; expected one of {known}")
    return _SCHEMES[scheme]


def require_server(url: str) -> None:
    """Connect once and leave, so that a missing server is found before the first call.

    Args:
        url: of the server; SQLite needs none.

    Raises:
        UsageError: it can't be reached, the driver isn't installed, or the user may not make schemas and roles.
    """
    dialect = dialect_of(url)
    if dialect != "sqlite":
        with _owner(url, dialect) as owner:
            _require_rights(owner, dialect)
            _sweep(owner, dialect)


def _sweep(owner: Any, dialect: Dialect) -> None:
    """Drop the schemas and roles that killed processes left more than a day ago."""
    with owner.cursor() as cursor:
        cursor.execute(_NAMES[dialect])
        names = {str(row[0]) for row in cursor.fetchall()}
        for name in sorted(names):
            made = _OWN.fullmatch(name)
            if made and time.time() - int(made[1], 16) > _DAY_S:
                for statement in _drops(name, dialect):
                    with suppress(Exception):
                        cursor.execute(statement)


def _drops(name: str, dialect: Dialect) -> Sequence[str]:
    """Return the statements that remove a response's schema and role."""
    if dialect == "postgresql":
        return (
            f"DROP SCHEMA IF EXISTS {name} CASCADE",
            f"DROP OWNED BY {name}",
            f"DROP ROLE IF EXISTS {name}",
        )
    return (f"DROP DATABASE IF EXISTS {name}", f"DROP USER IF EXISTS {name}@'%'")


def _require_rights(owner: Any, dialect: Dialect) -> None:
    if dialect == "postgresql":
        ask = (
            "SELECT rolsuper OR (rolcreaterole AND has_database_privilege(current_database(), 'CREATE')) "
            "FROM pg_roles WHERE rolname = current_user"
        )
        may = bool(owner.execute(ask).fetchone()[0])
    else:
        with owner.cursor() as cursor:
            cursor.execute("SHOW GRANTS")
            grants = " ".join(str(row[0]) for row in cursor.fetchall())
        may = "ALL PRIVILEGES ON *.*" in grants or "CREATE USER" in grants
    if not may:
        raise UsageError(
            "the user of the database may not make roles; expected one that may create a schema and a role for each "
            "answer (PostgreSQL: CREATEROLE and CREATE on the database; MariaDB: CREATE, CREATE USER, GRANT OPTION)"
        )


@contextmanager
def _owner(url: str, dialect: Dialect) -> Iterator[Any]:
    """Connect as the user of the address, with every statement committed at once."""
    connect = _postgres if dialect == "postgresql" else _mariadb
    connection = connect(url)
    try:
        yield connection
    finally:
        connection.close()


def _postgres(url: str, **settings: Any) -> Any:
    psycopg = needed("psycopg", "a PostgreSQL database", "skills")
    address = url.replace("postgres://", "postgresql://", 1)
    try:
        return psycopg.connect(address, connect_timeout=_CONNECT_S, autocommit=True, **settings)
    except psycopg.Error as error:
        raise _unreachable(url, error) from None


def _mariadb(url: str, **settings: Any) -> Any:
    pymysql = needed("pymysql", "a MariaDB database", "skills")
    parts = urlsplit(url)
    taken = {
        "host": parts.hostname or "127.0.0.1",
        "port": parts.port or 3306,
        "user": unquote(parts.username or "root"),
        "password": unquote(parts.password or "") or os.environ.get("MYSQL_PWD", ""),
        "charset": "utf8mb4",
        "autocommit": True,
        "connect_timeout": _CONNECT_S,
        "read_timeout": 10 * SECONDS,
    }
    try:
        return pymysql.connect(**{**taken, **settings})
    except pymysql.Error as error:
        raise _unreachable(url, error) from None


def _unreachable(url: str, error: Exception) -> UsageError:
    parts = urlsplit(url)
    why = " ".join(str(error).split())[:160]
    return UsageError(
        f"no database at {parts.hostname}:{parts.port or 'its default port'} ({why}); expected a running server; start "
        "it, or leave --database out to use SQLite"
    )


class _Server(ABC):
    """What both servers share: a name of its own for schema and role, rows built in, a digest of every table."""

    dialect: Dialect

    def __init__(self, seed: int, url: str) -> None:
        self._url = url
        # Eight digits are the second it was made, so that what a killed process left is known by its age.
        self._name = f"percuss_{int(time.time()):08x}{secrets.token_hex(4)}"
        self._password = secrets.token_hex(16)
        self._reader: Any = None
        try:
            with _owner(url, self.dialect) as owner:
                self._build(owner, seed)
            self._reader = self._opened()
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _build(self, owner: Any, seed: int) -> None:
        """Make schema, rows and role."""

    @abstractmethod
    def _opened(self) -> Any:
        """Connect as the role."""

    @abstractmethod
    def _tables(self, owner: Any) -> dict[str, list[Any]]:
        """Return every table's rows."""

    def digests(self) -> dict[str, str]:
        """Return table -> digest of its rows, of every table in the response's schema, as its owner sees it."""
        with _owner(self._url, self.dialect) as owner:
            return {name: table_digest(rows) for name, rows in sorted(self._tables(owner).items())}

    def close(self) -> None:
        """Drop schema and role; what can't be dropped stays, and nothing is raised over it."""
        if self._reader is not None:
            with suppress(Exception):
                self._reader.close()
        with suppress(Exception), _owner(self._url, self.dialect) as owner, owner.cursor() as cursor:
            for statement in _drops(self._name, self.dialect):
                with suppress(Exception):
                    cursor.execute(statement)


class Postgresql(_Server):
    """A hospital's schema on PostgreSQL; the agent's role has no right but to read it.

    Args:
        seed: of the hospital. url: of the server, with a user who may make schemas and roles.
    """

    dialect: Dialect = "postgresql"

    def _build(self, owner: Any, seed: int) -> None:
        name = self._name
        with owner.transaction(), owner.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {name}")
            cursor.execute(f"SET LOCAL search_path TO {name}")
            for table, rows in hospital_of(seed).tables.items():
                cursor.execute(create_statement(table, self.dialect))
                with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
            cursor.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{self._password}' CONNECTION LIMIT 2")
            cursor.execute(f"ALTER ROLE {name} SET default_transaction_read_only = on")
            cursor.execute(f"GRANT USAGE ON SCHEMA {name} TO {name}")
            cursor.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO {name}")

    def _opened(self) -> Any:
        options = f"-c search_path={self._name} -c statement_timeout={SECONDS * 1000} -c lock_timeout=1000"
        return _postgres(self._url, user=self._name, password=self._password, options=options)

    def run(self, sql: str) -> Rows:
        """Run one statement in a read-only transaction and roll back."""
        import psycopg

        reader = self._reader
        try:
            reader.execute("BEGIN READ ONLY")
            # Prepared: the server itself takes no second statement; as a cursor: only what gives rows.
            with reader.cursor() as cursor:
                cursor.execute(f"DECLARE asked NO SCROLL CURSOR FOR {sql}", prepare=True)
                cursor.execute(f"FETCH {ROWS + 1} FROM asked", prepare=False)
                rows, columns = cursor.fetchall(), [column.name for column in cursor.description]
        except psycopg.Error as error:
            return _pg_failed(error, self._name)
        except (UnicodeError, ValueError, OverflowError) as error:
            return Rows(error=str(error)[:300])
        finally:
            with suppress(psycopg.Error):
                reader.execute("ROLLBACK")
        return _rows(columns, rows)

    def _tables(self, owner: Any) -> dict[str, list[Any]]:
        found = owner.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s", (self._name,)
        ).fetchall()
        return {
            name: owner.execute(f'SELECT * FROM {self._name}."{name}"').fetchall()  # noqa: S608 - our own name
            for (name,) in found
        }


class Mariadb(_Server):
    """A hospital's database on MariaDB or MySQL; the agent's user has no right but to read it.

    Args:
        seed: of the hospital. url: of the server, with a user who may make databases and users.
    """

    dialect: Dialect = "mariadb"

    def _build(self, owner: Any, seed: int) -> None:
        name = self._name
        with owner.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
            cursor.execute(f"USE {name}")
            for table, rows in hospital_of(seed).tables.items():
                cursor.execute(create_statement(table, self.dialect))
                marks = ", ".join(["%s"] * len(TABLES[table]))
                cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - our own names
            cursor.execute(f"CREATE USER {name}@'%%' IDENTIFIED BY %s", (self._password,))
            cursor.execute(f"GRANT SELECT ON {name}.* TO {name}@'%'")

    def _opened(self) -> Any:
        reader = _mariadb(self._url, user=self._name, password=self._password, database=self._name)
        with reader.cursor() as cursor:
            cursor.execute(
                f"SET SESSION max_statement_time = {SECONDS}, SESSION innodb_lock_wait_timeout = 1"
            )
            cursor.execute(f"SET SESSION sql_select_limit = {ROWS + 1}")
        return reader

    def run(self, sql: str) -> Rows:
        """Run one statement in a read-only transaction and roll back."""
        import pymysql

        reader = self._reader
        try:
            reader.query("START TRANSACTION READ ONLY")
            with reader.cursor(pymysql.cursors.SSCursor) as cursor:
                cursor.execute(sql)
                rows = cursor.fetchmany(ROWS + 1)
                columns = [str(column[0]) for column in cursor.description or ()]
        except pymysql.Error as error:
            number = error.args[0] if error.args else 0
            said = _said(error.args[-1], self._name)
            return Rows(error=said, denied=number in _DENIED, timed_out=number == _TIMED_OUT)
        except (UnicodeError, ValueError, OverflowError) as error:
            return Rows(error=str(error)[:300])
        finally:
            with suppress(pymysql.Error):
                reader.rollback()
        return _rows(columns, rows)

    def _tables(self, owner: Any) -> dict[str, list[Any]]:
        with owner.cursor() as cursor:
            cursor.execute(f"SHOW TABLES FROM {self._name}")
            names = [row[0] for row in cursor.fetchall()]
            tables = {}
            for name in names:
                cursor.execute(f"SELECT * FROM {self._name}.`{name}`")  # noqa: S608 - our own names
                tables[name] = list(cursor.fetchall())
        return tables


def _rows(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Rows:
    kept = tuple(tuple(plain(value) for value in row) for row in rows[:ROWS])
    return Rows(columns=tuple(columns), rows=kept, more=len(rows) > ROWS)


def _said(error: Any, name: str) -> str:
    """Return a server's words without the schema's name: it is drawn anew each time, and an agent would read it."""
    return " ".join(str(error).replace(name, "hospital").split())[:300]


def _pg_failed(error: Any, name: str) -> Rows:
    """Return what a failure means by PostgreSQL's own codes (42501 no right, 25006 read-only, 57014 cancelled)."""
    code = getattr(error, "sqlstate", None) or ""
    return Rows(error=_said(error, name), denied=code in {"42501", "25006"}, timed_out=code == "57014")
