"""Allergies in more words than one form: "penicillin allergy (rash)", "the reaction was mild", "avoid X: he had anaphylaxis to it"."""

import re
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.evidence.rules.support2.wording import stems
from percuss.text.concepts import mentions
from percuss.text.cued import Cued

__all__ = ["by_reaction"]

_CUE = Cued(r"allerg|anaphyla|\breaction\b|\breacts?\b|\breacted\b|\bavoided\b|\bnkda\b")
_A = r"(?P<what>[a-z][a-z-]{3,24})"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"^{_A}(?:\sdrugs?|\santibiotics?)?\sallergy(?:\sis\s(?:recorded|documented|noted|listed|known))?\b",
        rf"\b(?:has|with)\s(?:an?\s)?(?:known\s|documented\s)?(?:(?P<sev>mild|moderate|severe)\s)?{_A}\sallergy\b",
        rf"\b(?:is\s)?(?:also\s|known\sto\sbe\s)?(?:(?P<sev>mildly|severely)\s)?allergic\sto\s{_A}(?:\sdrugs?|\santibiotics?)?\b",
        rf"\b(?:an?\s)?(?:known\s)?allergy\sto\s{_A}\b",
        rf"^(?:the\s|his\s|her\s)?(?:reaction\sto\s{_A}|{_A.replace('what', 'other')}\s(?:reaction|allergy))\s(?:was|is)\b",
        rf"^{_A}\smust\sbe\savoided\b",
        rf"\b(?:had|developed|got|gets)\s(?:an?\s)?(?:anaphylaxis|rash|hives|urticaria|angioedema)\s(?:to|with|from|after)\s{_A}\b",
    )
)  # fmt: skip
_HOW = re.compile(
    r"\b(?P<how>anaphyla(?:xis|ctic\sshock|ctic\sreaction)|rash|hives|urticaria|angioedema|nausea|vomiting|diarrhoea|swelling|wheeze|bronchospasm)\b"
)
_SEVERITY = re.compile(r"\b(?P<sev>mild|moderate|severe)\b(?:\sreaction)?")
_WHO_ELSE = Cued(
    r"\b(?:mother|father|sister|brother|son|daughter|wife|husband|aunt|uncle|no|not|never|without|denies)\b|n['’]t\b"
)
_LEFT = frozenset(
    "allergy allergic reaction reactions known documented must avoided gives gave caused causes cause which drug drugs".split()
)
_LONGEST = 120


class _Entry(NamedTuple):
    """One listed allergy: its words and what is told of it."""

    words: frozenset[str]
    parts: dict[str, Fact]
    first: Fact


def by_reaction(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of an allergy, its reaction and its severity stands to the list; None where it says more, or there is no list.

    Args:
        claim: the claim's text. packet: the full packet of the case, in the shape that rules read.

    >>> held = Packet.of_layers({"allergies": [{"substance": "penicillin", "reaction": "rash", "severity": "mild"}]})
    >>> by_reaction("The reaction to penicillin was severe.", held).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim) or _WHO_ELSE.search(claim):
        return None
    entries = _listed(packet)
    if not entries:
        return None
    taking = Taking(re.sub(r"[():]", " ", claim))
    what, severity = _said(taking)
    how, graded = taking.take(_HOW), taking.take(_SEVERITY)
    severity = severity or (graded["sev"] if graded else "")
    if not what or not taking.done(_LEFT):
        return None
    held = [each for each in entries if stems(what) & each.words]
    if not held:
        fact = entries[0].first
        return (
            None
            if not mentions(what)
            else Fielded("absent", "no such allergy is listed", fact.path, str(fact.value))
        )
    return _of(held[0], how["how"] if how else "", severity) if len(held) == 1 else None


def _listed(packet: Packet) -> list[_Entry]:
    heads: dict[str, dict[str, Fact]] = {}
    for fact in packet.facts:
        if layer_of(fact.path).lower().startswith("allerg") and isinstance(fact.value, str):
            heads.setdefault(fact.path.rpartition(".")[0], {})[fact.leaf.lower()] = fact
    found = []
    for parts in heads.values():
        first = next((parts[n] for n in ("name", "substance", "allergen") if n in parts), None)
        if first is not None:
            found.append(_Entry(stems(str(first.value)), parts, first))
    return found


def _said(taking: Taking) -> tuple[str, str]:
    """Return what a claim says one is allergic to, and how severely, taken from it."""
    for form in _FORMS:
        match = taking.take(form)
        if match is None:
            continue
        said = match.groupdict()
        words = said.get("what") or said.get("other") or ""
        again = next((m for f in _FORMS if (m := taking.take(f)) is not None), None)
        if again is not None and (again.groupdict().get("what") or "") not in {words, "it"}:
            return "", ""
        severity = said.get("sev") or ""
        return words, {"mildly": "mild", "severely": "severe"}.get(severity, severity)
    return "", ""


def _of(each: _Entry, how: str, severity: str) -> Fielded | None:
    used = each.first
    if how:
        told = each.parts.get("reaction") or each.parts.get("manifestation")
        if told is None:
            return None
        said = {m.concept for m in mentions(how)}
        held = {m.concept for m in mentions(str(told.value))}
        used = told
        if not (said & held or stems(how) & stems(str(told.value))):
            return (
                Fielded("contradicted", "another reaction is listed", told.path, str(told.value))
                if held
                else None
            )
    if severity:
        told = each.parts.get("severity")
        if told is None:
            return None
        used = told
        if str(told.value).strip().lower() != severity:
            return Fielded("contradicted", "another severity is listed", told.path, str(told.value))
    return Fielded("supported", "an allergy that is listed", used.path, str(used.value))
