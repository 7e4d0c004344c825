"""Whether a statement is supported by what had been told: numbers by what they belong to, words by one line, opposites as conflicts.

What was told is all that is known: a right guess of something withheld is unsupported, and so is a finding that no line speaks of. The
rule `support-2` reads first; what it leaves open is read here by line, and where the two disagree nothing is decided.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2
from percuss.protocols.stressors.readers.kindred import could_be_told
from percuss.protocols.stressors.readers.opposites import PAIRS
from percuss.protocols.stressors.readers.times import other_times
from percuss.protocols.stressors.readers.topics import sign_members
from percuss.protocols.stressors.scenario.wording import content_words
from percuss.text.atoms import atoms
from percuss.text.concepts import Mention, concept, mentions, read_statements, with_parents
from percuss.text.quantities import quantities

__all__ = ["READER", "Supported", "supported"]

READER = "rule:told-4"
"""Name of the reader in runs, passports and panels."""
Label = Literal["supported", "unsupported", "undecided"]
COVERED = 0.75
"""Share of a statement's words that one line must hold to support it by its words."""
TOUCHED = 0.5
"""Share from which a line is held to speak of the same thing, so that an opposite word is a conflict."""


class Supported(NamedTuple):
    """A label with its reason and the line that it hangs on ("" where none does)."""

    label: Label
    reason: str
    line: str = ""


_NEGATED = re.compile(
    r"\b(?:no|not|never|without|denie[sd]|absent|absence|negative|none|free of|nor|non|nothing|cannot|fail(?:s|ed)? to|lacks?|lacking)\b|n't\b|"
    r"\bnon-?(?=tender|enlarged)|\bnon-",
    re.IGNORECASE,
)
_NORMAL = re.compile(r"\b(?:normal|unremarkable)\b", re.IGNORECASE)
_USUAL = re.compile(
    r"\b(?:normal|unremarkable|negative|absent|clear|no|not|none|without|intact|soft|supple|regular|sinus|full(?!-)|smooth|vesicular|fluent|closed|flat|cool|nontender|denied)\b",
    re.IGNORECASE,
)
_SOFT = content_words(
    "patient shows show seen found noted reveals revealed demonstrates level value is at markedly significantly mildly slightly raised elevated low high "
    "normal test result scan serum evidence sign presence there has have had with of about around also current currently present presents make up"
)
_FILLERS = content_words(
    "ago before earlier despite across goes gets dropped range so non doesn't don't minute lesion lesions rising rose fail fails pattern lasted came "
    "one two three four five six seven eight nine ten eleven twelve half once twice times today now still only on off"
) | frozenset({"doesn't", "don't", "so", "non", "duration"})
_SAME = {
    "ache": "pain", "hurt": "pain", "painful": "pain", "tender": "tenderness", "sor": "pain", "sore": "pain", "dim": "dim", "dimm": "dim",
    "puffy": "swollen", "oedema": "swollen", "swelling": "swollen", "swell": "swollen", "enlargement": "enlarg", "hypokinesis": "move",
    "hypokinetic": "move", "film": "radiograph", "radiograph": "radiograph", "x": "radiograph", "scan": "scan", "droop": "droop",
    "yellow": "jaundic", "crave": "crav", "ecg": "electrocardiogram", "ekg": "electrocardiogram", "hilar": "hila", "salty": "salt", "grew": "growth",
}  # fmt: skip
_BOTH = re.compile(r"\b(?:both|bilateral\w*|each side)\b", re.IGNORECASE)
_ONE_SIDE = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)
_GENERIC = frozenset({
    "pain", "swelling", "mass", "size", "lesion", "infection", "disease", "trauma", "tenderness", "symptom", "bleeding", "complication",
    "death", "weakness", "fatigue", "obstruction",
})  # fmt: skip
_VERBS = frozenset({"fit", "fits", "rose", "stable", "spot", "spots"})
"""Words that name a concept in one sense and nothing in another."""
_SPEAKS = frozenset(
    {"finding", "diagnosis", "analyte", "drug", "test", "vital", "organism", "procedure", "measure", "gene"}
)
_AGE = 10
_THOUSAND = 1_000
_CELLS = re.compile(
    r"\b(?:platelets?|plts?|thrombocyt\w+|leu[ck]ocyt\w+|white (?:blood )?cells?|wbc|wcc)\b", re.IGNORECASE
)
_LIST = re.compile(r"\s*[,;]\s+(?:and\s+)?|\s+and\s+(?=[A-Za-z ]{2,24}\d)")


