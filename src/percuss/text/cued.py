"""Expressions that are tried only where one of the words that they need stands: most sentences hold none of them.

What an expression needs is read from the expression itself, so that the two can't differ; it is a superset: where the guard
says no, there is no match.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import product
from typing import Any

__all__ = ["Cued", "CuedTable", "needs"]

_PARSER: Any = import_module("re._parser")
_TOKEN = re.compile(r"[^\W_]+")
_MOST = 400
"""Spellings of one part of an expression that are written out; a part with more is no guard."""
_SHORTEST = 2
"""Letters that a part of a word must have to be worth looking for."""

Need = tuple[str, bool]
"""(letters in lower case, whether they are a word of their own)."""


@lru_cache(maxsize=4096)
def _folded(text: str) -> tuple[str, frozenset[str]]:
    low = text.lower()
    return low, frozenset(_TOKEN.findall(low))


def needs(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> frozenset[Need] | None:
    r"""Return letters one of which every match of an expression holds; None where nothing is sure.

    Args:
        pattern: an expression as written. flags: of it; letters are looked for in lower case whatever they say.

    >>> sorted(needs(r"\b(?:no|absen\w+|free of)\b"))
    [('absen', False), ('free', True), ('no', True)]
    """
    found = _needs(list(_PARSER.parse(pattern, flags)), left=False, right=False)
    return None if found is None else frozenset(found)


def _needs(items: list[Any], *, left: bool, right: bool) -> set[Need] | None:
    """Return the best of what the parts of a sequence need; left and right: a word begins before it, ends after it."""
    best: set[Need] | None = None
    at = 0
    while at < len(items):
        stop, spelled = at, [""]
        while stop < len(items) and (more := _spelled(items[stop])) is not None:
            if len(spelled) * len(more) > _MOST:
                break
            spelled = [a + b for a, b in product(spelled, more)]
            stop += 1
        begins = _bounded(items, at - 1, outside=left)
        ends = _bounded(items, max(stop, at + 1), outside=right)
        if stop > at:
            found: set[Need] | None = _tokens(spelled, begins=begins, ends=ends)
        else:
            found = _of_item(items[at], left=begins, right=ends)
        if found is not None and (best is None or _worth(found) > _worth(best)):
            best = found
        at = max(stop, at + 1)
    return best


def _bounded(items: list[Any], at: int, *, outside: bool) -> bool:
    """Tell whether the border of a word stands at a place of a sequence, or a blank."""
    if not 0 <= at < len(items):
        return outside
    name, value = str(items[at][0]), items[at][1]
    if name in {"MAX_REPEAT", "MIN_REPEAT"} and value[0] > 0 and len(value[2]) == 1:
        name, value = str(value[2][0][0]), value[2][0][1]
    if name == "IN":
        return [str(each) for _, each in value] == ["CATEGORY_SPACE"]
    return name == "AT" and str(value) == "AT_BOUNDARY"


def _of_item(item: Any, *, left: bool, right: bool) -> set[Need] | None:
    name, value = str(item[0]), item[1]
    if name == "SUBPATTERN":
        return _needs(list(value[-1]), left=left, right=right)
    if name == "BRANCH":
        every: set[Need] = set()
        for branch in value[1]:
            found = _needs(list(branch), left=left, right=right)
            if found is None:
                return None
            every |= found
        return every
    if name in {"MAX_REPEAT", "MIN_REPEAT"} and value[0] > 0:
        return _needs(list(value[2]), left=False, right=False)
    return None


def _spelled(item: Any) -> list[str] | None:
    """Return every spelling of a part, in lower case; None where they are too many or can't be told."""
    name, value = str(item[0]), item[1]
    if name == "LITERAL":
        return [chr(value).lower()]
    if name == "IN":
        if len(value) > 8 or any(str(kind) != "LITERAL" for kind, _ in value):
            return None
        return sorted({chr(each).lower() for _, each in value})
    if name == "SUBPATTERN":
        return _sequence(list(value[-1]))
    if name == "BRANCH":
        branches = [_sequence(list(branch)) for branch in value[1]]
        return None if None in branches else [each for branch in branches for each in branch or ()]
    if name in {"MAX_REPEAT", "MIN_REPEAT"} and value[:2] == (0, 1):
        once = _sequence(list(value[2]))
        return None if once is None else ["", *once]
    return None


def _sequence(items: list[Any]) -> list[str] | None:
    spelled = [""]
    for item in items:
        more = _spelled(item)
        if more is None or len(spelled) * len(more) > _MOST:
            return None
        spelled = [a + b for a, b in product(spelled, more)]
    return spelled


