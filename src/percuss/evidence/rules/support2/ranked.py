"""Fields held against each other: "more stroma than tumor", "most of the tissue is stroma", "pathology is the larger contributor"."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.fieldwords import Named, fields_of, group_of
from percuss.evidence.rules.support2.plainly import in_percent
from percuss.text.cued import Cued
from percuss.text.numbers import Number, numbers

__all__ = ["by_rank"]

_CUE = Cued(
    r"\b(?:more|less|fewer|most|majority|minority|half|largest|biggest|highest|greatest|strongest|top|main|larger|bigger|higher|greater|smallest|lowest|least|weakest|smaller|lower|dominates?|"
    r"exceeds?|together|combined|mostly|mainly|largely|primarily|outweighs?|outnumbers?|surpass\w*|times|twice|double|triple|nothing|no|some|no part|all|both|every|each|only|range|between|bulk)\b"
)
_WORD = re.compile(r"§\d+|#\d+|[a-z][a-z'’-]*|[^\s\w]")
_FILLER = frozenset(
    "the a an of in on at by to from with and or as is are was were be been being has have had there this that these those it its his her their he she they patient patient's case sample "
    "tissue slide specimen section area cell cells tumor tumour data layer layers evidence part parts share score scores total overall purity estimate estimates gene genes signature signatures value values level levels "
    "expression expressed contribute contributes contributed contribution contributions contributor account accounts accounted comes come came takes take taken up makes make made gives give gave drives drive drove "
    "driven counts count for attributable due lies lie lay stands read consensus scored scores rank ranks tile tiles among mutation mutations ones one five six three other others content amount much many than-average "
    "fusion io composed consists consist clearly far slightly well rather by-far about roughly around approximately nearly almost some just a-little little bit explains explain explained adds add added "
    "plays play played measured method methods microenvironment highly strongly proportion fraction percent".split()
)
_TIE = Decimal("0.005")
_CLOSE, _FAR = Decimal("0.13"), Decimal("0.3")
_HALF, _EVEN = Decimal("0.5"), Decimal("0.015")
_GREATEST = r"(?:largest|biggest|highest|greatest|strongest|top|main|larger|bigger|higher|greater|most|dominates?|dominant)"
_LEAST = r"(?:smallest|lowest|least|weakest|smaller|lower|minor)"
_MORE = r"(?:more|higher|larger|greater|bigger|stronger)"
_LESS = r"(?:less|lower|smaller|fewer|weaker)"
_OVER = r"(?:exceeds?|together|combined|mostly|mainly|largely|primarily|outweighs?|outnumbers?|surpass(?:es)?|above)"
_LONGEST = 160

Decide = Callable[[re.Match[str], Sequence[Named], Sequence[Number], Packet], bool | None]


def by_rank(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim that holds fields against each other stands to them; None unless all of it was read.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    claim = in_percent(claim)
    found = fields_of(claim, packet)
    named = [each for each in found if each.facts]
    if not named or (len(named[0].facts) == 1 and named[0].facts[0].leaf.startswith("z_")):
        return None  # a standardised value tells a place in the cohort, not which of two is more
    for each in found:
        if not each.facts:
            claim = f"{claim[: each.start]}{' ' * (each.stop - each.start)}{claim[each.stop :]}"
    counted = _counted(claim, named)
    said = _said(claim, named, counted)
    for pattern, decide in _forms():
        match = pattern.fullmatch(said)
        if match is not None:
            right = decide(match, named, counted, packet)
            if right is None:
                continue
            fact = named[0].facts[0]
            shown = f"{fact.value} {fact.unit}".strip()
            reason = "by the values of the fields that it compares"
            return Fielded("supported" if right else "contradicted", reason, fact.path, shown)
    return None


def _counted(claim: str, named: Sequence[Named]) -> list[Number]:
    return [
        n for n in numbers(claim)
        if n.kind in {"quantity", "range", "fraction"} and n.value is not None and not any(m.start <= n.start < m.stop for m in named)
    ]  # fmt: skip


def _said(claim: str, named: Sequence[Named], counted: Sequence[Number]) -> str:
    """Return a claim as its fields (§), its numbers (#) and the words that are no filler."""
    places = sorted(
        [(m.start, m.stop, f" §{i} ") for i, m in enumerate(named)]
        + [(n.start, n.stop, _mark(i, n)) for i, n in enumerate(counted)]
    )
    out: list[str] = []
    at = 0
    for start, stop, mark in places:
        if start < at:
            continue
        out.extend((claim[at:start], mark))
        at = stop
    text = "".join((*out, claim[at:])).lower().rstrip(" .")
    text = re.sub(r"\bby far\b|\bmost of all\b", " ", text)
    text = re.sub(r"\bno part\b", " nothing ", text)
    kept = [word for word in _WORD.findall(text) if word not in _FILLER]
    return " ".join(kept)


def _mark(place: int, number: Number) -> str:
    """Return the sign of a number, with the words of comparison that it took in."""
    way = {">": "above ", ">=": "above ", "<": "below ", "<=": "below "}.get(number.comparator, "")
    times = " times" if re.search(r"\btimes\b", number.text) else ""
    return f" {way}#{place}{times} "


def _value(named: Named) -> Decimal | None:
    return Decimal(str(named.facts[0].value)) if len(named.facts) == 1 else None


def _share(named: Named) -> Decimal | None:
    """Return a field's value as a share of a whole; None for one that is no share."""
    value = _value(named)
    if value is None:
        return None
    fact = named.facts[0]
    if "percent" in fact.path or fact.unit == "%":
        return value / 100
    return value if 0 <= value <= 1 and ("fraction" in fact.path or "purity" in fact.path) else None


def _greater(first: Decimal | None, second: Decimal | None) -> bool | None:
    if first is None or second is None or abs(first - second) <= _TIE * max(abs(first), abs(second)):
        return None
    return first > second


def _compare(match: re.Match[str], named: Sequence[Named], _: Sequence[Number], __: Packet) -> bool | None:
    """Decide "A more than B", "A less than B", also of two together."""
    said = match.groupdict()
    first = _value(named[int(said["a"])])
    second = _value(named[int(said["b"])])
    if said.get("c") and second is not None:
        third = _value(named[int(said["c"])])
        second = None if third is None else second + third
    more = _greater(first, second)
    if more is None:
        return None
    return (more == (said.get("more") is not None)) != (said.get("not") is not None)


def _plain(counted: Sequence[Number]) -> list[Decimal]:
    return [number.value for number in counted if number.value is not None]


def _first(match: re.Match[str], named: Sequence[Named], _: Sequence[Number], packet: Packet) -> bool | None:
    """Decide "A is the largest" and "A is the smallest" among the fields of its kind."""
    one = named[int(match["a"])]
    value = _value(one)
    others = [Decimal(str(f.value)) for f in group_of(one.facts[0], packet) if f != one.facts[0]]
    if value is None or not others:
        return None
    found = _greater(value, max(others)) if match["most"] else _greater(min(others), value)
    return None if found is None else found != (match["not"] is not None)


def _part(match: re.Match[str], named: Sequence[Named], counted: Sequence[Number], _: Packet) -> bool | None:
    """Decide "most of it is A", "a minority is A", "more than half of it is A"."""
    share = _share(named[int(match["a"])])
    half = not counted or (counted[0].unit == "%" and counted[0].value == 50)
    if share is None or abs(share - _HALF) < _EVEN or not half:
        return None
    return (share > _HALF) == (match["most"] is not None)


def _times(match: re.Match[str], named: Sequence[Named], counted: Sequence[Number], _: Packet) -> bool | None:
    """Decide "A is three times B"."""
    values = _plain(counted)
    first, second = _value(named[int(match["a"])]), _value(named[int(match["b"])])
    said = {"twice": Decimal(2), "double": Decimal(2), "triple": Decimal(3)}.get(match["k"])
    if said is None:
        said = values[0] if len(values) == 1 else None
    if first is None or second is None or said is None or second <= 0 or said <= 0:
        return None
    apart = abs(first / second / said - 1)
    return True if apart <= _CLOSE else False if apart >= _FAR else None


def _sum(match: re.Match[str], named: Sequence[Named], counted: Sequence[Number], _: Packet) -> bool | None:
    """Decide "A and B together account for 78%"."""
    places = [match[name] for name in ("a", "b", "a2", "b2") if match[name]]
    shares = [_share(named[int(place)]) for place in places]
    said = _plain(counted)
    if None in shares or len(said) != 1 or len(set(places)) < len(places):
        return None
    whole = said[0] / 100 if said[0] > 1 else said[0]
    apart = abs(sum(share for share in shares if share is not None) - whole)
    near = Decimal("0.02") if counted[0].comparator == "~" else Decimal("0.0051")
    return True if apart <= near else None if apart < Decimal("0.03") else False


def _nothing(match: re.Match[str], named: Sequence[Named], _: Sequence[Number], __: Packet) -> bool | None:
    value = _value(named[int(match["a"])])
    return None if value is None else value == 0


def _some(match: re.Match[str], named: Sequence[Named], _: Sequence[Number], __: Packet) -> bool | None:
    """Decide "there is no necrosis", "there is some necrosis" of a share."""
    share = _share(named[int(match["a"])])
    return None if share is None else (share == 0) == (match["no"] is not None)


def _values(named: Named) -> list[Decimal]:
    return [Decimal(str(fact.value)) for fact in named.facts]


def _every(match: re.Match[str], named: Sequence[Named], counted: Sequence[Number], _: Packet) -> bool | None:
    """Decide "all genes are below average", "all estimates lie above 60%", "most genes are reduced"."""
    values = _plain(counted)
    held = _values(named[int(match["a"])])
    limit = _limit(held, values)
    if len(held) < 2 or limit is None:
        return None
    up = match["up"] is not None
    hits = sum(value > limit if up else value < limit for value in held)
    if match["how"] == "most":
        return None if 2 * hits == len(held) else 2 * hits > len(held)
    return hits == len(held)


def _limit(held: Sequence[Decimal], values: Sequence[Decimal]) -> Decimal | None:
    values = [value for value in values if value != len(held)]
    if not values or values == [Decimal(0)]:
        signed = any(value < 0 for value in held) or any(value > 1 for value in held)
        return Decimal(0) if signed else None
    if len(values) != 1:
        return None
    small = all(0 <= value <= 1 for value in held)
    return values[0] / 100 if small and values[0] > 1 else values[0]


def _extreme(
    match: re.Match[str], named: Sequence[Named], counted: Sequence[Number], _: Packet
) -> bool | None:
    """Decide "the lowest purity is 0.29"."""
    values = _plain(counted)
    held = _values(named[int(match["a"])])
    if len(held) < 2 or len(values) != 1:
        return None
    value = max(held) if match["most"] else min(held)
    said = values[0] / 100 if values[0] > 1 >= value else values[0]
    half = Decimal("0.5").scaleb(int(said.normalize().as_tuple().exponent))
    return abs(value - said) <= half


def _span(match: re.Match[str], named: Sequence[Named], counted: Sequence[Number], _: Packet) -> bool | None:
    """Decide "the estimates range from 0.29 to 0.54"."""
    held = _values(named[int(match["a"])])
    spans = [(n.value, n.upper) for n in counted if n.kind == "range"]
    if len(held) < 2 or len(spans) != 1:
        return None
    ends = [each for each in spans[0] if each is not None]
    if ends[1] > 1 >= max(held):
        ends = [end / 100 for end in ends]
    near = Decimal("0.005")
    right = abs(ends[0] - min(held)) <= near and abs(ends[1] - max(held)) <= near
    outside = ends[0] > max(held) or ends[1] < min(held)
    return True if right else False if outside else None


def _only(match: re.Match[str], named: Sequence[Named], _: Sequence[Number], packet: Packet) -> bool | None:
    """Decide "A is the only negative one"."""
    one = named[int(match["a"])]
    value = _value(one)
    others = [Decimal(str(f.value)) for f in group_of(one.facts[0], packet) if f != one.facts[0]]
    if value is None or not others:
        return None
    low = match["low"] is not None
    return (
        (value < 0) == low and value != 0 and all((other >= 0) if low else (other <= 0) for other in others)
    )


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[re.Pattern[str], Decide], ...]:
    a, b, c = (rf"§(?P<{name}>\d+)" for name in "abc")
    over, under = r"(?:above|more than|over)", r"(?:below|less than|under)"
    more, less = rf"(?P<more>{_MORE}|{_OVER})", rf"{_LESS}"
    both = rf"{b}(?: ,? ?{c}(?: together| combined)?)?"
    below, above = (
        r"(?:below|under|negative|reduced|low|lower than)",
        r"(?P<up>above|over|positive|raised|high|higher than)",
    )
    mean = r"(?: (?:average|mean|zero|#0))?"
    how = r"(?P<how>all|both|every|each|most)"
    return (
        (re.compile(rf"{a} (?P<not>not )?{more}(?: than)? {both}"), _compare),
        (re.compile(rf"{a} (?P<not>not )?{less}(?: than)? {both}"), _compare),
        (re.compile(rf"{more} {a} than {both}"), _compare),
        (re.compile(rf"{less} {a} than {both}"), _compare),
        (re.compile(rf"{a} (?P<not>not )?(?:(?P<most>{_GREATEST}|least (?:reduced|negative|low))|{_LEAST}|most (?:reduced|negative))(?: all)?(?: #\d+)?"), _first),
        (re.compile(rf"(?:(?P<most>{_GREATEST})|{_LEAST})(?P<not> not)? {a}"), _first),
        (re.compile(rf"(?:(?P<most>most|majority|more than half|over half|bulk|{over} #\d+)|(?:small )?minority|less than half|under half|{under} #\d+) {a}"), _part),
        (re.compile(rf"{a} (?:(?P<most>most|majority|more than half|over half|bulk)|(?:small )?minority|less than half|under half)"), _part),
        (re.compile(rf"{a} (?P<k>#\d+ times|twice|double|triple)(?: as)? {b}"), _times),
        (re.compile(rf"(?P<k>#\d+ times|twice|double|triple)(?: as)? {a}(?: as)? {b}"), _times),
        (re.compile(rf"{a} (?:nothing|no)"), _nothing),
        (re.compile(rf"{a} ,? ?{b} (?:together|combined) #\d+|together ,? ?{a.replace('<a>', '<a2>')} {b.replace('<b>', '<b2>')} #\d+"), _sum),
        (re.compile(rf"(?P<more>mostly|mainly|largely|primarily) {a} rather than {b}"), _compare),
        (re.compile(rf"(?:(?P<no>no)|some) {a}"), _some),
        (re.compile(rf"{how}(?: #\d+)? {a} (?:{above}|{below}){mean}(?: #\d+)?"), _every),
        (re.compile(rf"{a} (?P<how>all) (?:{above}|{below}){mean}(?: #\d+)?"), _every),
        (re.compile(rf"(?:(?P<most>highest|largest)|lowest|smallest) {a} #\d+"), _extreme),
        (re.compile(rf"{a} range(?:s|d)?(?: from)?(?: between)? #\d+"), _span),
        (re.compile(rf"{a} only (?:(?P<low>negative|reduced|low)|positive|raised|high|up)"), _only),
    )  # fmt: skip
