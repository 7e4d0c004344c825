"""Numbers of a claim bound to the packet's own field names: "61% tumor, 24% stroma", "pathology explains 65% of the score"."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet, layer_of, leaf_of
from percuss.evidence.rules.support2.fielded import Fielded, unit_left_open
from percuss.evidence.rules.support2.fieldwords import entries
from percuss.evidence.rules.support2.plainly import in_percent
from percuss.text.concepts import attribute_of, mentions
from percuss.text.cued import Cued
from percuss.text.numbers import Number, in_unit, numbers
from percuss.text.words import key_of

__all__ = ["by_names"]

_TOKEN = re.compile(r"[A-Za-z]+|\d+")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_DENIED = Cued(
    r"\b(?:no|not|never|without|nor|neither|cannot|than in|rather|unlikely|improbable|impossible|doubtful|false|untrue|wrong|incorrect|hardly|scarcely|barely)\b|n['’]t\b"
)
_MOVED = Cued(
    r"\b(?:from|rose|fell|drop\w*|increas\w+|decreas\w+|improv\w+|worsen\w+|los[ts]\w*|times|risk|target|goal|cut-?off|threshold|predicted|median|average|would|should|if|down|up(?!\s+(?:to|about|\d))|(?:below|above)\s+(?:the\s+)?(?:mean|average|normal))\b"
)
_OFF_MEAN = Cued(
    r"(?P<by>\d+(?:\.\d+)?)\s+(?:SDs?\s+|standard\s+deviations?\s+)?(?P<way>above|below)\s+(?:the\s+)?(?:mean|average)\b"
)
"""How a standardised value is said: "0.76 below the mean" is -0.76."""
_ORIGIN = Cued(r"\b(?:c[ao]mes?|stems?|derived|read|resulted)\s+from\b|\bmade\s+up\s+of\b")
_PART_OF = Cued(
    r"\bcontribut\w*|\baccount\w*|\bexplain\w*|\bdriven\b|\bstems?\b|\bdue\s+to\b|\bweight\b|\bof\s+(?:the|this|that)\s+(?:\w+\s+)?(?:score|total)\b|\badds?\b|\bcomes?\b|\bcame\b|\bmakes?\s+up\b|\battribut\w+"
)
_ROUGH = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|approx|some|circa|close\s+to)\s*$|[~≈]\s*$",
    re.IGNORECASE,
)
_DENIED_ABOVE = re.compile(
    r"\b(?:does|do|did)(?:\snot|n['’]t)\sexceed|\b(?:is|are|was)(?:\snot|n['’]t)\s(?:above|over|more\sthan|higher\sthan)",
    re.IGNORECASE,
)
_DENIED_BELOW = re.compile(
    r"\b(?:is|are|was)(?:\snot|n['’]t)\s(?:below|under|less\sthan|lower\sthan)|\b(?:does|do|did)(?:\snot|n['’]t)\sfall\sbelow",
    re.IGNORECASE,
)
_TIGHT = 28
"""Characters between a name and a number that leave no doubt whose it is."""
_BREAK = re.compile(r"[,;:]|\b(?:and|or|but|with|while|than)\b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:more\s+than|over|above|at\s+least|exceeds?|greater\s+than)\s*$|[>≥]\s*$", re.IGNORECASE
)
_LESS = re.compile(
    r"\b(?:less\s+than|under|below|at\s+most|fewer\s+than|up\s+to)\s*$|[<≤]\s*$", re.IGNORECASE
)
_CUES = re.compile(
    r"\b(?:just\s+(?:over|under|above|below)|more\s+than|less\s+than|at\s+least|at\s+most|greater\s+than|fewer\s+than|over|above|under|below|up\s+to|about|around|roughly|nearly|almost|approximately|approx|some|circa|close\s+to|exceeds?|between|range)\b",
    re.IGNORECASE,
)
_SAME = {
    "necrotic": "necrosis", "stromal": "stroma", "tumoral": "tumor", "tumorous": "tumor", "tumour": "tumor", "pathological": "pathology", "transcriptomic": "transcriptomics",
    "rna": "transcriptomics", "histology": "pathology",
}  # fmt: skip
_WHOLE = Cued(r"\bof\s+(?:the|this|that)\s+(?:\w+\s+)?(?:score|total)\b")
"""What a share is of: no name of a field of its own."""
_LISTED = re.compile(r"\.\d+\.|\[\d+\]")
_LAYERS = frozenset("pathology transcriptomics clinical fusion".split())
_LOOSE = frozenset("years year percent per mb z value level result mean fraction fractions".split())
_NEUTRAL = frozenset(
    "the a an of in on by at is was are were be been it its this that there with and or for to patient patients s case sample specimen tissue slide section area areas cell cells "
    "percent cent per score scores value level content share part fused fusion total layer layers data evidence finding findings feature features signal analysis report record structured "
    "contribute contributed contributes contribution contributions account accounted accounts explain explains explained driven drive drives stem stems come comes came due make makes made up cover covers covered "
    "fill fills hold holds show shows showed put puts sit sits stand stands reach reached reaches land lands came out read reads measured measure estimated estimate estimates put adds add lie lies "
    "tumor tumour purity expression z mrna transcript transcripts gene standard deviation deviations sd unit units has have had he she his her their respectively main mostly largely scale weight "
    "between range minimal about around roughly nearly almost approximately approx some circa close over above under below more less than at least most just only age years year tile tiles top scored rounds rounded factors factor slide image images likely probably perhaps possibly may might little bit slightly seems appears attributable attributed "
    "from rna mutation nonsilent nonsynonymous mutational mutations megabase load burden size across diameter carries carried across history".split()
)
_HALF_POINT = Decimal("0.03")
_FAR = Decimal("0.08")
_NEAR_SHARE, _FAR_SHARE = Decimal("0.1"), Decimal("0.2")
_LONGEST = 300
_MOST = 8


class _Mention(NamedTuple):
    start: int
    stop: int
    facts: tuple[Fact, ...]


_KIN = Cued(
    r"\b(?:mother|father|sister|brother|son|daughter|grandmother|grandfather|uncle|aunt|cousin|parent|sibling)s?\b"
)
"""Of whom a number is that the patient's fields don't hold."""


def by_names(claim: str, packet: Packet) -> Fielded | None:
    """Return how the numbers of a claim stand to the fields named beside them; None unless each belongs to one name.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    claim = in_percent(claim)
    if not numbers(claim):
        return None
    claim = _bounds_said(claim)
    claim = _OFF_MEAN.sub(lambda off: f"at {'-' if off['way'].lower() == 'below' else ''}{off['by']}", claim)
    moved = _MOVED.search(_ORIGIN.sub(" ", claim)) is not None
    if len(claim) > _LONGEST or not packet.facts or _DENIED.search(claim) or moved or _KIN.search(claim):
        return None
    every = numbers(claim)
    said = [n for n in every if n.kind in {"quantity", "range", "fraction"} and n.value is not None]
    plain = any(n.spelled and n.kind != "fraction" and n.unit != "%" for n in said)
    if not 0 < len(said) <= _MOST or plain or any(n.kind in {"date", "pair"} for n in every):
        return None
    found = _by_unit(said, packet) or _mentions(claim, packet)
    pairs = _paired(claim, said, found)
    if pairs is None:
        return None
    outcomes = [(_held(claim, number, name.facts), name.facts[0]) for number, name in pairs]
    if any(same is None for same, _ in outcomes):
        return None
    wrong = next((fact for same, fact in outcomes if not same), None)
    fact = wrong or outcomes[0][1]
    shown = f"{fact.value} {fact.unit}".strip()
    if wrong is None:
        whole = _all_read(claim, said, found)
        return Fielded("supported", "the fields named hold these values", fact.path, shown) if whole else None
    if (
        len(pairs) == 1
        and not _beside(claim, said[0], found[0])
        and _elsewhere(said[0], found[0].facts, packet)
    ):
        return None
    if any(same for same, _ in outcomes):
        return Fielded("partial", "one value holds and another doesn't", fact.path, shown)
    return Fielded("contradicted", "the field named holds another value", fact.path, shown)


