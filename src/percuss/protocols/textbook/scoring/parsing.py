"""Parsers of answers: what a reply to a closed question chooses, or why that can't be told; none of them guesses."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from percuss.protocols.textbook.items.item import letters
from percuss.protocols.textbook.scoring.normal import normal, words_of
from percuss.protocols.textbook.scoring.stretches import (
    LEAD,
    MARK,
    affirmed,
    conclusion,
    heads,
    is_lettered,
    marked,
    sentences,
    spoken,
    without_contrast,
    without_denied,
    without_letter,
)

__all__ = [
    "BOTH",
    "NAME",
    "SEVERAL",
    "Parsed",
    "parse_choice",
    "parse_list",
    "parse_step",
    "parse_true_false",
]

NAME = "rule:exact-1"
"""The reader's name and version (spec, reading)."""
_TRUE = re.compile(
    r"\b(?:true|correct|accurate|yes|agree)\b|\b(?:it|that|this|statement)(?:['’]s|\s+is)\s+right\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\bgrammatical\w*(?:\W+\w+){0,2}?\W+(?:in)?(?:correct|accurate|error)\w*|\bfalse\W+(?:dichotomy|dilemma|positive|negative)s?\b|\b(?:in)?correct\s+(?:answer|sentence|grammar)\b",
    re.IGNORECASE,
)
"""Words of truth that say nothing of the statement's."""
_FALSE = re.compile(
    r"\b(?:misconception|misunderstanding|myth|false|incorrect|inaccurate|untrue|wrong|mistaken|disagree|no)\b|\b(?:not|isn't|n't|never|hardly|scarcely)\s+(?:be\s+)?(?:entirely\s+|completely\s+|strictly\s+)?(?:true|correct|accurate|so|right)\b|\bcannot\s+be\s+(?:true|correct|right)\b|\b(?:not|n't)\s+agree\b",
    re.IGNORECASE,
)
_NOT_TRUE = re.compile(
    r"\b(?:not|isn't|n't|never|hardly|scarcely)\s+(?:be\s+)?(?:entirely\s+|completely\s+|strictly\s+)?(?:true|correct|accurate|agree)\b|\bcannot\s+be\s+(?:true|correct)\b",
    re.IGNORECASE,
)
_NOT_FALSE = re.compile(r"\b(?:not|isn't|n't)\s+(?:false|incorrect|wrong)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:not\s+sure|unsure|uncertain|don['’]t\s+know|cannot\s+(?:tell|say))\b[^.!?\n]*", re.IGNORECASE
)
_EITHER = re.compile(r"\btrue\s*(?:/|or)\s*false\b", re.IGNORECASE)
_NOTHING = frozenset(
    {
        "none",
        "nothing",
        "none of above",
        "none of option",
        "none of these",
        "no option",
        "empty",
        "no one",
        "[]",
    }
)
_ALL = re.compile(
    r"\W*all\s+(?:of\s+)?(?:the\s+)?(?:above|these|options|them)(?:\s+options)?\W*", re.IGNORECASE
)
_OPTIONS, _ARE = (
    re.compile(r"^(?:and\s+)?(?:options?|choices?|letters?)\s+", re.IGNORECASE),
    re.compile(r"\s+(?:is|are)\s.*$", re.DOTALL),
)
_JOINTS = frozenset({"of", "and", "or", "in", "by"})
_SHORT = 4  # words after a letter that may be an entry of their own
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SPLIT = re.compile(r"\n|;|,(?!\d{3}\b)|\band\b(?=[^,;\n]*$)")
_EXPLICIT = re.compile(r"(?:\b(?:option|choice)\s+|\()([A-Z])\b\)?")
_LOOSE = re.compile(r"(?<![\w'])[B-HJ-Z](?![\w'.-]*\w)|\bA\b(?=\s*(?:,|and|or|&|/|\+)\s*[B-Z]\b)")


_RIGHT_STEPS = re.compile(
    r"(?:everything\s+(?:up\s+to|before)\s+)?\bsteps?\s+\d{1,2}(?:(?:\s*,\s*|\s+and\s+|\s+to\s+)\d{1,2})*\s+(?:is|are)\s+(?:all\s+|both\s+)?(?:right|correct|true|fine|accurate|valid)\b[.,;]?",
    re.IGNORECASE,
)
"""What is said of steps that are right."""


