"""What the people who run a study have decided, in `study.toml`: words of the invitation, plan, database, sign-in."""

import os
import secrets
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.core.errors import BadInput, RunError, UsageError
from percuss.core.records import Record

__all__ = [
    "KEPT",
    "KEPT_BEFORE",
    "Oidc",
    "Settings",
    "kept_for",
    "known_folder",
    "read_settings",
    "secret_of",
    "study_folder",
    "write_private",
    "write_settings",
]

KEPT = (
    "Your answers, your notes, the time you were active on each item, and when you answered. Your name, sign-in name and "
    "password are kept apart from the answers and are not exported; in exports you are a code such as r1."
)
KEPT_BEFORE = (
    "Your answers, your notes, the time you were active on each item, and when you answered. Your name and password are kept "
    "apart from the answers and are not exported; in exports you are a code such as r1."
)
"""As studies that were made before say it."""


def kept_for(days: int) -> str:
    """Return what the invitation says is kept, and for how many days after the study was archived; 0: no end is promised."""
    return (
        f"{KEPT} Your name and account are deleted {days} days after the study is archived." if days else KEPT
    )


class Oidc(Record):
    """Single sign-on by OpenID Connect.

    Args:
        issuer: address of the provider; its discovery document is fetched from there.
        client_id: as registered with the provider.
        secret_env: name of the environment variable that holds the client secret; empty for a public client.
        label: what the button says.
        only: nobody signs in with a password; a second factor is then the institution's.
    """

    issuer: str
    client_id: str
    secret_env: str = "PERCUSS_OIDC_SECRET"  # noqa: S105 - the name of a variable, not a secret
    scope: str = "openid profile email"
    label: str = "Sign in with your institution"
    only: bool = False


class Settings(Record):
    """All settings of a study.

    Args:
        database: URL; empty for `study.sqlite` in the folder.
        overlap, depth, repeats, strata, seed: how items were assigned (see `assignment.plan`).
        break_every: items after which a break is offered.
        invitation_days: days after which an invitation link ends; 0: never.
        retention_days: days after archiving on which names and accounts are deleted; 0: kept until somebody deletes them.
        breached_passwords: path of a sorted list of SHA-1 hashes of breached passwords, which nobody may choose; empty: none.
        second_factor: whoever signs in with a password needs a one-time code too.
        language: of the screens, until somebody chooses another one.
        pass_mark: share 0..1 of practice questions to be answered as the reference does, or practice begins again; 0: none.
        page_by: name of what items share that are judged on one page (`case`, `patient`); empty: one item a page.
        settling: who settles differences: an adjudicator who saw neither label, or the two raters together at one screen.
        proxies: addresses of proxies whose `X-Forwarded-For` is believed.
    """

    name: str
    design: str
    seed: int
    title: str = ""
    asker: str = ""
    purpose: str = ""
    contact: str = ""
    kept: str = KEPT
    overlap: float = 1.0
    depth: int = 2
    repeats: float = 0.1
    strata: tuple[str, ...] = ()
    source: str = ""
    database: str = ""
    break_every: int = 25
    invitation_days: int = 30
    retention_days: int = 0
    breached_passwords: str = ""
    second_factor: bool = False
    settling: Literal["adjudicator", "together"] = "adjudicator"
    proxies: tuple[str, ...] = ()
    oidc: Oidc | None = None
    language: str = "en"
    page_by: str = ""
    pass_mark: float = 0.0


def study_folder(name: str) -> Path:
    """Return the folder of a study: the path itself where `name` is one, else `studies/NAME`.

    Raises:
        UsageError: an empty name or one that leaves the folder `studies`.
    """
    if "/" in name or "\\" in name:
        return Path(name)
    if not name or name.startswith("."):
        raise UsageError(f"got the study name {name!r}; give letters, digits, dashes")
    return Path("studies") / name


def known_folder(name: str) -> Path:
    """Return the folder of a study that is there: by its path, or by its name.

    Raises:
        UsageError: as `study_folder`.
    """
    path = Path(name)
    return path if (path / "study.toml").is_file() else study_folder(name)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    return msgspec.json.encode(value).decode()  # JSON strings and lists of strings are TOML


def write_settings(folder: Path, settings: Settings) -> None:
    """Write `study.toml`, readable and editable, mode 0600 since a database URL may hold a password."""
    plain = {key: value for key, value in msgspec.to_builtins(settings).items() if value is not None}
    oidc = plain.pop("oidc", None)
    lines = [f"{key} = {_toml(value)}" for key, value in plain.items()]
    if oidc:
        lines += ["", "[oidc]", *(f"{key} = {_toml(value)}" for key, value in oidc.items())]
    write_private(folder / "study.toml", ("\n".join(lines) + "\n").encode())


def read_settings(folder: Path) -> Settings:
    """Read `study.toml`.

    Raises:
        UsageError: there is no study in the folder.
        BadInput: the file can't be read.
    """
    path = folder / "study.toml"
    if not path.is_file():
        raise UsageError(
            f"no study in {folder}; make one with `percuss study create {folder.name} --design .. --from ..`"
        )
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Settings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{error}; see docs/study.md for its entries", source=str(path)) from None


def secret_of(folder: Path, *, make: bool = False) -> bytes:
    """Return the study's secret, from which invitations and opaque ids are made.

    Raises:
        RunError: the file is missing or too short.
    """
    path = folder / "secret"
    if make:
        write_private(path, secrets.token_hex(32).encode())
    if not path.is_file() or len(path.read_bytes()) < 32:
        raise RunError(
            f"{path} is missing or broken; restore it from your backup, for links and ids are made from it"
        )
    return path.read_bytes()
