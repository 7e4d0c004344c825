"""Mentions of concepts in a text, each with its qualifiers and the frame that it stands in."""

import re
from functools import lru_cache
from typing import NamedTuple

from percuss.core.strict import Record
from percuss.text.concepts.lexicon import Entry
from percuss.text.concepts.matching import Hit, Scan, scan
from percuss.text.concepts.table import concepts
from percuss.text.frames import COLON, COMMA, SENTENCE, Cue, Item, frames_of

__all__ = ["Mention", "Qualifier", "Sentence", "mentions", "sentences_of"]

Qualifier = tuple[str, str]
"""(dimension, value): ("side", "left"), ("type", "2"), ("course", "acute")."""


class Mention(Record):
    """A place where a text names a concept.

    Args:
        start, stop: its place. text: what stands there.
        concept: canonical name. kind: of the concept.
        others: further concepts that the abbreviation may mean; () = none.
        ambiguous: an abbreviation that means other things too, that the table doesn't hold.
        qualifiers: (dimension, value) pairs beside it that change what it is, sorted.
        site: anatomical concepts that it is said to lie in.
        frames: "negated", "possible", "historical", "family" and the like, sorted; () = asserted of the patient now.
        spans: places of the qualifiers and sites.
    """

    start: int
    stop: int
    text: str
    concept: str
    kind: str
    others: tuple[str, ...] = ()
    ambiguous: bool = False
    qualifiers: tuple[Qualifier, ...] = ()
    site: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


class Sentence(NamedTuple):
    """One sentence as tokens [first, last) with its hits."""

    first: int
    last: int
    hits: list[Hit]


_NUMBER_NEAR = re.compile(r"[+]?\s?(?:level|levels|was|is|of|at|=|:|-)?\s?(?:was|is|of)?\s?[<>≤≥~]?\s?-?\d")
_FILLERS = frozenset("wall sided of the type segment dose stage grade onset b a".split())
_SITED = frozenset(
    {
        "in",
        "of",
        "at",
        "on",
        "within",
        "over",
        "involving",
        "to",
        "involves",
        "affecting",
        "the",
        "both",
        "his",
        "her",
        "and",
    }
)
_LONGER = re.compile(r"-[A-Z0-9]")
_PLUS = re.compile(r"\s?\(?(\+{1,3}|\(\+\)|\(-\)|\(−\))")
_LASTING = re.compile(
    r"[^.;]{0,24}?\b(?:for|since|over)\s(?:the\s(?:past|last)\s)?[\w-]+\s(?:hours?|days?|weeks?)\b",
    re.IGNORECASE,
)
_HEADS = frozenset({"finding", "diagnosis", "procedure", "test"})


@lru_cache(maxsize=1024)
def mentions(text: str) -> tuple[Mention, ...]:
    """Return the mentions of concepts in a text, in order.

    Args:
        text: any text; each mention's `text` is `text[start:stop]`.

    >>> [(m.concept, m.qualifiers, m.frames) for m in mentions("No acute inferior myocardial infarction")]
    [('myocardial infarction', (('course', 'acute'), ('wall', 'inferior')), ('negated',))]
    """
    return tuple(mention for _, found in read_mentions(text) for mention, _ in found)


def sentences_of(found: Scan) -> list[Sentence]:
    """Return a scan's sentences."""
    ends = [place + 1 for place, weight in found.marks.items() if weight == SENTENCE]
    count = len(found.words)
    if not ends or ends[-1] != count:
        ends.append(count)
    if len(ends) == 1:
        return [Sentence(0, count, found.hits)]
    sentences: list[Sentence] = []
    first, place, hits = 0, 0, found.hits
    for last in ends:
        inside = []
        while place < len(hits) and hits[place].first < last:
            inside.append(hits[place])
            place += 1
        sentences.append(Sentence(first, last, inside))
        first = last
    return sentences


@lru_cache(maxsize=1024)
def read_mentions(text: str) -> list[tuple[Sentence, list[tuple[Mention, Hit]]]]:
    """Return each sentence with its mentions and the hits they come from; nobody changes what is returned."""
    found = scan(text)
    return [(sentence, _in_sentence(text, found, sentence)) for sentence in sentences_of(found)]


