"""Whether a passage supports a question and its answer, read by words in a row: decided only where one sentence says it or denies it."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from percuss.protocols.textbook.ingest.funnel import sentences_of
from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.scoring.normal import words_of

__all__ = ["Held", "support_of"]

SUPPORTED, CONTRADICTS, ABSENT = "supported", "contradicts", "not_in_passage"
WORDS = Path(__file__).parent / "plain_words.txt"
FOREIGN = 0.25
"""Share of an item's content words that stand in the passage below which it is of something else."""
LEAST = 3
"""Content words that a statement needs before a row of them says anything."""
_NEGATORS = frozenset({"no", "not", "never", "without", "neither", "nor", "none", "cannot", "n't", "except", "unless", "nobody"})  # fmt: skip
_BOUNDS = frozenset({"only", "always", "all", "most", "mostly", "rarely", "may", "can", "might", "seldom", "usually", "often", "some", "few", "sometimes", "first", "last"})  # fmt: skip
"""Words that say how far something holds: they may not stand on one side alone."""
_ENDING = re.compile(r"(?:ical|ic|al|ies|ied|ing|ed|es|s|ly|e|y|tion|sion)$")
_NUMBER = re.compile(r"^\d+(?:\.\d+)?$")


class Held(NamedTuple):
    """What was read.

    Args:
        label: supported, contradicts, not_in_passage; None = undecided.
        reason: in a few words. quote: the sentence that decided; "" where none did.
    """

    label: str | None
    reason: str
    quote: str = ""


@cache
def _lists() -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    """Return the words that carry no content, and the opposites of a stem."""
    plain: set[str] = set()
    opposites: dict[str, set[str]] = {}
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line.startswith("opposites:"):
            one, other = (frozenset(map(_stem, side.split())) for side in line.partition(":")[2].split("|"))
            for mine, theirs in ((one, other), (other, one)):
                for word in mine:
                    opposites.setdefault(word, set()).update(theirs)
        elif line and not line.startswith("#"):
            plain.update(line.split())
    return frozenset(plain), {word: frozenset(other) for word, other in opposites.items()}


def _stem(word: str) -> str:
    """Return a word without its ending; short words and numbers stay.

    >>> _stem("narrows"), _stem("narrowed"), _stem("40")
    ('narrow', 'narrow', '40')
    """
    cut = _ENDING.sub("", word)
    return cut if len(cut) >= 4 else word


class _Words(NamedTuple):
    """A text's content words in order, and what bounds or denies it."""

    content: tuple[str, ...]
    denied: int
    bounds: frozenset[str]


def _words(text: str) -> _Words:
    found = words_of(re.sub(r"(\w)n['’]t\b", r"\1 not", text))
    plain, _ = _lists()
    content = tuple(
        _stem(word) for word in found if word not in plain and word not in _NEGATORS and word not in _BOUNDS
    )
    return _Words(content, sum(word in _NEGATORS for word in found), frozenset(found) & _BOUNDS)


def support_of(item: Item, passage: str) -> Held:
    """Return what the passage says of a question and its answer.

    Args:
        item: of any type. passage: that it was made from.

    A statement (asked for as false: what is wrong with it) is held against each sentence, and against each with the one before
    it or the passage's first, which names what it is about; a question with its answer needs one of them to hold both. Anything that leans on what is not said in a row is undecided.
    """
    sentences = list(sentences_of(passage))
    foreign = _foreign(item, passage)
    if foreign is not None:
        return foreign
    if item.type == "true_false":
        return _statement(item, sentences)
    answers = item.answers if item.type == "list" else (item.answer,)
    missing = next((n for answer in answers for n in _numbers(answer) if n not in words_of(passage)), None)
    if missing is not None:
        return Held(ABSENT, f"the passage holds no {missing}")
    found = _answered(item.question, answers, sentences)
    if found is None:
        joins = item.type in {"multi_hop", "multi_hop_inverse"}
        return Held(None, "joins several sentences" if joins else "no sentence holds question and answer")
    if item.is_inverse:
        return Held(None, "the explanation is not read", found)
    return Held(SUPPORTED, "one sentence holds question and answer", found)


def _numbers(text: str) -> Iterator[str]:
    yield from (word for word in words_of(text) if _NUMBER.match(word))


