"""Cuts a sentence into statements that each say one thing and stand alone, where grammar decides where to cut.

Coordinated clauses, predicates that share a subject ("has diabetes and takes metformin") and lists of named findings or drugs are
cut; everything else stays whole. What still joins several statements is marked for the extractor, never guessed at.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from percuss.text import sentences
from percuss.text.concepts import Mention, concept, mentions
from percuss.text.cued import Cued

__all__ = ["SPLITTER", "Atom", "atoms", "joins", "pieces", "said", "split"]

SPLITTER = "rule:atoms-1"
"""Name and version of the splitter."""

Span = tuple[int, int]


class Atom(NamedTuple):
    """One statement of a sentence.

    Args:
        text: the statement, its subject (and verb) put before it where it shares them; every word of it is the sentence's own.
        spans: places in the sentence that the text is made of, in the order of the text; the last one is its own piece.
        uncut: why it may still say several things, for the extractor; "" = one statement.
    """

    text: str
    spans: tuple[Span, ...]
    uncut: str = ""

    @property
    def own(self) -> Span:
        """Place of the piece that is this statement's alone."""
        return self.spans[-1]


_FINITE = (
    r"(?:is|are|was|were|has|have|had|does|did|takes?|took|shows?|showed|denies|denied|reports?|reported|receives?|received|presents?|presented"
    r"|needs?|needed|uses?|used|lives?|smokes?|smoked|underwent|developed|remains?|remained|requires?|required|suffers?|suffered|started|stopped"
    r"|indicates?|indicated|reveals?|revealed|demonstrates?|demonstrated|lost|gained|became|grew|rose|fell|may|might|could|can|cannot|will|would|should|must|injects?|wears?|lacks?|weighs?)"
)
_VERB = Cued(rf"\b{_FINITE}\b")
_JOIN = re.compile(
    rf"\s*;\s+(?:and\s+|but\s+)?|,?\s+(?:but|while|whereas)\s+(?:also\s+)?|,?\s+and\s+(?:also\s+|then\s+)?(?={_FINITE}\b)"
    rf"|,?\s+and\s+(?=(?:[\w'’/()-]+\s+){{1,6}}?{_FINITE}\b)|,\s+(?=(?:[\w'’/()-]+\s+){{1,4}}?(?:is|are|was|were|has|had)\s)",
    re.IGNORECASE,
)
_NEVER = Cued(
    r"^\W*(?:if|when|although|though|because|since|unless|while|whether|after|before|given|between|both|either|neither|either|to)\b"
)
_SUBORDINATE = Cued(
    r"\b(?:which|who|whose|that|because|if|when|although|though|where|whether|since|unless|as)\b"
)
_LINKED = Cued(r"\b(?:respectively|either|both|neither|nor|versus|vs|between|combination|compared|and/or)\b")
_LIST = re.compile(r",\s+(?:and|or)\s+|,\s+|\s+(?:and|or)\s+", re.IGNORECASE)
_MAY_JOIN = re.compile(r"[;,]|\s(?:and|or|but|while|whereas)\s", re.IGNORECASE)
"""One of these stands in every joint (`_JOIN`) and in every list that is cut (`_LIST`, whose last joint is "and" or "or")."""
_LETTER, _TWO_LETTERS = re.compile(r"\w"), re.compile(r"\w\W*\w")
_DENIED = Cued(r"\b(?:no|not|denies|denied|without|never)\b")
_OR, _OR_AS_WRITTEN = Cued(r"\bor\b"), Cued(r"\bor\b", flags=re.NOFLAG)
_ASIDE = Cued(r",\s+(?:which|who|whose|where)\b")
_JOINT = re.compile(r"\band\b|\bor\b|;|,")
_TAIL = " .!?\t"
_EVENTS = frozenset({"finding", "diagnosis", "drug", "drug_class", "procedure", "organism"})
_LONGEST_ITEM = 4
_TWO = 2


@lru_cache(maxsize=2048)
def atoms(sentence: str) -> tuple[Atom, ...]:
    """Cut a sentence into statements.

    Args:
        sentence: one sentence; () for one without a word.

    Returns:
        Statements in order. Their own pieces together with the joining words between them are the sentence: nothing is lost.

    >>> [atom.text for atom in atoms("She has diabetes and takes metformin, and her potassium was 5.9.")]
    ['She has diabetes', 'She takes metformin', 'her potassium was 5.9.']
    """
    return tuple(
        Atom(_text(sentence, spans), spans, _uncut(sentence[slice(*spans[-1])])) for spans in _cut(sentence)
    )


def joins(sentence: str) -> bool:
    """Tell whether anything stands in a sentence that may join two statements; without it, the sentence is one.

    >>> joins("She has diabetes."), joins("She has diabetes and takes metformin.")
    (False, True)
    """
    return _MAY_JOIN.search(sentence) is not None or not _LETTER.search(sentence)


def said(sentence: str) -> tuple[str, ...]:
    """Return the texts of the statements of a sentence, and nothing else of them.

    >>> said("She has diabetes and takes metformin.")
    ('She has diabetes', 'She takes metformin.')
    """
    return tuple(_text(sentence, spans) for spans in _cut(sentence))


def _cut(sentence: str) -> list[tuple[Span, ...]]:
    """Return the places that each statement is made of."""
    if not _LETTER.search(sentence):
        return []
    out: list[tuple[Span, ...]] = []
    subject: Span | None = None
    for start, stop in pieces(sentence):
        verb = _VERB.search(sentence, start, stop)
        shares = verb is not None and verb.start() == start and subject is not None and out
        if not shares:
            subject = (start, verb.start()) if verb is not None and verb.start() > start else None
        head = (subject,) if shares and subject else ()
        out.extend(_listed(sentence, head, (start, stop)))
    return out


