"""Expressions that are tried only where one of the words that they need stands: most sentences hold none of them.

What an expression needs is read from the expression itself, so that the two can't differ; it is a superset: where the guard
says no, there is no match.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import product
from threading import Lock
from typing import Any

__all__ = ["Cued", "CuedTable", "needs"]

_PARSER: Any = import_module("re._parser")
_TOKEN = re.compile(r"[^\W_]+")
_MOST = 400
"""Spellings of one part of an expression that are written out; a part with more is no guard."""
_SHORTEST = 2
"""Letters that a part of a word must have to be worth looking for."""
_COMMON = frozenset(
    "a an the is are was were of in on at to and or by with it he she his her their patient".split()
)
"""Words of nearly every sentence: an expression that needs another one besides is looked for by that one."""
_FEW = 8
"""Signs of a set that are written out."""

_ALL_BUT_FIRST = ~1
"""Without the sign that every text has."""

Need = tuple[str, bool]
"""(letters in lower case, whether they are a word of their own)."""


class _Signs(dict[str, int]):
    """Words met so far, in lower case, with the signs of all expressions that one of them is enough for.

    Every expression has a sign, a bit; the signs of a text are those of its words, so that one look at each word of a text tells of
    all expressions which of them may match. A part of a word that an expression needs is letters alone, so it lies in one word.
    """

    LIMIT, MANY = 200_000, 20_000
    """Words that are kept, and how many of them are still looked through for a new expression."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 1  # sign 1 is every text's
        self.whole: dict[str, int] = {}
        self.parts: dict[str, list[tuple[str, int]]] = {}
        """Parts of words by their first two letters, each with its sign."""
        self.lock = Lock()
        self.texts = _Texts(self)

    def __missing__(self, word: str) -> int:
        """Work the signs of a word out and keep them; a full table is emptied, so that its size stays bounded."""
        with self.lock:
            if len(self) > self.LIMIT:
                self.clear()
            signs = self.whole.get(word, 0)
            for start in range(len(word) - 1):
                for part, sign in self.parts.get(word[start : start + _SHORTEST], ()):
                    if word.startswith(part, start):
                        signs |= sign
            self[word] = signs
            return signs

    def added(self, found: Iterable["Need"]) -> int:
        """Return the sign of an expression with these needs; words that are known get it too."""
        with self.lock:
            sign = 1 << self.count
            parts: list[str] = []
            if len(self) > self.MANY:
                self.clear()
            for text, whole in found:
                if whole:
                    self.whole[text] = self.whole.get(text, 0) | sign
                    if text in self:
                        self[text] |= sign
                    continue
                parts.append(text)
                self.parts.setdefault(text[:_SHORTEST], []).append((text, sign))
            for word in self if parts else ():
                if any(part in word for part in parts):
                    self[word] |= sign
            self.count += 1
            self.texts = _Texts(
                self
            )  # last: what a thread reads of a text meanwhile is kept in the table of before
            return sign


class _Texts(dict[str, int]):
    """Texts met so far with the signs of the expressions that may match in them."""

    LIMIT = 4096

    def __init__(self, words: "_Signs") -> None:
        super().__init__()
        self.words = words

    def __missing__(self, text: str) -> int:
        """Look every word of a text up; a full table is emptied."""
        if len(self) > self.LIMIT:
            self.clear()
        known, found = self.words, 1
        for word in _TOKEN.findall(text.lower()):
            found |= known[word]
        self[text] = found
        return found


_SIGNS = _Signs()


