"""Rule checker `extended`: paraphrase, rounding and field binding (definitions, rule checker, `extended`).

It differs from `strict`: hedges don't lower a label; a value that the claim ties to a field and that isn't that field's makes
the claim unsupported whatever else matches; numbers match when they round to what is written; synonyms of tiers, layers,
stages, smoking and genes are read; a claim without any token is `unknown`, but for abstentions. One thing more is ours: a
layer that was shown and is merely named ("the clinical context is critical") supports nothing by itself, so alone it is no token.
"""

import re
from collections.abc import Collection, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from percuss.core.labels import Support
from percuss.evidence import abstention
from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.rules import synonyms
from percuss.evidence.rules.compare import Measure, comparator, says
from percuss.evidence.rules.fields import bindings
from percuss.evidence.rules.finding import MOST_NUMBERS, Finding, Outcome, Token, too_long
from percuss.evidence.rules.index import Index
from percuss.evidence.rules.layers import Spoken, spoken
from percuss.evidence.rules.levels import Level, agrees, levels
from percuss.evidence.rules.scope import Scope, negated
from percuss.text.lexicon import HEDGE, SPECIFIC, Gate
from percuss.text.quantities import quantities, worded

__all__ = ["Parsed", "check", "parse"]

_HEDGE_REACH = 28
_ENUMERATED_BEFORE = re.compile(r"\b(stage|tier)\b[\s:]{1,3}(?:(?:of|is|was)\s)?$", re.IGNORECASE)
"""A number where a stage or tier stands ("a stage of 12") is none of their values."""


class Parsed(NamedTuple):
    """What `extended` reads in a claim before it looks at any packet."""

    measures: tuple[Measure, ...]
    said: tuple[synonyms.Said, ...]
    specifics: tuple[tuple[int, int, str], ...]
    layers: tuple[Spoken, ...]
    levels: tuple[Level, ...]
    scope: Scope
    hedged: bool


@lru_cache(maxsize=8192)
def parse(claim: str) -> Parsed:
    """Read the tokens and cues of a claim."""
    gate = Gate(claim)
    said = tuple(synonyms.read(claim, gate))
    notation = SPECIFIC.finditer(claim) if gate.open("specific") else ()
    specifics = tuple((m.start(), m.end(), m.group()) for m in notation)
    level = tuple(levels(claim)) if gate.open("level") else ()
    taken = (
        [(s.start, s.stop) for s in said]
        + [(a, b) for a, b, _ in specifics]
        + [(v.start, v.stop) for v in level]
    )
    hedges = tuple(m.end() for m in HEDGE.finditer(claim)) if gate.open("hedge") else ()
    scope = Scope.of(claim, gate)
    return Parsed(
        measures=tuple(_measures(claim, taken, hedges, gate)),
        said=said,
        specifics=specifics,
        layers=tuple(spoken(claim, scope)),
        levels=level,
        scope=scope,
        hedged=bool(hedges),
    )


def _measures(
    claim: str, taken: list[tuple[int, int]], hedges: tuple[int, ...], gate: Gate
) -> Iterator[Measure]:
    """Yield the numbers of a claim, ranges joined, in order."""
    digits = quantities(claim)[:MOST_NUMBERS] if gate.digit else ()
    found = sorted((*digits, *worded(claim))) if gate.open("worded") else list(digits)
    free = [q for q in found if not any(low < q.stop and q.start < high for low, high in taken)]
    position = 0
    while position < len(free):
        low = free[position]
        paired = low.part == "low" and position + 1 < len(free) and free[position + 1].part == "high"
        yield Measure(
            quantity=low,
            high=free[position + 1] if paired else None,
            bound=comparator(claim, low.start),
            hedged=any(0 <= low.start - end <= _HEDGE_REACH for end in hedges),
        )
        position += 2 if paired else 1


def check(claim: str, packet: Packet, *, layers_shown: Collection[str] | None = None) -> Finding:
    """Label a claim against a packet.

    Args:
        claim: the claim's text.
        packet: the reference, as for `strict`.
        layers_shown: layers that the arm showed; None = all.

    Returns:
        A finding with a label always; a value that matches only layers not shown is flagged (`matches_unseen`).
    """
    refused = too_long(claim)
    if refused is not None:
        return refused
    parsed = parse(claim)
    index = Index.of(packet)
    shown = None if layers_shown is None else frozenset(layers_shown)
    tokens = list(_tokens(claim, parsed, index, shown))
    if all(_is_bare_naming(token) for token in tokens):
        tokens = list(_abstained(claim, index, shown))
    tokens.sort(key=lambda token: token.start)
    return Finding(
        label=_label(tokens), tokens=tuple(tokens), hedged=parsed.hedged, absent=bool(parsed.scope.absences)
    )


