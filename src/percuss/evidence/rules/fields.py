"""Field binding: which field of the packet a number of a claim is about."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from percuss.evidence.concepts import phrases
from percuss.evidence.packet import Fact, Packet, leaf_of
from percuss.evidence.rules.compare import Measure
from percuss.text.lexicon import LAYER

__all__ = ["FieldBook", "Mention", "bindings"]

_CONTRIBUTION = re.compile(
    r"\b(?:contribut\w*|weight(?:s|ed|ing)?|account(?:s|ed|ing)? for|driven by|drives?|share of|comes? from|of the (?:\w+ ){0,2}score)\b",
    re.IGNORECASE,
)
_THERAPY = r"(?![\s-]{0,2}(?:\w{1,12}[\s-])?(?:blockade|inhibit|therap|antibod|agent|directed|targeted|axis|checkpoint))"
_SEPARATOR = re.compile(
    r"[,;]|\b(?:and|while|whereas|versus|vs|but|plus|with|compared|than the|nor)\b", re.IGNORECASE
)
_CLOSE_WORD = frozenset(
    "is was of at about approximately roughly around a an fraction level value score z content estimated equals equal the "
    "expression scored approx nearly stands to s by contributed contributes contribution measured reported percentage percent "
    "signal evidence".split()
)
_WORD = re.compile(r"[A-Za-z]+")
_OF = re.compile(r"\s?of\b")
_OLD = re.compile(r"[\s-]{0,2}(?:old|of age)\b", re.IGNORECASE)
_BEFORE, _AFTER, _AFTER_OF = 60, 25, 45
_WEAK = re.compile(r"scored?", re.IGNORECASE)
"""A word that says only what kind of number follows: in "CD8A score" it is CD8A's."""
_MEANT = 4096
_LONGEST_ID = 40
_ID = re.compile(r"(?:^|_)(?:id|name|label)$", re.IGNORECASE)


class Mention(NamedTuple):
    """Words of a claim that name fields of the packet."""

    start: int
    stop: int
    facts: tuple[Fact, ...]


class _Names:
    """The names of a set of paths, compiled once; the cases of a cohort share it.

    Args:
        paths: of the numeric and empty facts.
        identifiers: (path, identifier beside it): the score of tile_183 is named by "tile_183".
    """

    __slots__ = ("_meant", "_named", "by_unit", "contributions", "pattern")

    def __init__(self, paths: tuple[str, ...], identifiers: tuple[tuple[str, str], ...]) -> None:
        named = [(words, path) for path in paths for words in phrases(path)]
        self.contributions: dict[str, list[str]] = {}
        for words, path in named:
            if words.startswith("@"):
                self.contributions.setdefault(words[1:], []).append(path)
        named = [each for each in named if not each[0].startswith("@")]
        named += [(re.escape(words.lower()), path) for path, words in identifiers]
        self._named = [(re.compile(words, re.IGNORECASE), path) for words, path in named]
        self._meant: dict[str, tuple[str, ...]] = {}
        self.by_unit: dict[str, list[str]] = {}
        for path in paths:
            leaf = leaf_of(path).lower()
            for prefix, unit in (("age", "y"), ("pack_years", "pack-y"), ("tmb", "mut/Mb")):
                if leaf.startswith(prefix):
                    self.by_unit.setdefault(unit, []).append(path)
        ordered = sorted({words for words, _ in named}, key=lambda words: (-len(words), words))
        union = rf"(?<![\w\u2010\u2011-])(?:{'|'.join(ordered)})(?!\w){_THERAPY}"
        self.pattern = re.compile(union, re.IGNORECASE) if ordered else None

    def meant(self, words: str) -> tuple[str, ...]:
        """Return the paths that words of a claim name."""
        words = words.lower()
        held = self._meant.get(words)
        if held is None:
            if len(self._meant) > _MEANT:
                self._meant.clear()
            held = tuple(dict.fromkeys(path for pattern, path in self._named if pattern.fullmatch(words)))
            self._meant[words] = held
        return held


@lru_cache(maxsize=256)
def _names(paths: tuple[str, ...], identifiers: tuple[tuple[str, str], ...]) -> _Names:
    return _Names(paths, identifiers)


