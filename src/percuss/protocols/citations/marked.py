"""Statements that people marked beside those that were extracted: the same one = the same reference, and half of the words.

A mark and a claim are the same where their references are the same (identity of a reference, or one place of the text) and
their spans overlap by at least one half of what both cover (definitions, "Claims"; papers/2 Table 11).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from percuss.core.strict import Record
from percuss.protocols.citations.references.extract import CitedClaim, cited_claims, reference_at
from percuss.protocols.citations.references.identity import same_reference
from percuss.protocols.citations.references.inline import citations
from percuss.protocols.citations.references.names import fold
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.strings import parse
from percuss.protocols.citations.references.titles import title_words
from percuss.text.overlap import SAME_SPAN, overlap

__all__ = ["Marked", "Table", "marks_in", "of_claim", "paired", "reference_of", "tabled"]

_LEAST = 12
"""Characters from which words can be an entry of a list, as for the entries themselves (`references/lists`)."""


_TITLE = 2
"""Words of a title from which words that name authors and a year are an entry written out, and no short form of one."""


class Marked(NamedTuple):
    """One statement with one source.

    `place` is where the text holds the reference: the entry of its list, else the citation; None = somebody wrote it down.
    """

    start: int
    stop: int
    reference: Reference
    place: tuple[int, int] | None = None


class Table(Record):
    """Extraction by a machine beside that of people (papers/2 Table 11), counted in statements with one source each.

    Args:
        texts: that somebody marked. people: those who marked the most of them.
        missed_by_all: extracted, marked by nobody, and settled to be right. missed_by_some: extracted, marked by one and not
            by another. wrong: extracted and settled to be none. open: extracted, marked by nobody, not settled.
        missed: marked by everybody who read the text (or settled), not extracted. missed_of_some: marked by one and not by
            another, not extracted, not settled.
        extracted: by the machine. marked: by everybody who read the text. both: of these, extracted too.
    """

    texts: int = 0
    people: int = 0
    missed_by_all: int = 0
    missed_by_some: int = 0
    wrong: int = 0
    open: int = 0
    missed: int = 0
    missed_of_some: int = 0
    extracted: int = 0
    marked: int = 0
    both: int = 0

    def __add__(self, other: "Table") -> "Table":
        """Add the counts of other texts."""
        names = (name for name in Table.__struct_fields__ if name != "people")
        counts = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Table(**counts, people=max(self.people, other.people))


def of_claim(claim: CitedClaim) -> Marked:
    """Return an extracted claim as a mark."""
    own = claim.reference
    place = (own.start, own.stop) if own.stop else (claim.marker_start, claim.marker_stop)
    return Marked(claim.start, claim.stop, own, place)


def marks_in(text: str, spans: Sequence[Mapping[str, Any]]) -> tuple[Marked, ...]:
    """Return marks with the references that their words mean; "[1, 2]" is one statement with each of two sources.

    Args:
        text: that was marked. spans: `start`, `stop`, and `reference` as it was written down: number, author and year, or address.
    """
    listed = cited_claims(text).listed
    return tuple(
        Marked(span["start"], span["stop"], reference, (reference.start, reference.stop) if reference.stop else None)
        for span in spans
        for reference in _meant(str(span["reference"]), listed)
    )  # fmt: skip


def reference_of(written: str) -> Reference:
    """Return the reference that words mean where no list stands beside them; of several the first."""
    return _meant(written, ())[0]


def _meant(written: str, listed: Sequence[Reference]) -> tuple[Reference, ...]:
    """Return what words mean: the entry that they are, the entries that they point at, else what they say."""
    plain = fold(written)
    if len(plain) >= _LEAST:
        entry = next((each for each in listed if plain in fold(each.raw) or fold(each.raw) in plain), None)
        if entry is not None:
            return (entry,)
    bare, whole = written.strip(), parse(written)
    if whole.authors and len(title_words(whole.title)) >= _TITLE and (whole.year is not None or whole.ids):
        return (whole,)
    bare = f"[{bare}]" if bare[:1].isdigit() and len(bare) < _LEAST else bare
    for form in (bare, f"({bare})"):  # a name and year is a citation within brackets alone
        found = citations(form)
        if 2 * sum(each.stop - each.start for each in {each.start: each for each in found}.values()) >= len(
            form
        ):
            made = [reference_at(form, each, listed) for each in found]
            return tuple(one for one in made if one is not None) or (parse(written),)
    return (parse(written),)


def paired(one: Sequence[Marked], other: Sequence[Marked]) -> dict[int, int]:
    """Return which of one list are which of the other, each at most once, by number; the widest overlap first."""
    fitting = sorted(
        (-overlap((a.start, a.stop), (b.start, b.stop)), i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
        if overlap((a.start, a.stop), (b.start, b.stop)) >= SAME_SPAN and _same(a, b)
    )
    found: dict[int, int] = {}
    for _, i, j in fitting:
        if i not in found and j not in found.values():
            found[i] = j
    return found


def _same(one: Marked, other: Marked) -> bool:
    if one.place and other.place and overlap(one.place, other.place) > 0:
        return True
    return same_reference(one.reference, other.reference)


def tabled(
    machine: Sequence[Marked], people: Sequence[Sequence[Marked]], settled: Sequence[Marked] | None = None
) -> Table:
    """Count one text.

    Args:
        machine: what was extracted. people: the marks of each person who read it. settled: what they agreed on; None = nothing yet.
    """
    common = _common(people)
    both = set(paired(machine, common))
    by_any = set().union(*(paired(machine, marks) for marks in people))
    right = set() if settled is None else set(paired(machine, settled))
    wrong = set() if settled is None else set(range(len(machine))) - right - both
    some = by_any - both - wrong
    alone = set(range(len(machine))) - both - some - wrong
    true = common if settled is None else settled
    return Table(
        texts=1, people=len(people), extracted=len(machine), marked=len(common), both=len(both),
        missed_by_all=len(alone & right), missed_by_some=len(some), wrong=len(wrong), open=len(alone - right),
        missed=len(true) - len(paired(true, machine)),
        missed_of_some=0 if settled is not None else _of_some(people, [*machine, *common]),
    )  # fmt: skip


def _common(people: Sequence[Sequence[Marked]]) -> list[Marked]:
    """Return what everybody marked, in the words of the first."""
    first, *others = people
    held = [set(paired(first, marks)) for marks in others]
    return [mark for i, mark in enumerate(first) if all(i in each for each in held)]


def _of_some(people: Sequence[Sequence[Marked]], known: Sequence[Marked]) -> int:
    """Count what some people marked, each statement once, that is not known."""
    seen, n = list(known), 0
    for marks in people:
        held = paired(marks, seen)
        new = [mark for i, mark in enumerate(marks) if i not in held]
        n += len(new)
        seen.extend(new)
    return n