class Parsed(NamedTuple):
    """What a reply chooses.

    Args:
        chosen: `true`/`false`, texts of options, or a step's number; () where nothing was chosen.
        reason: why it can't be told (`unparsable:..`, `undecided:..`); None where it can, also where nothing was chosen.
    """

    chosen: tuple[str, ...] = ()
    reason: str | None = None


UNPARSABLE, BOTH, SEVERAL = "unparsable:no answer", "undecided:says both", "undecided:several steps"
"""Why a reply can't be read."""


def parse_true_false(text: str) -> Parsed:
    """Return whether a reply says true or false.

    What stands after "answer:" counts first, then the opening sentence, then the whole; one that says both is undecided.
    """
    plain = _UNSURE.sub(" ", _EITHER.sub(" ", spoken(text)))
    answer, plain = marked(plain), _BESIDE.sub(" ", plain)
    if not plain.strip():
        return Parsed(reason=UNPARSABLE)
    for part in (answer, _opening(plain), plain):
        said = _truth(part) if part else None
        if said is not None:
            return Parsed((said,))
    both = _TRUE.search(plain) and _FALSE.search(plain)
    return Parsed(reason=BOTH if both else UNPARSABLE)


def _truth(part: str) -> str | None:
    """Return true or false where a stretch says one of them; of `not true` the whole counts."""
    head = re.match(r"\W*(true|false)\b", part, re.IGNORECASE)
    if head:
        return head[1].lower()
    rest = _NOT_FALSE.sub(" \0 ", part)
    no = bool(_FALSE.search(rest))
    yes = bool(_TRUE.search(_NOT_TRUE.sub(" ", rest))) or "\0" in rest
    return None if yes == no else ("true" if yes else "false")


def parse_choice(text: str, options: Sequence[str]) -> Parsed:
    """Return which options a reply to a multiple choice names, by letter or by text.

    Args:
        text: the reply. options: texts, in the order in which they were offered as A, B, C ..

    What stands after "answer:" counts first, then the opening line, then the whole. More than one is what was said.
    """
    plain = spoken(text)
    if not plain.strip():
        return Parsed(reason=UNPARSABLE)
    for part in _parts(plain, options):
        found = _named(part, options) if part else ()
        if found:
            return Parsed(found)
    return Parsed(reason="unparsable:no option named")


def _parts(plain: str, options: Sequence[str]) -> Iterator[str]:
    """Yield the stretches of a reply that may name what is chosen, the one that counts most first.

    What is marked as the answer; where options are said again, the words beside them if these name one option alone, else all of
    them; a first line that is an option; what concludes; the first sentence; what is called right; the first line; the whole.
    """
    answer = marked(plain)
    yield answer if "\n" in answer else _alone(answer, options) or answer
    lines = [line for line in plain.splitlines() if line.strip()]
    said = [(line, _line(line, options)) for line in lines]
    again = dict.fromkeys(option for _, option in said if option)
    if len(again) > 1:
        beside = "\n".join(line for line, option in said if not option and not is_lettered(line))
        yield _called(beside, options) or "\n".join(again)
    if said and said[0][1]:
        yield said[0][1]
    yield _alone(conclusion(plain), options)
    yield _alone(sentences(lines[0])[0] if lines else "", options)  # what follows are reasons
    yield _called(plain, options)
    yield without_denied(lines[0] if lines else "")
    yield without_denied(plain)


def _called(part: str, options: Sequence[str]) -> str:
    """Return a stretch that names one option alone, else its conclusion or the clause of it that calls one option right; else ""."""
    plain = without_denied(part)
    return next(
        (one for one in (plain, conclusion(plain), *affirmed(plain)) if len(_named(one, options)) == 1), ""
    )


def _alone(part: str, options: Sequence[str]) -> str:
    """Return the first of a stretch, its first sentence and what stands before its reasons that names one option alone; else ""."""
    plain = without_contrast(without_denied(part), options)
    first = next((one for one in sentences(plain) if _named(one, options)), "")
    return next((one for one in (plain, *heads(first)) if len(_named(one, options)) == 1), "")


