"""JSON as models write it, read leniently: bare or fenced, nested, cut, with trailing commas or several objects.

A walk over the text keeps where every string stands; nothing is decoded that isn't there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Leaf", "objects"]

_OPENS = re.compile(r"\{\s*[\"']|\[\s*\{")
_SPACE = re.compile(r"[\s,]*")
_LITERAL = re.compile(r"[^\s,\]\}\{\[\"]+")
_MOST_DEPTH = 60
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Leaf:
    """A value of an object, or a key that says something.

    Args:
        path: keys and places on the way to it. start, stop: inside the quotes. quoted: a string, not a number or word.
        key: it is the key itself.
    """

    path: Path
    start: int
    stop: int
    quoted: bool
    key: bool = False


@dataclass
class _Walk:
    """One object being read; `whole` is False where the text ended first."""

    text: str
    leaves: list[Leaf] = field(default_factory=list)
    whole: bool = True

    def value(self, at: int, path: Path) -> int:
        at = self._skip(at)
        if at >= len(self.text):
            self.whole = False
            return at
        sign = self.text[at]
        if sign in "{[" and len(path) < _MOST_DEPTH:
            return self._members(at + 1, path, "}" if sign == "{" else "]")
        if sign in "\"'":
            start, stop, after = self._string(at)
            self.leaves.append(Leaf(path, start, stop, quoted=True))
            return after
        literal = _LITERAL.match(self.text, at)
        if literal is None:
            raise ValueError(f"no value at {at}")
        self.leaves.append(Leaf(path, literal.start(), literal.end(), quoted=False))
        return literal.end()

    def _members(self, at: int, path: Path, closes: str) -> int:
        place = 0
        while True:
            at = self._skip(at)
            if at >= len(self.text):
                self.whole = False
                return at
            if self.text[at] == closes:
                return at + 1
            if closes == "]":
                at = self.value(at, (*path, place))
                place += 1
                continue
            at = self._member(at, path)

    def _member(self, at: int, path: Path) -> int:
        if self.text[at] not in "\"'":
            raise ValueError(f"no key at {at}")
        start, stop, at = self._string(at)
        key = self.text[start:stop]
        self.leaves.append(Leaf((*path, key), start, stop, quoted=True, key=True))
        at = self._skip(at)
        if at >= len(self.text):
            self.whole = False
            return at
        if self.text[at] != ":":
            raise ValueError(f"no colon at {at}")
        return self.value(at + 1, (*path, key))

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return at if found is None else found.end()

    def _string(self, at: int) -> tuple[int, int, int]:
        """Return where a string's inside starts and stops, and where the text goes on."""
        mark, start = self.text[at], at + 1
        at = start
        while at < len(self.text):
            if self.text[at] == "\\":
                at += 2
            elif self.text[at] == mark:
                return start, at, at + 1
            else:
                at += 1
        self.whole = False
        return start, len(self.text), len(self.text)


def objects(
    text: str, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, int, tuple[Leaf, ...], bool]]:
    """Yield the objects of a text: start, stop, leaves in order, and whether it was closed.

    Args:
        text: the reply. start, stop: where to look.

    What only looks like an object ("{a set}") is none.
    """
    at, end = start, len(text) if stop is None else stop
    held = text[:end]
    while (opened := _OPENS.search(held, at)) is not None:
        walk = _Walk(held)
        try:
            after = walk.value(opened.start(), ())
        except (ValueError, RecursionError):
            at = opened.start() + 1
            continue
        if any(not leaf.key for leaf in walk.leaves):
            yield opened.start(), after, tuple(walk.leaves), walk.whole
        at = max(after, opened.start() + 1)
