"""Allergies: "she is allergic to X", "penicillin gave her a rash", "allergic to penicillin, with a rash", held against the list of them."""

import re

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.wording import stems
from percuss.text.concepts import mentions
from percuss.text.cued import Cued

__all__ = ["by_allergy"]

_SECTIONS = frozenset({"allergies", "allergy", "allergy_intolerance"})
_WHO = r"(?:the\s)?(?:patient|he|she|child|boy|girl|man|woman|they)"
_ALLERGIC = re.compile(
    rf"^\W*{_WHO}\s(?:is\s(?:also\s)?allergic\sto\s(?P<to>[\w-]+)|has\san?\s(?:known\s)?(?P<of>[\w-]+)\sallergy|has\san?\s(?:known\s)?allergy\sto\s(?P<third>[\w-]+))\W*$",
    re.IGNORECASE,
)
_REACTED = (
    re.compile(
        r"^\W*(?P<what>[\w-]+)\s(?:gave|gives?|causes?|caused|triggers?|triggered)\s(?:(?:him|her|them|the\spatient|the\schild)\s)?(?:an?\s)?(?P<how>[\w-]+(?:\s(?:shock|reaction))?)(?:\sin\s(?:this|the)\spatient)?\W*$", re.IGNORECASE
    ),
    re.compile(r"^\W*(?:the\s)?(?P<what>[\w-]+)\sreaction\s(?:was|is)\s(?:an?\s)?(?:(?:mild|severe)\s)?(?P<how>[a-z]+(?:\s(?:shock|reaction))?)\W*$", re.IGNORECASE),
    re.compile(rf"^\W*{_WHO}\s(?:had|has\shad|developed|gets|got)\s(?:an?\s)?(?P<how>anaphylaxis|rash|hives|urticaria|angioedema|anaphylactic\s(?:shock|reaction))\s(?:to|with|after|from)\s(?P<what>[\w-]+)\W*$", re.IGNORECASE),
    re.compile(rf"^\W*{_WHO}\s(?:reacts?|reacted)\sto\s(?P<what>[\w-]+)\swith\s(?:an?\s)?(?P<how>[\w-]+(?:\s(?:shock|reaction))?)(?:\sin\s(?:this|the)\spatient)?\W*$", re.IGNORECASE),
    re.compile(
        rf"^\W*(?:{_WHO}\sis\s)?allergic\sto\s(?P<what>[\w-]+),?\s(?:with|which\s(?:gives|gave|causes|caused)\s(?:him|her|them))\s(?:an?\s)?(?P<how>[\w-]+(?:\s(?:shock|reaction))?)(?:\sin\s(?:this|the)\spatient)?\W*$", re.IGNORECASE
    ),
)  # fmt: skip
_NONE = re.compile(
    rf"^\W*(?:nkda|nka|(?:{_WHO}\shas\s|there\sare\s)?no\s(?:known\s)?(?:drug\s)?allerg(?:ies|y)|{_WHO}\s(?:is\snot|isn['’]t)\sallergic\sto\sanything)\W*$",
    re.IGNORECASE,
)
_HELD_NONE = re.compile(r"^(?:nkda|nka|nil|none\b.*|no\s(?:known\s)?(?:drug\s)?allerg\w+)\W*$", re.IGNORECASE)
_CUE = Cued(
    r"\bnkda\b|\bnka\b|anaphyla|\brash\b|\bhives\b|\breaction\b|allerg|\b(?:gave|gives?|reacts?|reacted|caused?s?|trigger(?:s|ed)?)\b"
)


def by_allergy(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of one allergy stands to the list; None where there is no list, or the claim says more.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if not _CUE.search(claim):
        return None
    listed = [f for f in packet.facts if layer_of(f.path).lower() in _SECTIONS and isinstance(f.value, str)]
    if not listed:
        return None
    if _NONE.match(claim):
        named = [f for f in listed if not _HELD_NONE.match(str(f.value))]
        return (
            _found(listed[0], "no allergy is known")
            if not named
            else Fielded("contradicted", "an allergy is listed", named[0].path, str(named[0].value))
        )
    match = _ALLERGIC.match(claim)
    if match is not None:
        said = stems(match["to"] or match["of"] or match["third"])
        held = _of(said, listed)
        return _found(held[0], "an allergy that is listed") if held else _missing(listed)
    for pattern in _REACTED:
        match = pattern.match(claim)
        if match is not None:
            return _reaction(match["what"], match["how"], listed)
    return None


def _of(said: frozenset[str], listed: list[Fact]) -> list[Fact]:
    """Return the facts of the entry that an allergen names."""
    heads = {
        f.path.rpartition(".")[0]
        for f in listed
        if said and said <= stems(f"{f.path} {f.value}".replace("_", " ").replace(".", " "))
    }
    return [f for f in listed if f.path.rpartition(".")[0] in heads]


def _reaction(what: str, how: str, listed: list[Fact]) -> Fielded | None:
    held = _of(stems(what), listed)
    shown = {m.concept for m in mentions(how)}
    if not shown:
        return None
    if not held:
        return _missing(listed)
    told = [f for f in held if f.leaf in {"reaction", "manifestation"}]
    if not told:
        return None
    same = stems(how) <= stems(str(told[0].value)) or bool(
        shown & {m.concept for m in mentions(str(told[0].value))}
    )
    if same:
        return _found(told[0], "the reaction that is listed")
    return Fielded("contradicted", "another reaction is listed", told[0].path, str(told[0].value))


def _found(fact: Fact, reason: str) -> Fielded:
    return Fielded("supported", reason, fact.path, str(fact.value))


def _missing(listed: list[Fact]) -> Fielded:
    return Fielded("absent", "no such allergy is listed", listed[0].path, str(listed[0].value))
