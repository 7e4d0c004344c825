"""Claims of one thing with what qualifies it, held against the entries that note it: "a 7 mm stone at the right VUJ", "no free fluid"."""

import re
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.noted import Noted, noted, tokens
from percuss.evidence.rules.support2.spoken.slots import Slots, Stands, same_day, slots_of
from percuss.text.concepts import concept, mentions

__all__ = ["by_entries"]

_OPPOSITES = (
    {"upper", "lower", "middle"}, {"anterior", "posterior"}, {"medial", "lateral"}, {"proximal", "distal"}, {"systolic", "diastolic"}, {"apex", "base"}, {"superior", "inferior"},
    {"frontal", "parietal", "occipital", "temporal"}, {"aortic", "mitral", "tricuspid", "pulmonic"},
)  # fmt: skip
_PART = {
    "valve": {"stenos", "regurgitation"},
    "kidney": {"hydronephros", "cyst"},
    "ureter": {"stone"},
    "lung": {"pneumothorax", "consolidation"},
    "ankle": {"edema"},
    "eye": {"retinopathy"},
    "bone": {"fracture"},
    "skull": {"fracture"},
    "brain": {"hematoma"},
}
"""Parts of the body that a name of a thing implies."""
_PLACES = frozenset(
    {"base", "apex", "zone", "lobe", "upper", "lower", "middle", "hilum", "region", "quadrant"}
)
_SPLIT = re.compile(r"\s+and\s+(?:no\s+)?|\s+or\s+|,\s+(?:and\s+)?(?:no\s+)?|\s+nor\s+")
_WHERE = re.compile(r"\s(?:in|within|of)\sthe\s(?P<of>[a-z]+(?:\s(?:or|and)\s[a-z]+)?)$")
_STARTS = re.compile(r"^(?:there\s(?:is|was|are|were)\s)?no\s", re.IGNORECASE)


