"""The cache across runs: which file, for which runs, and what a run took from it."""

import tomllib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from percuss.core.errors import UsageError
from percuss.models.assets import cache_dir
from percuss.store import RunStore
from percuss.store.replies import Replies
from percuss.store.sent import cached, keys_asked

__all__ = [
    "AUTO",
    "CACHES",
    "OFF",
    "cache_line",
    "caches_of",
    "config_file",
    "configured",
    "file_of",
    "forget",
    "open_cache",
    "refuse_cache",
]

AUTO, OFF = "auto", "off"
"""The usual file; no cache, whatever the config says."""
CACHES = "caches"
"""Key of the manifest: the files of the caches that the run has used."""


def file_of(cache: str) -> Path:
    """Return the file that a word of the request means: `auto` is `replies.sqlite` in the cache folder.

    Args:
        cache: `auto` or a path.
    """
    return cache_dir() / "replies.sqlite" if cache == AUTO else Path(cache).expanduser()


def open_cache(cache: str | None) -> Replies | None:
    """Return the cache of a request; None where it asks for none.

    Args:
        cache: `auto`, a path, `off`, or None.
    """
    return None if cache in (None, OFF) else Replies(file_of(str(cache)))


def config_file(home: Path | None = None) -> Path:
    """Return the file of the user's settings; it need not exist.

    Args:
        home: their folder; None is that of this process.
    """
    return (home or Path.home()) / ".config" / "percuss" / "config.toml"


def configured(path: Path | None = None) -> str | None:
    """Return what the user's config says of the cache: `cache = true` or `cache = "FILE"`; None where it says nothing.

    Args:
        path: the config; None is the usual one.

    Raises:
        UsageError: it can't be read, or says something else.
    """
    file = path or config_file()
    try:
        said = tomllib.loads(file.read_text(encoding="utf-8")).get("cache", False)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read ({error}); expected TOML such as cache = true") from error
    if said is False:
        return None
    if said is not True and not isinstance(said, str):
        raise UsageError(f"{file} says cache = {said!r}; expected true, false or the path of a file")
    return AUTO if said is True else said


def refuse_cache(cache: str, *, guarded: bool, no_text: bool, source: str) -> None:
    """Refuse a cache for a run whose words shall not lie in a file beside it, and a file that is none.

    Args:
        cache: as the request names it.
        guarded: the cases are records of patients. no_text: the run shows no words. source: of the cases.

    Raises:
        UsageError: any of it is so.
    """
    replies = Replies(file_of(cache))
    replies.held()
    replies.close()
    if guarded:
        raise UsageError(
            f"{source} holds records of patients, whose answers are kept in no cache; leave --cache out"
        )
    if no_text:
        raise UsageError(
            "--no-text and --cache contradict each other: the cache keeps what models said; leave one out"
        )


def cache_line(store: RunStore, until: str) -> str | None:
    """Return in words what a run took from the cache: `7 calls from the cache, oldest 3 days`; None where nothing.

    Args:
        store: the run. until: UTC time from which ages count, such as that of the scoring.
    """
    count, oldest = store.read(cached)
    if not count:
        return None
    days = (datetime.fromisoformat(until) - datetime.fromisoformat(oldest)).days
    age = "less than a day" if days < 1 else "1 day" if days == 1 else f"{days:,} days"
    return f"{count:,} {'call' if count == 1 else 'calls'} from the cache, oldest {age}"


def caches_of(manifest: Mapping[str, Any], cache: str | None) -> list[str]:
    """Return the files of the caches that a run has used, this start's among them.

    Args:
        manifest: of the run. cache: as the start asks for it.
    """
    named = set() if cache in (None, OFF) else {str(file_of(str(cache)).resolve())}
    return sorted({*manifest.get(CACHES, ()), *named})


def forget(store: RunStore) -> int:
    """Drop the calls of a run from the caches that its starts named, and return how many replies are gone.

    Args:
        store: the run, open for reading.
    """
    files = store.manifest().get(CACHES, ())
    keys = store.read(keys_asked) if files else []
    gone = 0
    for file in files:
        replies = Replies(Path(file))
        gone += replies.drop(keys)
        replies.close()
    return gone