def _foreign(item: Item, passage: str) -> Held | None:
    """Return that an item is of something else, where next to none of its words stand in the passage."""
    there, asked = set(_words(passage).content), set(_words(item.question).content)
    is_statement = item.type == "true_false"
    if not is_statement and not asked & there:
        return Held(ABSENT, "the question names nothing that the passage names")
    own = asked.union(*(_words(text).content for text in item.answers))
    own |= set() if is_statement else set(_words(item.answer).content)
    if len(own) >= LEAST and len(own & there) < FOREIGN * len(own):
        return Held(ABSENT, "hardly a word of it stands in the passage")
    return None


def _windows(sentences: Sequence[str]) -> Iterator[str]:
    yield from sentences
    yield from (f"{one} {other}" for one, other in pairwise(sentences))
    yield from (f"{sentences[0]} {other}" for other in sentences[2:])


def _statement(item: Item, sentences: Sequence[str]) -> Held:
    """Return whether a statement is what its answer says, by one sentence that says or denies it."""
    said = _words(item.question)
    if len(said.content) < LEAST:
        return Held(None, "too few words of its own")
    marked_false = item.answer == "false"
    for sentence in _windows(sentences):
        stands = _stands(said, sentence)
        if stands is None:
            continue
        is_right = stands != marked_false
        words = "says it" if stands else "denies it"
        return Held(
            SUPPORTED if is_right else CONTRADICTS, f"the passage {words}, marked {item.answer}", sentence
        )
    return Held(None, "no sentence says it in a row")


def _stands(said: _Words, sentence: str) -> bool | None:
    """Return whether a sentence says (True) or denies (False) a statement; None where that can't be told."""
    held = _words(sentence)
    if len(set(said.content) - set(held.content)) > 1 or len(held.content) < len(said.content):
        return None
    steps = [
        step
        for step in SequenceMatcher(None, said.content, held.content, autojunk=False).get_opcodes()
        if step[0] != "insert"
    ]
    changed = [step for step in steps if step[0] != "equal"]
    start, stop = steps[0][3], steps[-1][4]
    if start == stop:
        return None
    part = _words(_cut(sentence, held.content, start, stop))
    if said.bounds != part.bounds:
        return None
    same_sign = (said.denied % 2) == (part.denied % 2)
    if not changed:
        return same_sign
    if len(changed) > 1 or not same_sign:
        return None
    _, a, b, c, d = changed[0]
    one, other = said.content[a:b], held.content[c:d]
    return False if len(one) == len(other) == 1 and _opposed(one[0], other[0]) else None


def _cut(sentence: str, content: Sequence[str], start: int, stop: int) -> str:
    """Return the stretch of a sentence from its content word `start` to before `stop`, with the words between and a clause's head."""
    whole = sentence.split()
    places = [at for at, word in enumerate(whole) for _ in _words(word).content]
    if len(places) != len(content):
        return sentence
    first = 0 if start <= 1 else places[start]
    return " ".join(whole[first : places[stop - 1] + 1])


def _opposed(one: str, other: str) -> bool:
    """Say whether two words can't both be so in one place: two numbers, or opposites of the list."""
    if _NUMBER.match(one) and _NUMBER.match(other):
        return float(one) != float(other)
    return other in _lists()[1].get(one, ())


def _answered(question: str, answers: Sequence[str], sentences: Sequence[str]) -> str | None:
    """Return the sentence, alone or with the one before it, that holds every word of the question and each answer in a row."""
    asked = _words(question)
    given = [_words(answer) for answer in answers]
    if not asked.content or not all(each.content for each in given):
        return None
    wanted, denied = set(asked.content), asked.denied + sum(each.denied for each in given)
    for sentence in _windows(sentences):
        held = _words(sentence)
        if not wanted <= set(held.content) or held.denied != denied or _crosses(wanted, held.content):
            continue
        if held.bounds - asked.bounds - frozenset().union(*(each.bounds for each in given)) - _LOOSE:
            continue
        if all(_in_a_row(each.content, held.content, set(asked.content)) for each in given):
            return sentence
    return None


def _crosses(wanted: set[str], held: Sequence[str]) -> bool:
    """Say whether a sentence also names the opposite of what is asked about: left beside right, raised beside lowered."""
    return any((_lists()[1].get(word, frozenset()) & set(held)) - wanted for word in wanted)


_LOOSE = frozenset({"may", "can", "most", "mostly", "usually", "often", "might", "all"})
"""Bounds that a question may leave out: "the usual signs are"."""


def _in_a_row(answer: Sequence[str], held: Sequence[str], asked: set[str]) -> bool:
    """Say whether an answer's words, the question's own aside, stand in order in a sentence."""
    own = [word for word in answer if word not in asked] or list(answer)
    rest = iter(held)
    return all(word in rest for word in own)