def _named(part: str, options: Sequence[str]) -> tuple[str, ...]:
    by_letter = dict(zip(letters(tuple(options)), options, strict=True))
    lead = re.match(
        r"\W*(?:option|choice|answer)?\W*\b([A-Z])\b(?=\s*[.):,\]]|\s*$|\s+[-–—:])", part, re.IGNORECASE
    )
    found = dict[str, None]()
    if (
        lead
        and lead[1].upper() in by_letter
        and not (lead[1] == "a" and not re.match(r"\W*a\s*[.):\]]", part))
    ):
        found[by_letter[lead[1].upper()]] = None
    for letter in _EXPLICIT.findall(part):
        if letter in by_letter:
            found[by_letter[letter]] = None
    texts = _texts_in(part, options)
    if not found and not texts:  # "vitamin C" is no choice where its option stands there in words
        loose = (match[0] for match in _LOOSE.finditer(part))
        found |= dict.fromkeys(by_letter[letter] for letter in loose if letter in by_letter)
    if lead and len(found) == 1 and set(texts) - set(found) and by_letter.get(lead[1].upper()) in texts:
        return tuple(found)  # a letter with its own text; what else is named stands in its reasons
    found |= dict.fromkeys(texts)
    return tuple(option for option in options if option in found)


def _line(line: str, options: Sequence[str]) -> str | None:
    """Return the option that a line consists of, with or without its letter."""
    bare = re.sub(r"^\W*[A-Za-z]\s*[.):\]]\s*", "", line)
    return next((option for option in options if normal(option) in {normal(bare), normal(line)}), None)


def _texts_in(part: str, options: Sequence[str]) -> list[str]:
    """Return the options whose words stand in a stretch in a row, and in no longer option that stands there."""
    held = f" {normal(part)} "
    there = [option for option in options if normal(option) and f" {normal(option)} " in held]
    return [
        option for option in there
        if not any(other != option and f" {normal(option)} " in f" {normal(other)} " for other in there)
    ]  # fmt: skip


def parse_list(text: str, options: Sequence[str] = ()) -> Parsed:
    """Return the entries that a reply lists: letters and texts of options, or texts where nothing was offered.

    Args:
        text: the reply, as lines, commas, bullets, letters or a JSON list. options: what was offered; () for nothing.

    An empty list is an answer ("none"); a reply without any text is none. An entry that is no option stays as it was
    written, and is wrong.
    """
    plain = spoken(text)
    if not plain.strip():
        return Parsed(reason=UNPARSABLE)
    plain = _listed(marked(plain) or plain, options)
    if normal(plain) in _NOTHING or plain.strip() == "[]":
        return Parsed(())
    if options and _ALL.fullmatch(plain):
        return Parsed(tuple(options))
    one_line = "" if "\n" in plain.strip() else without_letter(plain)
    alone = next((option for option in options if _opens(one_line, option)), None)
    parts = [alone] if alone is not None else _entries(plain)
    entries = [entry for part in parts for entry in _entry(part, options)]
    return Parsed(tuple(dict.fromkeys(entries)))


def _listed(plain: str, options: Sequence[str]) -> str:
    """Return what of a reply lists: not what it sets aside, nor the sentences after one that lists."""
    if not options or "\n" in plain.strip():
        return plain
    held = sentences(without_contrast(without_denied(plain), options))
    stop = next((at for at, one in enumerate(held) if at and not is_lettered(one)), len(held))
    return "".join(held[:stop]) or plain


def _entries(plain: str) -> list[str]:
    start, stop = plain.find("["), plain.rfind("]")
    if 0 <= start < stop:
        try:
            held = json.loads(plain[start : stop + 1])
        except json.JSONDecodeError:
            held = None
        if isinstance(held, list) and all(isinstance(each, str) for each in held):
            return held
    lines = [line for line in plain.splitlines() if line.strip()]
    lettered = [line for line in lines if is_lettered(line)]
    if len(lettered) >= 2:
        return lettered
    bullets = [line for line in lines if LEAD.match(line)]
    if len(bullets) >= 2 or (bullets and len(bullets) == len(lines)):
        return [LEAD.sub("", line) for line in bullets]
    return [part for part in _SPLIT.split(plain) if part.strip()]


