"""Folders and wheels as trees of files that are only read: site-packages, a folder of wheels, typeshed."""

import zipfile
from functools import cached_property
from importlib import util
from pathlib import Path, PurePosixPath
from typing import Protocol

__all__ = ["Folder", "Tree", "Wheel", "site_packages", "trees_of", "typeshed"]

# No source file of a real package comes near this; a bomb inside a wheel does.
LARGEST_FILE = 8_000_000
_MOST_MEMBERS = 100_000


class Tree(Protocol):
    """Files under one root, by path with forward slashes."""

    label: str

    def read(self, path: str) -> str | None:
        """Return a file's text; None where there is no such readable file."""

    def children(self, path: str) -> frozenset[str]:
        """Return the names in a folder; folders end in a slash."""


class Folder:
    """A folder on disk.

    Args:
        root: the folder.
        label: what evidence calls it, in place of a machine's path.
    """

    def __init__(self, root: Path, label: str = "") -> None:
        self.root = root
        self.label = label
        self._listed: dict[str, frozenset[str]] = {}

    def read(self, path: str) -> str | None:
        """Return a file's text; None where there is no such readable file."""
        whole = self.root / path
        try:
            if whole.stat().st_size > LARGEST_FILE:
                return None
            return whole.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def children(self, path: str) -> frozenset[str]:
        """Return the names in a folder; folders end in a slash."""
        if path not in self._listed:
            try:
                entries = list((self.root / path).iterdir())
            except OSError:
                entries = []
            self._listed[path] = frozenset(entry.name + ("/" if entry.is_dir() else "") for entry in entries)
        return self._listed[path]


class Wheel:
    """A wheel that was downloaded: a zip of sources and stubs, read in place and never installed.

    Args:
        path: the `.whl` file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.label = path.name

    @cached_property
    def _members(self) -> dict[str, frozenset[str]]:
        folders: dict[str, set[str]] = {}
        try:
            with zipfile.ZipFile(self.path) as archive:
                names = archive.namelist()[:_MOST_MEMBERS]
        except (OSError, zipfile.BadZipFile):
            names = []
        for name in names:
            pure = PurePosixPath(name)
            folders.setdefault(_folder(pure), set()).add(pure.name)
            for parent in list(pure.parents)[:-1]:
                folders.setdefault(_folder(parent), set()).add(parent.name + "/")
        return {name: frozenset(children) for name, children in folders.items()}

    def read(self, path: str) -> str | None:
        """Return a file's text; None where there is no such readable file or it unpacks too large."""
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(path) as member:
                data = member.read(LARGEST_FILE + 1)
        except (OSError, KeyError, zipfile.BadZipFile, RuntimeError):
            return None
        return None if len(data) > LARGEST_FILE else data.decode("utf-8", errors="replace")

    def children(self, path: str) -> frozenset[str]:
        """Return the names in a folder of the archive; folders end in a slash."""
        return self._members.get(path.strip("/"), frozenset())


def _folder(path: PurePosixPath) -> str:
    parent = str(path.parent)
    return "" if parent == "." else parent


def trees_of(path: Path) -> tuple[Tree, ...]:
    """Return the trees that a path stands for: a wheel, a surface file, a folder of wheels or of packages."""
    if path.suffix == ".json":
        from percuss.protocols.citations.code.python.dumps import SurfaceFile

        return (SurfaceFile(path),)
    if path.suffix == ".whl":
        return (Wheel(path),)
    wheels = sorted(path.glob("*.whl")) if path.is_dir() else []
    if wheels:
        return tuple(Wheel(wheel) for wheel in wheels)
    return (Folder(path, path.name),) if path.is_dir() else ()


def site_packages() -> tuple[Tree, ...]:
    """Return the folders where this Python's packages are installed, with those that `.pth` files add."""
    import site
    import sysconfig

    roots = [Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")]
    roots += [Path(name) for name in site.getsitepackages()]
    for root in list(roots):
        for pth in sorted(root.glob("*.pth"))[:50]:
            lines = pth.read_text(encoding="utf-8", errors="replace").splitlines()[:50]
            roots += [
                Path(line.strip()) for line in lines if line.strip().startswith("/") and "import" not in line
            ]
    unique = [root for root in dict.fromkeys(roots) if root.is_dir()]
    return tuple(Folder(root, "installed") for root in unique)


def typeshed() -> Tree | None:
    """Return the stubs of the standard library; None where neither typeshed-client nor mypy is installed.

    Only the place of those packages is looked up: they are not imported.
    """
    for package, inside in (("typeshed_client", "typeshed"), ("mypy", "typeshed/stdlib")):
        spec = util.find_spec(package)
        if spec is not None and spec.origin is not None:
            root = Path(spec.origin).parent / inside
            if (root / "VERSIONS").exists():
                return Folder(root, "typeshed")
    return None
