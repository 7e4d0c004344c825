"""What a conversation says, whoever labels it: citations, abstentions, different references, and answers with code."""

import re
from collections.abc import Mapping

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.references.extract import cited_claims

__all__ = ["abstains", "code_counts", "said_counts"]

Counts = tuple[float, float, Mapping[str, int]]
# "I don't know of a source", "I can't verify this", "no document of the library covers it", "I could not find any guideline"
_ABSTAINS = re.compile(
    r"\bI(?: am|'m)? (?:do not|don't|cannot|can't|could not|couldn't|(?:am )?(?:not aware|unaware|not able to|unable to))\b[^.!?]{0,60}"
    r"\b(?:know|verify|confirm|find|cite|name|support|provide|locate|aware|source|reference|citation|document|guideline|trial|study)\b"
    r"|\bno (?:document|source|reference|guideline)s?\b[^.!?]{0,60}\b(?:know|found|find|cover|covers|exists?|available)\b",
    re.IGNORECASE,
)


def abstains(text: str) -> bool:
    """Say whether an answer says that it knows or finds no source, and cites none.

    >>> abstains("I don't know of a source for this.")
    True
    """
    return bool(_ABSTAINS.search(text.replace("’", "'"))) and not cited_claims(text).claims


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
    """Return the counts of answers whose code uses what doesn't exist; nothing outside the coding domain.

    An answer without code that could be checked is in the first number, as in the paper, and not in the second.
    """
    if scored.case.payload.get("domain") != "coding":
        return {}
    if scored.left_out or scored.response.status != "done":
        lost = {scored.left_out or scored.response.reason or Reason.ERROR.value: 1}
        return dict.fromkeys(("code_hallucination", "code_hallucination_with_code"), (0.0, 0.0, lost))
    turns = [turn for turn in scored.response.turns if turn.role == "assistant"]
    statuses = [
        {
            claim.payload["finding"]["status"]
            for claim in scored.claims
            if is_code(claim) and claim.turn == turn.index
        }
        for turn in turns
    ]
    bad = float(sum("nonexistent" in found for found in statuses))
    blind = sum(bool(found) and found == {"not_checkable"} for found in statuses)
    with_code = float(sum(bool(found - {"not_checkable"}) for found in statuses))
    unread = {f"{Reason.NOT_CHECKABLE.value}:code": blind} if blind else {}
    return {
        "code_hallucination": (bad, float(len(turns) - blind), unread),
        "code_hallucination_with_code": (bad, with_code, unread),
    }
