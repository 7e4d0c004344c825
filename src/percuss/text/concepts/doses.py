"""Route and frequency of a drug, read beside its dose."""

from percuss.text.concepts.matching import Hit, Scan
from percuss.text.concepts.mentions import Mention
from percuss.text.concepts.record import Dose, Span
from percuss.text.frames import COLON

__all__ = ["doses"]

DRUGS = frozenset({"drug", "drug_class"})


def doses(
    found: Scan, hits: list[Hit], named: list[tuple[Mention, Hit]], dosed: set[int]
) -> dict[int, tuple[Dose, list[Span]]]:
    """Return how each drug of a sentence is given.

    A route or frequency belongs to the nearest drug before it in its clause; to one after it where none stands before.

    Args:
        found: the scan. hits, named: of the sentence. dosed: mentions with a dose; without one, "oral" and "in the morning" may be
            about anything and only "as needed" and counts per day are read.
    """
    drugs = [n for n, (mention, _) in enumerate(named) if mention.kind in DRUGS]
    given: dict[int, tuple[Dose, list[Span]]] = {}
    if not drugs:
        return given
    for hit in hits:
        if not hit.meaning.given or hit.meaning.named:
            continue
        parts = dict(hit.meaning.given)
        owner = _owner(found, hit, named, drugs)
        if owner is None:
            continue
        dose, spans = given.get(owner, (Dose(), []))
        route, frequency = dose.route or parts.get("route", ""), dose.frequency or parts.get("frequency", "")
        given[owner] = (Dose(route=route, frequency=frequency), [*spans, (hit.start, hit.stop)])
    return {n: value for n, value in given.items() if n in dosed or value[0].frequency or value[0].route}


def _owner(found: Scan, hit: Hit, named: list[tuple[Mention, Hit]], drugs: list[int]) -> int | None:
    before = [n for n in drugs if named[n][1].last <= hit.first]
    for n in reversed(before):
        if not any(found.marks.get(k, 0) >= COLON for k in range(named[n][1].last - 1, hit.first)):
            return n
    after = [n for n in drugs if named[n][1].first >= hit.last]
    return after[0] if after and not before and after[0] == drugs[0] else None