def _tokens(spelled: Iterable[str], *, begins: bool, ends: bool) -> set[Need] | None:
    """Return what to look for, for each spelling: its longest whole word, else its longest part of one."""
    every: set[Need] = set()
    for text in spelled:
        tokens = list(_TOKEN.finditer(text))
        whole = [
            m.group()
            for m in tokens
            if (begins if m.start() == 0 else text[m.start() - 1] != "_")
            and (ends if m.end() == len(text) else text[m.end()] != "_")
        ]
        parts = [m.group() for m in tokens if len(m.group()) >= _SHORTEST]
        if whole:
            every.add((max(whole, key=len), True))
        elif parts:
            every.add((max(parts, key=len), False))
        else:
            return None
    return every


def _worth(found: set[Need]) -> tuple[bool, int, int]:
    """Return how much a guard keeps out: whole words first, then long ones, then few."""
    return all(whole for _, whole in found), min(len(text) for text, _ in found), -len(found)


class CuedTable:
    """Many expressions, of which a text is tried on those alone whose words it holds.

    Args:
        patterns: as written, in the order in which they are to be tried. flags: of all of them.
    """

    __slots__ = ("_always", "_flags", "_known", "_parts", "_patterns", "_ready", "_words")

    def __init__(self, patterns: Iterable[str], flags: re.RegexFlag = re.IGNORECASE) -> None:
        self._patterns: list[str | re.Pattern[str]] = list(patterns)
        self._flags = flags
        self._ready = False
        self._always: tuple[int, ...] = ()
        self._words: dict[str, list[int]] = {}
        self._parts: dict[str, list[int]] = {}
        self._known: frozenset[str] = frozenset()

    def _prepare(self) -> None:
        always = []
        for place, pattern in enumerate(self._patterns):
            found = needs(str(pattern), self._flags)
            if found is None:
                always.append(place)
            for text, whole in found or ():
                (self._words if whole else self._parts).setdefault(text, []).append(place)
        self._always, self._known, self._ready = tuple(always), frozenset(self._words), True

    def __getitem__(self, place: int) -> re.Pattern[str]:
        """Return an expression, compiled when it is first asked for."""
        pattern = self._patterns[place]
        if isinstance(pattern, str):
            pattern = self._patterns[place] = re.compile(pattern, self._flags)
        return pattern

    def any_of(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the words and the parts of words one of which a text holds that any expression matches; ("",) as parts = any text."""
        if not self._ready:
            self._prepare()
        return self._known, ("",) if self._always else tuple(self._parts)

    def places(self, text: str) -> Sequence[int]:
        """Return which expressions may match, in their order."""
        if not self._ready:
            self._prepare()
        low, words = _folded(text)
        held: set[int] | None = None
        if not self._known.isdisjoint(words):
            held = {place for word in self._known & words for place in self._words[word]}
        for part, places in self._parts.items():
            if part in low:
                held = {*(held or ()), *places}
        return self._always if held is None else sorted({*self._always, *held})


class Cued:
    """An expression that is one of several, tried where what it needs stands; it finds what `|` between them would find.

    Args:
        patterns: at least one. flags: of all of them.
    """

    __slots__ = ("_flags", "_needs", "_patterns", "_table", "_whole")

    def __init__(self, *patterns: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self._patterns, self._flags = patterns, flags
        self._table = CuedTable(patterns, flags)
        self._whole: re.Pattern[str] | None = None
        self._needs: tuple[frozenset[str], tuple[str, ...]] | None = None

    @property
    def pattern(self) -> str:
        """The whole expression as written."""
        return "|".join(self._patterns)

    @property
    def whole(self) -> re.Pattern[str]:
        """The whole expression, for what needs it."""
        if self._whole is None:
            self._whole = re.compile(self.pattern, self._flags)
        return self._whole

    def may(self, text: str) -> bool:
        """Tell whether a text may hold a match."""
        if self._needs is None:
            self._needs = self._table.any_of()
        known, parts = self._needs
        low, words = _folded(text)
        if not known.isdisjoint(words):
            return True
        for part in parts:  # noqa: SIM110 -- asked of every expression and text; a generator costs twice as much
            if part in low:
                return True
        return False

    def search(self, text: str, at: int = 0, stop: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match between two places of a text; of several that begin there, the one named first."""
        if not self.may(text):
            return None
        if len(self._patterns) == 1:
            return self.whole.search(text, at, stop)
        best: re.Match[str] | None = None
        for place in self._table.places(text):
            found = self._table[place].search(text, at, stop)
            if found is not None and (best is None or found.start() < best.start()):
                best = found
        return best

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text, or None."""
        for place in self._table.places(text):
            found = self._table[place].match(text)
            if found is not None:
                return found
        return None

    def findall(self, text: str) -> list[str]:
        """Return what matched, as `re.findall` does."""
        return self.whole.findall(text) if self.may(text) else []

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return the matches in a text."""
        return self.whole.finditer(text) if self.may(text) else iter(())

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return a text with every match replaced."""
        return self.whole.sub(by, text) if self.may(text) else text
