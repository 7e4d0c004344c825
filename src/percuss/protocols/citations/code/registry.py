"""Asks package registries about single names and keeps the answers with their date; only a clear no is a no."""

import asyncio
import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from percuss.core.errors import HostRefused
from percuss.net.client import Client, NetError
from percuss.protocols.citations.code.index import Ecosystem, IndexAnswer, StoredIndex

__all__ = ["HOMES", "Asked", "ask_registries"]

# Where each registry answers about one name. Registries ask for a few requests a second at most.
HOMES: dict[Ecosystem, str] = {
    "pypi": "https://pypi.org",
    "npm": "https://registry.npmjs.org",
    "cargo": "https://crates.io",
    "hex": "https://hex.pm",
    "cran": "https://crandb.r-pkg.org",
    "bioconductor": "https://bioconductor.org",
    "conda": "https://api.anaconda.org",
    "maven": "https://repo1.maven.org",
}
_PAUSE_S = 0.2
_LARGEST = 32 * 1024 * 1024
_NAME = re.compile(r"@?[A-Za-z0-9][A-Za-z0-9._+:/-]{0,150}")
_MAVEN_VERSION = re.compile(r"<version>([^<]{1,60})</version>")
# Scala artifacts carry the binary version of the language in their name.
_SCALA_SUFFIXES = ("", "_3", "_2.13", "_2.12")


class Asked(NamedTuple):
    """How many names were answered, and why the others were not (name -> reason)."""

    answered: int
    unanswered: dict[str, str]


async def ask_registries(
    wanted: Iterable[tuple[Ecosystem, str]],
    index: StoredIndex,
    client: Client,
    *,
    today: dt.date | None = None,
    homes: Mapping[Ecosystem, str] = HOMES,
    pause_s: float = _PAUSE_S,
) -> Asked:
    """Ask about each name that the index does not hold yet, one after the other, and add the answers.

    A name is absent only where its registry answers 404 or 410; a time-out, a refusal or a reply that can't be read
    leaves it unasked.

    Args:
        wanted: names, as `code.wanted` gives them.
        index: is added to.
        client: sends the requests and counts the hosts.
        today: date of the answers; None for the day of the call.
        homes: base address of each registry; one that is left out is not asked.
        pause_s: seconds between two requests.

    Raises:
        HostRefused: offline, and the registry's host isn't allowed.
    """
    date = (dt.datetime.now(tz=dt.UTC).date() if today is None else today).isoformat()
    answered, unanswered = 0, dict[str, str]()
    for ecosystem, name in dict.fromkeys(wanted):
        if index.look(ecosystem, name) is not None:
            continue
        if ecosystem not in homes or not _NAME.fullmatch(name) or ".." in name:
            unanswered[name] = (
                "there is no registry to ask" if ecosystem not in homes else "this is no package name"
            )
            continue
        try:
            answer = await _ask(ecosystem, name, homes[ecosystem], client, date)
        except HostRefused:
            raise
        except (NetError, ValueError, TypeError) as error:
            unanswered[name] = str(error)
        else:
            index.add(answer)
            answered += 1
        await asyncio.sleep(pause_s)
    return Asked(answered, unanswered)


async def _ask(ecosystem: Ecosystem, name: str, home: str, client: Client, date: str) -> IndexAnswer:
    for path in _paths(ecosystem, name):
        reply = await client.get(
            home.rstrip("/") + path, headers={"user-agent": "percuss"}, max_bytes=_LARGEST
        )
        if reply.status == 200:
            versions = _VERSIONS[ecosystem](reply.body)
            return IndexAnswer(ecosystem=ecosystem, name=name, exists=True, date=date, versions=versions)
        if reply.status not in {404, 410}:
            raise ValueError(f"the registry answered {reply.status}")
    return IndexAnswer(ecosystem=ecosystem, name=name, exists=False, date=date)


def _paths(ecosystem: Ecosystem, name: str) -> tuple[str, ...]:
    safe = quote(name, safe="@")
    if ecosystem == "maven":
        organisation, _, artifact = name.partition(":")
        folder = quote(organisation.replace(".", "/"), safe="/")
        return tuple(
            f"/maven2/{folder}/{quote(artifact + end)}/maven-metadata.xml" for end in _SCALA_SUFFIXES
        )
    paths: dict[Ecosystem, str] = {
        "pypi": f"/pypi/{safe}/json",
        "npm": f"/{safe}",
        "cargo": f"/api/v1/crates/{safe}",
        "hex": f"/api/packages/{safe}",
        "cran": f"/{safe}/all",
        "bioconductor": f"/packages/{safe}/",
        "conda": f"/package/conda-forge/{safe}",
    }
    return (paths[ecosystem],)


def _keys(field: str) -> Callable[[bytes], tuple[str, ...]]:
    """Return a reader of the keys of an object in the reply."""

    def read(body: bytes) -> tuple[str, ...]:
        return _words(_object(body).get(field))

    return read


def _each(field: str, key: str) -> Callable[[bytes], tuple[str, ...]]:
    """Return a reader of one key of each object in a list of the reply."""

    def read(body: bytes) -> tuple[str, ...]:
        rows = _object(body).get(field)
        return _words(
            [row.get(key) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else None
        )

    return read


def _object(body: bytes) -> dict[str, Any]:
    loaded = json.loads(body)
    if not isinstance(loaded, dict):
        raise TypeError("the registry's reply is no object")
    return loaded


def _words(values: object) -> tuple[str, ...]:
    if not isinstance(values, dict | list):
        raise TypeError("the registry's reply names no versions")
    return tuple(value for value in values if isinstance(value, str))


def _npm(body: bytes) -> tuple[str, ...]:
    """Return the versions that npm has, and those that it once had: `time` keeps the day of each that was withdrawn."""
    times = _object(body).get("time")
    ever = _words(times) if isinstance(times, dict) else ()
    return tuple(dict.fromkeys([*_keys("versions")(body), *(v for v in ever if v[:1].isdigit())]))


def _maven(body: bytes) -> tuple[str, ...]:
    return tuple(_MAVEN_VERSION.findall(body.decode("utf-8", errors="replace")))


def _none(body: bytes) -> tuple[str, ...]:
    del body
    return ()


_VERSIONS: dict[Ecosystem, Callable[[bytes], tuple[str, ...]]] = {
    "pypi": _keys("releases"),
    "npm": _npm,
    "cargo": _each("versions", "num"),
    "hex": _each("releases", "version"),
    "cran": _keys("versions"),
    "bioconductor": _none,
    "conda": _keys("versions"),
    "maven": _maven,
}
