"""Accounts in the ledger: a salted digest of what somebody signs in with, so that nobody changes it behind the ledger's back.

The salt lies in the table `study`, the digest in the entry that made the account so. Without the salt a digest tells no
name; it goes with the account.
"""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from percuss.core.ids import canonical_json
from percuss.study.store.tables import people, study

__all__ = ["SALT", "WAYS_IN", "accounts_of", "forget_account", "seal_account"]

SALT = "account:"
"""What the key of a salt in the table `study` begins with; the person's code follows."""
WAYS_IN = ("login", "password", "issuer", "subject", "factor")
"""Columns of the table `people` by which somebody gets in."""


def _digest(salt: str, row: Row[Any]) -> str:
    body = canonical_json({name: getattr(row, name) for name in WAYS_IN})
    return hashlib.blake2b(salt.encode() + b"\0" + body, digest_size=32).hexdigest()


def seal_account(connection: Connection, code: str) -> dict[str, str]:
    """Return the digest of a person's account as it is now, under a fresh salt, for the ledger's entry.

    Args:
        connection: to the study's database, writing. code: whose.
    """
    forget_account(connection, code)
    salt = secrets.token_hex(16)
    connection.execute(insert(study).values(key=f"{SALT}{code}", value=salt))
    row = connection.execute(select(people).where(people.c.code == code)).one()
    return {"account": _digest(salt, row)}


def forget_account(connection: Connection, code: str = "") -> None:
    """Delete the salt of a person's account, of everybody where none is named: nothing tells any more what it was.

    Args:
        connection: to the study's database, writing. code: whose; empty: everybody's.
    """
    mine = study.c.key == f"{SALT}{code}" if code else study.c.key.like(f"{SALT}%")
    connection.execute(delete(study).where(mine))


def accounts_of(connection: Connection, values: Mapping[str, str]) -> dict[str, str]:
    """Return code -> digest of every account that is in the table.

    Args:
        connection: to the study's database. values: rows of the table `study`.
    """
    return {
        row.code: _digest(values.get(f"{SALT}{row.code}", ""), row)
        for row in connection.execute(select(people))
        if f"{SALT}{row.code}" in values or any(getattr(row, name) for name in WAYS_IN)
    }