def _is_bare_naming(token: Token) -> bool:
    """Tell whether a token only names a layer that was shown."""
    return token.kind == "modality" and token.outcome == "match" and token.value == "shown"


def _label(tokens: list[Token]) -> Support:
    if not tokens:
        return Support.UNKNOWN
    outcomes = {token.outcome for token in tokens}
    if any(t.outcome == "mismatch" and t.bound and t.kind != "modality" for t in tokens):
        return Support.UNSUPPORTED
    if outcomes == {"match"}:
        return Support.SUPPORTED
    return Support.UNSUPPORTED if outcomes == {"mismatch"} else Support.PARTIAL


def _tokens(claim: str, parsed: Parsed, index: Index, shown: frozenset[str] | None) -> Iterator[Token]:
    if parsed.measures:
        tied = bindings(claim, list(parsed.measures), index.book)
        for measure, facts in zip(parsed.measures, tied, strict=True):
            token = _number(claim, measure, facts, index, shown)
            if token is not None:
                yield token
    for said in parsed.said:
        yield from _value(claim, said, index, shown)
    for level in parsed.levels:
        yield from _level(claim, level, parsed.scope, index, shown)
    if index.layers:
        for layer in parsed.layers:
            yield _layer(claim, layer, index, shown)
    for start, stop, text in parsed.specifics:
        held = text.lower() in index.prose.lower()
        agreed = held != parsed.scope.denied(start)
        yield _token("specific", claim, start, stop, "match" if agreed else "mismatch")
    yield from _texts(claim, parsed.scope, index, shown)


def _number(
    claim: str, measure: Measure, facts: tuple[Fact, ...], index: Index, shown: frozenset[str] | None
) -> Token | None:
    """Hold a number against the fields it is tied to, or, tied to none, against all of the packet."""
    start, stop = measure.quantity.start, measure.stop
    seen = index.seen(shown)
    if facts:
        recorded = [(fact, Decimal(str(fact.value))) for fact in facts if not fact.empty]
        said = [fact for fact, value in recorded if says(measure, fact, value, bound=True)]
        if negated(claim, start):
            said = [] if said else [fact for fact, _ in recorded]
        best = min(said or facts, key=lambda fact: not seen(_layer_of(fact, index)))
        hidden = bool(said) and not seen(_layer_of(best, index))
        return _token(
            "number",
            claim,
            start,
            stop,
            "match" if said else "mismatch",
            fact=best,
            bound=True,
            unseen=hidden,
        )
    if negated(claim, start):
        return None
    misnamed = _ENUMERATED_BEFORE.search(claim, max(0, start - 16), start)
    if misnamed is not None and index.fields.get(misnamed[1].lower()):
        entry = index.fields[misnamed[1].lower()][0]
        return _token("number", claim, start, stop, "mismatch", fact=entry.fact, bound=True)
    hits = [
        (fact, layer)
        for value, fact, layer in _near(measure, index)
        if says(measure, fact, value, bound=False)
    ]
    if not hits:
        return _token("number", claim, start, stop, "mismatch")
    fact, layer = min(hits, key=lambda hit: not seen(hit[1]))
    return _token("number", claim, start, stop, "match", fact=fact, unseen=not seen(layer))


def _near(measure: Measure, index: Index) -> Iterator[tuple[Decimal, Fact, str]]:
    """Yield the packet's numbers that a free number could mean, on either scale."""
    low, high = measure.quantity.value, (measure.high or measure.quantity).value
    for scale in (Decimal(1), Decimal("0.01"), Decimal(100)):
        middle, half = (low + high) / 2 * scale, abs(high - low) / 2 * scale
        slack = (abs(high) * Decimal("0.06") + Decimal("0.5").scaleb(-measure.quantity.decimals)) * scale
        yield from index.within(middle, half + slack)
    if measure.quantity.unit and measure.quantity.unit != "%":
        yield from (entry for entry in index.entries if entry[1].unit)


def _value(claim: str, said: synonyms.Said, index: Index, shown: frozenset[str] | None) -> Iterator[Token]:
    """Compare an enumerated value with its field; no token where the packet has no value for it."""
    entries = index.fields.get(said.field)
    if not entries:
        return
    seen = index.seen(shown)
    outcomes = [(synonyms.compare(said, entry.value), entry) for entry in entries]
    rank = {"match": 0, "finer": 1, "mismatch": 2}
    outcome, entry = min(outcomes, key=lambda each: (rank[each[0]], not seen(each[1].layer)))
    if negated(claim, said.start):
        flipped: dict[str, Outcome] = {"match": "mismatch", "mismatch": "match", "finer": "finer"}
        outcome = flipped[outcome]
    hidden = outcome == "match" and not seen(entry.layer)
    yield _token(
        "enumerated",
        claim,
        said.start,
        said.stop,
        outcome,
        fact=entry.fact,
        field=said.field,
        bound=True,
        unseen=hidden,
    )


