"""A reference against what is possible: form of its identifiers, its year, its volume and pages."""

import datetime as dt
import re

from msgspec import structs

from percuss.protocols.citations.references.compare import is_month
from percuss.protocols.citations.references.identifiers import fault
from percuss.protocols.citations.references.identity import with_derived
from percuss.protocols.citations.references.record import Reference

__all__ = ["with_faults"]

_FIRST_JOURNAL = 1665
"""Year of the first scientific journals (Journal des Sçavans, Philosophical Transactions)."""


def with_faults(cited: Reference, *, today: dt.date | None = None) -> Reference:
    """Return a reference whose `broken` fields also name what can't be: identifiers, year, volume, pages.

    Args:
        cited: the reference.
        today: None = the present day; a year after the next one can't be.
    """
    now = (today or dt.datetime.now(tz=dt.UTC).date()).year
    broken = dict(cited.broken)
    for kind, value in cited.ids.items():
        said = fault(kind, value)
        if said:
            broken.setdefault("identifier", said)
    broken |= _year(cited, now) | _pages(cited) | _volume(cited)
    if not broken:
        return cited
    return structs.replace(cited, broken=tuple(broken.items()))


def _year(cited: Reference, now: int) -> dict[str, str]:
    year = cited.year
    if year is None:
        return {}
    if year > now + 1:
        return {"year": f"the year {year} is yet to come"}
    if year < _FIRST_JOURNAL and cited.kind in {"article", "conference", "preprint"}:
        return {"year": f"no journal of {year} is known"}
    number = with_derived(cited.ids).get("arxiv", "")
    match = re.match(r"(\d{2})(\d{2})\.", number)
    if match and year < 2000 + int(match[1]) - 1:
        return {"year": f"arXiv id {number} was given in 20{match[1]}, cited {year}"}
    return {}


def _pages(cited: Reference) -> dict[str, str]:
    match = re.fullmatch(r"\s*(\d{1,7})\s?-\s?(\d{1,7})\s*", cited.pages)
    if not match or is_month(cited.pages):
        return {}
    first, last = match[1], match[2]
    if len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return {"pages": f"pages {cited.pages} run backwards"} if int(last) < int(first) else {}


def _volume(cited: Reference) -> dict[str, str]:
    digits = re.fullmatch(r"\s*(\d+)\s*", cited.volume)
    too_high = digits is not None and int(digits[1]) > 5000 and cited.kind in {"article", "conference"}
    return {"volume": f"volume {cited.volume} is higher than any journal's"} if too_high else {}
