"""Facts whose value is free text, held against a claim by their words: all words of the claim in one fact, or all but one opposite."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.evidence.packet import Value
from percuss.text.cued import Cued
from percuss.text.words import key_of

__all__ = ["Match", "Worded", "WordedFacts", "denials", "denies", "match", "stems", "worded"]

_WORD = re.compile(r"[A-Za-z]+(?:n['’]t)?|\d+(?:\.\d+)?")
_SENTENCES = re.compile(r"\.\s+|;\s+")
_DENIALS = re.compile(r"\.\s+|[;,]\s+|\s(?:but|and)\s")
"""Where a value that denies something ends a part: each part denies or it doesn't."""
_NEGATIVE = frozenset("no not none never without nor neither absent denies denied free cannot".split())
_DENIAL = Cued(rf"\b(?:{'|'.join(sorted(_NEGATIVE))}|\w+n['’]t)\b")
_PLAIN = frozenset(
    "a an the of in on at to for with by from and or as is are was were be been being has have had having do does did this that these those it its he she they his "
    "her their him them there who which patient patients man woman boy girl child who's s t seen found shows show showed shown present presents there also only just "
    "side type any can be felt could level value result results function s".split()
)
_BARE = _PLAIN | _NEGATIVE
"""Words that carry nothing, or only deny."""
_DIGITS = {
    word: str(n)
    for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_SAME = {
    "metre": "m", "metres": "m", "meter": "m", "meters": "m", "fell": "fall", "fallen": "fall", "falls": "fall", "broken": "fracture", "fractured": "fracture",
    "fractures": "fracture", "preserved": "intact", "pulses": "pulse", "erosions": "erosion", "hands": "hand", "angulated": "angulation", "dorsally": "dorsal",
    "performed": "done", "operated": "surgery", "operation": "surgery", "surgical": "surgery", "reduced": "reduction", "years": "year", "weeks": "week", "days": "day",
    "narrowed": "stenosis", "narrowing": "stenosis", "infarct": "infarction", "ischaemia": "ischaemic", "ischemia": "ischaemic", "ischemic": "ischaemic",
    "erythematous": "red", "swollen": "swelling", "tenderness": "tender", "enlarged": "enlargement", "weak": "weakness", "painful": "pain",
    "daily": "day", "degree": "degrees", "off": "from", "eyes": "eye", "feet": "foot", "nodes": "node", "antibodies": "antibody", "allergies": "allergy",
}  # fmt: skip
_OPPOSITES = (
    ("left", "right"), ("open", "closed"), ("intact", "damaged"), ("intact", "fracture"), ("intact", "lost"), ("intact", "injured"), ("intact", "severed"), ("above", "below"), ("proximal", "distal"),
    ("positive", "negative"), ("dorsal", "palmar"), ("dorsal", "volar"), ("anterior", "posterior"), ("upper", "lower"), ("medial", "lateral"),
    ("background", "proliferative"), ("acute", "chronic"), ("benign", "malignant"), ("active", "inactive"),
)  # fmt: skip
_OPPOSITE: dict[str, set[str]] = {}
for _one, _other in _OPPOSITES:
    _OPPOSITE.setdefault(_one, set()).add(_other)
    _OPPOSITE.setdefault(_other, set()).add(_one)
_SIDES = frozenset({"left", "right"})
_FEWEST = 2
"""Words that a claim must share with a fact: one word is in many facts."""


class Worded(NamedTuple):
    """A part of a text-valued fact: its words, those of its name, whether it denies, and the words that aren't of its name."""

    path: str
    value: str
    words: frozenset[str]
    name: frozenset[str]
    denies: bool
    own: frozenset[str]


class WordedFacts:
    """Text-valued facts of a packet, found by the words that they hold."""

    __slots__ = ("_facts", "_places")

    def __init__(self, facts: Iterable[Worded]) -> None:
        self._facts = tuple(facts)
        self._places: dict[str, list[int]] = {}
        for place, fact in enumerate(self._facts):
            for word in fact.words | fact.name:
                self._places.setdefault(word, []).append(place)

    def holding(self, words: frozenset[str]) -> Iterator[Worded]:
        """Yield the facts that hold all of some words, or all but one, in their order.

        Args:
            words: two or more.
        """
        held: dict[int, int] = {}
        for word in words:
            for place in self._places.get(word, ()):
                held[place] = held.get(place, 0) + 1
        enough = len(words) - 1
        for place in sorted(place for place, count in held.items() if count >= enough):
            yield self._facts[place]


class Match(NamedTuple):
    """How a claim's words stand to a fact's."""

    label: Literal["supported", "contradicted"]
    reason: str
    path: str
    value: str


_SHORT = {
    "MCA": "middle cerebral artery", "ACA": "anterior cerebral artery", "PCA": "posterior cerebral artery", "ICA": "internal carotid artery", "LV": "left ventricle",
    "RV": "right ventricle", "LAD": "left anterior descending artery", "RUL": "right upper lobe", "LUL": "left upper lobe", "RLL": "right lower lobe", "LLL": "left lower lobe",
    "RML": "right middle lobe", "CXR": "chest x-ray",
}  # fmt: skip
_SHORTENED = re.compile(r"\b(?:" + "|".join(_SHORT) + r")\b")


def _words(text: str) -> list[str]:
    """Return the words of a text, common abbreviations of places written out."""
    found = _WORD.findall(text)
    if _SHORT.keys().isdisjoint(found):
        return found
    return _WORD.findall(_SHORTENED.sub(_written, text))


def _written(match: re.Match[str]) -> str:
    return _SHORT[match.group()]


@lru_cache(maxsize=16384)
def _fold(word: str) -> str:
    low = word.lower()
    low = _DIGITS.get(low, low)
    return _SAME.get(low) or _SAME.get(key := key_of(low), key)


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """Return the words of a text that carry something, folded."""
    return frozenset(map(_fold, _words(text))) - _BARE


def denies(text: str) -> bool:
    """Tell whether a text holds a word of denial."""
    return _DENIAL.may(text) and _denials(text) > 0


def denials(value: str) -> list[str]:
    """Return the parts of a text each of which denies or doesn't."""
    return _DENIALS.split(value)


def _denials(text: str) -> int:
    return sum(word in _NEGATIVE or word.endswith(("n't", "n’t")) for word in _WORD.findall(text.lower()))


def worded(path: str, value: Value) -> Iterator[Worded]:
    """Yield the parts of a fact whose value is text or yes/no; none for a number."""
    if path.lower().startswith("family") or path.partition(".")[0].lower() in {
        "conditions",
        "medications",
        "procedures",
        "allergies",
    }:
        return
    name = stems(path.rpartition(".")[2].replace("_", " "))
    if isinstance(value, bool):
        yield Worded(path, str(value).lower(), frozenset(), name, not value, frozenset())
    elif isinstance(value, str):
        place = stems(path.replace(".", " ").replace("_", " "))
        for part in (_DENIALS if denies(value) else _SENTENCES).split(value):
            if part:
                words = stems(part)
                yield Worded(path, value, words, place, denies(part), words - place)


@lru_cache(maxsize=8192)
def _of_claim(claim: str) -> tuple[frozenset[str], int]:
    return stems(claim), _denials(claim) if _DENIAL.may(claim) else 0


def match(claim: str, facts: WordedFacts) -> Match | None:
    """Return how a short claim stands to the fact that holds all of its words, or all but one; None where none does.

    Args:
        claim: the claim's text. facts: text-valued facts of the packet.
    """
    words, negatives = _of_claim(claim)
    if len(words) < _FEWEST or negatives > 1:
        return None
    denies = negatives > 0
    found: list[Match] = []
    turning = {word: _OPPOSITE[word] for word in words & _OPPOSITE.keys()}
    for fact in facts.holding(words):
        turned = False
        for word, others in turning.items():
            turned = turned or not (word in fact.words or word in fact.name or others.isdisjoint(fact.words))
        if not (turned or fact.value in {"true", "false"} or not words.isdisjoint(fact.own)):
            continue
        left = words - fact.words - fact.name
        if not left:
            agree = denies == fact.denies
            if not agree and 2 * len(words & fact.words) < len(fact.words):
                return None
            if agree and denies and len(_SIDES & fact.words) == 1 and _SIDES.isdisjoint(words):
                continue  # what is denied of one side is open of the other
            found.append(
                Match(
                    "supported" if agree else "contradicted",
                    "all its words are in one fact" if agree else "one side denies it",
                    fact.path,
                    fact.value,
                )
            )
        elif len(left) == 1 and not denies:
            word = next(iter(left))
            opposite = not fact.words.isdisjoint(_OPPOSITE.get(word, ()))
            if opposite and fact.denies and len(fact.own) == 1:
                found.append(
                    Match("supported", f"the fact denies the opposite of {word}", fact.path, fact.value)
                )
            elif opposite and not fact.denies:
                found.append(Match("contradicted", f"{word} stands against the fact", fact.path, fact.value))
    labels = {each.label for each in found}
    return found[0] if len(labels) == 1 else None