def _level(
    claim: str, level: Level, scope: Scope, index: Index, shown: frozenset[str] | None
) -> Iterator[Token]:
    """Hold "high PD-L1" against the gene's z-score; a gene that isn't there is an assertion without evidence."""
    if scope.supposed(level.start) or scope.denied(level.start):
        return
    fact = index.genes.get(level.gene)
    if fact is None or fact.empty or isinstance(fact.value, str):
        if index.layers:
            yield _token("level", claim, level.start, level.stop, "mismatch", fact=fact)
        return
    agreed = agrees(level.level, float(fact.value or 0)) if fact.leaf.startswith("z_") else None
    if agreed is not None:
        hidden = agreed and not index.seen(shown)(_layer_of(fact, index))
        outcome: Outcome = "match" if agreed else "mismatch"
        yield _token("level", claim, level.start, level.stop, outcome, fact=fact, bound=True, unseen=hidden)


def _layer(claim: str, each: Spoken, index: Index, shown: frozenset[str] | None) -> Token:
    present = each.layer in index.filled and (shown is None or each.layer in shown)
    return Token(
        kind="modality",
        text=claim[each.start : each.stop],
        start=each.start,
        stop=each.stop,
        outcome="match" if present != each.denied else "mismatch",
        path=each.layer if each.layer in index.layers else None,
        value="shown" if present else "not shown or empty",
        field=each.layer,
        bound=True,
    )


def _texts(claim: str, scope: Scope, index: Index, shown: frozenset[str] | None) -> Iterator[Token]:
    """Find the packet's short texts (a drug, a mode, a diagnosis) in the claim."""
    low = claim.lower()
    seen = index.seen(shown)
    for words, fact in index.words:
        start = low.find(words)
        if (
            start < 0
            or low[start - 1 : start].isalnum()
            or low[start + len(words) : start + len(words) + 1].isalnum()
        ):
            continue
        denied = negated(claim, start) or (
            scope.denied(start) and low[:start].rstrip().endswith((" no", "without"))
        )
        yield _token(
            "value",
            claim,
            start,
            start + len(words),
            "mismatch" if denied else "match",
            fact=fact,
            bound=True,
            unseen=not denied and not seen(_layer_of(fact, index)),
        )


def _abstained(claim: str, index: Index, shown: frozenset[str] | None) -> Iterator[Token]:
    """An abstention is right if what it speaks of was not shown or is not recorded, wrong if it was shown."""
    found = abstention.find(claim)
    if found is None:
        return
    seen = index.seen(shown)
    named = [mention.facts for mention in index.book.mentions(claim)]
    named += [tuple(entry.fact for entry in index.fields.get(field, ())) for field in _fields_named(claim)]
    known = [fact for facts in named for fact in facts if not fact.empty and seen(_layer_of(fact, index))]
    something_missing = (shown is not None and not shown) or any(
        name not in index.filled or (shown is not None and name not in shown) for name in index.layers
    )
    if known:
        yield _token("abstention", claim, found.start, found.stop, "mismatch", fact=known[0], bound=True)
    elif something_missing or any(named) or _fields_named(claim):
        yield _token("abstention", claim, found.start, found.stop, "match")


def _fields_named(claim: str) -> list[str]:
    low = claim.lower()
    return [
        field
        for field, words in (
            ("stage", ("stage", "staging")),
            ("smoking", ("smok", "tobacco")),
            ("tier", ("tier",)),
        )
        if any(word in low for word in words)
    ]


def _layer_of(fact: Fact, index: Index) -> str:
    layer = layer_of(fact.path)
    return layer if layer in index.layers else ""


def _token(
    kind: str,
    claim: str,
    start: int,
    stop: int,
    outcome: Outcome,
    *,
    fact: Fact | None = None,
    field: str = "",
    bound: bool = False,
    unseen: bool = False,
) -> Token:
    return Token(
        kind=kind,
        text=claim[start:stop],
        start=start,
        stop=stop,
        outcome=outcome,
        path=None if fact is None else fact.path,
        value=None if fact is None else fact.value,
        field=field or ("" if fact is None or not bound else fact.leaf),
        bound=bound,
        unseen=unseen,
    )