def _text(sentence: str, spans: tuple[Span, ...]) -> str:
    return " ".join(sentence[start:stop].strip() for start, stop in spans)


def split(text: str) -> tuple[Atom, ...]:
    """Cut a text into sentences and these into statements; places are those in the text.

    Args:
        text: an answer, a paragraph or one sentence; () for a text without a word.

    >>> text = "Stage IA. She has asthma and takes salbutamol."
    >>> [(atom.text, text[slice(*atom.own)]) for atom in split(text)]
    [('Stage IA.', 'Stage IA.'), ('She has asthma', 'She has asthma'), ('She takes salbutamol.', 'takes salbutamol.')]
    """
    return tuple(
        Atom(atom.text, tuple((start + low, start + high) for low, high in atom.spans), atom.uncut)
        for start, stop in sentences.split(text)
        for atom in atoms(text[start:stop])
    )


def pieces(sentence: str) -> tuple[Span, ...]:
    """Return the places of the coordinated parts of a sentence; what stands between them only joins.

    Args:
        sentence: one sentence.
    """
    if _NEVER.match(sentence) or _LINKED.search(sentence):
        return ((0, len(sentence)),)
    out: list[Span] = []
    start = 0
    for join in _JOIN.finditer(sentence):
        if _parts(sentence, start, join):
            out.append((start, join.start()))
            start = join.end()
    return (*out, (start, len(sentence)))


def _parts(sentence: str, start: int, join: re.Match[str]) -> bool:
    """Tell whether both sides of a joint are statements of their own."""
    left, right = sentence[start : join.start()], sentence[join.end() :]
    if left.count("(") != left.count(")") or left.count('"') % _TWO or not _TWO_LETTERS.search(left):
        return False
    if _SUBORDINATE.search(left):  # "X, which causes A and B": whose the second part is, grammar doesn't tell
        return False
    verb = _VERB.search(right)
    if (
        (verb is not None and _SUBORDINATE.search(right[: verb.start()]))
        or _SUBORDINATE.match(right)
        or not _TWO_LETTERS.search(right)
    ):
        return False
    return ";" in join[0] or (_VERB.search(left) is not None and _VERB.search(right) is not None)


def _listed(sentence: str, head: tuple[Span, ...], piece: Span) -> Iterator[tuple[Span, ...]]:
    """Yield the places of a piece as one statement for each item of a list of findings or drugs that ends it, or whole."""
    start, stop = piece
    items = _items(sentence, start, stop)
    if not items:
        yield (*head, piece)
        return
    prefix = (start, items[0][0])
    yield (*head, (start, items[0][1]))
    for item in items[1:]:
        yield (*head, prefix, item)


def _items(sentence: str, start: int, stop: int) -> tuple[Span, ...]:
    """Return the places of the items of a list that ends a piece; () where there is none that is sure."""
    text = sentence[start:stop]
    verb = _VERB.search(text)
    if (
        verb is None
        or _LINKED.search(text)
        or _SUBORDINATE.search(text)
        or any(mark in text for mark in '()"“:')
    ):
        return ()
    denied = _DENIED.search(text) is not None
    if (_OR.search(text) is not None) != denied and _OR_AS_WRITTEN.search(text):
        return ()
    end = start + len(text.rstrip(_TAIL))
    cuts = list(_LIST.finditer(sentence, start + verb.end(), end))
    if not cuts or not any(word in cuts[-1][0].lower() for word in ("and", "or")):
        return ()
    named = _events(text)
    first = [mention.start + start for mention in named if mention.stop + start <= cuts[0].start()]
    if not first:
        return ()
    bounds = [(first[-1], cuts[0].start())]
    bounds.extend((cut.end(), after.start()) for cut, after in pairwise(cuts))
    bounds.append((cuts[-1].end(), end))
    return tuple(bounds) if all(_is_item(sentence, span, start, named) for span in bounds) else ()


def _events(text: str) -> list[Mention]:
    """Return the mentions of findings, diseases, drugs and the like."""
    found = ((mention, concept(mention.concept)) for mention in mentions(text))
    return [mention for mention, known in found if known is not None and known.kind in _EVENTS]


def _is_item(sentence: str, span: Span, start: int, named: list[Mention]) -> bool:
    """Tell whether a place is a short name of one thing."""
    inside = [m for m in named if span[0] <= m.start + start and m.stop + start <= span[1]]
    words = sentence[slice(*span)].split()
    starts = inside and sentence[span[0] : inside[0].start + start].strip().lower() in {"", "a", "an", "no"}
    return bool(
        starts and len(inside) == 1 and 0 < len(words) <= _LONGEST_ITEM and not _VERB.search(" ".join(words))
    )


def _uncut(piece: str) -> str:
    """Return why a piece may still say several things."""
    linked = _LINKED.search(piece)
    if linked:
        return f"joined by '{linked[0].lower()}'"
    aside = _ASIDE.search(piece)
    if aside:
        return "a clause of its own within"
    verbs = len(_VERB.findall(piece))
    joints = len(_JOINT.findall(piece))
    if joints and (verbs > 1 or _NEVER.match(piece)):
        return "several verbs that are joined"
    events = _events(piece) if joints else []
    return "a list that isn't sure" if joints and len(events) > 1 else ""
