"""How short answers are read: whether they hold an accepted answer, and whether they give any answer at all."""

import re
import unicodedata
from typing import NamedTuple

from percuss.protocols.citations.references.names import fold
from percuss.text.acts.abstention import abstains
from percuss.text.sentences import split

__all__ = ["answers", "holds"]

_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "ø": "oe"}
)
_DENIED = re.compile(
    r"\b(?:not|isn['’]t|wasn['’]t|weren['’]t|never|rather than|instead of)(?:\s+[\w.]+){0,4}\s*$",
    re.IGNORECASE,
)
_SHORT_NAME = re.compile(r"[A-Z][a-z]{1,3}")
"""Names that are words too: "May", "Will", "So"."""

# Where one statement of a sentence ends and another begins.
_PARTS = re.compile(
    r"[;:]\s+|\s[–—-]\s|,?\s+(?:but|however|though|although|yet)\s+|,\s+so\s+|,\s+(?=(?:maybe|perhaps|probably|possibly|most\s+likely)\b)|,\s+(?=(?:i|we)\s|(?:it|that|this|which)\s+(?:was|is|may|might)\b)",
    re.IGNORECASE,
)
_WHILE = re.compile(r"^\s*(?:while|although|though|even though)\b[^,]*,\s*(.+)$", re.IGNORECASE | re.DOTALL)
_NOT_KNOWN = re.compile(
    r"""\b(?:
      (?:am|['’]m|are|was|were|is|not\s+being)\s+(?:not|un)\s*(?:aware|familiar|sure|certain|able|acquainted|known|clear)
    | (?:un(?:aware|familiar|sure|certain|able|known|clear))\b
    | (?:do|does|did|can|could|would|will|have|has|had|is|are|was|should|may|might)(?:\s+not|n['’]t)\s+(?:\w+\s+){0,3}?
      (?:know|have|find|found|recogni[sz]e|recall|locate|located|confirm|verify|verified|identify|identified|determine|provide|give|
         tell|say|state|report|exist|appear|seem|match|come|encountered|heard|seen|guess|make|answer|support|speculate|documented|
         listed|recorded|registered|establish|access|contain|include|correspond|aware|help|mention|rely|real|genuine|ring|be\s+\w+ed
         |be\s+found)
    | cannot\s+(?:\w+\s+){0,3}?\w+
    | (?:there\s+(?:is|are|was|were|seems?\s+to\s+be|appears?\s+to\s+be)\s+)?no\s+(?:\w+\s+){0,4}?
      (?:record|records|information|data|knowledge|evidence|such|known|trace|mention|reference|references|details|idea|paper|work|
         artwork|painting|trial|study|guideline|drug|medicine|protein|gene|peak|mountain|place|person|entry|results?|source)
    | none\s+(?:that\s+i|is\s+known|exists?)
    | (?:came|come)\s+up\s+empty | dr[ae]w\s+a\s+blank | nothing\s+(?:on|about|under|by)\b
    | won['’]t\s+(?:guess|speculate|make)
    | rather\s+not
    | (?:fictional|fictitious|made[\s-]up|invented|hypothetical|imaginary|non-?existent|misremember\w*|mistaken|misspel\w*|typo)
    | beyond\s+(?:me|my) | haven['’]t | lack(?:s|ing)?\s+(?:information|data|access)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_NEVER_RECOGNISED = re.compile(
    r"\b(?:not|n['’]t)\b.{0,60}\b(?:recogni[sz]e|aware of|familiar|know of)\b", re.IGNORECASE
)
_ADVICE = re.compile(
    r"""^\W*(?:(?:unfortunately|sorry|please|instead|alternatively|perhaps),?\s+)*(?:
      (?:i(?:['’]d|\s+would)?|we)\s+(?:would\s+)?(?:suggest|recommend|advise|can\s+(?:help|try|look)|(?:am|['’]m)\s+happy|apologi[sz]e)
    | you\s+(?:could|can|may|might|should)\b | (?:could|can|would)\s+you\b | if\s+you\b | let\s+me\s+know | feel\s+free
    | (?:check|consult|search|see|ask|try|contact|look|verify|refer)(?:ing)?\b | searching\b | (?:i['’]m\s+)?sorry\W*$ | thanks?\b
    | do\s+you\b | are\s+you\b | did\s+you\b | where\s+did\b | is\s+there\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SURE = re.compile(
    r"\b(?:(?:not|un)\s*(?:entirely|completely|fully|quite|\w*ly)?\s*(?:sure|certain))\b", re.IGNORECASE
)
_AMOUNT = re.compile(
    r"\b\d[\d.,]*\s*(?:%|(?:mg|g|ml|µg|mcg|m|km|metres|meters|feet|ft|patients|participants|people)\b)"
)
_GUESS = re.compile(
    r"^\W*(?:i\s+(?:believe|think|guess|suspect)|most\s+likely|probably|possibly|perhaps|maybe|it\s+(?:may|might|could))",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"^\W*(?:(?:as\s+of|at)\s+my\s+last\s+update|as\s+an?\s+ai[^,]*|to\s+my\s+knowledge|as\s+far\s+as\s+i\s+know|unfortunately|sorry|and|yes|no|well|hello)?\W*$",
    re.IGNORECASE,
)


def holds(gold: str, answer: str) -> bool:
    """Return whether an answer gives an accepted answer: its words in their order, whatever their accents, case and marks.

    Args:
        gold: an accepted answer. answer: the whole answer. What is only denied ("not by Lind but ..") is not given.

    >>> holds("Müller", "I think it was Mueller."), holds("2013", "In 2012."), holds("Li", "Lionel of Lithuania")
    (True, False, False)
    """
    answer = unicodedata.normalize("NFC", answer)
    wanted, words = _words(gold), _words(answer)
    for first in range(len(words) - len(wanted) + 1 if wanted else 0):
        found = words[first : first + len(wanted)]
        if all(one.forms & other.forms for one, other in zip(wanted, found, strict=True)):
            before, after = answer[: found[0].start], answer[found[-1].stop :]
            part = gold.isdigit() and (re.search(r"\w[./]$", before) or re.match(r"[./]\w", after))
            other = _SHORT_NAME.fullmatch(gold) and found[0].written.islower() and not answer.islower()
            if not part and not other and not _DENIED.search(before):
                return True
    return False


class _Word(NamedTuple):
    """A word of a text: as it is written, where, and the forms that it can be spelled in."""

    written: str
    start: int
    stop: int
    forms: frozenset[str]


def _words(text: str) -> list[_Word]:
    return [
        _Word(found[0], found.start(), found.end(), _forms(found[0]))
        for found in re.finditer(r"[^\W_]+(?:['’][^\W_]+)*|&", text)
    ]


def _forms(word: str) -> frozenset[str]:
    return frozenset({"and"} if word == "&" else {fold(word), fold(word.translate(_UMLAUTS))})


def answers(text: str, question: str) -> bool | None:
    """Tell whether a short answer gives any answer to its question; None where nothing can be made of it.

    A statement that the thing isn't known, can't be verified or doesn't exist is none, nor is advice where to look. A
    hedged guess is an answer, also beside such a statement (definitions, "Short-form questions").

    Args:
        text: the answer. question: what was asked.

    >>> answers("I'm not sure, but it may be Paul Klee.", "Who made it?"), answers("No such work exists.", "Who made it?")
    (True, False)
    """
    lacks, gives = False, False
    for start, stop in split(text):
        for part in _statements(text[start:stop]):
            if _EMPTY.match(part):
                continue
            missing = _NOT_KNOWN.search(part) or _NEVER_RECOGNISED.search(part) or _SURE.search(part)
            if missing and not any(found[0] not in question for found in _AMOUNT.finditer(part)):
                lacks = True
            elif not _ADVICE.match(part):
                gives = gives or bool(_GUESS.match(part)) or abstains(part, question).label is not True
                lacks = lacks or not gives
    return True if gives else False if lacks else None


def _statements(sentence: str) -> list[str]:
    inside = _WHILE.match(sentence)
    if inside:
        lead = sentence[: inside.start(1)]
        return [lead, *_statements(inside[1])]
    return [part for part in _PARTS.split(sentence) if part.strip()]
