"""What a conversation says, whoever labels it: citations, abstentions, different references, and answers with code."""

import re
from collections import Counter
from collections.abc import Mapping

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.references.extract import cited_claims
from percuss.text.acts.speech import speech_act
from percuss.text.sentences import split

__all__ = ["LANGUAGES", "OTHER", "abstains", "code_counts", "language_of", "said_counts"]

KINDS = ("install", "import", "call")
LANGUAGES, OTHER = ("python", "r", "scala", "elixir"), "other"
NAMES = ("code_hallucination", "code_hallucination_with_code", *(f"code_{kind}" for kind in KINDS))

Counts = tuple[float, float, Mapping[str, int]]
_FINDING = (
    r"know|verify|confirm|find|cite|name|support|provide|locate|aware|source|reference|citation|document|guideline|trial|study|tell|say|answer|"
    r"assist|recall|remember|recognise|recognize|access|information|guess|come across|give|quote|make (?:up|no)|invent|offer"
)
# "I don't know of a source", "I found nothing", "no such trial is known to me", "I'd rather not guess", "there is no reference I trust"
_LACKS = re.compile(
    r"\b(?:I|we)(?:'m| am| are)? (?:really |simply |just |honestly |currently )?(?:do not|don't|cannot|can't|could not|couldn't|haven't|have not|"
    rf"won't|will not|wouldn't|would not|not able to|unable to|unaware|not)\b[^.!?]{{0,60}}?\b(?:{_FINDING})\b"
    r"|\b(?:I|we) (?:know|found|find|have|see|hold) (?:of )?(?:no|nothing|none)\b|\b(?:I|we) (?:must|have to) (?:decline|pass)\b"
    r"|\bI(?:'d| would) (?:rather (?:not|leave)|need to see|be guessing|only be guessing)\b|\bneither confirm nor deny\b"
    r"|\bknown to (?:me|us)\b[^.!?]{0,10}$|\b(?:to my knowledge|as far as I (?:know|can tell|am aware))\b[^.!?]{0,20}\bno\b|\bmy (?:knowledge|training|data) (?:ends|stops)\b"
    r"|\b(?:doesn't|does not|don't|do not|isn't|not) (?:seem|appear)\b[^.!?]{0,30}\b(?:exist|I know|known to me)\b|\bbeyond me\b|\bno idea\b"
    r"|\bno (?:\w+ )?(?:source|reference|document|guideline|evidence|record|information|study|trial|citation)s?\b[^.!?]{0,40}\b(?:I|me|we|know|known|found|find|cover|covers|exists?|available)\b"
    r"|\b(?:may|might|could) be (?:a )?(?:fictional|invented|made up)\b|\b(?:hasn't|has not) been published yet\b|\bwithout (?:seeing |having )?(?:the|your) (?:document|chart|text|record|paper|source)\b",
    re.IGNORECASE,
)


def abstains(text: str) -> bool:
    """Say whether an answer declines, or says that it knows or finds no source, before it states anything, and cites none.

    >>> abstains("I don't know of a source for this."), abstains("The dose is 5 mg. I can't give the page.")
    (True, False)
    """
    plain = text.replace("’", "'")
    for start, stop in split(plain):
        sentence = plain[start:stop].strip(" .!\n")
        if _LACKS.search(sentence):
            return not cited_claims(text).claims
        if speech_act(sentence).act == "assertion":
            return False
    return False


def said_counts(scored: ScoredResponse) -> dict[str, Counts]:
    """Return name -> counts of what was said; a failed conversation is left out by its reason."""
    if scored.left_out or scored.response.status != "done":
        lost = {scored.left_out or scored.response.reason or Reason.ERROR.value: 1}
        names = ("citation_rate", "abstention_rate", "claims_per_turn", "unique_references")
        return dict.fromkeys(names, (0.0, 0.0, lost))
    texts = [turn.text for turn in scored.response.turns if turn.role == "assistant"]
    read = [cited_claims(text) for text in texts]
    own = [claim for claim in scored.claims if not is_code(claim) and "identity" in claim.payload]
    return {
        "citation_rate": (float(sum(r.cited for r in read)), float(sum(r.factual for r in read)), {}),
        "abstention_rate": (float(sum(map(abstains, texts))), float(len(texts)), {}),
        "claims_per_turn": (float(len(own)), float(len(texts)), {}),
        "unique_references": (float(len({claim.payload["identity"] for claim in own})), 1.0, {}),
    }


def code_counts(scored: ScoredResponse) -> dict[str, Counts]:
    """Return the counts of answers whose code uses what doesn't exist, in all and by type; nothing outside the coding domain.

    An answer without code that could be checked is in all numbers but `code_hallucination_with_code`, as in the paper.
    """
    if scored.case.payload.get("domain") != "coding":
        return {}
    if scored.left_out or scored.response.status != "done":
        lost = {scored.left_out or scored.response.reason or Reason.ERROR.value: 1}
        return dict.fromkeys(NAMES, (0.0, 0.0, lost))
    turns = [turn for turn in scored.response.turns if turn.role == "assistant"]
    found = [
        [claim.payload["finding"] for claim in scored.claims if is_code(claim) and claim.turn == turn.index]
        for turn in turns
    ]
    statuses = [{each["status"] for each in of_turn} for of_turn in found]
    blind = sum(bool(held) and held == {"not_checkable"} for held in statuses)
    with_code = float(sum(bool(held - {"not_checkable"}) for held in statuses))
    unread = {f"{Reason.NOT_CHECKABLE.value}:code": blind} if blind else {}
    den = float(len(turns) - blind)
    bad = float(sum("nonexistent" in held for held in statuses))
    wrong = [{each["kind"] for each in of_turn if each["status"] == "nonexistent"} for of_turn in found]
    return {
        "code_hallucination": (bad, den, unread),
        "code_hallucination_with_code": (bad, with_code, unread),
        **{f"code_{kind}": (float(sum(kind in kinds for kinds in wrong)), den, unread) for kind in KINDS},
    }


def language_of(scored: ScoredResponse) -> str:
    """Return the language of a coding conversation: that of the question, else of most of its code; "other" where none is known."""
    asked = str(scored.case.payload.get("language") or "")
    held = Counter(str(claim.payload["finding"]["language"]) for claim in scored.claims if is_code(claim))
    name = asked or (held.most_common(1)[0][0] if held else "")
    return name if name in LANGUAGES else OTHER
