"""Why a drug is given or was stopped, in words: "ibuprofen was stopped because of acute kidney injury", "amlodipine for hypertension"."""

import re
from typing import NamedTuple

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.concepts import mentions, relation
from percuss.text.cued import Cued

__all__ = ["Caused", "caused", "reasoned"]

_CUE = Cued(r"\b(?:because|due|owing|account|for|after|reason)\b")
_CAUSE = re.compile(
    r"^(?P<main>.{8,120}?)\s(?:because\sof|due\sto|owing\sto|on\saccount\sof|for(?:\sthe\s(?:treatment|management)\sof)?)\s(?:an?\s|the\s|his\s|her\s|known\s)*(?P<cause>[a-z][^,;:.]{3,60})$",
    re.IGNORECASE,
)
_CAUSES = frozenset({"diagnosis", "finding"})


class Caused(NamedTuple):
    """A claim without its reason, and the concept that the reason names."""

    main: str
    cause: str


def caused(claim: str) -> Caused | None:
    """Return a claim without the reason at its end; None where it gives none that is a diagnosis or finding as a whole.

    Args:
        claim: the claim's text.

    >>> caused("Ibuprofen was stopped because of acute kidney injury.")
    Caused(main='Ibuprofen was stopped', cause='acute kidney injury')
    """
    match = _CAUSE.match(claim.strip().rstrip(". ")) if _CUE.search(claim) else None
    if match is None:
        return None
    named = mentions(match["cause"])
    if len(named) != 1 or named[0].others or named[0].kind not in _CAUSES:
        return None
    return (
        Caused(match["main"], named[0].concept)
        if named[0].stop - named[0].start == len(match["cause"])
        else None
    )


def reasoned(cause: str, path: str, packet: Packet) -> Fielded | None:
    """Return how a reason stands to the one that the record gives for a drug; None where it gives none that is understood.

    Args:
        cause: concept of the claimed reason. path: place of the drug's entry. packet: the case in the shape that rules read.
    """
    fact = next((f for f in packet.facts if f.path == f"{path}.reason" and isinstance(f.value, str)), None)
    named = mentions(str(fact.value)) if fact is not None else ()
    if fact is None or len(named) != 1 or named[0].others:
        return None
    related = relation(cause, named[0].concept)
    if related in {"same", "broader"}:
        return Fielded("supported", "the reason that is recorded", fact.path, str(fact.value))
    return (
        Fielded("contradicted", "another reason is recorded", fact.path, str(fact.value))
        if related == "other"
        else None
    )
