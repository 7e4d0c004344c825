"""Claims of a culture: "the urine grew E. coli", "resistant to ampicillin but sensitive to nitrofurantoin", "blood cultures were negative"."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.cultures import Isolate, isolates, same_drug, same_organism
from percuss.evidence.rules.support2.days import day_of
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.cued import Cued

__all__ = ["by_culture"]

_CUE = Cued(
    r"\bculture|\bgr[eo]w|\bisolate|resistant|sensitive|susceptible|\byielded\b|\borganism\b|\brecovered\b|\bidentified\b|\bdetected\b|\bsterile\b"
)
_BE = r"(?:is|was|were|are|has\sbeen|have\sbeen|tested|proved|remains|came\sback|remained|stayed)"
_HOW = r"(?:resistant|sensitive|susceptible|non-?susceptible|intermediate)"
_OF = r"(?:(?:the|his|her|a|an|patient['’]s|their)\s)*"
_KIND = r"(?:cultures?|samples?|specimens?|isolates?)"
_PLACE = rf"{_OF}(?P<spec>[a-z][a-z -]{{2,30}}?)(?:\s{_KIND})?"
_GREW = re.compile(
    rf"^{_OF}(?:(?P<spec>[a-z][a-z -]{{2,30}}?)\s?)?(?:{_KIND})?\s?(?:grew|grows|yielded|(?:has|have|had)\sgrown|(?:was|were|is|are)\spositive\sfor|showed\sgrowth\sof|showed|shows)\s(?P<what>.+)$",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"^(?:(?:the|an?)\s)?(?P<what>[A-Z][A-Za-z. ]{{2,40}}?)(?:,\s(?P<tail>[^,]+),)?\s(?:(?:was|were|is|has\sbeen)\s(?:also\s)?(?:isolated|grown|cultured|recovered|identified|detected)|grew)(?:\s(?:from|in|on|by)\s{_PLACE})?$",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"^{_OF}(?:(?P<who>[A-Za-z][A-Za-z. -]{{0,40}}?)\s{_BE}\s)?(?:fully\s|also\s|both\s)?(?P<list>(?:not\s|only\s)?{_HOW}\s(?:to|against)\s.+)$",
    re.IGNORECASE,
)
_HYPHEN = re.compile(
    rf"^{_OF}(?:(?P<who>[A-Za-z][A-Za-z. -]{{0,40}}?)\s{_BE}\s)(?P<drug>[a-z][a-z/ -]{{3,40}}?)[- ](?P<how>{_HOW})$",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    rf"^(?:there\s(?:was|is|were)\s)?(?:no\s(?:bacterial\s)?growth|nothing\sgrew|no\sorganisms?(?:\s(?:grew|{_BE}\s(?:grown|isolated)))?)(?:\s(?:in|from|on)\s{_PLACE})?$",
    re.IGNORECASE,
)
_SIGN = re.compile(
    rf"^{_OF}(?P<spec>[a-z][a-z -]{{2,30}}?)\scultures?\s{_BE}\s(?:all\s|both\s)?(?P<sign>negative|sterile|positive)$",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"^(?:no\s(?:bacterial\s|significant\s)?growth|nothing|no\sorganisms?)$", re.IGNORECASE)
_WITH = re.compile(
    rf"^(?P<what>[^,]+?),?\s(?:that\s|which\s)?(?:{_BE}\s)?(?P<tail>(?:not\s)?{_HOW}\s(?:to|against)\s.+)$",
    re.IGNORECASE,
)
_TURN = re.compile(
    rf",?\s(?:but|and|yet|while|although)\s(?:{_BE}\s)?(?=(?:not\s)?{_HOW}\s(?:to|against)\b)|,\s(?=(?:not\s)?{_HOW}\s(?:to|against)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"^(?:only\s)?(?P<not>not\s)?(?P<how>{_HOW})\s(?:to|against)\s(?P<drugs>.+)$", re.IGNORECASE
)
_LIST = re.compile(r",\s(?:and\s|or\s)?|\sand\s(?:to\s)?|\sor\s(?:to\s)?", re.IGNORECASE)
_ANYONE = frozenset("organism isolate strain bacterium pathogen bug it which this".split())
_CATEGORY = {
    "resistant": "resistant",
    "sensitive": "susceptible",
    "susceptible": "susceptible",
    "intermediate": "intermediate",
}
_AGAIN = re.compile(r"\b(?:repeat|repeated|follow-up|latest|most\srecent)\s(?=\w)", re.IGNORECASE)
_LONGEST = 200


class _Part(NamedTuple):
    """One part of a claim: whether it holds, and the fact that tells; None = it wasn't read."""

    right: bool | None
    fact: Fact | None


