"""What code is held against beside this environment: a file of registries' answers, and wheels of other versions."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.protocols.citations.code.index import NoIndex, PackageIndex, StoredIndex
from percuss.protocols.citations.code.python.check import PythonSurfaces

__all__ = ["AtHand", "at_hand"]


@dataclass(frozen=True)
class AtHand:
    """Answers of registries, and packages that can be read."""

    index: PackageIndex
    surfaces: PythonSurfaces


def at_hand(index: str, wheels: str) -> AtHand:
    """Return what is at hand; nothing named: this environment alone. Blocking: wheels are read.

    Args:
        index: file of `percuss citations packages`; "" = none. wheels: wheel, surface file, or folder of them; "" = none.

    Raises:
        BadInput: one that is not there, or is no such file.
    """
    for named, what in ((index, "a file of registries' answers"), (wheels, "a wheel or a folder of wheels")):
        if named and not Path(named).exists():
            raise BadInput(f"is not there; expected {what}", source=named)
    changed = Path(index).stat().st_mtime_ns if index else 0
    return AtHand(_answers(index, changed), _surfaces(wheels))


@lru_cache(maxsize=4)
def _answers(index: str, changed: int) -> PackageIndex:
    del changed  # a file that was added to is read again
    return StoredIndex.read(Path(index)) if index else NoIndex()


@lru_cache(maxsize=2)
def _surfaces(wheels: str) -> PythonSurfaces:
    return PythonSurfaces([Path(wheels)]) if wheels else PythonSurfaces.of_this_environment()