def needs(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> frozenset[Need] | None:
    r"""Return letters one of which every match of an expression holds; None where nothing is sure.

    Args:
        pattern: an expression as written. flags: of it; letters are looked for in lower case whatever they say.

    >>> sorted(needs(r"\b(?:no|absen\w+|free of)\b"))
    [('absen', False), ('free', True), ('no', True)]
    """
    found = _needs(list(_PARSER.parse(pattern, int(flags))), left=False, right=False)
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
    if name == "ASSERT":  # what must stand before or after it
        return _needs(list(value[1]), left=False, right=False)
    return None


def _spelled(item: Any) -> list[str] | None:
    """Return every spelling of a part, in lower case; None where they are too many or can't be told."""
    name, value = str(item[0]), item[1]
    if name == "LITERAL":
        return [chr(value).lower()]
    if name == "IN":
        return _of_set(value)
    if name == "SUBPATTERN":
        return _sequence(list(value[-1]))
    if name == "BRANCH":
        branches = [_sequence(list(branch)) for branch in value[1]]
        return None if None in branches else [each for branch in branches for each in branch or ()]
    if name in {"MAX_REPEAT", "MIN_REPEAT"} and value[:2] == (0, 1):
        once = _sequence(list(value[2]))
        return None if once is None else ["", *once]
    return None


def _of_set(value: list[Any]) -> list[str] | None:
    """Return the letters of a set of few; None of one that is open or large."""
    letters: set[str] = set()
    for kind, each in value:
        if str(kind) == "LITERAL":
            letters.add(chr(each).lower())
        elif str(kind) == "RANGE" and each[1] - each[0] < _FEW:
            letters.update(chr(code).lower() for code in range(each[0], each[1] + 1))
        else:
            return None
    return sorted(letters) if len(letters) <= _FEW else None


def _sequence(items: list[Any]) -> list[str] | None:
    spelled = [""]
    for item in items:
        more = _spelled(item)
        if more is None or len(spelled) * len(more) > _MOST:
            return None
        spelled = [a + b for a, b in product(spelled, more)]
    return spelled


def _tokens(spelled: Iterable[str], *, begins: bool, ends: bool) -> set[Need] | None:
    """Return what to look for, for each spelling: a word that others need too, else its best one, else its longest part of one."""
    every: set[Need] = set()
    for text in sorted(spelled, key=len):
        tokens = list(_TOKEN.finditer(text))
        whole = [
            m.group()
            for m in tokens
            if (begins if m.start() == 0 else text[m.start() - 1] != "_")
            and (ends if m.end() == len(text) else text[m.end()] != "_")
        ]
        parts = [m.group() for m in tokens if len(m.group()) >= _SHORTEST]
        held = [(word, True) for word in whole] + [(part, False) for part in parts]
        if not held:
            return None
        if not any(each in every for each in held):
            every.add(max(held, key=lambda need: (need[0] not in _COMMON, need[1], len(need[0]))))
    return every


def _worth(found: set[Need]) -> tuple[bool, bool, int, int]:
    """Return how much a guard keeps out: words that aren't everywhere first, then whole words, long ones, few."""
    rare = _COMMON.isdisjoint(text for text, _ in found)
    return rare, all(whole for _, whole in found), min(len(text) for text, _ in found), -len(found)


class CuedTable:
    """Many expressions, of which a text is tried on those alone whose words it holds.

    Args:
        patterns: as written, in the order in which they are to be tried. flags: of all of them.
    """

    __slots__ = ("_flags", "_patterns", "_ready")

    def __init__(self, patterns: Iterable[str], flags: re.RegexFlag = re.IGNORECASE) -> None:
        self._patterns: list[str | re.Pattern[str]] = list(patterns)
        self._flags = flags
        self._ready: tuple[int, dict[int, int], list[int]] | None = None

    def _prepared(self) -> tuple[int, dict[int, int], list[int]]:
        """Return the signs of all, the places by sign, and the places of those that need no word that is sure."""
        if self._ready is None:
            by_sign: dict[int, int] = {}
            always: list[int] = []
            for place, pattern in enumerate(self._patterns):
                found = needs(str(pattern), self._flags)
                if found is None:
                    always.append(place)
                else:
                    by_sign[_SIGNS.added(found)] = place
            self._ready = sum(by_sign) | (1 if always else 0), by_sign, always
        return self._ready

    def signs(self) -> int:
        """Return the signs of all expressions; that of every text too where one of them needs no word that is sure."""
        return self._prepared()[0]

    def __getitem__(self, place: int) -> re.Pattern[str]:
        """Return an expression, compiled when it is first asked for."""
        pattern = self._patterns[place]
        if isinstance(pattern, str):
            pattern = self._patterns[place] = re.compile(pattern, self._flags)
        return pattern

    def places(self, text: str) -> Sequence[int]:
        """Return which expressions may match, in their order."""
        every, by_sign, always = self._ready or self._prepared()
        signs = every & _SIGNS.texts[text] & _ALL_BUT_FIRST
        if not signs:
            return always
        held: list[int] = []
        while signs:  # signs rise with the places
            lowest = signs & -signs
            held.append(by_sign[lowest])
            signs ^= lowest
        return sorted((*held, *always)) if always else held


class Cued:
    """An expression that is one of several, tried where what it needs stands; it finds what `|` between them would find.

    Args:
        patterns: at least one. flags: of all of them.
    """

    __slots__ = ("_flags", "_patterns", "_signs", "_table", "_whole")

    def __init__(self, *patterns: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self._patterns, self._flags = patterns, flags
        self._table = CuedTable(patterns, flags)
        self._whole: re.Pattern[str] | None = None
        self._signs = 0

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
        return (self._signs or self._prepared()) & _SIGNS.texts[text] != 0

    def _prepared(self) -> int:
        self._signs = self._table.signs()
        return self._signs

    def search(self, text: str, at: int = 0, stop: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match between two places of a text; of several that begin there, the one named first."""
        if not (self._signs or self._prepared()) & _SIGNS.texts[text]:
            return None
        if len(self._patterns) == 1:
            return (self._whole or self.whole).search(text, at, stop)
        best: re.Match[str] | None = None
        for place in self._table.places(text):
            found = self._table[place].search(text, at, stop)
            if found is not None and (best is None or found.start() < best.start()):
                best = found
        return best

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text, or None."""
        if not (self._signs or self._prepared()) & _SIGNS.texts[text]:
            return None
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
