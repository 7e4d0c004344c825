"""Rules for plain text evidence: numbers, dates, units, named drugs and quotes; the rest is left to a judge.

A claim is decided only where something in it can be checked: a specific that the evidence doesn't hold makes it unsupported;
all specifics held makes it supported only if the evidence also says most of its words, with the same negation. Anything else is
`not_checkable:rule undecided`, so that the share decided can be told.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from percuss.core.labels import Support
from percuss.evidence import abstention
from percuss.evidence.drugs import drugs
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.compare import Measure, comparator, says
from percuss.evidence.rules.finding import MOST_NUMBERS, Finding, Outcome, Token, too_long
from percuss.text import quotes
from percuss.text.lexicon import ABSENCE, HEDGE
from percuss.text.quantities import DATE, Quantity, quantities, worded

__all__ = ["UNDECIDED", "check"]

UNDECIDED = "not_checkable:rule undecided"
COVERED = 0.75
"""Share of a claim's content words that two sentences of the evidence must hold for "supported" (ours)."""

SHORTEST_VERBATIM = 24
"""Characters from which a claim that stands in the evidence word for word is supported (ours)."""
QUOTED_WORDS, ATTRIBUTED_WORDS = 5, 3
"""Words from which quotation marks are a quote that must be found (ours), and after "says": shorter ones set off a term."""
_SAYS = re.compile(
    r"\b(?:says?|said|states?|stated|reads?|reports?|reported|wrote|writes|notes?|noted|concludes?|quot\w{1,4})[\s,:]{1,3}(?:that\s)?$",
    re.IGNORECASE,
)

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{8,600})[\"”]")
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d{2}(?![\d,/-]|\.\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PART = re.compile(
    r"\b(?:and|against|versus|vs|compared (?:with|to)|whereas|while|but)\b|[,;]", re.IGNORECASE
)
_STOP = frozenset(
    "the a an of in on at to for by with and or as is are was were be been being that this these those it its from than into over after "
    "before during between both who which there their his her they he she has have had do does did not no nor can could may might "
    "will would shall should about more most also such other those given report reports says said stated according".split()
)


class Sentence(NamedTuple):
    """A sentence of the evidence, read: its place, its content stems, its numbers with the words around each."""

    text: int
    start: int
    stop: int
    stems: frozenset[str]
    numbers: tuple[Quantity, ...]
    around: tuple[frozenset[str], ...]
    negative: bool


def check(claim: str, packet: Packet, *, shown: bool = True, hedges_lower: bool = False) -> Finding:
    """Label a claim against the texts of a packet, or leave it undecided.

    Args:
        claim: the claim's text.
        packet: its `texts` are the evidence.
        shown: whether the arm showed the texts. If not, an abstention is right, and a match is one of something unseen.
        hedges_lower: whether a hedged claim is at most `partial` (as `strict` has it).
    """
    refused = too_long(claim)
    if refused is not None:
        return refused
    evidence = _read(packet.texts)
    hedged = HEDGE.search(claim) is not None
    tokens = sorted(_tokens(claim, packet, evidence, hedged=hedged), key=lambda token: token.start)
    abstained = None if shown or any(token.kind != "drug" for token in tokens) else abstention.find(claim)
    if abstained is not None:
        words = claim[abstained.start : abstained.stop]
        tokens = [_token("abstention", words, abstained.start, abstained.stop, held=True, bound=False)]
    label = Support.SUPPORTED if abstained else _label(claim, packet, tokens, evidence)
    if not shown:
        tokens = [_unseen(token) for token in tokens]
    if label is Support.SUPPORTED and hedged and hedges_lower:
        label = Support.PARTIAL
    return Finding(
        label=label,
        unscored=None if label else UNDECIDED,
        tokens=tuple(tokens),
        hedged=hedged,
        absent=ABSENCE.search(claim) is not None,
    )


def _label(claim: str, packet: Packet, tokens: list[Token], evidence: tuple[Sentence, ...]) -> Support | None:
    wrong = [token for token in tokens if token.outcome == "mismatch"]
    if wrong:
        mixed = len(wrong) < len(tokens) and not any(token.bound for token in wrong)
        return Support.PARTIAL if mixed else Support.UNSUPPORTED
    if any(token.kind == "quote" for token in tokens):
        return Support.SUPPORTED
    telling = any(token.kind != "drug" for token in tokens)
    if telling and _is_covered(claim, evidence):
        return Support.SUPPORTED
    return Support.SUPPORTED if _is_verbatim(claim, packet) else None


def _is_verbatim(claim: str, packet: Packet) -> bool:
    """Tell whether the evidence holds the claim word for word, a change of 2% of it aside that no negation hides in."""
    if len(claim) < SHORTEST_VERBATIM:
        return False
    hit = quotes.located(claim, packet.texts)
    if hit is None:
        return False
    number, place = hit
    passage = packet.texts[number][place.start : place.stop]
    return (ABSENCE.search(passage) is None) == (ABSENCE.search(claim) is None)


def _is_covered(claim: str, evidence: tuple[Sentence, ...]) -> bool:
    """Tell whether two sentences of the evidence hold most of a claim's words, the nearer one with the same negation."""
    stems = _stems(claim)
    if not stems or not evidence:
        return False
    ranked = sorted(evidence, key=lambda sentence: -len(stems & sentence.stems))
    nearest = ranked[0]
    held = nearest.stems | (ranked[1].stems if len(ranked) > 1 else frozenset())
    same = nearest.negative == (ABSENCE.search(claim) is not None)
    return same and len(stems & held) >= COVERED * len(stems)


def _tokens(claim: str, packet: Packet, evidence: tuple[Sentence, ...], *, hedged: bool) -> Iterator[Token]:
    quoted = list(_QUOTED.finditer(claim))
    for match in quoted:
        token = _quote(match, packet)
        said = _SAYS.search(claim, max(0, match.start() - 24), match.start()) is not None
        least = ATTRIBUTED_WORDS if said else QUOTED_WORDS
        if token.outcome == "match" or match.group(1).count(" ") >= least - 1:
            yield token
    dates = list(DATE.finditer(claim))
    for match in dates:
        yield _date(match, packet)
    for match in _YEAR.finditer(claim):
        if not any(date.start() <= match.start() < date.end() for date in dates):
            held = any(match.group() in text for text in packet.texts)
            yield _token("date", match.group(), match.start(), match.end(), held=held, bound=True)
    for start, stop, name in drugs(claim):
        held = any(name in text.lower() for text in packet.texts)
        yield _token("drug", claim[start:stop], start, stop, held=held, bound=True)
    for number, around in _numbers(claim)[:MOST_NUMBERS]:
        if not any(match.start() <= number.start < match.end() for match in quoted):
            token = _number(claim, number, around, evidence, hedged=hedged)
            if token.outcome == "match" or not _is_loose(number):
                yield token


def _is_loose(number: Quantity) -> bool:
    """Tell whether a number word may be no figure at all: "these two systems", "three reasons"."""
    return number.spelled and not number.percent and not number.tolerance


def _unseen(token: Token) -> Token:
    return msgspec.structs.replace(token, unseen=token.outcome == "match" and token.kind != "abstention")


def _quote(match: re.Match[str], packet: Packet) -> Token:
    hit = quotes.located(match.group(1), packet.texts)
    path = None if hit is None else f"texts.{hit[0]}:{hit[1].start}-{hit[1].stop}"
    return Token(
        kind="quote",
        text=match.group(),
        start=match.start(),
        stop=match.end(),
        outcome="match" if hit else "mismatch",
        path=path,
        bound=True,
    )


def _date(match: re.Match[str], packet: Packet) -> Token:
    wanted = _parts(match.group())
    held = any(wanted <= _parts(found.group()) for text in packet.texts for found in DATE.finditer(text))
    return _token("date", match.group(), match.start(), match.end(), held=held, bound=True)


def _parts(date: str) -> frozenset[str]:
    """Return a date's parts without their order: year, month name or number, day."""
    low = date.lower()
    months = {name for name in _MONTHS if re.search(rf"\b{name}", low)}
    digits = {part.lstrip("0") for part in re.findall(r"\d+", low)}
    iso = re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", low)
    if iso and 1 <= int(iso[2]) <= 12:
        return frozenset({iso[1], _MONTHS[int(iso[2]) - 1], iso[3].lstrip("0")})
    return frozenset(months | digits)


def _number(
    claim: str, number: Quantity, around: frozenset[str], evidence: tuple[Sentence, ...], *, hedged: bool
) -> Token:
    """Hold a number against the evidence's numbers; the words around it say which of several is meant."""
    measure = Measure(number, bound=comparator(claim, number.start), hedged=hedged)
    stems = _stems(claim)
    best: tuple[tuple[int, int], Sentence, bool, Quantity] | None = None
    for sentence in evidence:
        shared = len(stems & sentence.stems)
        for other, near in zip(sentence.numbers, sentence.around, strict=True):
            same = _same(measure, other)
            if not same and not _comparable(number, other):
                continue
            rank = (len(around & near) + (shared if same else shared - 1), int(same))
            if best is None or rank > best[0]:
                best = (rank, sentence, same, other)
    if best is None:
        return _token(
            "number", number.text, number.start, number.stop, held=False, bound=_is_near(stems, evidence)
        )
    _, sentence, same, other = best
    place = f"texts.{sentence.text}:{sentence.start + other.start}-{sentence.start + other.stop}"
    bound = same or len(around & sentence.stems) >= 1
    path = place if same or bound else None
    return _token(
        "number", number.text, number.start, number.stop, held=same, bound=bound, path=path, value=other.text
    )


def _is_near(stems: frozenset[str], evidence: tuple[Sentence, ...]) -> bool:
    return any(len(stems & sentence.stems) >= 2 for sentence in evidence)


def _same(measure: Measure, other: Quantity) -> bool:
    value = Decimal(other.value)
    unit = "%" if other.percent else other.unit
    if measure.quantity.percent != other.percent and not _is_share(measure.quantity, other):
        return False
    if measure.quantity.unit and other.unit == "" and not other.percent and measure.quantity.unit != "%":
        return measure.quantity.value == value
    return says(measure, Fact(path="text.share" if not unit else "text", unit=unit), value, bound=True)


def _is_share(one: Quantity, other: Quantity) -> bool:
    """Tell whether one is a percent and the other a fraction of one."""
    return abs(min(one.value, other.value)) <= 1 and (one.percent or other.percent)


def _comparable(one: Quantity, other: Quantity) -> bool:
    return one.percent == other.percent and (one.unit == other.unit or not one.unit or not other.unit)


@lru_cache(maxsize=256)
def _read(texts: tuple[str, ...]) -> tuple[Sentence, ...]:
    """Read the sentences of the evidence; the last 256 packets' are kept."""
    found = []
    for number, text in enumerate(texts):
        for match in _SENTENCE.finditer(text):
            body = match.group()
            numbers = _numbers(body)
            found.append(
                Sentence(
                    number,
                    match.start(),
                    match.end(),
                    _stems(body),
                    tuple(quantity for quantity, _ in numbers),
                    tuple(around for _, around in numbers),
                    ABSENCE.search(body) is not None,
                )
            )
    return tuple(found)


def _numbers(text: str) -> list[tuple[Quantity, frozenset[str]]]:
    """Return the numbers of a text with the stems of the part of the sentence that each stands in."""
    found = sorted((*quantities(text), *worded(text)))
    if len(found) == 1:
        return [(found[0], _stems(text))]
    edges = [0]
    for one, other in pairwise(found):
        cut = _PART.search(text, one.stop, other.start)
        edges.append(cut.start() if cut else one.stop)
    edges.append(len(text))
    return [(quantity, _stems(text[edges[i] : edges[i + 1]])) for i, quantity in enumerate(found)]


def _stems(text: str) -> frozenset[str]:
    """Return the content words of a text, cut to a stem, so that "reduced" and "reduces" meet."""
    words = (match.group().lower() for match in _WORD.finditer(text))
    return frozenset(_stem(word) for word in words if len(word) > 2 and word not in _STOP)


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "edly", "ies", "ed", "es", "ly", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _token(
    kind: str,
    text: str,
    start: int,
    stop: int,
    *,
    held: bool,
    bound: bool,
    path: str | None = None,
    value: str | None = None,
) -> Token:
    outcome: Outcome = "match" if held else "mismatch"
    return Token(
        kind=kind, text=text, start=start, stop=stop, outcome=outcome, path=path, value=value, bound=bound
    )
