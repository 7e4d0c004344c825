"""Expressions of many alternatives, compiled so that alternatives which begin alike are tried at once.

`re` tries one alternative after the other, and one that ignores case can't tell by a look that a letter doesn't fit. Here those that
begin with one letter are put under it, in their order, at every depth, and the letter is asked for as itself or its capital: what
matches, and where, stays the same, for alternatives that begin with different letters never match at one place.
"""

import re
from importlib import import_module
from typing import Any

__all__ = ["compiled"]

_PARSER: Any = import_module("re._parser")
_COMPILER: Any = import_module("re._compiler")
_TWO_CASES = frozenset("abcdefghjlmnopqrtuvwxyz")
"""Letters that only themselves and their capitals equal where case is ignored; i, k and s have further ones beyond ASCII."""

_IGNORED = int(re.IGNORECASE)
_FEW = 8
"""Alternatives up to which the order in which they are tried costs less than the grouping."""

Items = list[tuple[Any, Any]]


def compiled(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    r"""Compile an expression; what it finds is what `re.compile` makes it find.

    Args:
        pattern: as written. flags: of it.

    >>> compiled(r"\b(?:high|higher|low|hot)\b", re.IGNORECASE).findall("Higher, hot and lower")
    ['Higher', 'hot']
    """
    if pattern.count("|") < _FEW:
        return re.compile(pattern, flags)
    parsed = _PARSER.parse(pattern, int(flags))
    made = _Grouped(parsed.state).items(list(parsed), ignoring=bool(parsed.state.flags & _IGNORED))
    found: re.Pattern[str] = _COMPILER.compile(_PARSER.SubPattern(parsed.state, made), parsed.state.flags)
    return found


class _Grouped:
    """Puts the alternatives of one parsed expression under the letters that they begin with."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def items(self, items: Items, *, ignoring: bool) -> Items:
        """Return the parts of a sequence with the alternatives within them grouped."""
        return [(name, self._value(str(name), value, ignoring=ignoring)) for name, value in items]

    def _value(self, name: str, value: Any, *, ignoring: bool) -> Any:
        if name == "BRANCH":
            branches = [self.items(list(branch), ignoring=ignoring) for branch in value[1]]
            return value[0], [self._made(branch) for branch in self._by_letter(branches, ignoring=ignoring)]
        if name == "SUBPATTERN":
            group, added, removed, inner = value
            inside = (ignoring or bool(added & _IGNORED)) and not removed & _IGNORED
            return group, added, removed, self._made(self.items(list(inner), ignoring=inside))
        if name in {"MAX_REPEAT", "MIN_REPEAT"}:
            return (*value[:2], self._made(self.items(list(value[2]), ignoring=ignoring)))
        if name in {"ASSERT", "ASSERT_NOT"}:
            return value[0], self._made(self.items(list(value[1]), ignoring=ignoring))
        return value

    def _by_letter(self, branches: list[Items], *, ignoring: bool) -> list[Items]:
        """Return alternatives grouped by their first letters; one that begins otherwise stays between those before and after it."""
        out: list[Items] = []
        run: dict[str, list[Items]] = {}
        for branch in branches:
            letter = _first(branch, ignoring=ignoring)
            if letter:
                run.setdefault(letter, []).append(branch)
            else:
                out.extend(self._group(letter, group, ignoring=ignoring) for letter, group in run.items())
                run = {}
                out.append(branch)
        out.extend(self._group(letter, group, ignoring=ignoring) for letter, group in run.items())
        return out

    def _group(self, letter: str, group: list[Items], *, ignoring: bool) -> Items:
        """Return one alternative that says what a group of them says, its letter first."""
        first = self._letter(letter, ignoring=ignoring) or group[0][0]
        if len(group) == 1:
            return [first, *group[0][1:]]
        rests = self._by_letter([branch[1:] for branch in group], ignoring=ignoring)
        return [first, (_PARSER.BRANCH, (None, [self._made(rest) for rest in rests]))]

    def _letter(self, letter: str, *, ignoring: bool) -> tuple[Any, Any] | None:
        """Return the set of a letter and its capital, which case is not ignored of; None for what is no such letter."""
        if not ignoring or letter not in _TWO_CASES:
            return None
        both = [(_PARSER.LITERAL, ord(letter)), (_PARSER.LITERAL, ord(letter.upper()))]
        return _PARSER.SUBPATTERN, (None, 0, _IGNORED, self._made([(_PARSER.IN, both)]))

    def _made(self, items: Items) -> Any:
        return _PARSER.SubPattern(self.state, items)


def _first(branch: Items, *, ignoring: bool) -> str:
    """Return the sign that an alternative begins with; "" where that is no plain one."""
    if not branch or str(branch[0][0]) != "LITERAL" or branch[0][1] >= 128:
        return ""
    return chr(branch[0][1]).lower() if ignoring else chr(branch[0][1])