def _in_sentence(text: str, found: Scan, sentence: Sentence) -> list[tuple[Mention, Hit]]:
    chosen: list[tuple[Hit, tuple[Entry, ...]]] = []
    places: list[int] = []
    cues: list[Cue] = []
    offset = sentence.first
    for place, hit in enumerate(sentence.hits):
        named = _concepts(text, hit) if hit.meaning.named else ()
        if named:
            chosen.append((hit, named))
            places.append(place)
        if hit.meaning.triggers:
            cues.extend(
                Cue(hit.first - offset, hit.last - offset, entry.frame, entry.reach)  # type: ignore[arg-type]
                for entry in _cues(text, hit)
                if not (named and entry.frame == ("ends",))
            )
    if not chosen:
        return []
    frames = _frames(text, found, sentence, [hit for hit, _ in chosen], cues)
    return [
        (_mention(text, found, sentence, place, named, framed), hit)
        for place, (hit, named), framed in zip(places, chosen, frames, strict=True)
    ]


def _concepts(text: str, hit: Hit) -> tuple[Entry, ...]:
    """Return the concept entries of a hit; abbreviations like "K" only beside a number, and none that are part of a longer code."""
    named = hit.meaning.named
    if not named:
        return named
    if (
        text[hit.stop : hit.stop + 1] == "-"
        and _LONGER.match(text, hit.stop)
        and text[hit.stop - 1].isupper()
    ):
        return ()
    if not hit.meaning.numbered:
        return named
    sure = tuple(entry for entry in named if entry.flag != "number")
    if _NUMBER_NEAR.match(text, hit.stop):
        return (*sure, *(entry for entry in named if entry.flag == "number"))
    return sure


def _cues(text: str, hit: Hit) -> tuple[Entry, ...]:
    """Return the triggers of a hit; "rules out" and "rule out" have one key and are told apart as written."""
    found = hit.meaning.triggers
    if not found:
        return found
    written = text[hit.start : hit.stop].lower()
    as_written = tuple(entry for entry in found if entry.name == written)
    return as_written or tuple(entry for entry in found if entry.frame != ("ends",))


def _frames(
    text: str, found: Scan, sentence: Sentence, hits: list[Hit], cues: list[Cue]
) -> list[frozenset[str]]:
    if not cues and "had" not in text and "underwent" not in text and "suffered" not in text:
        return (
            [_by_sign(text, hit, frozenset()) for hit in hits] if "(" in text else [frozenset()] * len(hits)
        )
    offset, last = sentence.first, sentence.last
    items = [Item(hit.first - offset, hit.last - offset) for hit in hits]
    words = [word.lower() for word in found.words[offset:last]]
    marks = {place - offset: weight for place, weight in found.marks.items() if offset <= place < last - 1}
    framed = frames_of(items, cues, words, marks)
    return [_by_sign(text, hit, frames) for hit, frames in zip(hits, framed, strict=True)]


def _by_sign(text: str, hit: Hit, frames: frozenset[str]) -> frozenset[str]:
    """Read "jaundice (-)" as denied."""
    if text[hit.stop : hit.stop + 2].strip().startswith("("):
        sign = _PLUS.match(text, hit.stop)
        if sign and "+" not in sign.group():
            return frames | {"negated"}
    return frames


def _mention(
    text: str, found: Scan, sentence: Sentence, place: int, named: tuple[Entry, ...], frames: frozenset[str]
) -> Mention:
    hit, first = sentence.hits[place], named[0]
    kind = concepts()[first.name].kind
    names = (first.name,) if len(named) == 1 else tuple(dict.fromkeys(entry.name for entry in named))
    qualifiers, spans = _qualifiers(found, sentence, place)
    site: tuple[str, ...] = ()
    if kind in _HEADS:
        site, sided, places = _site(found, sentence, place)
        if sided:
            qualifiers.update({pair for pair in sided if pair[0] not in {q[0] for q in qualifiers}})
        spans.extend(places)
    if "historical" in frames and kind == "finding" and _LASTING.match(text, hit.stop):
        frames -= {"historical"}
    if "stopped" in frames and kind not in {"drug", "drug_class", "procedure", "finding"}:
        frames -= {"stopped"}
    return Mention(
        start=hit.start, stop=hit.stop, text=text[hit.start : hit.stop], concept=first.name, kind=kind, others=names[1:],
        ambiguous=first.flag == "ambiguous", qualifiers=tuple(sorted(qualifiers)) if qualifiers else (), site=site,
        frames=tuple(sorted(frames)) if frames else (), spans=tuple(sorted(spans)) if spans else (),
    )  # fmt: skip