def _bounds_said(claim: str) -> str:
    """Write denied limits as what they say: "does not exceed 50%" is at most 50%."""
    if " not " not in claim and "n't" not in claim and "n’t" not in claim:
        return claim
    return _DENIED_BELOW.sub("is at least", _DENIED_ABOVE.sub("is at most", claim))


def _beside(claim: str, number: Number, name: _Mention) -> bool:
    """Tell whether a number follows its name so closely that it can't be another's."""
    gap = claim[name.stop : number.start]
    return number.start >= name.stop and len(gap) <= _TIGHT and not _BREAK.search(gap)


@lru_cache(maxsize=512)
def _facts(packet: Packet) -> tuple[tuple[Fact, frozenset[str], str], ...]:
    """Return numeric facts with the words that name them and the concept of their path."""
    made = []
    for fact in packet.facts:
        if isinstance(fact.value, bool) or not isinstance(fact.value, int | float):
            continue
        made.append((fact, *_naming(fact.path)))
    return tuple(made)


@lru_cache(maxsize=8192)
def _naming(path: str) -> tuple[frozenset[str], str]:
    """Return the words that name a numeric field, and the concept of its path."""
    words = frozenset(_key(token) for token in _TOKEN.findall(leaf_of(path).replace("_", " ")))
    needed = words - _LOOSE
    if "contribution" in path:
        first = layer_of(path)
        layers = (_key(part) for part in re.split(r"[._]", path) if part != first)
        needed = frozenset(key for key in layers if key in _LAYERS) or needed
    return needed or words, attribute_of(path) or ""


