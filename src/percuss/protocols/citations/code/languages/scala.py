"""Scala at the level of dependencies and of the packages of the standard library and the JDK."""

import re
from collections.abc import Iterator

from percuss.protocols.citations.code.languages.base import Mention, lines_of, names_in, without
from percuss.protocols.citations.code.records import Block

__all__ = ["mentions"]

_SBT = re.compile(r'"([\w.-]+)"\s*(%{1,3})\s*"([\w.-]+)"\s*%{1,2}\s*(?:"([\w.+-]+)"|([\w.]+))')
_CLI = re.compile(
    r'(?://>\s*using\s+(?:dep|lib|test\.dep)\s+"?|import\s+\$(?:ivy|dep)\.`|ivy")([\w.-]+)(:{1,3})([\w.-]+):{1,2}([\w.+-]+)'
)
_IMPORT = re.compile(r"^\s*import\s+(?:_root_\.)?([a-zA-Z_][\w.]*)")
_NO_CODE = (re.compile(r'"""[\s\S]{0,20000}?"""'), re.compile(r"/\*[\s\S]{0,20000}?\*/"))
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)")
_DEFINED = re.compile(r"\b(?:object|class|trait|enum|package)\s+([A-Za-z_]\w*)")


def mentions(blocks: tuple[Block, ...]) -> list[Mention]:
    """Return the artifacts that Scala blocks depend on and the packages that they import.

    An artifact is named `organisation:name` as in Maven; `%%` and `::` add the binary version, which the index may hold
    under any suffix, so the plain name is asked for.

    Args:
        blocks: the answer's Scala blocks.
    """
    packages = names_in("jvm_packages.txt")
    own = {match[1].split(".")[0] for block in blocks for match in _DEFINED.finditer(block.code[:200_000])}
    found: dict[tuple[str, str], Mention] = {}
    for block in blocks:
        for mention in _of_block(without(block, *_NO_CODE), packages, own):
            found.setdefault((mention.kind, mention.name), mention)
    return list(found.values())


def _of_block(block: Block, packages: frozenset[str], own: set[str]) -> Iterator[Mention]:
    for number, line in enumerate(block.code.split("\n")):
        for match in _CLI.finditer(line[:5_000]):
            yield Mention(
                "install",
                f"{match[1]}:{match[3]}",
                block.lines[number] + match.start(1),
                ("maven",),
                version=f"=={match[4]}",
            )
    for line, start in lines_of(block, "//"):
        for match in _SBT.finditer(line):
            version = f"=={match[4]}" if match[4] else ""
            yield Mention(
                "install", f"{match[1]}:{match[3]}", start + match.start(1), ("maven",), version=version
            )
        imported = _IMPORT.match(line)
        if imported:
            yield _import(imported[1].rstrip("._"), start + imported.start(1), packages, own)


def _import(path: str, start: int, packages: frozenset[str], own: set[str]) -> Mention:
    top = path.split(".", maxsplit=1)[0]
    if top in own:
        return Mention("import", path, start, (), known="the answer defines it")
    if top not in {"scala", "java", "javax"}:
        return Mention("import", path, start, (), unknown="which artifact brings this package is not known")
    parts = path.split(".")
    lower = [part for part in parts if part[:1].islower()]
    package = ".".join(lower)
    known = next((n for n in range(len(parts), 1, -1) if ".".join(parts[:n]) in packages), 0)
    # What begins lower-case in a package is a package too: of Java always, of Scala where more follows.
    below = parts[known:] if known and parts[known:][:1] and parts[known][:1].islower() else []
    if known and not (below and (top != "scala" or len(below) > 1)):
        inside = ".".join(parts[:known])
        return Mention("import", path, start, (), known=f"{inside} is part of Scala or the JDK")
    if top == "java" and len(lower) > 1:
        return Mention(
            "import",
            path,
            start,
            ("maven",),
            unknown=f"{package} is not among the packages of java.base that are listed",
        )
    return Mention("import", path, start, (), unknown="not among the packages that are listed")