def supported(text: str, told: Sequence[str]) -> Supported:
    """Return whether a statement is supported by what had been told before it.

    Args:
        text: one sentence or item; several facts in it are several statements. told: true lines.
    """
    return _supported(_PER_MINUTE.sub("/min", " ".join(text.split())), _in_other_words(tuple(told)))


_PER_MINUTE = re.compile(
    r"(?<=\d)\s*(?:bpm|(?:beats?|breaths?)\s*(?:per|a|/)\s*min(?:ute)?)\b", re.IGNORECASE
)
"""Rates in the words of the bedside; the record writes them "/min"."""


_VEINS = re.compile(r"\bneck veins?\W+(?:are |is )?(distended|raised|engorged)", re.IGNORECASE)
_TEMPERATURE = re.compile(r"\btemperature\b\D{0,6}(\d{2}(?:\.\d)?)", re.IGNORECASE)
_FEVER_FROM, _NONE_BELOW = 38.0, 37.5
"""Degrees Celsius from which a temperature is a fever, and below which it is none."""


@lru_cache(maxsize=512)
def _in_other_words(told: tuple[str, ...]) -> tuple[str, ...]:
    """What was told with the plain names of what it means: fever or none, veins of the neck."""
    more = []
    for line in told:
        if _VEINS.search(line):
            more.append("Jugular venous distension is present.")
        degrees = _TEMPERATURE.search(line)
        if degrees:
            value = float(degrees[1])
            more += (
                ["The patient has a fever (febrile)."]
                if value >= _FEVER_FROM
                else ["The patient is afebrile.", "The patient has no fever."]
                if value < _NONE_BELOW
                else []
            )
    return (*told, *more)


@lru_cache(maxsize=16384)
def _supported(text: str, told: tuple[str, ...]) -> Supported:
    parts = list(_parts(text))
    found = [_one(part, told) for part in parts]
    wrong = next((f for f in found if f.label == "unsupported"), None)
    if wrong is not None:
        return wrong
    if found and all(f.label == "supported" for f in found):
        return found[0]
    return next((f for f in found if f.label == "undecided"), Supported("undecided", "nothing is stated"))


def _parts(text: str) -> Iterator[str]:
    """Statements of a sentence; a list of values is one statement each."""
    items = [item for item in _LIST.split(text) if item.strip()]
    body = (
        items[1:] if items and ":" in items[0] and not re.search(r"\d", items[0].partition(":")[0]) else items
    )
    if len(items) > 1 and all(re.search(r"[A-Za-z]", item) and re.search(r"\d", item) for item in body):
        lead, _, first = items[0].partition(":")
        yield from (
            [first.strip()]
            if first.strip() and re.search(r"\d", first) and "sign" in lead.lower()
            else [items[0]]
        )
        yield from items[1:]
        return
    for atom in atoms(text):
        yield atom.text


def _one(text: str, told: tuple[str, ...]) -> Supported:
    by_rule = support2(text, _packet(told))
    mine = _by_line(text, told)
    if by_rule.label in {"contradicted", "absent"}:
        return (
            Supported("unsupported", by_rule.reason, mine.line)
            if mine.label != "supported"
            else Supported("undecided", "two ways of reading disagree")
        )
    if by_rule.label != "supported" and mine.label != "supported":
        return mine
    if mine.label == "unsupported":
        return Supported("undecided", "two ways of reading disagree", mine.line)
    return _whole(text, told, by_rule.reason if mine.label != "supported" else mine.reason)


def _whole(text: str, told: tuple[str, ...], reason: str) -> Supported:
    """Supported only where one line holds every word and time of it: what was changed is often the one word that is left."""
    values = _as_told({abs(float(q.value)) for q in quantities(text) if q.value is not None}, text, told)
    near = min(told, key=lambda line: (not values <= _values(line), len(_left(text, line))))
    left = _left(text, near)
    if other_times(text, near):
        return Supported("undecided" if left else "unsupported", "another time is told of it", near)
    if left:
        return Supported("undecided", f"{', '.join(sorted(left))} stands not in the line", near)
    if _BOTH.search(text) and _ONE_SIDE.search(near) and not _BOTH.search(near):
        return Supported("undecided", "both sides are said, one is told", near)
    return Supported("supported", reason, near)