def _qualifiers(found: Scan, sentence: Sentence, place: int) -> tuple[set[Qualifier], list[tuple[int, int]]]:
    """Collect the qualifiers right before a mention, with up to two words between that mean nothing of their own."""
    kept: set[Qualifier] = set()
    spans: list[tuple[int, int]] = []
    hits = sentence.hits
    hit = hits[place]
    at = hit.first
    for before in range(place - 1, -1, -1):
        other = hits[before]
        if not other.meaning.qualifiers and not other.meaning.anatomy:
            break
        gap = found.words[other.last : at]
        crossed = any(found.marks.get(k, 0) >= COLON for k in range(other.last - 1, at))
        if crossed or len(gap) > 2 or any(word.lower() not in _FILLERS for word in gap):
            break
        if other.meaning.qualifiers:
            kept.update(other.meaning.qualifiers)
            spans.append((other.start, other.stop))
        at = other.first
    after = hits[place + 1] if place + 1 < len(hits) else None
    if (
        after is not None
        and after.meaning.qualifiers
        and after.first == hit.last
        and found.marks.get(hit.last - 1, 0) < COMMA
    ):
        following = hits[place + 2] if place + 2 < len(hits) else None
        leads = following is not None and following.first == after.last and bool(following.meaning.named)
        for dimension, value in after.meaning.qualifiers:
            if dimension in {"type", "grade", "side"} and not leads:
                kept.add((dimension, value))
                spans.append((after.start, after.stop))
    return kept, spans


def _site(
    found: Scan, sentence: Sentence, place: int
) -> tuple[tuple[str, ...], set[Qualifier], list[tuple[int, int]]]:
    """Read where it is: "effusion in the left lung", "left knee pain" has its side already."""
    names: list[str] = []
    sided: set[Qualifier] = set()
    spans: list[tuple[int, int]] = []
    at = sentence.hits[place].last
    pending: list[tuple[Qualifier, tuple[int, int]]] = []
    for after in range(place + 1, len(sentence.hits)):
        other = sentence.hits[after]
        if not other.meaning.anatomy and not other.meaning.qualifiers:
            break
        gap = [word.lower() for word in found.words[at : other.first]]
        if any(found.marks.get(k, 0) >= COMMA for k in range(at - 1, other.first)) or any(
            word not in _SITED for word in gap
        ):
            break
        if not names and not pending and not gap:
            break  # "left" right after a mention belongs to what follows
        at = other.last
        if other.meaning.anatomy:
            names.append(other.meaning.anatomy)
            spans.append((other.start, other.stop))
            sided.update(pair for pair, _ in pending)
            spans.extend(span for _, span in pending)
            pending = []
        else:
            pending.append((other.meaning.qualifiers[0], (other.start, other.stop)))
    before = _before(found, sentence, place)
    if before is not None:
        names.insert(0, before[0])
        spans.append(before[1])
    return tuple(dict.fromkeys(names)), sided, spans


def _before(found: Scan, sentence: Sentence, place: int) -> tuple[str, tuple[int, int]] | None:
    """Return the anatomy right before a mention: "knee swelling"."""
    if not place:
        return None
    other, hit = sentence.hits[place - 1], sentence.hits[place]
    if other.last != hit.first or found.marks.get(other.last - 1, 0) >= COMMA:
        return None
    return (other.meaning.anatomy, (other.start, other.stop)) if other.meaning.anatomy else None