def _entry(part: str, options: Sequence[str]) -> list[str]:
    """Return what one entry names: options where some were offered, else the text itself."""
    bare = LEAD.sub("", part).strip(" .\t:*\"'")
    if not normal(bare):
        return []
    if not options:
        return [bare]
    by_letter = dict(zip(letters(tuple(options)), options, strict=True))
    exact = next((option for option in options if _is_same(option, bare)), None)
    if exact is not None:
        return [exact]
    rest = re.sub(r"^\(?[A-Za-z]{1,2}\)?\s*[.):\]]\s*", "", bare)
    written = next((option for option in options if normal(option) == normal(rest)), None)
    if written is not None:  # where letter and words differ, the words count
        return [written]
    told = next((option for option in options if _opens(rest, option)), None)
    if told is not None:
        return [told]
    letter = re.match(r"\(?([A-Za-z]{1,2})\)?(?:[.):\]]\s*|\s*$|\s+[-–—:]\s*)", bare)
    if letter and letter[1].upper() in by_letter and (letter[1].isupper() or len(bare) <= 3):
        own = by_letter[letter[1].upper()]
        return [own] if _is_remark(bare[letter.end() :], own) else _texts_in(rest, options) or [rest]
    alone = _ARE.sub("", _OPTIONS.sub("", bare))
    letters_alone = re.findall(r"\b[A-Z]{1,2}\b", alone)
    if letters_alone and normal(alone.replace(" and ", " ")) == normal(" ".join(letters_alone)):
        return [by_letter[each] for each in letters_alone if each in by_letter]
    return _texts_in(bare, options) or [bare]


def _is_same(option: str, entry: str) -> bool:
    """Say whether an entry is an option, its words in whatever order."""
    held, said = (sorted(word for word in words_of(text) if word not in _JOINTS) for text in (option, entry))
    return normal(option) == normal(entry) or (len(said) > 1 and held == said)


def _is_remark(after: str, option: str) -> bool:
    """Say whether what follows an option's letter is about it, and no other entry under that letter."""
    said, own = words_of(after), set(words_of(option))
    if not said or len(said) > _SHORT:
        return True
    return 2 * sum(word in own for word in said) >= len(said) or not after[:1].isupper()


def _opens(entry: str, option: str) -> bool:
    """Say whether an entry is an option with a remark after it ("D. Hypotension is a condition ..")."""
    head = re.split(
        r"\s(?:is|are|was|were|can|may|because|since|which|as)\b|\s[-–—]\s|[:(]", entry, maxsplit=1
    )[0]
    return len(head) < len(entry) and normal(head) == normal(option)


def parse_step(text: str, steps: int) -> Parsed:
    """Return which step a reply calls the first wrong one.

    Args:
        text: the reply. steps: how many there are.

    "Step 3", "the third step" or a bare number counts; of several, the one after "first wrong" or "error in", else
    undecided unless the reply opens with one.
    """
    plain = _RIGHT_STEPS.sub("", spoken(text))
    if not plain.strip():
        return Parsed(reason=UNPARSABLE)
    rest = plain[max((mark.end() for mark in MARK.finditer(plain)), default=len(plain)) :]
    marked = dict.fromkeys(re.findall(r"\bstep\s*#?(\d{1,2})\b", rest, re.IGNORECASE))
    if len(marked) == 1 and 1 <= int(next(iter(marked))) <= steps:  # steps said again before it don't count
        return Parsed(tuple(marked))
    bare = re.match(r"\W*(?:step\s*)?(\d{1,2})\b", plain, re.IGNORECASE)
    if bare and 1 <= int(bare[1]) <= steps:
        return Parsed((bare[1],))
    pointed = re.search(
        r"(?:first\s+(?:wrong|incorrect|false|faulty)|(?:error|mistake|flaw|fault)s?\s+(?:is|are|lies?|occurs?|in|at)|(?:wrong|incorrect)\s+step(?:\s+is)?|goes?\s+wrong)\D{0,40}?(?:step\s*)?(\d{1,2})\b",
        plain,
        re.IGNORECASE,
    )
    if pointed and 1 <= int(pointed[1]) <= steps:
        return Parsed((pointed[1],))
    named = dict.fromkeys(re.findall(r"\bsteps?\s*#?(\d{1,2})\b", plain, re.IGNORECASE))
    named |= dict.fromkeys(
        str(n)
        for n, word in enumerate(_ORDINALS, start=1)
        if re.search(rf"\b{word}\s+(?:reasoning\s+)?step\b", plain, re.IGNORECASE)
    )
    inside = [number for number in named if 1 <= int(number) <= steps]
    if len(inside) == 1:
        return Parsed((inside[0],))
    return Parsed(reason=SEVERAL if inside else "unparsable:no step named")


def _opening(plain: str) -> str:
    return re.split(r"(?<=[.!?:])\s|\n", plain.strip(), maxsplit=1)[0]


def is_same(one: str, other: str) -> bool:
    """Say whether two texts are the same once made alike."""
    return words_of(one) == words_of(other)