def by_entries(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of one thing stands to the entries of it; None where it says more, or they can't tell.

    Args:
        claim: the claim's text. packet: as it was given, not brought to another shape.

    >>> held = Packet.of_layers({"imaging": [{"finding": "renal cyst", "side": "left", "size_mm": 22, "present": True}]})
    >>> by_entries("A 22 mm cyst in the right kidney.", held).label
    'contradicted'
    """
    every = noted(packet)
    if not every or not _names(claim, packet):
        return None
    pieces = _pieces(claim)
    if pieces is None:
        said = slots_of(claim)
        return _read(said, every) if said is not None else None
    found = [_read(said, every) if (said := slots_of(piece)) is not None else None for piece in pieces]
    if any(each is None for each in found):
        return None
    wrong = [each for each in found if each is not None and each.label != "supported"]
    first = wrong[0] if wrong else found[0]
    return first if first is None or len(wrong) in {0, len(found)} else first._replace(label="partial")


def _names(claim: str, packet: Packet) -> bool:
    """Tell whether a claim holds a word or a thing that an entry is named by."""
    words, things = _named(packet)
    return not words.isdisjoint(tokens(claim)) or any(m.concept in things for m in mentions(claim))


@lru_cache(maxsize=512)
def _named(packet: Packet) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words and the things that the entries of a packet are named by."""
    every = noted(packet)
    words = {word for each in every for word in (each.words if each.head == "tumor" else (each.head,))}
    return frozenset(words), frozenset(name for each in every for name in each.concepts)


def _pieces(claim: str) -> list[str] | None:
    """Return the denials of a claim that denies several things, one by one; None for any other claim."""
    text = claim.strip().rstrip(". ")
    if not _STARTS.match(text):
        return None
    where = _WHERE.search(text)
    if where is not None and all(_is_place(word) for word in re.split(r"\s(?:or|and)\s", where["of"])):
        text = text[: where.start()]
    parts = _SPLIT.split(_STARTS.sub("", text))
    return [f"no {part}" for part in parts] if len(parts) > 1 else None


def _is_place(word: str) -> bool:
    named = mentions(word)
    known = concept(named[0].concept) if len(named) == 1 else None
    return word in _PLACES or (known is not None and known.kind == "anatomy")


def _read(said: Slots, every: tuple[Noted, ...]) -> Fielded | None:
    known = [(each, rest) for each in every if (rest := _rest(said, each)) is not None]
    if len({each.name.lower() for each, _ in known}) > 1:
        whole = [(each, rest) for each, rest in known if each.words <= said.words or _by_concept(said, each)]
        known = whole if len({each.name.lower() for each, _ in whole}) == 1 else []
    studied = [(each, rest) for each, rest in known if not rest & _STUDIES]
    if not studied:
        return None
    day = _day(said, every)
    if day is None:
        return None
    held = [(each, _stands(said, each, rest, day)) for each, rest in studied]
    return _denial(said, held) if said.denies else _statement(said, held)


_TRACE = (1, 1)
_STUDIES = frozenset({"xray", "ct", "mri", "ultrasound", "echo", "ecg", "mammography"})


def _by_concept(said: Slots, each: Noted) -> bool:
    return any(name in each.concepts for name, _ in said.concepts)


def _rest(said: Slots, each: Noted) -> frozenset[str] | None:
    """Return the words of a claim that an entry of the same thing doesn't hold; None where it is another thing."""
    same = _by_concept(said, each)
    heads = each.words if each.head == "tumor" else {each.head}
    if not heads & said.words and not same:
        return None
    left = said.words - each.words - each.told
    for name, words in said.concepts:
        if name in each.concepts:
            left -= words
    return frozenset(word for word in left if not (_PART.get(word, set()) & each.words))


def _day(said: Slots, every: tuple[Noted, ...]) -> str | None:
    """Return the day that a claim names, worked out where it is told by a study; None where it can't be."""
    way, of = said.beside
    if not way:
        return said.date
    words = tokens(of) - {"scan"}
    days = {
        each.date for each in every if words and words <= each.study and len(each.date) == len("2025-01-01")
    }
    if len(days) != 1:
        return None
    found = date.fromisoformat(days.pop()) + timedelta(days=1 if way == "after" else -1)
    return found.isoformat()


def _stands(said: Slots, each: Noted, rest: frozenset[str], day: str) -> Stands:
    """Tell whether an entry is as a claim says, otherwise, or open."""
    found = [
        _words(rest, each),
        _sided(said.side, each),
        _degree(said, each),
        _size(said, each),
        _status(said, each),
    ]
    found.append(same_day(day, each.out if said.status == "removed" and each.out else each.date))
    if found[0] == "open" and not all(_is_place(word) for word in rest):
        return "open"
    if "other" in found:
        return "other"
    return "open" if "open" in found else "same"


def _words(rest: frozenset[str], each: Noted) -> Stands:
    if not rest:
        return "same"
    told = each.words | each.told
    turned = [word for word in rest if any(word in one and (one - {word}) & told for one in _OPPOSITES)]
    if len(turned) == len(rest):
        return "other"
    if each.present is False and all(_is_place(word) for word in rest):
        return "same"
    return "open"


def _sided(side: str, each: Noted) -> Stands:
    if not side or side == each.side:
        return "same" if side or each.present is not False or not each.side else "open"
    if each.present is False:
        return "open" if each.side else "same"
    return "other" if each.side else "open"


def _degree(said: Slots, each: Noted) -> Stands:
    if said.roman:
        return "open" if not each.roman else "same" if said.roman == each.roman else "other"
    if said.grade is None:
        return "same"
    if each.present is False:
        return "same"
    if each.grade is None:
        return "open"
    if said.grade == each.grade:
        return "same"
    apart = said.grade[1] < each.grade[0] or each.grade[1] < said.grade[0]
    return "other" if apart and {*said.grade, *each.grade} != {1, 2} else "open"


def _size(said: Slots, each: Noted) -> Stands:
    if not said.sizes:
        return "same"
    if not each.sizes:
        return "same" if each.present is False else "open"
    if len(said.sizes) > 1 or len(each.sizes) > 1:
        return "open"
    (value, decimals), held = said.sizes[0], each.sizes[0]
    half = Decimal("0.5").scaleb(-decimals)
    return "same" if abs(value - held) <= half and (value == held or decimals < 0) else "other"


def _status(said: Slots, each: Noted) -> Stands:
    if each.present is False:
        return "same" if not said.status else "open"
    planned = each.status in {"planned", "scheduled", "booked", "pending"}
    done = each.status in {"completed", "done", "performed", "finished", "in situ", "active", "in place"}
    gone = each.status in {"removed", "explanted"} or bool(each.out)
    if not said.status:
        return "open" if planned or gone else "same"
    if said.status == "planned":
        return "same" if planned else "other" if done or gone else "open"
    if said.status == "there":
        return "other" if gone or planned else "same"
    if said.status == "removed":
        return "same" if gone else "other" if planned else "open"
    return "other" if planned else "same" if done or gone or bool(each.date) else "open"


def _statement(said: Slots, held: list[tuple[Noted, Stands]]) -> Fielded | None:
    """Decide a claim that something is there."""
    there = [(each, "other" if each.present is False and how == "same" else how) for each, how in held]
    about = [(each, how) for each, how in there if not (each.present is False and how == "open")]
    same = [each for each, how in about if how == "same"]
    if said.side == "both":
        missing = [each for each, how in held if each.present is False and each.side]
        if missing and not same:
            return _found("contradicted", "one side is recorded as free", missing[0])
    if same:
        last = max(
            (each.date for each, how in about if each.side == same[0].side or not each.side), default=""
        )
        dated = said.date or said.beside[0] or all(each.date == last or not each.date for each in same)
        mixed = any(how == "other" and each.present is False and not each.side for each, how in about)
        return _found("supported", "an entry that says so", same[0]) if dated and not mixed else None
    if about and all(how == "other" for _, how in about):
        return _found("contradicted", "the entry of it says another thing", about[0][0])
    return None


def _denial(said: Slots, held: list[tuple[Noted, Stands]]) -> Fielded | None:
    """Decide a claim that something isn't there."""
    if said.sizes or said.status or said.roman or said.grade:
        return None
    shown = [
        each for each, how in held if each.present is not False and how == "same" and each.grade != _TRACE
    ]
    free = [each for each, how in held if each.present is False and how == "same"]
    unsure = [each for each, how in held if how == "open" or (each.grade == _TRACE and how == "same")]
    if shown and not free and all(each.status != "planned" for each in shown):
        return _found("contradicted", "it is recorded", shown[0])
    if free and not shown and not [each for each in unsure if each.present is not False]:
        return _found("supported", "it is recorded as absent", free[0])
    return None


def _found(label: Literal["supported", "contradicted"], reason: str, each: Noted) -> Fielded:
    return Fielded(label, reason, each.fact.path, str(each.fact.value))