def _elsewhere(number: Number, taken: tuple[Fact, ...], packet: Packet) -> bool:
    """Tell whether a number is that of a field which the claim doesn't name: then it may have been given the wrong name."""
    return any(_same("", number, fact) for fact, _, _ in _facts(packet) if fact not in taken)


def _by_unit(said: list[Number], packet: Packet) -> list[_Mention]:
    """Return the field that a unit names by itself: mutations per megabase, nonsynonymous ones unless it says silent."""
    if len(said) != 1 or said[0].unit != "mut/Mb":
        return []
    facts = tuple(fact for fact, _, _ in _facts(packet) if fact.leaf.endswith("nonsilent_per_mb"))
    return [_Mention(said[0].start, said[0].stop, facts)] if facts else []


def _key(word: str) -> str:
    key = key_of(word)
    return _SAME.get(key, key)


def _mentions(claim: str, packet: Packet) -> list[_Mention]:
    tokens = [(_key(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(claim)]
    concepts = [(m.concept, m.start, m.stop) for m in mentions(claim)]
    parted = _PART_OF.search(claim) is not None
    whole = _WHOLE.search(claim) if parted else None
    if whole is not None:
        tokens = [each for each in tokens if not whole.start() <= each[1] < whole.end()]
        concepts = [each for each in concepts if not whole.start() <= each[1] < whole.end()]
    held: dict[tuple[int, int], list[Fact]] = {}
    keys, named = {key for key, _, _ in tokens}, {name for name, _, _ in concepts}
    for fact, needed, attribute in _facts(packet):
        spelled, meant = needed <= keys, attribute in named
        if not (spelled or meant):
            continue
        shared = "contribution" in fact.path
        if (shared and not parted) or _LISTED.search(fact.path):
            continue
        for span in _spans(needed, tokens) if spelled else ():
            held.setdefault(span, []).append(fact)
        for name, start, stop in concepts if meant and not shared else ():
            if name == attribute:
                held.setdefault((start, stop), []).append(fact)
    _identified(claim, packet, held)
    _loosely(packet, tokens, held)
    widest = sorted(held, key=lambda span: (span[0], -(span[1] - span[0])))
    kept: list[_Mention] = []
    for start, stop in widest:
        if kept and set(kept[-1].facts) == set(held[start, stop]):
            kept[-1] = _Mention(kept[-1].start, max(kept[-1].stop, stop), kept[-1].facts)
            continue
        if kept and start < kept[-1].stop:
            if len(kept[-1].facts) > len(held[start, stop]) and stop == kept[-1].stop:
                kept[-1] = _Mention(start, stop, tuple(held[start, stop]))
            continue
        kept.append(_Mention(start, stop, tuple(dict.fromkeys(held[start, stop]))))
    return kept


def _identified(claim: str, packet: Packet, held: dict[tuple[int, int], list[Fact]]) -> None:
    """Add entries of a list that are named by their identifier: "tile_183" stands for the number beside it."""
    for name, fact in entries(packet).items():
        for match in re.finditer(rf"\b{re.escape(name)}\b", claim, re.IGNORECASE):
            held.setdefault(match.span(), []).append(fact)


def _spans(needed: frozenset[str], tokens: list[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """Return the places where all words of a name stand side by side."""
    size = len(needed)
    out: list[tuple[int, int]] = []
    for at in range(len(tokens) - size + 1):
        window = tokens[at : at + size]
        if {key for key, _, _ in window} == needed:
            out.append((window[0][1], window[-1][2]))
    return out


def _loosely(
    packet: Packet, tokens: list[tuple[str, int, int]], held: dict[tuple[int, int], list[Fact]]
) -> None:
    """Add names that stand for one of several fields: purity by whatever method, or by the one that is named elsewhere in the claim."""
    words = {key for key, _, _ in tokens}
    if not held and "purity" not in words:
        scores = [
            fact for fact, _, _ in _facts(packet) if fact.leaf.endswith("score") and fact.path.count(".") == 1
        ]
        for key, start, stop in tokens:
            if key in {"score", "scale"} and len(scores) == 1:
                held.setdefault((start, stop), []).extend(scores)
                return
    purity = [(fact, needed) for fact, needed, _ in _facts(packet) if "purity" in needed]
    if not purity or any("purity" in fact.leaf for facts in held.values() for fact in facts):
        return
    exact = [fact for fact, needed in purity if needed - {"purity"} and needed - {"purity"} <= words]
    for key, start, stop in tokens:
        if key in {"purity", "tumor"} and (key == "purity" or "purity" not in words):
            held.setdefault((start, stop), []).extend(exact or [fact for fact, _ in purity])
            return


def _paired(claim: str, said: list[Number], found: list[_Mention]) -> list[tuple[Number, _Mention]] | None:
    """Give each number its name: one and one, in turns, or two lists in one order; None where that isn't sure."""
    if not found or len(found) != len(said):
        return None
    if len(found) == 1:
        return [(said[0], found[0])]
    places = sorted([(n.start, 0) for n in said] + [(m.start, 1) for m in found])
    kinds = [kind for _, kind in places]
    turns = kinds in ([0, 1] * len(said), [1, 0] * len(said))
    lists = kinds in ([0] * len(said) + [1] * len(said), [1] * len(said) + [0] * len(said))
    if turns or (lists and "respectively" in claim.lower()):
        return list(zip(said, found, strict=True))
    return None


def _held(claim: str, number: Number, facts: tuple[Fact, ...]) -> bool | None:
    """Tell whether a number is that of one of the fields; None where it is near, or of another unit."""
    outcomes = [_same(claim, number, fact) for fact in _nearest(claim, facts)]
    if True in outcomes:
        return True
    return None if None in outcomes else False


def _nearest(claim: str, facts: tuple[Fact, ...]) -> Sequence[Fact]:
    """Return those of several fields that have most words of their place in the claim: the aortic valve's gradient, not the mitral one's."""
    if len(facts) == 1:
        return facts
    words = {key_of(word) for word in _WORD.findall(claim)}
    shared = [len(words & {key_of(word) for word in _TOKEN.findall(fact.path)}) for fact in facts]
    return [fact for fact, count in zip(facts, shared, strict=True) if count == max(shared)]


def _same(claim: str, number: Number, fact: Fact) -> bool | None:
    held = _scaled(number, fact)
    if held is None or number.value is None:
        return None
    before = claim[: number.start] + (
        number.text[: -len(number.text.lstrip("<>≤≥~≈ "))] if number.text else ""
    )
    spelled_share = number.kind == "fraction" and number.upper is not None
    value = number.value / number.upper if spelled_share and number.upper else number.value
    if number.kind == "range" and number.upper is not None:
        return _between(held, number.value, number.upper)
    if number.comparator in {">", ">="} or _MORE.search(before):
        return _bounded(held, value, above=True)
    if number.comparator in {"<", "<="} or _LESS.search(before):
        return _bounded(held, value, above=False)
    apart = abs(held - value)
    if number.comparator == "~" or _ROUGH.search(before) or spelled_share:
        if apart <= _NEAR_SHARE * abs(held):
            return True
        return False if apart > _FAR_SHARE * abs(held) else None
    half = Decimal("0.5").scaleb(-number.decimals)
    return True if apart <= half else None if unit_left_open(number, fact) else False


def _bounded(held: Decimal, value: Decimal, *, above: bool) -> bool | None:
    """Tell whether a value lies on the side of a limit that is said; None at the limit, and just beyond it."""
    if held == value:
        return None
    right = held > value if above else held < value
    return right if right or abs(held - value) > _HALF_POINT * abs(value) else None


def _between(held: Decimal, low: Decimal, high: Decimal) -> bool | None:
    if low <= held <= high:
        return True
    return False if held < low * (1 - _FAR) or held > high * (1 + _FAR) else None


def _scaled(number: Number, fact: Fact) -> Decimal | None:
    """Return a field's value on the scale of a number: shares and percents are one thing; None for another unit."""
    held = Decimal(str(fact.value))
    percent = fact.unit == "%" or "percent" in fact.path
    if number.kind == "fraction":
        return held / 100 if percent else held if 0 <= held <= 1 else None
    if number.unit == "%":
        return held if percent else held * 100 if -1 <= held <= 1 else None
    if number.unit == "mut/Mb":
        return held if fact.leaf.endswith("per_mb") else None
    if number.unit:
        known = numbers(f"1 {fact.unit}") if fact.unit else ()
        return in_unit(held, known[0].unit, number.unit) if known else None
    if percent and number.value is not None and number.value <= 1 and held > 1:
        return held / 100
    return held


def _all_read(claim: str, said: list[Number], found: list[_Mention]) -> bool:
    """Tell whether nothing stands in a claim beside numbers, names and words that say nothing of their own."""
    letters = list(claim)
    for start, stop in [(n.start, n.stop) for n in said] + [(m.start, m.stop) for m in found]:
        letters[start:stop] = " " * (stop - start)
    for fact in {fact for each in found for fact in each.facts}:
        for part in re.split(r"[._]", fact.path):
            rest = "".join(letters)
            for match in re.finditer(rf"\b{re.escape(part)}\b", rest, re.IGNORECASE):
                letters[match.start() : match.end()] = " " * (match.end() - match.start())
    return all(
        key_of(word) in _NEUTRAL or word.lower() in _NEUTRAL for word in _WORD.findall("".join(letters))
    )
