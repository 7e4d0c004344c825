"""The second factor: one-time codes by time (RFC 6238); the seed is sealed with the study's secret, which no database holds."""

import base64
import hashlib
import hmac
import time
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select, update

from percuss.core.errors import RunError
from percuss.study.store import ledger
from percuss.study.store.accounts import seal_account
from percuss.study.store.tables import people

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

__all__ = [
    "address_of",
    "fits",
    "fresh",
    "last_step",
    "opened",
    "remove_factor",
    "sealed",
    "set_factor",
    "take_step",
]

PERIOD_S = (
    30  # RFC 6238 section 5.2: the default, and at most one step for a clock that is off; OWASP ASVS 5, 6.5.5
)
DIGITS = 6


def fresh() -> str:
    """Return a new seed of 160 random bits, base32."""
    import pyotp

    return pyotp.random_base32()


def address_of(seed: str, *, who: str, study: str) -> str:
    """Return the `otpauth` address that authenticator apps read."""
    import pyotp

    return pyotp.TOTP(seed, digits=DIGITS, interval=PERIOD_S).provisioning_uri(name=who, issuer_name=study)


def fits(seed: str, said: str, *, at: float | None = None) -> int | None:
    """Return the time step whose code was said, None where none fits: the present one, or the next for a clock that is fast.

    A code ends with its half minute.

    Args:
        seed: base32. said: what somebody typed; spaces don't count. at: seconds since 1970; None: now, by this machine.

    >>> fits("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "287 082", at=59)
    1
    """
    import pyotp

    digits = "".join(said.split())
    if len(digits) != DIGITS or not (digits.isascii() and digits.isdigit()):
        return None
    step = int(time.time() if at is None else at) // PERIOD_S
    codes = pyotp.HOTP(seed, digits=DIGITS)
    found = [one for one in (step, step + 1) if hmac.compare_digest(codes.at(one), digits)]
    return found[0] if found else None


def sealed(secret: bytes, seed: str) -> str:
    """Return a seed as the database may hold it."""
    return _lock(secret).encrypt(seed.encode()).decode()


def opened(secret: bytes, kept: str) -> str:
    """Return a seed that the database holds.

    Raises:
        RunError: it was sealed with another secret.
    """
    from cryptography.fernet import InvalidToken

    try:
        return _lock(secret).decrypt(kept.encode()).decode()
    except InvalidToken:
        raise RunError(
            "the second factor was sealed with another secret; ask for a new invitation link"
        ) from None


def _lock(secret: bytes) -> "Fernet":
    from cryptography.fernet import Fernet

    return Fernet(base64.urlsafe_b64encode(hmac.new(secret, b"second factor", hashlib.sha256).digest()))


def set_factor(connection: Connection, code: str, kept: str, step: int) -> None:
    """Keep a person's sealed seed, and the step of the code that proved it; the ledger notes that, not the seed."""
    connection.execute(update(people).where(people.c.code == code).values(factor=kept, factor_step=step))
    ledger.append(connection, code, "second factor", code, {"set": True} | seal_account(connection, code))


def remove_factor(connection: Connection, code: str) -> None:
    """Remove a person's second factor; the ledger notes it."""
    connection.execute(update(people).where(people.c.code == code).values(factor=None, factor_step=0))
    ledger.append(connection, code, "second factor", code, {"set": False} | seal_account(connection, code))


def last_step(connection: Connection, code: str) -> int:
    """Return the time step whose code a person used last; 0: none."""
    return connection.scalar(select(people.c.factor_step).where(people.c.code == code)) or 0


def take_step(connection: Connection, code: str, step: int) -> bool:
    """Use the code of a time step up, and return whether it was not used before: a code opens one session."""
    if step <= last_step(connection, code):
        return False
    connection.execute(update(people).where(people.c.code == code).values(factor_step=step))
    return True
