"""What a model's extraction must look like, and its verification: spans are found in the turn, or the claim is dropped."""

from typing import Literal

from percuss.core.strict import Record
from percuss.protocols.citations.references.extract import CitedClaim
from percuss.protocols.citations.references.lists import entries, markers, reference_section, resolve
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.strings import parse
from percuss.text.quotes import locate

__all__ = ["Kind", "ModelClaim", "ModelExtraction", "verified"]

Kind = Literal[
    "guideline",
    "trial",
    "review",
    "article",
    "label",
    "book",
    "web",
    "case",
    "constitutional_provision",
    "statute",
    "other",
]


class ModelClaim(Record, forbid_unknown_fields=False):
    """One claim as a model returns it.

    Args:
        kind: of the source. sentence: copied from the turn. citation: the marker, copied from the turn.
        reference: the reference as the turn gives it (its list entry, where there is one).
        description: what the source is said to hold; "" = nothing is said of it.
    """

    kind: Kind
    sentence: str
    citation: str
    reference: str
    description: str = ""


class ModelExtraction(Record, forbid_unknown_fields=False):
    """What a model returns for a turn."""

    claims: tuple[ModelClaim, ...] = ()


def verified(extraction: ModelExtraction, text: str) -> tuple[tuple[CitedClaim, ...], tuple[str, ...]]:
    """Check a model's extraction against the turn.

    A claim stays if its sentence and its citation are found in the turn (2% edits allowed), the citation inside or right
    behind the sentence. The reference is the entry that the citation maps to, else the model's text if that stands in
    the turn, else the citation itself: a reference that the turn doesn't hold is never taken from the model.

    Returns:
        (claims in the order of the text, why each of the others was dropped).
    """
    section = reference_section(text)
    listed = entries(text, section.start, section.stop) if section else ()
    kept: list[CitedClaim] = []
    dropped: list[str] = []
    for claim in extraction.claims:
        sentence = locate(claim.sentence, text)
        if sentence is None:
            dropped.append(f"the sentence is not in the turn: {claim.sentence[:60]}")
            continue
        low = max(0, sentence.start - 2)
        marker = locate(claim.citation, text[low : sentence.stop + 60], edits=0)
        if marker is None:
            dropped.append(f"the citation is not at its sentence: {claim.citation[:60]}")
            continue
        start, stop = low + marker.start, low + marker.stop
        reference, form, ambiguous = _reference(claim, text, start, stop, listed)
        kept.append(
            CitedClaim(
                start=sentence.start, stop=sentence.stop, text=claim.description or claim.sentence, marker_start=start,
                marker_stop=stop, form=form, reference=reference, ambiguous=ambiguous,
            )
        )  # fmt: skip
    return tuple(sorted(kept, key=lambda each: (each.start, each.marker_start))), tuple(dropped)


def _reference(
    claim: ModelClaim, text: str, start: int, stop: int, listed: tuple[Reference, ...]
) -> tuple[Reference, str, bool]:
    pointing = [each for each in markers(text) if each.start < stop and each.stop > start]
    for marker in pointing:
        fitting = resolve(marker, listed)
        if fitting:
            return fitting[0], marker.form, len(fitting) > 1
    form = pointing[0].form if pointing else "author_year"
    stands = bool(claim.reference) and locate(claim.reference, text) is not None
    return parse(claim.reference if stands else text[start:stop]), form, False