@lru_cache(maxsize=65536)
def _left(text: str, line: str) -> frozenset[str]:
    """Words and concepts of a statement that a line doesn't hold, in other words either."""
    there, words, spoken = _units(line), content_words(line), _spoken((line,))
    return frozenset(
        w
        for w in _units(text) - there - _FILLERS
        if not any(_kin(w, t) for t in there)
        and not sign_members(w) & spoken
        and not could_be_told(w, w, words)
    )


@lru_cache(maxsize=512)
def _packet(told: tuple[str, ...]) -> Packet:
    groups: dict[str, dict[str, str]] = {}
    for number, line in enumerate(told):
        name, found, value = line.partition(": ")
        if found and len(name) <= 60:
            group, _, label = name.rpartition(", ")
            groups.setdefault(group or label, {})[label] = value
        else:
            groups.setdefault("notes", {})[f"n{number}"] = line
    return Packet.of_layers(groups)


def _by_line(text: str, told: tuple[str, ...]) -> Supported:
    best = sorted(((_coverage(text, line), line) for line in told), key=lambda row: -row[0])[:3]
    numbered = _numbers(text, told)
    if numbered is not None:
        return numbered
    for share, line in best:
        if share >= TOUCHED and (opposite := _opposite(text, line)):
            return Supported("unsupported", f"what was told says otherwise ({opposite})", line)
    if best and best[0][0] >= COVERED:
        return Supported("supported", "the line says the same", best[0][1])
    strange = _strange(text, told)
    if strange:
        return Supported("unsupported", f"{strange} stands nowhere in what was told")
    return Supported("undecided", "no line says the same or the opposite", best[0][1] if best else "")


@lru_cache(maxsize=32768)
def _units(text: str) -> frozenset[str]:
    """Words and concepts of a text in one form."""
    found = set()
    taken: list[tuple[int, int]] = []
    for m in mentions(text):
        found.add(m.concept)
        taken.append((m.start, m.stop))
    rest = list(text)
    for start, stop in taken:
        rest[start:stop] = " " * (stop - start)
    found |= {_SAME.get(w, w) for w in content_words("".join(rest)) - _SOFT if not w[0].isdigit()}
    return frozenset(found)


def _coverage(text: str, line: str) -> float:
    words, there = _units(text), _units(line)
    if not words:
        return 0.0
    held = sum(1 for w in words if w in there or any(_kin(w, t) for t in there))
    return held / len(words)


@lru_cache(maxsize=65536)
def _kin(first: str, second: str) -> bool:
    if concept(first) and concept(second):
        return first in with_parents(second) or second in with_parents(first)
    return (
        len(first) > 4
        and len(second) > 4
        and (first.startswith(second[:5]) and abs(len(first) - len(second)) < 4)
    )


def _opposite(text: str, line: str) -> str:
    for one, other in PAIRS:
        for a, b in ((one, other), (other, one)):
            here, there = a.search(text), b.search(line)
            if here and there and not b.search(text) and not a.search(line):
                return f"{here.group()}, {there.group()}"
    for m in re.finditer(r"\bnon-?(\w{4,})", line, re.IGNORECASE):
        if (
            re.search(rf"(?<!non)(?<!non-)\b{m[1]}", text, re.IGNORECASE)
            and m.group().lower() not in text.lower()
            and not _NEGATED.search(text)
        ):
            return f"{m[1]}, {m.group()}"
    if _NORMAL.search(text) and not _USUAL.search(line) and not _values(line):
        return "normal on one side"
    if bool(_NEGATED.search(text)) != bool(_NEGATED.search(line)) and _coverage(text, line) >= COVERED:
        return "denied on one side"
    return ""


