"""Field binding: which field of the packet a number of a claim is about."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from percuss.evidence.concepts import phrases
from percuss.evidence.lexicon import LAYER
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.compare import Measure

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
_ID = re.compile(r"(?:^|_)(?:id|name|label)$", re.IGNORECASE)


class Mention(NamedTuple):
    """Words of a claim that name fields of the packet."""

    start: int
    stop: int
    facts: tuple[Fact, ...]


class FieldBook:
    """The names of a packet's numeric and empty fields, made ready to be found in a claim.

    Args:
        packet: its facts are named by `concepts.phrases`, list items also by the identifier beside them (tile_183).
    """

    __slots__ = ("_meant", "_named", "_pattern", "by_unit", "contributions")

    def __init__(self, packet: Packet) -> None:
        self._named: list[tuple[re.Pattern[str], Fact]] = []
        self._meant: dict[str, tuple[Fact, ...]] = {}
        self.contributions: dict[str, list[Fact]] = {}
        self.by_unit: dict[str, list[Fact]] = {}
        patterns: dict[str, None] = {}
        for fact in packet.facts:
            if isinstance(fact.value, bool | str):
                continue
            self._file_by_unit(fact)
            for words in (*phrases(fact.path), *_identifiers(fact, packet)):
                if words.startswith("@"):
                    self.contributions.setdefault(words[1:], []).append(fact)
                    continue
                patterns[words] = None
                self._named.append((_compiled(words), fact))
        ordered = sorted(patterns, key=len, reverse=True)
        self._pattern = _union(tuple(ordered)) if ordered else None

    def _file_by_unit(self, fact: Fact) -> None:
        leaf = fact.leaf.lower()
        for prefix, unit in (("age", "y"), ("pack_years", "pack-y"), ("tmb", "mut/Mb")):
            if leaf.startswith(prefix):
                self.by_unit.setdefault(unit, []).append(fact)

    def mentions(self, claim: str) -> list[Mention]:
        """Return the mentions of fields in a claim, in order, without overlap."""
        found = []
        if self._pattern is not None:
            for match in self._pattern.finditer(claim):
                facts = self._facts(match.group())
                if facts:
                    found.append(Mention(match.start(), match.end(), facts))
        if self.contributions and _CONTRIBUTION.search(claim):
            found.extend(self._contributors(claim, found))
            found.sort()
        return found

    def _facts(self, words: str) -> tuple[Fact, ...]:
        words = words.lower()
        meant = self._meant.get(words)
        if meant is None:
            meant = tuple({id(f): f for pattern, f in self._named if pattern.fullmatch(words)}.values())
            self._meant[words] = meant
        return meant

    def _contributors(self, claim: str, found: list[Mention]) -> Iterable[Mention]:
        taken = [(mention.start, mention.stop) for mention in found]
        for match in LAYER.finditer(claim):
            facts = self.contributions.get(match.lastgroup or "")
            if facts and not any(low < match.end() and match.start() < high for low, high in taken):
                yield Mention(match.start(), match.end(), tuple(facts))


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
    if unit not in book.by_unit:
        return ()
    if unit == "y" and not _OLD.match(claim, measure.stop):
        return ()
    return tuple(book.by_unit[unit])


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
    for mention in reversed(mentions):
        if mention.stop > start:
            continue
        gap = claim[mention.stop : start]
        blocked = len(gap) > _BEFORE or _SEPARATOR.search(gap) or _crossed(mention.stop, start, places)
        return None if blocked else mention
    return None


def _mention_after(
    claim: str, stop: int, mentions: list[Mention], places: list[tuple[int, int]]
) -> Mention | None:
    """Return the field named after a number. "60% of the score is pathology": a share *of* something isn't its value."""
    share = _OF.match(claim, stop) is not None
    limit = _AFTER_OF if share else _AFTER
    for mention in mentions:
        if mention.start < stop:
            continue
        gap = claim[stop : mention.start]
        if len(gap) > limit or _SEPARATOR.search(gap) or _crossed(stop, mention.start, places):
            return None
        if share and len(gap) <= len(" of the ") and mention.stop < len(claim):
            continue
        return mention
    return None


def _crossed(low: int, high: int, places: list[tuple[int, int]]) -> bool:
    return any(low <= start and stop <= high for start, stop in places)


def _is_close(gap: str) -> bool:
    return all(word.lower() in _CLOSE_WORD for word in _WORD.findall(gap))


def _identifiers(fact: Fact, packet: Packet) -> tuple[str, ...]:
    """Return the identifiers beside a list item's value: the score of tile_183 is named by "tile_183"."""
    parent, _, _ = fact.path.rpartition(".")
    if not parent.rpartition(".")[2].isdigit():
        return ()
    beside = (other for other in packet.facts if other.path.rpartition(".")[0] == parent)
    return tuple(
        re.escape(other.value.lower())
        for other in beside
        if isinstance(other.value, str) and _ID.search(other.leaf) and len(other.value) < 40
    )


_UNIONS: dict[tuple[str, ...], re.Pattern[str]] = {}
_WORDS: dict[str, re.Pattern[str]] = {}


def _union(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile one pattern of all names; cases of a cohort share it."""
    held = _UNIONS.get(patterns)
    if held is None:
        if len(_UNIONS) >= 256:
            _UNIONS.clear()
        held = re.compile(rf"(?<![\w\u2010\u2011-])(?:{'|'.join(patterns)})(?!\w){_THERAPY}", re.IGNORECASE)
        _UNIONS[patterns] = held
    return held


def _compiled(words: str) -> re.Pattern[str]:
    held = _WORDS.get(words)
    if held is None:
        held = _WORDS[words] = re.compile(words, re.IGNORECASE)
    return held
