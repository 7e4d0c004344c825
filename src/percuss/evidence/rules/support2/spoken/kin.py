"""Relatives' illnesses: "her mother had breast cancer at 46", "a first-degree relative had it", "she herself has not had cancer"."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.concepts import mentions, with_parents
from percuss.text.cued import Cued

__all__ = ["by_kin"]

_KIN = "mother|father|sister|brother|son|daughter|grandmother|grandfather|uncle|aunt|cousin|half-sister|half-brother"
_FIRST = frozenset({"mother", "father", "sister", "brother", "son", "daughter", "parent", "sibling", "child"})
_CUE = Cued(
    rf"\b(?:{_KIN}|relatives?|family|hereditary|herself|himself|sibling|parent)\b|\bcancer\b|\bdiagnosed\b"
)
_WHO = rf"(?:(?:his|her|the|their|a|an)\s)?(?:patient['’]s\s)?(?P<who>(?:(?:maternal|paternal)\s)?(?:{_KIN}))"
_OLD = r"(?:,?\s(?:at|aged|when\s(?:he|she)\swas)(?:\s(?:the\s)?age(?:\sof)?)?\s(?P<age>\d{1,3})|\sbefore\s(?:the\sage\sof\s|age\s|turning\s|(?:he|she)\swas\s)?(?P<before>\d{1,3})|\safter\s(?:the\sage\sof\s|age\s)?(?P<after>\d{1,3}))?"
_HAD = r"(?:had|has|has\shad|developed|was\sdiagnosed\swith|has\sbeen\sdiagnosed\swith|got|suffers\sfrom|suffered\sfrom|was\streated\sfor)"
_ONE = re.compile(rf"^{_WHO}\s{_HAD}\s(?P<what>[a-z][a-z0-9 -]{{2,40}}?){_OLD}$")
_WAS = re.compile(
    rf"^{_WHO}\swas\s(?P<age>\d{{1,3}})(?:\syears\sold)?\s(?:when|at)\s(?:(?:his|her|the)\s)?(?P<what>[a-z][a-z -]{{2,40}}?)\s(?:was\s(?:found|diagnosed|discovered)|appeared|began)(?:\sin\s(?:him|her))?$"
)
_NOT = re.compile(
    rf"^{_WHO}\s(?:does\snot\shave|doesn['’]t\shave|has\snot\shad|never\shad|has\sno|had\sno|has\snever\shad)\s(?P<what>[a-z][a-z -]{{2,40}}?)$"
)
_WELL = re.compile(rf"^{_WHO}\sis\s(?:healthy|well|unaffected|in\sgood\shealth)$")
_DEGREE = re.compile(
    rf"^(?:a|one)\s(?P<degree>first|second)[- ]degree\srelative\s{_HAD}\s(?P<what>[a-z][a-z -]{{2,40}}?)$"
)
_SEVERAL = re.compile(
    rf"^(?P<n>two|three|four|no)\s(?:of\s(?:his|her|the)\s)?(?:(?P<degree>first|second)[- ]degree\s)?relatives\s(?:have\s)?{_HAD.replace('had|has|', 'had|have|has|')}\s(?P<what>[a-z][a-z -]{{2,40}}?)$"
)
_FAMILY = re.compile(
    r"^(?:(?:the\s)?(?:patient|he|she)\shas\s(?:an?\s)?|there\sis\s(?:an?\s)?|an?\s)?(?P<no>no\s)?(?:known\s)?family\shistory\sof\s(?P<what>[a-z][a-z -]{2,30}?)(?:\sand\s(?:of\s)?(?P<more>[a-z][a-z -]{2,30}?))?$"
)
_SELF = re.compile(
    rf"^(?:the\s)?(?:patient|he|she)(?:\s(?:himself|herself))?\s(?:(?P<not>has\snot\shad|has\snever\shad|does\snot\shave|has\sno|doesn['’]t\shave)|{_HAD})\s(?P<what>[a-z][a-z -]{{2,40}}?)(?:\sat\s(?P<age>\d{{1,3}}))?$"
)
_MALIGNANT = re.compile(r"cancer|carcinoma|leuk|lymphoma|melanoma|sarcoma|myeloma")
_NUMBERS = {"two": 2, "three": 3, "four": 4, "no": 0}
_LONGEST = 110


class _Relative(NamedTuple):
    """One illness of one relative; illness "" = none is known."""

    who: str
    illnesses: frozenset[str]
    age: int | None
    fact: Fact
    read: bool


def by_kin(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of a relative's illness, or of whose illness it is, stands to the family history; None where it says more.

    Args:
        claim: the claim's text. packet: as it was given, not brought to another shape.

    >>> held = Packet.of_layers({"family_history": [{"relation": "mother", "condition": "breast cancer", "age": 46}]})
    >>> by_kin("Her mother had breast cancer at 58.", held).label, by_kin("A first-degree relative had breast cancer.", held).label
    ('contradicted', 'supported')
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    family = _family(packet)
    if not family:
        return None
    text = " ".join(claim.strip().rstrip(". ").lower().split())
    for pattern, decide in (
        (_WELL, _well),
        (_NOT, _not),
        (_WAS, _one),
        (_ONE, _one),
        (_DEGREE, _degree),
        (_SEVERAL, _several),
        (_FAMILY, _in_family),
    ):
        match = pattern.match(text)
        if match is not None:
            return decide(match, family)
    match = _SELF.match(text)
    return _self(match, family, packet) if match is not None else None


@lru_cache(maxsize=512)
def _family(packet: Packet) -> tuple[_Relative, ...]:
    heads: dict[str, dict[str, Fact]] = {}
    for fact in packet.facts:
        if "famil" in layer_of(fact.path).lower():
            heads.setdefault(fact.path.rpartition(".")[0], {})[fact.leaf.lower()] = fact
    found = []
    for parts in heads.values():
        who = next((parts[n] for n in ("relation", "relative", "relationship", "member") if n in parts), None)
        what = next((parts[n] for n in ("condition", "diagnosis", "disease", "problem") if n in parts), None)
        if who is None or what is None:
            continue
        age = next((f.value for n, f in parts.items() if "age" in n and isinstance(f.value, int)), None)
        said = str(what.value)
        named = frozenset(name for m in mentions(said) for name in with_parents(m.concept))
        named |= {"cancer"} if any(_MALIGNANT.search(name) for name in named) else frozenset()
        none = re.match(r"(?:none|nil|healthy|well|no\b)", said.strip(), re.IGNORECASE) is not None
        found.append(
            _Relative(
                str(who.value).lower(),
                named,
                age if isinstance(age, int) else None,
                what,
                bool(named) or none,
            )
        )
    return tuple(found)


def _illness(said: str) -> str:
    named = list(mentions(said))
    return (
        named[-1].concept
        if len(named) == 1 and named[0].stop - named[0].start >= len(said.strip()) - 2
        else ""
    )


def _of(who: str, family: Sequence[_Relative]) -> list[_Relative]:
    return [each for each in family if each.who == who or each.who.split()[-1] == who]


def _found(right: bool, each: _Relative) -> Fielded:
    reason = "the family history has it" if right else "the family history says another thing"
    return Fielded("supported" if right else "contradicted", reason, each.fact.path, str(each.fact.value))


def _one(match: re.Match[str], family: Sequence[_Relative]) -> Fielded | None:
    held, what = _of(match["who"], family), _illness(match["what"])
    if not held or not what or not all(each.read for each in held):
        return None
    same = [each for each in held if what in each.illnesses]
    if not same:
        broader = [each for each in held if each.illnesses & set(with_parents(what))]
        return None if broader else _found(False, held[0])
    said = match.groupdict()
    ages = {name: int(said[name]) for name in ("age", "before", "after") if said.get(name)}
    if not ages:
        return _found(True, same[0])
    if len(same) > 1 or same[0].age is None:
        return None
    age = same[0].age
    right = ages.get("age", age) == age and age < ages.get("before", 200) and age >= ages.get("after", 0)
    return _found(right, same[0])


def _not(match: re.Match[str], family: Sequence[_Relative]) -> Fielded | None:
    held, what = _of(match["who"], family), _illness(match["what"])
    if not held or not what or not all(each.read for each in held):
        return None
    same = [each for each in held if what in each.illnesses]
    return _found(not same, (same or held)[0])


def _well(match: re.Match[str], family: Sequence[_Relative]) -> Fielded | None:
    held = _of(match["who"], family)
    if not held or not all(each.read for each in held):
        return None
    ill = [each for each in held if each.illnesses]
    return _found(not ill, (ill or held)[0])


def _near(each: _Relative, degree: str) -> bool:
    return (each.who.split()[-1] in _FIRST) == (degree == "first")


def _degree(match: re.Match[str], family: Sequence[_Relative]) -> Fielded | None:
    what = _illness(match["what"])
    if not what or not all(each.read for each in family):
        return None
    same = [each for each in family if what in each.illnesses and _near(each, match["degree"])]
    return _found(bool(same), (same or family)[0])


def _several(match: re.Match[str], family: Sequence[_Relative]) -> Fielded | None:
    what = _illness(match["what"])
    if not what or not all(each.read for each in family):
        return None
    same = [
        each for each in family
        if what in each.illnesses and (not match["degree"] or _near(each, match["degree"]))
    ]  # fmt: skip
    return _found(len(same) == _NUMBERS[match["n"]], (same or list(family))[0])


def _in_family(match: re.Match[str], family: Sequence[_Relative]) -> Fielded | None:
    first, second = match["what"], match["more"]
    if second and not _illness(first) and " " in second:
        first = f"{first} {second.rsplit(' ', 1)[1]}"
    whats = [_illness(each) for each in (first, second) if each]
    if not all(whats) or not all(each.read for each in family):
        return None
    held = [next((each for each in family if what in each.illnesses), None) for what in whats]
    kept = [each for each in held if each is not None]
    if match["no"]:
        return _found(not kept, (kept or list(family))[0]) if len(whats) == 1 else None
    if kept and len(kept) < len(held):
        return None
    return _found(bool(kept), (kept or list(family))[0])


def _self(match: re.Match[str], family: Sequence[_Relative], packet: Packet) -> Fielded | None:
    """Decide whether an illness that the record has of relatives alone is said of the patient."""
    what = _illness(match["what"])
    kin = [each for each in family if what and what in each.illnesses]
    if not kin:
        return None
    for fact in packet.facts:
        if "famil" in layer_of(fact.path).lower():
            continue
        said = (
            f"{fact.leaf.replace('_', ' ')}; {fact.value}"
            if isinstance(fact.value, str)
            else fact.leaf.replace("_", " ")
        )
        if any(what in with_parents(m.concept) or m.concept in with_parents(what) for m in mentions(said)):
            return None
    if match["not"]:
        own = [
            f
            for f in packet.facts
            if any(
                w in f.path.lower()
                for w in ("own_history", "condition", "diagnos", "past_medical", "problem")
            )
        ]
        return (
            Fielded("supported", "the record has it of relatives alone", own[0].path, str(own[0].value))
            if own
            else None
        )
    reason = "the record has it of a relative, not of the patient"
    return Fielded("contradicted", reason, kin[0].fact.path, str(kin[0].fact.value))