def _numbers(text: str, told: tuple[str, ...]) -> Supported | None:
    """By its numbers: each must stand in a line that speaks of the same thing; None where there is none."""
    written = [q for q in quantities(text) if q.value is not None]
    if not written:
        return None
    values = _as_told({abs(float(q.value)) for q in written}, text, told)
    held = [line for line in told if values <= _values(line)]
    same = [line for line in held if _same_thing(text, line)]
    if not held and len(values) > 1:
        apart = [
            next((x for x in told if v in _values(x) and (_same_thing(text, x) or v > _AGE)), None)
            for v in values
        ]
        if all(apart):
            return Supported("undecided", "its numbers stand in several lines")
    if same:
        opposite = next((o for line in same if (o := _opposite(text, line))), "")
        if opposite:
            return Supported("unsupported", f"what was told says otherwise ({opposite})", same[0])
        enough = any(
            _coverage(text, line) >= TOUCHED or _attributes(text) & _attributes(line) for line in same
        )
        return (
            Supported("supported", "its number stands in the line on the same thing", same[0])
            if enough
            else Supported("undecided", "the words beside the number were not read", same[0])
        )
    other = next((line for line in told if _attributes(text) & _attributes(line) and _values(line)), None)
    if other is not None:
        return Supported("unsupported", "another number is told of it", other)
    near = max(told, key=lambda line: _coverage(text, line), default="")
    if near and _coverage(text, near) >= TOUCHED and _values(near):
        return Supported("unsupported", "the line that it speaks of has other numbers", near)
    known = frozenset(v for line in told for v in _values(line))
    digits = {abs(float(q.value)) for q in written if not q.spelled}
    if digits and not digits & known:
        return Supported("unsupported", "its number stands nowhere in what was told")
    return Supported("undecided", "its number was bound to nothing")


def _as_told(values: set[float], text: str, told: tuple[str, ...]) -> set[float]:
    """Values with counts of cells in full where the ward says thousands ("platelets 62")."""
    counts = (
        {v for line in told if _CELLS.search(line) for v in _values(line)} if _CELLS.search(text) else set()
    )
    return {v * _THOUSAND if v not in counts and v * _THOUSAND in counts else v for v in values}


@lru_cache(maxsize=32768)
def _values(line: str) -> frozenset[float]:
    return frozenset(abs(float(q.value)) for q in quantities(line) if q.value is not None)


@lru_cache(maxsize=32768)
def _attributes(text: str) -> frozenset[str]:
    return frozenset(s.attribute for s in read_statements(text) if s.kind == "quantity")


def _same_thing(text: str, line: str) -> bool:
    if _attributes(text) and _attributes(line):
        return any(a == b or _kin(a, b) for a in _attributes(text) for b in _attributes(line))
    return bool(_units(text) & _units(line)) or any(_kin(a, b) for a in _units(text) for b in _units(line))


@lru_cache(maxsize=4096)
def _spoken(told: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        up for line in told for m in mentions(line) for c in (m.concept, *m.others) for up in with_parents(c)
    )


def _strange(text: str, told: tuple[str, ...]) -> str:
    """The first thing affirmed that no line speaks of, nor of anything wider, narrower or that it may be another word for."""
    if _NEGATED.search(text):
        return ""
    there = _spoken(told)
    everything = frozenset(u for line in told for u in _units(line))
    words = _words(told)
    for m in mentions(text):
        if m.text.lower() in _VERBS or m.kind not in _SPEAKS or m.concept in _GENERIC or m.ambiguous:
            continue
        own = {_SAME.get(w, w) for w in content_words(m.text)}
        known = (
            _is_there(m, there)
            or own & everything
            or any(_kin(w, t) for w in own for t in everything)
            or sign_members(m.concept) & there
            or could_be_told(m.concept, m.text, words)
            or _told_beside(text, m, told)
        )
        if not known:
            return m.text
    return ""


@lru_cache(maxsize=4096)
def _words(told: tuple[str, ...]) -> frozenset[str]:
    return frozenset(w for line in told for w in content_words(line))


def _told_beside(text: str, m: Mention, told: tuple[str, ...]) -> bool:
    """Whether one line holds all that stands beside a term: then the term may be its author's word for the line."""
    rest = text[: m.start] + " " * (m.stop - m.start) + text[m.stop :]
    return bool(_units(rest)) and any(_coverage(rest, line) >= COVERED for line in told)


def _is_there(m: Mention, there: frozenset[str]) -> bool:
    return any(up in there for c in (m.concept, *m.others) for up in with_parents(c))
