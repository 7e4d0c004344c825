"""Rule checker `strict`: one algorithm that yields the paper's 19 Auto labels (App. C, H, J, S of the HDI paper).

A claim's tokens (numbers, enumerated values, modality words, committed specifics) each match or mismatch; the label follows
from how many do, from hedges and from absence cues. Paraphrase is not understood on purpose: `extended` does that.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from percuss.core.labels import Support
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.finding import MOST_NUMBERS, Finding, Token, too_long
from percuss.evidence.rules.index import Index
from percuss.text.lexicon import (
    ABSENCE,
    CLAUSE,
    FIELD,
    HEDGE,
    SPECIFIC,
    Enumerated,
    Gate,
    enumerated,
    layer_words,
)
from percuss.text.quantities import Quantity, quantities

__all__ = ["Parsed", "check", "parse"]

TOLERANCE = Decimal("0.01")
"""App. H: rounded floats within 0.01, ends included (38.1 matches 38.09)."""
PERCENT_POINT = Decimal(1)
"""App. H: integer percents within one percentage point, on either scale (61% ~ 0.61)."""


class Parsed(NamedTuple):
    """What `strict` reads in a claim before it looks at any packet."""

    numbers: tuple[Quantity, ...]
    values: tuple[Enumerated, ...]
    layers: tuple[tuple[int, int, str], ...]
    specifics: tuple[tuple[int, int, str], ...]
    absences: tuple[int, ...]
    clauses: tuple[int, ...]
    hedged: bool
    names_field: bool

    def denied(self, position: int) -> bool:
        """Tell whether an absence cue stands in the clause of a position."""
        if not self.absences:
            return False
        clause = bisect_right(self.clauses, position)
        return any(bisect_right(self.clauses, cue) == clause for cue in self.absences)


@lru_cache(maxsize=8192)
def parse(claim: str) -> Parsed:
    """Read the tokens and cues of a claim. The last 8192 claims are kept: one claim is held against many packets."""
    gate = Gate(claim)
    values = enumerated(claim) if gate.open("enumerated") else ()
    specifics = (
        tuple((m.start(), m.end(), m.group()) for m in SPECIFIC.finditer(claim))
        if gate.open("specific")
        else ()
    )
    numbers = quantities(claim)[:MOST_NUMBERS] if gate.digit else ()
    taken = [(value.start, value.stop) for value in values] + [(start, stop) for start, stop, _ in specifics]
    if taken:
        numbers = tuple(q for q in numbers if not any(a <= q.stop - 1 and q.start < b for a, b in taken))
    absences = tuple(m.start() for m in ABSENCE.finditer(claim)) if gate.open("absence") else ()
    return Parsed(
        numbers=numbers,
        values=values,
        layers=layer_words(claim) if gate.open("layer") else (),
        specifics=specifics,
        absences=absences,
        clauses=tuple(m.start() for m in CLAUSE.finditer(claim)) if absences else (),
        hedged=gate.open("hedge") and HEDGE.search(claim) is not None,
        names_field=gate.open("field") and FIELD.search(claim) is not None,
    )


def check(claim: str, packet: Packet, *, layers_shown: Collection[str] | None = None) -> Finding:
    """Label a claim against a packet.

    Args:
        claim: the claim's text.
        packet: the reference: numbers and enumerated values match any of its layers, shown or not.
        layers_shown: layers that the arm showed, against which modality words are held; None = all.

    Returns:
        A finding with a label always; a value that matches only layers not shown is flagged (`matches_unseen`).
    """
    refused = too_long(claim)
    if refused is not None:
        return refused
    parsed = parse(claim)
    index = Index.of(packet)
    shown = None if layers_shown is None else frozenset(layers_shown)
    tokens = tuple(sorted(_tokens(claim, parsed, index, shown), key=lambda token: token.start))
    return Finding(
        label=_label(tokens, parsed), tokens=tokens, hedged=parsed.hedged, absent=bool(parsed.absences)
    )


def _label(tokens: tuple[Token, ...], parsed: Parsed) -> Support:
    if not tokens:
        named = parsed.names_field and not parsed.values and not parsed.absences
        return Support.UNKNOWN if named else Support.PARTIAL
    matches = sum(token.outcome == "match" for token in tokens)
    if matches == len(tokens):
        return Support.PARTIAL if parsed.hedged else Support.SUPPORTED
    return Support.PARTIAL if matches else Support.UNSUPPORTED


def _tokens(claim: str, parsed: Parsed, index: Index, shown: frozenset[str] | None) -> Iterator[Token]:
    for number in parsed.numbers:
        yield _number(number, index, shown)
    for value in parsed.values:
        yield from _value(claim, value, index, shown)
    if index.layers:
        for start, stop, layer in parsed.layers:
            yield _layer(claim[start:stop], start, stop, layer, parsed.denied(start), index, shown)
    for start, stop, text in parsed.specifics:
        held = text.lower() in index.prose.lower()
        if held or not parsed.denied(start):
            yield Token(
                kind="specific", text=text, start=start, stop=stop, outcome="match" if held else "mismatch"
            )


def _number(number: Quantity, index: Index, shown: frozenset[str] | None) -> Token:
    """Match a number with any number of the packet; a shown one is preferred to one of a layer not shown."""
    seen = index.seen(shown)
    hidden = None
    for value, fact, layer in _candidates(number, index):
        if seen(layer):
            return _matched(number, fact.path, value, unseen=False)
        hidden = hidden or (fact.path, value)
    if hidden is not None:
        return _matched(number, hidden[0], hidden[1], unseen=True)
    return Token(kind="number", text=number.text, start=number.start, stop=number.stop, outcome="mismatch")


def _candidates(number: Quantity, index: Index) -> Iterator[tuple[Decimal, Fact, str]]:
    yield from index.within(number.value, TOLERANCE)
    if number.percent and not number.decimals:
        yield from index.within(number.value, PERCENT_POINT)
        yield from index.within(number.value / 100, PERCENT_POINT / 100)


def _matched(number: Quantity, path: str, value: Decimal, *, unseen: bool) -> Token:
    return Token(
        kind="number",
        text=number.text,
        start=number.start,
        stop=number.stop,
        outcome="match",
        path=path,
        value=float(value),
        unseen=unseen,
    )


def _value(claim: str, value: Enumerated, index: Index, shown: frozenset[str] | None) -> Iterator[Token]:
    """Compare an enumerated value with its field; no token where the packet has no value for it."""
    entries = index.fields.get(value.field)
    if not entries:
        return
    seen = index.seen(shown)
    equal = [entry for entry in entries if entry.value.lower() == value.value.lower()]
    best = min(equal or entries, key=lambda entry: not seen(entry.layer))
    yield Token(
        kind="enumerated",
        text=claim[value.start : value.stop],
        start=value.start,
        stop=value.stop,
        outcome="match" if equal else "mismatch",
        path=best.fact.path,
        value=best.fact.value,
        field=value.field,
        bound=True,
        unseen=bool(equal) and not seen(best.layer),
    )


def _layer(
    text: str, start: int, stop: int, layer: str, denied: bool, index: Index, shown: frozenset[str] | None
) -> Token:
    """Hold a modality word against the layers shown: asserted where there is one, denied where there is none."""
    present = layer in index.filled and (shown is None or layer in shown)
    return Token(
        kind="modality",
        text=text,
        start=start,
        stop=stop,
        outcome="match" if present != denied else "mismatch",
        path=layer if layer in index.layers else None,
        value="shown" if present else "not shown or empty",
        field=layer,
        bound=True,
    )
