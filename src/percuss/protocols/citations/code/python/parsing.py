"""Python text to a syntax tree, safely: bounded, never run, and what can be saved of a fragment is saved."""

import ast
import re
import textwrap
import threading
import warnings
from typing import NamedTuple

__all__ = ["LONGEST_SNIPPET", "Parsed", "parse_snippet", "parse_source"]

# A snippet of an answer; installed modules may be larger.
LONGEST_SNIPPET = 200_000
LONGEST_SOURCE = 4_000_000
LONGEST_LINE = 20_000
DEEPEST_BRACKETS = 80
# A snippet cut off by a token limit loses its last statement; more than this is not cut but broken.
_MOST_CUTS = 8

_LOCK = threading.Lock()
_MAGIC = re.compile(r"^\s*(?:[!%?]|\$ )")
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.|In \[\d+\]:|\s+\.\.\.:)(?: |$)")
_ELLIPSIS_LINE = re.compile(r"^\s*(?:\.\.\.|…)\s*(?:\(.*\))?\s*$")


class Parsed(NamedTuple):
    """A snippet's tree, or why there is none.

    `tree` is None where nothing could be read, `reason` is "" where all of it was. `commands` holds (line, text) of the
    shell commands that notebooks write with `!` or `%`.
    """

    tree: ast.Module | None
    reason: str
    commands: tuple[tuple[int, str], ...]


def parse_source(text: str) -> ast.Module | None:
    """Parse a module of a package; None where it cannot be parsed within the limits."""
    if len(text) > LONGEST_SOURCE or "\0" in text:
        return None
    return _tree(text)


def parse_snippet(code: str) -> Parsed:
    """Parse a snippet of an answer: prompts, notebook magics, indentation and a cut end are dealt with.

    Line numbers of the tree are those of `code`.

    Args:
        code: text of one block.
    """
    refused = _refused(code)
    if refused:
        return Parsed(None, refused, ())
    lines, commands = _plain(code.expandtabs(4).split("\n"))
    text = textwrap.dedent("\n".join(lines))
    tree = _tree(text)
    if tree is not None:
        return Parsed(tree, "", commands)
    tree = _shortened(text)
    if tree is not None and tree.body:
        return Parsed(tree, "the end of the block does not parse and was left out", commands)
    return Parsed(None, "the block does not parse as Python", commands)


def _refused(code: str) -> str:
    if len(code) > LONGEST_SNIPPET:
        return f"the block has {len(code):,} characters, more than {LONGEST_SNIPPET:,}"
    if "\0" in code:
        return "the block has a null byte"
    if max(map(len, code.split("\n"))) > LONGEST_LINE:
        return f"the block has a line of more than {LONGEST_LINE:,} characters"
    depth = deepest = 0
    for character in code:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth = max(0, depth - 1)
    return f"brackets are nested {deepest} deep" if deepest > DEEPEST_BRACKETS else ""


def _plain(lines: list[str]) -> tuple[list[str], tuple[tuple[int, str], ...]]:
    """Return the lines as plain Python, each in its place, and the shell commands among them."""
    prompted = any(line.lstrip().startswith((">>>", "In [")) for line in lines)
    kept: list[str] = []
    commands: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if prompted:
            match = _PROMPT.match(line)
            kept.append(line[match.end() :] if match else "")
        elif _MAGIC.match(line):
            commands.append((number, line.strip().lstrip("!%?$ ")))
            kept.append(" " * (len(line) - len(line.lstrip())) + "pass")
        elif _ELLIPSIS_LINE.match(line):
            kept.append(line[: len(line) - len(line.lstrip())] + "...")
        else:
            kept.append(line)
    return kept, tuple(commands)


def _tree(text: str) -> ast.Module | None:
    # `catch_warnings` swaps a global: one thread at a time. Parsing compiles nothing and runs nothing.
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None


def _shortened(text: str) -> ast.Module | None:
    """Return the tree of the longest start that parses, cutting back to statements at the left margin."""
    lines = text.split("\n")
    starts = [
        number
        for number, line in enumerate(lines)
        if number and line[:1] not in {"", " ", ")", "]", "}", "#", "'", '"'}
    ]
    for number in starts[: -_MOST_CUTS - 1 : -1]:
        tree = _tree("\n".join(lines[:number]))
        if tree is not None:
            return tree
    return None
