"""How much grew: bottles that were positive ("two of four bottles"), colonies counted, and whether a drug would act on what grew."""

import re
from collections.abc import Sequence
from decimal import Decimal

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.cultures import isolates, same_drug
from percuss.evidence.rules.support2.days import day_of
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.cued import Cued

__all__ = ["by_bottles"]

_CUE = Cued(
    r"\bbottles?\b|\bcolon\w+|\bcfu\b|\bcount\b|\bisolate\b|\borganism\b|\bactive against\b|\bwork\b|\bcovers?\b"
)
_WORDS = "zero one two three four five six seven eight nine ten".split()
_N = rf"(?:\d{{1,2}}|{'|'.join(_WORDS)}|none|both|all)"
_OF = re.compile(
    rf"^(?P<some>{_N})\s(?:out\s)?of\s(?:the\s)?(?P<all>{_N})\s(?:blood\s)?(?:culture\s)?bottles\s(?:was|were|is|are|grew|turned|came\sback)\s?(?:positive)?$"
)
_HELD_OF = re.compile(r"^(?P<some>\d{1,2})\s?(?:of|/|out\sof)\s?(?P<all>\d{1,2})$")
_COUNT = re.compile(
    r"^(?:the\s|a\s)?(?:colony\s|bacterial\s)?count\s(?:was\s|is\s)?(?P<way>exceeded|exceeds|over|above|more\sthan|at\sleast|below|under|less\sthan|>=?|<=?)\s?(?P<n>\d[\d,]*)(?:\s?cfu(?:/ml|\sper\sml)?|\scolonies(?:\sper\sml)?)?$"
)
_HELD_COUNT = re.compile(r"^(?P<way>>=?|<=?|≥|≤)?\s?(?P<n>\d[\d,]*)")
_ACTS = re.compile(
    r"^(?P<drug>[a-z][a-z/-]{4,40})\s(?P<not>would\snot|will\snot|wouldn['’]t|won['’]t|does\snot|is\snot|would|will|should|is|does)?\s?(?:be\s)?(?:active\sagainst|effective\sagainst|works?\sagainst|covers?|expected\sto\swork\sagainst)\s(?:the\s|this\s)(?:isolate|organism|bug|strain|pathogen)$"
)
_LONGEST = 110


def by_bottles(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of how much grew, or of what would act on it, stands to the cultures; None where it says more.

    Args:
        claim: the claim's text. packet: the full packet of the case, in the shape that rules read.
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    day = day_of(claim)
    text = " ".join((day.claim if day is not None else claim).strip().rstrip(". ").lower().split())
    match = _OF.match(text)
    if match is not None:
        facts = [f for f in packet.facts if "bottle" in f.leaf.lower() and _HELD_OF.match(str(f.value))]
        if day is not None:
            facts = [f for f in facts if day.of(_date(f, packet))]
        return _bottles(match, facts)
    if day is not None:
        return None
    match = _COUNT.match(text)
    if match is not None:
        return _counted(
            match,
            [
                f
                for f in packet.facts
                if re.match(r"(?:colony_)?count", f.leaf.lower()) and isinstance(f.value, str)
            ],
        )
    match = _ACTS.match(text)
    return _acts(match, packet) if match is not None else None


def _date(fact: Fact, packet: Packet) -> str:
    head = fact.path.rpartition(".")[0]
    return next(
        (str(f.value) for f in packet.facts if f.path.rpartition(".")[0] == head and f.leaf in {"collected", "drawn", "date", "taken"}), ""
    )  # fmt: skip


def _bottles(match: re.Match[str], facts: Sequence[Fact]) -> Fielded | None:
    held = _HELD_OF.match(str(facts[0].value)) if len(facts) == 1 else None
    if held is None:
        return None
    total = int(held["all"])
    said = [{"none": 0, "both": 2, "all": total}.get(each) for each in (match["some"], match["all"])]
    numbers = [
        value if value is not None else int(each) if each.isdigit() else _WORDS.index(each)
        for value, each in zip(said, (match["some"], match["all"]), strict=True)
    ]
    return _found(numbers == [int(held["some"]), total], facts[0])


def _counted(match: re.Match[str], facts: Sequence[Fact]) -> Fielded | None:
    """Decide a bound on a count that is itself told as a bound, where one settles the other."""
    held = _HELD_COUNT.match(str(facts[0].value)) if len(facts) == 1 else None
    if held is None:
        return None
    value, said = Decimal(held["n"].replace(",", "")), Decimal(match["n"].replace(",", ""))
    up = match["way"] not in {"below", "under", "less than", "<", "<="}
    way = held["way"] or ""
    if way in {">", ">=", "≥"}:
        if value > said or (value == said and (way == ">" or match["way"] in {"at least", ">="})):
            return _found(up, facts[0])
        return None
    if way in {"<", "<=", "≤"}:
        return _found(not up, facts[0]) if value < said or (value == said and way == "<") else None
    return _found((value > said) == up, facts[0]) if value != said else None


def _acts(match: re.Match[str], packet: Packet) -> Fielded | None:
    """Decide whether a drug would act on what grew, by its test."""
    tests = [
        t
        for each in isolates(packet)
        if each.organism
        for t in each.tested
        if same_drug(match["drug"], t.drug)
    ]
    if not tests or len({t.category for t in tests}) > 1 or tests[0].category == "intermediate":
        return None
    denied = re.search(r"not|n['’]t", match["not"] or "") is not None
    return _found((tests[0].category == "susceptible") != denied, tests[0].fact)


def _found(right: bool, fact: Fact) -> Fielded:
    reason = "the culture that is recorded" if right else "the culture that is recorded says another thing"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))
