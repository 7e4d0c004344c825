"""R at the level of packages: install.packages, library, require and the name before `::`."""

import re
from collections.abc import Iterator

from percuss.protocols.citations.code.index import Ecosystem
from percuss.protocols.citations.code.languages.base import Mention, lines_of
from percuss.protocols.citations.code.records import Block, FindingKind

__all__ = ["mentions"]

_BASE = frozenset(
    "base compiler datasets graphics grDevices grid methods parallel splines stats stats4 tcltk tools utils".split()
)
_BOTH: tuple[Ecosystem, ...] = ("cran", "bioconductor")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.]*[A-Za-z0-9]")
_QUOTED = re.compile(r"[\"']([^\"'\n]{1,200})[\"']")
_INSTALL = re.compile(
    r"\b(install\.packages|BiocManager::install|pak::pkg_install|pak::pak|renv::install|pacman::p_load|p_load)\s*\("
)
_REMOTE = re.compile(
    r"\b(?:remotes|devtools)::install_(?:github|gitlab|bitbucket|git|url|local|svn)\s*\(\s*[\"']([^\"'\n]{1,200})[\"']"
)
_VERSION = re.compile(
    r"\b(?:remotes|devtools)::install_version\s*\(\s*[\"']([\w.]+)[\"']\s*,\s*(?:version\s*=\s*)?[\"']([\w.-]+)[\"']"
)
_CRAN = re.compile(r"\b(?:remotes|devtools)::install_cran\s*\(\s*[\"']([\w.]+)[\"']")
_ATTACH = re.compile(
    r"\b(library|require|requireNamespace|loadNamespace|attachNamespace)\s*\(\s*([\"']?)([A-Za-z][\w.]*)\2\s*[,)]"
)
_INSIDE = re.compile(r"(?<![\w.:])([A-Za-z][A-Za-z0-9.]*):::?[A-Za-z.`]")
_BY_VALUE = re.compile(r"character\.only\s*=\s*T")


def mentions(blocks: tuple[Block, ...]) -> list[Mention]:
    """Return the packages that R blocks install and import, each use once.

    Args:
        blocks: the answer's R blocks.
    """
    found: dict[tuple[str, str], Mention] = {}
    for block in blocks:
        for mention in _of_block(block):
            found.setdefault((mention.kind, mention.name), mention)
    return list(found.values())


def _of_block(block: Block) -> Iterator[Mention]:
    lines = list(lines_of(block, "#"))
    for number, (line, start) in enumerate(lines):
        for match in _INSTALL.finditer(line):
            yield from _installed(lines[number : number + 40], match)
        for pattern in (_VERSION, _CRAN):
            for match in pattern.finditer(line):
                version = f"=={match[2]}" if pattern is _VERSION else ""
                yield _mention("install", match[1], start + match.start(1), version=version)
        for match in _REMOTE.finditer(line):
            yield Mention(
                "install",
                match[1],
                start + match.start(1),
                (),
                unknown="a repository, not a package of the registry",
            )
        plain = _without_strings(line)
        for match in _ATTACH.finditer(line):
            if plain[match.start()] != " " and not (
                match[2] == "" and (_BY_VALUE.search(line) or match[1].endswith("Namespace"))
            ):
                yield _mention("import", match[3], start + match.start(3))
        for match in _INSIDE.finditer(plain):
            yield _mention("import", match[1], start + match.start(1))


def _without_strings(line: str) -> str:
    return _QUOTED.sub(lambda match: " " * len(match[0]), line)


def _installed(lines: list[tuple[str, int]], match: re.Match[str]) -> Iterator[Mention]:
    """Read the first argument of an install call, which may run over lines: a name or c(..) of names."""
    depth, first = 0, True
    for line, start in lines:
        begin = match.end() - 1 if first else 0
        first = False
        stop = len(line)
        for position in range(begin, len(line)):
            depth += {"(": 1, ")": -1}.get(line[position], 0)
            if depth == 0 or (depth == 1 and line[position] == ","):
                stop = position
                break
        for quoted in _QUOTED.finditer(line[:stop], begin):
            if _NAME.fullmatch(quoted[1]):
                yield _mention("install", quoted[1], start + quoted.start(1))
            else:
                yield Mention(
                    "install", quoted[1], start + quoted.start(1), (), unknown="not a plain package name"
                )
        if stop < len(line):
            return


def _mention(kind: FindingKind, name: str, start: int, *, version: str = "") -> Mention:
    known = "part of R itself" if name in _BASE else ""
    return Mention(kind, name, start, _BOTH, version=version, known=known)
