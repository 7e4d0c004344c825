"""Words of clinical sentences with what surrounds them: clause, negation, hedge, side.

Rules of definitions/explanation, "Knowledge base and the rule checkers". Offsets refer to the text as given.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from percuss.text.sentences import split

__all__ = ["Clause", "Side", "Word", "clauses", "lemma"]

Side = Literal["right", "left", "both"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:\.\d+)?")
_SPELLINGS = {
    "oedema": "edema", "oesophagus": "esophagus", "oesophageal": "esophageal", "centre": "center", "centred": "centered",
    "haematoma": "hematoma", "visualised": "visualized", "apices": "apex", "sulci": "sulcus", "bases": "base",
    "atelectases": "atelectasis", "hila": "hilum", "pneumothoraces": "pneumothorax", "apexes": "apex",
}  # fmt: skip
#: Words that say nothing about a finding.
STOPWORDS = frozenset(
    "a an the of in on at is are was were be been being to and or with for there this that these those it its as by from into "
    "onto over along within has have had do does did show shows shown showing see seen visible present noted note evidence sign signs "
    "patient s which also side sided lies lie located located appear appears demonstrate demonstrates can be any quite image "
    "picture film x ray finding findings area region i we".split()
)
_NEGATION = re.compile(
    r"\b(?:no|not|without|absent|never|neither|nor|free of|negative for|absence of|lack of|lacks|lacking|ruled out|excluded|"
    r"cannot|can't|isn't|aren't|doesn't|don't|didn't|wasn't|weren't|hasn't|haven't)\b"
)
# Words that look like a negation and aren't one.
_PSEUDO = re.compile(
    r"\b(?:not only|cannot (?:be )?(?:fully |completely |reliably )?(?:exclude|excluded|rule out|ruled out)|can't (?:be )?(?:exclude|excluded|rule out|ruled out)|"
    r"can not (?:be )?(?:excluded?|ruled? out)|not (?:be )?(?:excluded|ruled out)|no doubt|without (?:a |any )?doubt|not necessarily|"
    r"no (?:\w+ )?(?:change|increase|decrease|improvement)|without (?:\w+ )?change)\b"
)
# These deny what stands before them as well ("effusion is absent", "tube not seen").
_BACKWARD = re.compile(
    r"\b(?:absent|ruled out|excluded|(?:not|never|n't|cannot be|can't be|isn't|aren't|wasn't|weren't|no longer)\s+(?:be |been |clearly |definitely |reliably )?"
    r"(?:seen|visible|visualized|visualised|present|identified|evident|detected|detectable|demonstrated|appreciated|shown|found|recognized|recognised|noted|apparent|there))\b"
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibly|possible|probably|probable|perhaps|likely|suspected|suspicious|suggests?|suggesting|suggestive|"
    r"cannot (?:be )?(?:exclude|excluded|rule out|ruled out)|not (?:be )?(?:excluded|ruled out)|unclear|uncertain|questionable|equivocal|seems?|"
    r"potential|potentially|consider|if)\b"
)
_BREAK = re.compile(
    r"[;:.!?]|\b(?:but|however|although|though|whereas|while|yet|except|nevertheless|still)\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|shows?|has|have|remains?|appears?|projects?|lies|reaches|demonstrates?|there)\b"
)
_CONTINUES = re.compile(
    r"\s*(?:which|that|who|or|nor|and no|and without|no\b.*\b(?:or)\b|is|are|was|were|has|have|shows?)\b"
)
_AND_NEW = re.compile(r"\band\b(?=\s+(?:the|a|an|there|its?|this|both|on the|in the)\b)")
_SIDE = {"right": "right", "left": "left", "bilateral": "both", "bilaterally": "both", "both": "both"}
# "Right atrium" names a chamber, not a side of the lungs.
_ORGANS = frozenset("atrium atrial ventricle ventricular heart main mainstem".split())


@dataclass
class Word:
    """One word: lemma, position within its clause, and what is said of it."""

    lemma: str
    start: int
    stop: int
    negated: bool = False
    side: Side | None = None


@dataclass
class Clause:
    """A stretch in which negation and side hold. `sides`: the sides named in the sentence, by character offset."""

    start: int
    stop: int
    words: list[Word]
    hedged: bool
    sentence_sides: list[tuple[int, Side]] = field(default_factory=list)


@lru_cache(maxsize=50_000)
def lemma(word: str) -> str:
    """Return a crude lemma: lower case, plural, participle, adverb and final e gone; one spelling.

    >>> [lemma(w) for w in ("Opacities", "blunted", "slightly", "included", "includes")]
    ['opacity', 'blunt', 'slight', 'includ', 'includ']
    """
    plain = word.lower()
    plain = _SPELLINGS.get(plain, plain)
    if plain.endswith(("'s", "’s")):
        plain = plain[:-2]
    if len(plain) > 4 and plain.endswith("ies"):
        plain = plain[:-3] + "y"
    elif len(plain) > 4 and plain.endswith(("sses", "xes", "ches", "shes", "zes")):
        plain = plain[:-2]
    elif len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
        plain = plain[:-1]
    if len(plain) > 5 and plain.endswith("ied"):
        plain = plain[:-3] + "y"
    elif len(plain) > 5 and plain.endswith("ing"):
        plain = plain[:-3]
    elif len(plain) > 4 and plain.endswith("ed"):
        plain = plain[:-2]
    if len(plain) > 5 and plain.endswith("ly"):
        plain = plain[:-2]
    return plain[:-1] if len(plain) > 4 and plain.endswith("e") else plain


def clauses(text: str) -> list[Clause]:
    """Return the clauses of a text, in order.

    Args:
        text: reasoning, or a term of the knowledge base.
    """
    # One character for another, so that offsets stay: hyphens join words of one finding.
    plain = text.lower().replace("-", " ").replace("‐", " ").replace("’", "'")
    out: list[Clause] = []
    for start, stop in split(text):
        parts = [_clause(plain, a, b) for a, b in _pieces(plain, start, stop)]
        sides = [(w.start, w.side) for part in parts for w in part.words if w.side is not None]
        for part in parts:
            part.sentence_sides = sides
        out.extend(part for part in parts if part.words)
    return out


def _pieces(plain: str, start: int, stop: int) -> list[tuple[int, int]]:
    cuts = [
        match.start() for match in _BREAK.finditer(plain, start, stop) if not _decimal(plain, match.start())
    ]
    cuts += [
        match.start()
        for match in _AND_NEW.finditer(plain, start, stop)
        if _VERB.search(plain, match.end(), stop)
    ]
    for match in re.compile(",").finditer(plain, start, stop):
        after = plain[match.end() : stop].partition(",")[0]
        if _VERB.search(after) and not _CONTINUES.match(after):
            cuts.append(match.start())
    edges = [start, *sorted(set(cuts)), stop]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _decimal(plain: str, at: int) -> bool:
    return plain[at] == "." and at + 1 < len(plain) and plain[at + 1].isdigit()


def _clause(plain: str, start: int, stop: int) -> Clause:
    words = [Word(lemma(match.group()), *match.span()) for match in _WORD.finditer(plain, start, stop)]
    _mark_sides(plain, words)
    pseudo = [match.span() for match in _PSEUDO.finditer(plain, start, stop)]

    def real(at: int) -> bool:
        return not any(low <= at < high for low, high in pseudo)

    forward = [match.end() for match in _NEGATION.finditer(plain, start, stop) if real(match.start())]
    backward = [match.start() for match in _BACKWARD.finditer(plain, start, stop) if real(match.start())]
    for word in words:
        after_cue = any(end <= word.start for end in forward)
        before_cue = any(word.start < at and "," not in plain[word.stop : at] for at in backward)
        word.negated = after_cue or before_cue
    return Clause(start, stop, words, _HEDGE.search(plain, start, stop) is not None)


def _mark_sides(plain: str, words: list[Word]) -> None:
    for i, word in enumerate(words):
        raw = plain[word.start : word.stop]
        side = _SIDE.get(raw)
        following = plain[words[i + 1].start : words[i + 1].stop] if i + 1 < len(words) else ""
        if side in {"right", "left"} and following in _ORGANS:
            continue
        word.side = side  # type: ignore[assignment]
        if raw == "either" and following == "side":
            word.side = "both"
    for i in range(len(words) - 2):
        one, link, other = words[i : i + 3]
        between = plain[link.start : link.stop]
        if {one.side, other.side} == {"right", "left"} and between in {"and", "or"}:
            one.side = other.side = "both"
