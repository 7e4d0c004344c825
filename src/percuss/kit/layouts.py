"""Is a protocol's reader proven on these very cases: what a simulated model plants there, beside what is read of it.

reading.md, "Certificate of a run": before a run on imported cases prints the numbers of a node, the protocol's simulated model is
run on a sample of them; what doesn't come back is withheld, with a sentence why. The protocol runs its model; what is here compares,
says it and remembers.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np

from percuss.core.ids import b2, digest
from percuss.core.seeds import derive
from percuss.core.strict import Record
from percuss.models.assets import cache_dir

__all__ = ["LEAST", "Read", "code_of", "compared", "remembered", "sampled"]

LEAST = 12
"""Answers below which a number is not tried: nothing can be said of it."""
TOLERANCE = 0.10
"""How far a reader may be from what was planted and still be called right: ten points."""
ERRORS = 2.0
"""Standard errors beyond that: a sound reader is withheld about once in twenty thousand numbers, one that is seven points off once in a hundred."""
_LEAST_SPREAD = 0.05
_PLACES = 4


class Read(Record):
    """One number of a simulated model on a sample of a run's cases.

    Args:
        planted, read: means over the same answers. error: how far they may differ, ten points and two standard errors. n: answers with this number.
    """

    planted: float
    read: float
    error: float
    n: int

    @property
    def tried(self) -> bool:
        """Whether there were answers enough to tell."""
        return self.n >= LEAST

    @property
    def recovered(self) -> bool:
        """Whether what was planted came back, or too little was there to say that it didn't."""
        return not self.tried or abs(self.read - self.planted) <= self.error

    @property
    def words(self) -> str:
        """What was found, in words.

        >>> Read(planted=0.7, read=0.0, error=0.1, n=96).words
        '0.70 planted in a sample of these cases is read as 0.00'
        """
        return f"{self.planted:.2f} planted in a sample of these cases is read as {self.read:.2f}"


def compared(held: Mapping[str, Sequence[tuple[float, float]]]) -> dict[str, Read]:
    """Return each number as it was planted and read.

    Args:
        held: name -> (planted, read) of each answer that has it.

    >>> compared({"gdr": [(0.7, 1.0), (0.7, 0.0)] * 30})["gdr"].recovered
    True
    >>> compared({"gdr": [(0.7, 0.0)] * 60})["gdr"].recovered
    False
    """
    out = {}
    for name, pairs in held.items():
        if pairs:
            planted, read = np.array(pairs, np.float64).T
            noise = max(float(read.std()), _LEAST_SPREAD) / np.sqrt(len(pairs))
            error = TOLERANCE + ERRORS * float(noise)
            means = round(float(planted.mean()), _PLACES), round(float(read.mean()), _PLACES)
            out[name] = Read(planted=means[0], read=means[1], error=round(error, _PLACES), n=len(pairs))
    return out


def sampled(ids: Iterable[str], seed: int, n: int) -> tuple[str, ...]:
    """Return a seeded sample of case ids; the order of the cases is none of its matter."""
    return tuple(sorted(ids, key=lambda each: (derive(seed, "layout check", each), each))[:n])


def remembered(
    key: str, make: Callable[[], Mapping[str, Read]], folder: Path | None = None
) -> dict[str, Read]:
    """Return what was found before under a key, in this process or an earlier one, else find it and keep it.

    Args:
        key: digest of cases, settings and code. make: finds it. folder: where it is kept; None for `layouts` in the cache folder.
    """
    path = (folder or cache_dir() / "layouts") / f"{key}.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Read])
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        found = dict(make())
    with suppress(OSError):  # a cache that can't be written costs seconds, nothing else
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}.tmp")
        beside.write_bytes(msgspec.json.encode(found))
        beside.replace(path)
    return found


@lru_cache(maxsize=8)
def code_of(*packages: str) -> str:
    """Return a digest of all that packages are made of: a reader that was changed is proven anew, whatever its version says.

    Args:
        packages: dotted names.
    """
    files: list[tuple[str, str]] = []
    for package in packages:
        root = Path(str(resources.files(package)))
        files += [
            (f"{package}/{path.relative_to(root).as_posix()}", digest(path.read_bytes()))
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.suffix != ".pyc"
        ]
    return b2(*(part for file in files for part in file))