class FieldBook:
    """The names of a packet's numeric and empty fields, made ready to be found in a claim.

    Args:
        packet: its facts are named by `concepts.phrases`, list items also by the identifier beside them (tile_183).
    """

    __slots__ = ("_facts", "_names")

    def __init__(self, packet: Packet) -> None:
        self._facts = {fact.path: fact for fact in packet.facts if not isinstance(fact.value, bool | str)}
        self._names = _names(tuple(self._facts), tuple(_identifiers(packet, self._facts)))

    def measured_in(self, unit: str) -> tuple[Fact, ...]:
        """Return the facts that a unit alone names: years the age, pack-years the exposure."""
        return tuple(self._facts[path] for path in self._names.by_unit.get(unit, ()))

    def mentions(self, claim: str) -> list[Mention]:
        """Return the mentions of fields in a claim, in order, without overlap."""
        found: list[Mention] = []
        if self._names.pattern is not None:
            for match in self._names.pattern.finditer(claim):
                paths = self._names.meant(match.group())
                weak = found and match.start() - found[-1].stop <= 1 and _WEAK.fullmatch(match.group())
                if paths and not weak:
                    found.append(
                        Mention(match.start(), match.end(), tuple(self._facts[path] for path in paths))
                    )
        if self._names.contributions and _CONTRIBUTION.search(claim):
            found.extend(self._contributors(claim, found))
            found.sort(key=lambda mention: mention.start)
        return found

    def _contributors(self, claim: str, found: list[Mention]) -> list[Mention]:
        taken = [(mention.start, mention.stop) for mention in found]
        extra = []
        for match in LAYER.finditer(claim):
            paths = self._names.contributions.get(match.lastgroup or "")
            if paths and not any(low < match.end() and match.start() < high for low, high in taken):
                extra.append(Mention(match.start(), match.end(), tuple(self._facts[path] for path in paths)))
        return extra


def _identifiers(packet: Packet, facts: dict[str, Fact]) -> Iterator[tuple[str, str]]:
    """Yield (path, identifier) of values in list items that carry an identifier beside them."""
    named = {
        fact.path.rpartition(".")[0]: fact.value
        for fact in packet.facts
        if isinstance(fact.value, str) and _ID.search(fact.leaf) and len(fact.value) < _LONGEST_ID
    }
    for path in facts if named else ():
        parent = path.rpartition(".")[0]
        if parent in named and parent.rpartition(".")[2].isdigit():
            yield path, named[parent]


def bindings(claim: str, measures: list[Measure], book: FieldBook) -> list[tuple[Fact, ...]]:
    """Return, for each measure, the facts that the claim's words tie it to; () where it is tied to none.

    Args:
        claim: the claim.
        measures: its numbers, in order.
        book: of the packet.
    """
    if not measures:
        return []
    mentions = book.mentions(claim)
    listed = _respectively(claim, measures, mentions)
    if listed is not None:
        return listed
    places = [(measure.quantity.start, measure.stop) for measure in measures]
    bound = []
    for measure in measures:
        by_unit = _by_unit(claim, measure, book)
        bound.append(by_unit or _nearest(claim, measure, mentions, places))
    return bound


def _respectively(
    claim: str, measures: list[Measure], mentions: list[Mention]
) -> list[tuple[Fact, ...]] | None:
    """Pair "A, B and C are 1, 2 and 3, respectively"."""
    if "respectively" not in claim.lower() or len(measures) != len(mentions):
        return None
    return [mention.facts for mention in mentions]


def _by_unit(claim: str, measure: Measure, book: FieldBook) -> tuple[Fact, ...]:
    """A unit can name the field: 46-year-old, 60 pack-years, 8 mutations/Mb."""
    unit = measure.quantity.unit
    if not unit or (unit == "y" and not _OLD.match(claim, measure.stop)):
        return ()
    return book.measured_in(unit)


def _nearest(
    claim: str, measure: Measure, mentions: list[Mention], places: list[tuple[int, int]]
) -> tuple[Fact, ...]:
    start, stop = measure.quantity.start, measure.stop
    before = _mention_before(claim, start, mentions, places)
    after = _mention_after(claim, stop, mentions, places)
    if before is not None and (after is None or _is_close(claim[before.stop : start])):
        return before.facts
    if after is not None and (before is None or after.start - stop <= 1):
        return after.facts
    return before.facts if before is not None else ()


def _mention_before(
    claim: str, start: int, mentions: list[Mention], places: list[tuple[int, int]]
) -> Mention | None:
    at = bisect_right(mentions, start, key=lambda mention: mention.stop) - 1
    if at < 0:
        return None
    mention = mentions[at]
    gap = claim[mention.stop : start]
    blocked = len(gap) > _BEFORE or _SEPARATOR.search(gap) or _crossed(mention.stop, start, places)
    return None if blocked else mention


def _mention_after(
    claim: str, stop: int, mentions: list[Mention], places: list[tuple[int, int]]
) -> Mention | None:
    """Return the field named after a number. "60% of the score is pathology": a share *of* something isn't its value."""
    share = _OF.match(claim, stop) is not None
    limit = _AFTER_OF if share else _AFTER
    for mention in islice(mentions, bisect_left(mentions, stop, key=lambda mention: mention.start), None):
        gap = claim[stop : mention.start]
        if len(gap) > limit or _SEPARATOR.search(gap) or _crossed(stop, mention.start, places):
            return None
        if share and len(gap) <= len(" of the ") and mention.stop < len(claim):
            continue
        return mention
    return None


def _crossed(low: int, high: int, places: list[tuple[int, int]]) -> bool:
    at = bisect_left(places, (low, low))
    return at < len(places) and places[at][1] <= high


def _is_close(gap: str) -> bool:
    return all(word.lower() in _CLOSE_WORD for word in _WORD.findall(gap))