def by_culture(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of cultures stands to those of a packet; None where it says more, or they can't tell.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> held = Packet.of_layers({"cultures": [{"specimen": "urine", "organism": "Escherichia coli", "susceptibilities": {"ampicillin": "resistant"}}]})
    >>> by_culture("The isolate is susceptible to ampicillin.", held).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text, held = _of_day(claim.strip().rstrip(". "), isolates(packet))
    parts = _parts(text, held) if held else None
    if not parts or any(part.right is None for part in parts):
        return None
    decided = next((part for part in parts if not part.right), parts[0])
    if decided.fact is None:
        return None
    shown = str(decided.fact.value)
    if decided.right:
        return Fielded("supported", "the culture that is recorded", decided.fact.path, shown)
    return Fielded(
        "contradicted", "the culture that is recorded says another thing", decided.fact.path, shown
    )


def _of_day(claim: str, held: Sequence[Isolate]) -> tuple[str, Sequence[Isolate]]:
    """Return a claim without the day that it names, and the cultures of that day; none of them where days aren't recorded."""
    day = day_of(claim)
    if day is not None:
        dated = all(each.date for each in held)
        return _AGAIN.sub("", day.claim), [each for each in held if dated and day.of(each.date)]
    again = _AGAIN.search(claim)
    if again is None:
        return claim, held
    last = max((each.date for each in held), default="")
    several = len({each.date for each in held}) > 1 and all(each.date for each in held)
    return claim[: again.start()] + claim[again.end() :], [
        each for each in held if several and each.date == last
    ]


def _parts(claim: str, held: Sequence[Isolate]) -> list[_Part] | None:
    """Return the parts of a claim that is of cultures and nothing else; None for any other."""
    for pattern, read in (
        (_SIGN, _signed),
        (_EMPTY, _empty),
        (_HYPHEN, _hyphened),
        (_TO, _tested),
        (_FROM, _grown),
        (_GREW, _grown),
    ):
        match = pattern.match(claim)
        found = read(match, held) if match is not None else None
        if found is not None:
            return found
    return None


def _of(specimen: str | None, held: Iterable[Isolate]) -> list[Isolate]:
    """Return the cultures of a specimen; all of them where none is named."""
    words = set(re.findall(r"[a-z]+", (specimen or "").lower())) - {
        "culture",
        "cultures",
        "sample",
        "samples",
        "the",
    }
    return [each for each in held if words <= set(re.findall(r"[a-z]+", each.specimen))]


def _signed(match: re.Match[str], held: Sequence[Isolate]) -> list[_Part] | None:
    found = _of(match["spec"], held)
    if not found:
        return None
    grown = [each for each in found if each.organism]
    if match["sign"].lower() == "positive":
        return [_Part(bool(grown), (grown or found)[0].fact)]
    return [_Part(not grown, (grown or found)[0].fact)]


def _empty(match: re.Match[str], held: Sequence[Isolate]) -> list[_Part] | None:
    found = _of(match["spec"], held) if match["spec"] or len(held) == 1 else []
    if not found:
        return None
    grown = [each for each in found if each.organism]
    return [_Part(not grown, (grown or found)[0].fact)]


def _grown(match: re.Match[str], held: Sequence[Isolate]) -> list[_Part] | None:
    found = _of(match["spec"], held)
    what, tail = match["what"].strip(), match.groupdict().get("tail") or ""
    if not found:
        return None
    if _NOTHING.match(what):
        return [_Part(not any(each.organism for each in found), found[0].fact)]
    if not tail and (more := _WITH.match(what)) is not None:
        what, tail = more["what"], more["tail"]
    what = re.sub(r"^(?:an?|the|pure growth of|heavy growth of|a growth of)\s", "", what, flags=re.IGNORECASE)
    same = [(each, same_organism(what, each.organism) if each.organism else False) for each in found]
    right = [each for each, is_same in same if is_same]
    if right:
        parts = [_Part(right=True, fact=right[0].fact)]
        return parts + _susceptible(tail, right) if tail else parts
    if any(is_same is None for _, is_same in same):
        return None
    return [_Part(right=False, fact=next((each.fact for each in found if each.organism), found[0].fact))]


def _who(said: str | None, held: Sequence[Isolate]) -> list[Isolate]:
    """Return the isolates that the subject of a claim names."""
    grown = [each for each in held if each.organism]
    words = re.findall(r"[a-z]+", (said or "").lower())
    if not words or (len(words) == 1 and words[0] in _ANYONE):
        return grown
    if words[-1] in _ANYONE:
        return [
            each
            for each in grown
            if set(words[:-1]) <= set(re.findall(r"[a-z]+", f"{each.specimen} {each.organism.lower()}"))
        ]
    return [each for each in grown if same_organism((said or "").strip(), each.organism)]


def _tested(match: re.Match[str], held: Sequence[Isolate]) -> list[_Part] | None:
    found = _who(match["who"], held)
    return _susceptible(match["list"], found) if found else None


def _hyphened(match: re.Match[str], held: Sequence[Isolate]) -> list[_Part] | None:
    found = _who(match["who"], held)
    return _susceptible(f"{match['how']} to {match['drug']}", found) if found else None


def _susceptible(said: str, found: Sequence[Isolate]) -> list[_Part]:
    """Return one part per drug: true where every isolate meant was so, false where every one was otherwise, else not read."""
    parts: list[_Part] = []
    for piece in _TURN.split(said):
        clause = _CLAUSE.match(piece.strip())
        if clause is None:
            return [_Part(None, None)]
        how, denied = clause["how"].lower(), bool(clause["not"])
        parts.extend(
            _drug(drug.strip(), how, denied=denied, found=found) for drug in _LIST.split(clause["drugs"])
        )
    return parts


def _drug(drug: str, how: str, *, denied: bool, found: Sequence[Isolate]) -> _Part:
    tests = [test for each in found for test in each.tested if same_drug(drug, test.drug)]
    if not tests:
        return _Part(None, None)
    if how.startswith("non"):
        how, denied = "susceptible", not denied
    right = {(test.category == _CATEGORY[how]) != denied for test in tests}
    return _Part(right.pop(), tests[0].fact) if len(right) == 1 else _Part(None, None)
