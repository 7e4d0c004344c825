"""Finding the knowledge base's terms in reasoning: negation and laterality aware, lemmatised, fuzzy within one edit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from percuss.protocols.explanation.check.words import STOPWORDS, Clause, Side, clauses
from percuss.protocols.explanation.knowledge import Base, Term, bundled

__all__ = ["Hit", "Lexicon", "Pattern", "Reading", "bundled_lexicon", "pattern", "read"]

#: Words that may stand between those of a term (definitions/explanation).
_SLACK = 3
#: Words shorter than this have to be exact.
_FUZZY_LENGTH = 6
_CUES = frozenset(
    "no not without absent never neither nor free negative absence lack lacks lacking ruled out excluded cannot".split()
)


@dataclass(frozen=True)
class Pattern:
    """One wording, ready to be looked for: its content lemmas, polarity, side, and how many words it has in all."""

    lemmas: tuple[str, ...]
    negative: bool
    side: Side | None
    length: int


@dataclass(frozen=True)
class Hit:
    """Where a wording was found: characters in the text, and whether its clause hedges."""

    start: int
    stop: int
    hedged: bool
    side: Side | None
    negated: bool
    clause: tuple[int, int]


@lru_cache(maxsize=20_000)
def pattern(wording: str) -> Pattern:
    """Return the pattern of a wording of the knowledge base.

    >>> pattern("no right pleural effusion")
    Pattern(lemmas=('pleural', 'effusion'), negative=True, side='right', length=4)
    """
    parts = clauses(wording)
    words = [word for part in parts for word in part.words]
    sides = [word.side for word in words if word.side is not None]
    negative = any(word.negated for word in words)
    content = [word.lemma for word in words if word.side is None and word.lemma not in STOPWORDS]
    lemmas = [text for text in content if not (negative and text in _CUES)]
    return Pattern(tuple(dict.fromkeys(lemmas)), negative, sides[0] if sides else None, len(words))


class Lexicon:
    """All words of a knowledge base, so that a misspelt word is mended only where it is nobody else's.

    Args:
        base: the knowledge base.
    """

    def __init__(self, base: Base) -> None:
        wordings = (
            wording for _, _, entry in base.entries() for term in entry.terms() for wording in term.wordings
        )
        self.vocabulary = frozenset(text for wording in wordings for text in pattern(wording).lemmas)
        self._long = sorted(text for text in self.vocabulary if len(text) >= _FUZZY_LENGTH)
        self._known: dict[str, str] = {}

    def mend(self, text: str) -> str:
        """Return the word of the knowledge base that a lemma is one edit away from, or the lemma itself."""
        if text not in self._known:
            if len(self._known) > 50_000:
                self._known.clear()
            self._known[text] = self._nearest(text)
        return self._known[text]

    def _nearest(self, text: str) -> str:
        from rapidfuzz.distance import Levenshtein

        if text in self.vocabulary or len(text) < _FUZZY_LENGTH or text in _CUES:
            return text
        near = [word for word in self._long if Levenshtein.distance(word, text, score_cutoff=1) <= 1]
        return near[0] if len(near) == 1 else text


@lru_cache(maxsize=1)
def bundled_lexicon() -> Lexicon:
    """Return the words of our knowledge base."""
    return Lexicon(bundled())


@lru_cache(maxsize=512)
def read(text: str, lexicon: Lexicon) -> "Reading":
    """Return a text's reading; the same reasoning is looked through for several entries and for findings.

    Args:
        text: the reasoning.
        lexicon: of the knowledge base in force.
    """
    return Reading(text, lexicon)


class Reading:
    """A text, read once, in which many terms are looked for.

    Args:
        text: the reasoning.
        lexicon: of the knowledge base in force.
    """

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text = text
        self._clauses = clauses(text)
        self._places: list[Mapping[str, list[int]]] = []
        for clause in self._clauses:
            places: dict[str, list[int]] = {}
            for at, word in enumerate(clause.words):
                places.setdefault(lexicon.mend(word.lemma), []).append(at)
            self._places.append(places)

    def finds(self, term: Term, *, side: Side | None = None, unhedged: bool = False) -> Hit | None:
        """Return where a term is stated, with its polarity and on a side that fits; None where it is not.

        Args:
            term: of the knowledge base.
            side: the side that a one-sided question asks about.
            unhedged: only where its clause does not hedge.
        """
        for wording in term.wordings:
            wanted = pattern(wording)
            for hit in self.mentions(wanted):
                if (
                    hit.negated == wanted.negative
                    and _fits(wanted.side, side, hit.side)
                    and not (unhedged and hit.hedged)
                ):
                    return hit
        return None

    def clause_text(self, hit: Hit) -> str:
        """Return the clause that a hit stands in."""
        return self.text[slice(*hit.clause)]

    def mentions(self, wanted: Pattern) -> Iterator[Hit]:
        """Yield where a pattern's words stand together, whatever the polarity or side."""
        if not wanted.lemmas:
            return
        for clause, places in zip(self._clauses, self._places, strict=True):
            if all(text in places for text in wanted.lemmas):
                yield from _windows(clause, places, wanted)


def _windows(clause: Clause, places: Mapping[str, list[int]], wanted: Pattern) -> Iterator[Hit]:
    anchor, rest = wanted.lemmas[0], wanted.lemmas[1:]
    for at in places[anchor]:
        chosen = [at, *(min(places[text], key=lambda p: abs(p - at)) for text in rest)]
        low, high = min(chosen), max(chosen)
        if high - low + 1 > wanted.length + _SLACK:
            continue
        words = [clause.words[p] for p in chosen]
        yield Hit(
            start=clause.words[low].start,
            stop=clause.words[high].stop,
            hedged=clause.hedged,
            side=_side(clause, low, high, chosen),
            negated=any(word.negated for word in words),
            clause=(clause.start, clause.stop),
        )


def _side(clause: Clause, low: int, high: int, chosen: Iterable[int]) -> Side | None:
    """Return the side nearest to a match in its clause, else the nearest of its sentence."""
    spots = tuple(chosen)
    named = [
        (min(abs(at - spot) for spot in spots), at, word.side)
        for at, word in enumerate(clause.words)
        if word.side
    ]
    if named:
        return min(named)[2]
    middle = (clause.words[low].start + clause.words[high].stop) / 2
    if clause.sentence_sides:
        return min(clause.sentence_sides, key=lambda item: abs(item[0] - middle))[1]
    return None


def _fits(own: Side | None, asked: Side | None, found: Side | None) -> bool:
    needed = own or asked
    if needed is None:
        return True
    if needed == "both":
        # A pair in the question's own words ("both sharp") needs both sides named; "no effusion" alone has no side.
        return found == "both"
    if own is None and found is None:
        return True
    return found in {needed, "both"}
