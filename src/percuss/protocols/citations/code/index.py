"""What registries say of packages, kept name by name with the date of each answer; never a downloaded list of names."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["ECOSYSTEMS", "Ecosystem", "IndexAnswer", "NoIndex", "PackageIndex", "StoredIndex", "normal_name"]

Ecosystem = Literal["pypi", "npm", "apt", "cargo", "maven", "hex", "cran", "bioconductor", "conda"]
ECOSYSTEMS: tuple[Ecosystem, ...] = (
    "pypi",
    "npm",
    "apt",
    "cargo",
    "maven",
    "hex",
    "cran",
    "bioconductor",
    "conda",
)


class IndexAnswer(Record):
    """What one registry said of one name.

    `versions` holds every version that was ever published, yanked ones included; empty where the registry gave none.
    `provides` holds the names that code imports it by: top-level modules, namespaces; empty where they are not known.
    `date` is the day of the answer, YYYY-MM-DD.
    """

    ecosystem: Ecosystem
    name: str
    exists: bool
    date: str
    versions: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()


class PackageIndex(Protocol):
    """Answers of registries that are at hand."""

    def look(self, ecosystem: Ecosystem, name: str) -> IndexAnswer | None:
        """Return what the registry said of a name; None where it was never asked."""


class NoIndex:
    """The index of a machine without network and cache: it knows nothing."""

    def look(self, ecosystem: Ecosystem, name: str) -> IndexAnswer | None:
        """Return None: nothing was asked."""
        del ecosystem, name
        return None


class StoredIndex:
    """Answers kept in a JSON Lines file.

    Args:
        answers: to start with; of two about one name the later wins.
    """

    def __init__(self, answers: Iterable[IndexAnswer] = ()) -> None:
        self._answers = {(a.ecosystem, normal_name(a.ecosystem, a.name)): a for a in answers}

    @classmethod
    def read(cls, path: Path) -> "StoredIndex":
        """Read a file of answers, one JSON object per line.

        Args:
            path: the file; one that is not there is an empty index.

        Raises:
            BadInput: a line that is no answer.
        """
        answers = []
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                answers.append(msgspec.json.decode(line, type=IndexAnswer))
            except msgspec.MsgspecError as error:
                raise BadInput(
                    f"this is no answer of a package registry ({error}); delete the line or the file",
                    source=path.name,
                    line=number,
                ) from None
        return cls(answers)

    def add(self, answer: IndexAnswer) -> None:
        """Keep one more answer; it replaces an earlier one about the same name."""
        self._answers[answer.ecosystem, normal_name(answer.ecosystem, answer.name)] = answer

    def write(self, path: Path) -> None:
        """Write all answers, sorted, so that equal indexes are equal files."""
        lines = [msgspec.json.encode(self._answers[key]).decode() for key in sorted(self._answers)]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def look(self, ecosystem: Ecosystem, name: str) -> IndexAnswer | None:
        """Return what the registry said of a name; None where it was never asked."""
        return self._answers.get((ecosystem, normal_name(ecosystem, name)))


def normal_name(ecosystem: Ecosystem, name: str) -> str:
    """Return a name as its registry compares it: PyPI folds case and `-_.`, most others fold nothing.

    >>> normal_name("pypi", "Ruamel_YAML.clib")
    'ruamel-yaml-clib'
    """
    if ecosystem == "pypi":
        folded = name.lower().replace("_", "-").replace(".", "-")
        while "--" in folded:
            folded = folded.replace("--", "-")
        return folded
    return name.replace("_", "-") if ecosystem == "cargo" else name
