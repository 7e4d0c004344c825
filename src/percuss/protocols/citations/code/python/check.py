"""The Python of one answer, checked against the packages at hand and what registries said."""

import re
import threading
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from percuss.protocols.citations.code.index import PackageIndex
from percuss.protocols.citations.code.python.findings import Gathered
from percuss.protocols.citations.code.python.packages import Packages
from percuss.protocols.citations.code.python.parsing import LONGEST_SNIPPET, parse_snippet
from percuss.protocols.citations.code.python.resolve import Resolver
from percuss.protocols.citations.code.python.scope import Context
from percuss.protocols.citations.code.python.sources import Sources
from percuss.protocols.citations.code.python.trees import site_packages, trees_of, typeshed
from percuss.protocols.citations.code.python.walk import Walk
from percuss.protocols.citations.code.records import Block, Finding

__all__ = ["PythonSurfaces", "check_python"]

_IMPORTED = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)


class PythonSurfaces:
    """What can be read of Python packages: kept over answers, since reading a package takes a second.

    Args:
        paths: wheels, surface files, folders of wheels or folders of packages, read before those that are installed.
        installed: whether the packages of this environment are read too.
    """

    def __init__(self, paths: Iterable[Path] = (), *, installed: bool = True) -> None:
        trees = [tree for path in paths for tree in trees_of(path)]
        self.sources = Sources([*trees, *(site_packages() if installed else ())], typeshed())
        self.resolver = Resolver(self.sources)
        # What was read is kept for all answers: one at a time may add to it.
        self.lock = threading.RLock()

    @staticmethod
    @cache
    def of_this_environment() -> "PythonSurfaces":
        """Return the surfaces of the packages installed here; the same object every time."""
        return PythonSurfaces()


def check_python(
    blocks: Iterable[Block],
    *,
    earlier: Iterable[Block] = (),
    surfaces: PythonSurfaces,
    index: PackageIndex,
    pins: Mapping[str, str],
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return what the Python blocks of an answer import and call, and what could not be read.

    Blocks share one namespace, in order. Nothing is imported or run.

    Args:
        blocks: of the answer.
        earlier: of earlier answers of the conversation: their names are known, their faults are not counted again.
        surfaces: packages at hand.
        index: answers of registries.
        pins: distribution -> exact version that the answer installs, "" for any.
    """
    packages = Packages(surfaces.sources, index)
    blocks, earlier = tuple(blocks), tuple(earlier)
    context = Context(
        files=_files((*earlier, *blocks)),
        installs=_unexplained(pins, blocks, packages),
        pinned=_other_versions(pins, packages),
    )
    gathered = Gathered()
    walk = Walk(surfaces.resolver, packages, gathered, context)
    unread: list[str] = []
    for block, counted in [*((b, False) for b in earlier), *((b, True) for b in blocks)]:
        gathered.silent, gathered.block = not counted, block
        parsed = parse_snippet(block.code)
        if counted and parsed.reason:
            unread.append(parsed.reason)
        if parsed.tree is not None:
            try:
                with surfaces.lock:
                    walk.read(parsed.tree)
            except RecursionError:
                surfaces.resolver.restart()
                unread.append("the block is nested too deep")
    return gathered.ordered(), tuple(unread)


def _files(blocks: Iterable[Block]) -> frozenset[str]:
    """Return the module names that the answer's own files and folders make known."""
    names: set[str] = set()
    for block in blocks:
        if block.file is not None and block.file.endswith(".py"):
            path = PurePosixPath(block.file)
            names |= {path.stem, *path.parts[:-1]}
    return frozenset(names)


def _unexplained(pins: Mapping[str, str], blocks: tuple[Block, ...], packages: Packages) -> tuple[str, ...]:
    """Return the distributions installed under whose own name nothing is imported: each may bring any module."""
    imported = {
        match[1].lower() for block in blocks for match in _IMPORTED.finditer(block.code[:LONGEST_SNIPPET])
    }
    names = {each: {name.lower() for name in packages.modules_of(each)} for each in pins}
    return tuple(each for each, own in names.items() if not own & imported)


def _other_versions(pins: Mapping[str, str], packages: Packages) -> dict[str, str]:
    """Return the import names for which the answer asks another exact version than the one at hand."""
    other: dict[str, str] = {}
    for distribution, version in pins.items():
        installed = packages.installed_version(distribution)
        if version and installed and version != installed:
            other |= dict.fromkeys(packages.modules_of(distribution), version)
    return other
