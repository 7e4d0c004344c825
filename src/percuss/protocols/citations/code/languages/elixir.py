"""Elixir at the level of Hex packages and of the modules of its standard library."""

import re
from collections.abc import Iterator

from percuss.protocols.citations.code.languages.base import Mention, blanked, lines_of, names_in, without
from percuss.protocols.citations.code.records import Block

__all__ = ["mentions"]

_DEPENDENCY = re.compile(
    r"\{\s*:([a-z][a-z0-9_]*)\s*,\s*(?:\"([~><=! ]*\d[^\"\n]{0,60})\"|(path|git|github|in_umbrella)\s*:)"
)
_INSTALL_NAME = re.compile(r"(?<=[\[,(\s]):([a-z][a-z0-9_]*)(?=\s*[,\]])")
_MODULE = re.compile(r"^\s*(?:import|alias|use|require)\s+([A-Z][\w.]*)")
_DEFINED = re.compile(r"\bdefmodule\s+([A-Z]\w*)")
_TEXT = re.compile(r'"""[\s\S]{0,20000}?"""')
_DEPENDENCIES = re.compile(r"\bdefp?\s+deps\b|\bMix\.install\s*\(")


def mentions(blocks: tuple[Block, ...]) -> list[Mention]:
    """Return the Hex packages that Elixir blocks depend on and the modules that they import.

    Args:
        blocks: the answer's Elixir blocks.
    """
    standard = names_in("elixir_modules.txt")
    own = {match[1] for block in blocks for match in _DEFINED.finditer(block.code[:200_000])}
    found: dict[tuple[str, str], Mention] = {}
    for block in blocks:
        for mention in _of_block(without(block, _TEXT), standard, own):
            found.setdefault((mention.kind, mention.name), mention)
    return list(found.values())


def _of_block(block: Block, standard: frozenset[str], own: set[str]) -> Iterator[Mention]:
    installing = False
    anywhere = bool(_DEPENDENCIES.search(block.code[:200_000])) or block.code.strip()[:1] in {"{", "["}
    for line, start in lines_of(block, "#"):
        installing = installing or "Mix.install" in line
        for match in _DEPENDENCY.finditer(line) if anywhere else ():
            yield _dependency(match, start)
        if installing:
            plain = re.sub(r"\{[^}]*\}", lambda match: " " * len(match[0]), blanked(line))
            for match in _INSTALL_NAME.finditer(plain):
                yield Mention("install", match[1], start + match.start(1), ("hex",))
            installing = ")" not in line
        imported = _MODULE.match(line)
        if imported:
            yield _module(imported[1].rstrip("."), start + imported.start(1), standard, own)


def _dependency(match: re.Match[str], start: int) -> Mention:
    if match[3]:
        return Mention(
            "install", match[1], start + match.start(1), (), unknown="from a path or repository, not from Hex"
        )
    return Mention("install", match[1], start + match.start(1), ("hex",), version=match[2])


def _module(name: str, start: int, standard: frozenset[str], own: set[str]) -> Mention:
    top = name.split(".", maxsplit=1)[0]
    if top in own:
        return Mention("import", name, start, (), known="the answer defines it")
    if name in standard or (top in standard and top not in {"Mix", "IEx", "ExUnit"} and name == top):
        return Mention("import", name, start, (), known="part of Elixir itself")
    if top in standard:
        return Mention("import", name, start, (), unknown="not among the modules of Elixir that are listed")
    return Mention("import", name, start, (), unknown="which package brings this module is not known")
