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
    r"\b(install\.packages|BiocManager::install|pak::pkg_install|pak::pak|renv::install|pacman::p_load|p_load"
    r"|(?:(?:remotes|devtools|pacman|pak)::)?(?:p_)?install_(?:github|gitlab|bitbucket|git|url|local|svn|gh)(?!\w))\s*\("
)
_LISTED = re.compile(r"(?<![\w.$])([A-Za-z][\w.]*)\s*(?:<-|=)\s*c\s*\(")
_VERSION = re.compile(
    r"\b(?:remotes|devtools)::install_version\s*\(\s*[\"']([\w.]+)[\"']\s*,\s*(?:version\s*=\s*)?[\"']([\w.-]+)[\"']"
)
_CRAN = re.compile(r"\b(?:remotes|devtools)::install_cran\s*\(\s*[\"']([\w.]+)[\"']")
_ATTACH = re.compile(
    r"\b(library|require|requireNamespace|loadNamespace|attachNamespace)\s*\(\s*([\"']?)([A-Za-z][\w.]*)\2\s*[,)]"
)
_INSIDE = re.compile(r"(?<![\w.:])([A-Za-z][A-Za-z0-9.]*):::?[A-Za-z.`]")
_OTHER_HOME = re.compile(r"\brepos\s*=\s*(?:c\s*\(\s*)?[^,)\n]{0,40}[\"'](https?://[^\"'\n]{1,200})[\"']")
_CRAN_HOME = re.compile(r"cran|r-project|rstudio\.com|posit\.co|bioconductor", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w.$@:\"'])([A-Za-z][A-Za-z0-9.]*[A-Za-z0-9])(?![\w.]|\s*[=(:])")
_SET = re.compile(r"\b[\w.]+\s*=\s*[^,\n]+|\b(?:c|TRUE|FALSE|NULL|NA)\b")
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
    elsewhere = {_package_of(each.name) for each in found.values() if each.kind == "install" and each.unknown}
    why = "the answer installs it from elsewhere"
    return [
        each._replace(unknown=each.unknown or why) if each.name in elsewhere and not each.known else each
        for each in found.values()
    ]


def _package_of(repository: str) -> str:
    """Return the package that a repository or file most likely holds: the last part of its path."""
    last = repository.split("@", maxsplit=1)[0].rstrip("/").rsplit("/", 1)[-1]
    return re.sub(r"(?:_[\d.-]+)?(?:\.git|\.tar\.gz|\.zip)$", "", last)


def _of_block(block: Block) -> Iterator[Mention]:
    lines = list(lines_of(block, "#"))
    listed = {
        match[1]: _first(lines[number : number + 40], match.end() - 1, only=False)[0]
        for number, (line, _) in enumerate(lines)
        for match in _LISTED.finditer(line)
    }
    for number, (line, start) in enumerate(lines):
        for match in _INSTALL.finditer(line):
            yield from _installed(lines[number : number + 40], match, listed)
        for pattern in (_VERSION, _CRAN):
            for match in pattern.finditer(line):
                version = f"=={match[2]}" if pattern is _VERSION else ""
                yield _mention("install", match[1], start + match.start(1), version=version)
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


def _first(
    lines: list[tuple[str, int]], opened: int, *, only: bool = True
) -> tuple[list[tuple[str, int]], str]:
    """Return the pieces of a call's arguments with their places, which may run over lines, and the whole call.

    Args:
        lines: from the one that the call begins in, with their places. opened: where its bracket stands in the first.
        only: the first argument's pieces alone.
    """
    depth, pieces, whole, begin, inside = 0, list[tuple[str, int]](), "", opened, True
    for line, start in lines:
        cut = len(line) if inside else begin
        for position in range(begin, len(line)):
            depth += {"(": 1, ")": -1}.get(line[position], 0)
            if inside and (depth == 0 or (only and depth == 1 and line[position] == ",")):
                cut, inside = position, False
            if depth == 0:
                return [*pieces, (line[begin:cut], start + begin)], whole + line[begin:position]
        pieces.append((line[begin:cut], start + begin))
        whole, begin = whole + line[begin:] + "\n", 0
    return pieces, whole


def _installed(
    lines: list[tuple[str, int]], match: re.Match[str], listed: dict[str, list[tuple[str, int]]]
) -> Iterator[Mention]:
    """Read an install call: a name, c(..) of names, or a variable that holds them; of p_load every bare name."""
    pieces, whole = _first(lines, match.end() - 1)
    if match[1].endswith("p_load"):
        pieces = _first(lines, match.end() - 1, only=False)[0]
        for text, start in pieces:
            for bare in _BARE.finditer(_SET.sub(lambda m: " " * len(m[0]), _without_strings(text))):
                yield _mention("install", bare[1], start + bare.start(1))
    held = "".join(text for text, _ in pieces).strip("( \n")
    home = _OTHER_HOME.search(whole)
    why = "from a repository that the call names" if home and not _CRAN_HOME.search(home[1]) else ""
    why = why or (
        "a repository, not a package of the registry"
        if "install_" in match[1][-16:] and "pkg" not in match[1]
        else ""
    )
    for text, start in listed.get(held, pieces):
        for quoted in _QUOTED.finditer(text):
            plain = bool(_NAME.fullmatch(quoted[1]))
            unknown = why or ("" if plain else "not a plain package name")
            if unknown:
                yield Mention("install", quoted[1], start + quoted.start(1), (), unknown=unknown)
            else:
                yield _mention("install", quoted[1], start + quoted.start(1))


def _mention(kind: FindingKind, name: str, start: int, *, version: str = "") -> Mention:
    known = "part of R itself" if name in _BASE else ""
    return Mention(kind, name, start, _BOTH, version=version, known=known)
