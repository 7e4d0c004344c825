"""Finds the longest phrases of the lexicon in a text, in one pass over its words."""

import re
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from percuss.text.concepts.lexicon import END, Entry, Meaning, Node, lexicon, meaning_of
from percuss.text.frames import CLAUSE, COLON, COMMA, SENTENCE
from percuss.text.words import PAIRS, Keys

__all__ = ["Hit", "Scan", "scan"]


class Hit(NamedTuple):
    """A phrase that was found: its tokens [first, last), its characters [start, stop), what it may stand for."""

    first: int
    last: int
    start: int
    stop: int
    meaning: Meaning


class Scan(NamedTuple):
    """A text as tokens with what was found in it.

    Args:
        words: tokens as written. starts: where each begins.
        marks: token -> weight of the gap after it, where it is a comma or more.
        hits: phrases found, in order, not overlapping.
    """

    words: list[str]
    starts: list[int]
    marks: dict[int, int]
    hits: list[Hit]


class _Gaps(dict[str, int]):
    """Weight of the gap between two words, by what stands there."""

    def __missing__(self, gap: str) -> int:
        if len(self) > 20_000:
            self.clear()
        weight = self[gap] = _weight(gap)
        return weight


_SENTENCE = re.compile(r"[.!?…]\W*\s|[.!?…]\W*$|\n\s*\n|\n\s*[-*•>#|]|\n")
_CLAUSE = re.compile(r"[;|]|\s[-–—]+\s|—")
_COMMA = re.compile(r",(?!\d)|[()\[\]]")
_JOINING = re.compile(r"[ \u00a0]?[-–‑/'’*:(.+%]?[ \u00a0]?|\s{1,3}|,|\)\s?|-?\(")
_WEIGHTS = _Gaps()
_JOINED: dict[str, bool] = {}
_ABBREVIATED = frozenset(
    "dr mr mrs ms vs fig no approx e g i pt hx st jr sr al cf ca s c spp wt ht temp resp".split()
)


def _weight(gap: str) -> int:
    if gap in {".", ":", "'", "-"}:
        return 0  # "5.9", "1:80", "X-ray"
    if _SENTENCE.search(gap):
        return SENTENCE
    if _CLAUSE.search(gap):
        return CLAUSE
    if ":" in gap:
        return COLON
    return COMMA if _COMMA.search(gap) else 0


def _joins(gap: str) -> bool:
    """Tell whether two words with this gap may be parts of one phrase."""
    known = _JOINED.get(gap)
    if known is None:
        if len(_JOINED) > 20_000:
            _JOINED.clear()
        known = _JOINED[gap] = (
            len(gap) <= 4 and _JOINING.fullmatch(gap) is not None and ". " not in gap and ": " not in gap
        )
    return known


@lru_cache(maxsize=1024)
def scan(text: str) -> Scan:
    """Return the tokens of a text and the longest phrases of the lexicon in it, left to right; nobody changes what is returned.

    Args:
        text: any text; offsets are into it.
    """
    pairs = PAIRS.findall(text)
    words = [word for word, _ in pairs]
    gaps = [gap for _, gap in pairs]
    starts = list(accumulate([len(word) + len(gap) for word, gap in pairs[:-1]], initial=_lead(text)))
    weights = _WEIGHTS
    marks = {
        place: weights[gap]
        for place, gap in enumerate(gaps)
        if gap != " " and weights[gap] and not (gap[:1] == "." and _abbreviated(words, gaps, place))
    }
    known = lexicon()
    firsts, keys = known.firsts, known.keys
    hits: list[Hit] = []
    free, last = 0, len(words) - 1
    for place, word in enumerate(words):
        node = firsts[word]
        if node is None or place < free:
            continue
        if END not in node and (
            place == last or ((after := words[place + 1]) != "s" and keys[after] not in node)
        ):
            continue  # it begins longer phrases, none of which goes on so
        hit = _longest(text, words, gaps, starts, place, node, keys)
        if hit is not None:
            hits.append(hit)
            free = hit.last
    return Scan(words, starts if words else [], marks, hits)


def _lead(text: str) -> int:
    if text[:1].isalnum():
        return 0
    match = PAIRS.search(text)
    return match.start() if match else 0


def _abbreviated(words: list[str], gaps: list[str], place: int) -> bool:
    """Tell whether the full stop after a token belongs to it: "Dr. Smith", "E. coli"; the last token ends the text anyway."""
    gap = gaps[place]
    if not gap.startswith(".") or gap.strip() != "." or place + 1 >= len(words):
        return False
    word = words[place]
    following = words[place + 1]
    return word.lower() in _ABBREVIATED or (
        len(word) == 1 and word.isalpha() and word.isupper() and following[:1].islower()
    )


def _longest(
    text: str, words: list[str], gaps: list[str], starts: list[int], place: int, node: Node, keys: Keys
) -> Hit | None:
    best: Meaning | None = None
    current, count = node, len(words)
    at = last = place
    while True:
        ended = current.get(END)
        if ended is not None:
            if ended.__class__ is tuple:
                ended = current[END] = meaning_of(ended)
            fitting = _fitting(text, words, starts, place, at, ended) if ended.exact else ended
            if fitting is not None:
                best, last = fitting, at
            if len(current) == 1:
                break
        following = at + 1
        if following >= count or (gaps[at] != " " and not _joins(gaps[at])):
            break
        if words[following] == "s" and gaps[at] in {"'", "’"}:
            following += 1
            if following >= count or not _joins(gaps[following - 1]):
                break
        below = current.get(keys[words[following]])
        if below is None:
            break
        current, at = below, following
    return (
        None if best is None else Hit(place, last + 1, starts[place], starts[last] + len(words[last]), best)
    )


def _fitting(
    text: str, words: list[str], starts: list[int], first: int, last: int, meant: Meaning
) -> Meaning | None:
    """Return what fits the spelling: abbreviations that are words otherwise count only as written; None where nothing does."""
    stop = starts[last] + len(words[last])
    written = text[starts[first] : stop]
    kept: list[Entry] = []
    for entry in meant.entries:
        exact = entry.exact
        if not exact or _same(written, exact) or (written.endswith("s") and _same(written[:-1], exact)):
            if exact and exact[-1] in "+-" and text[stop : stop + 1] != exact[-1]:
                continue
            kept.append(entry)
    if len(kept) == len(meant.entries) and len(kept) == 1:
        return meant
    as_written = tuple(entry for entry in kept if entry.exact == written)
    chosen = as_written or tuple(kept)
    return meaning_of(chosen) if chosen else None


def _same(written: str, exact: str) -> bool:
    return written == exact or re.sub(r"[\W_]", "", written) == re.sub(r"[\W_]", "", exact)
