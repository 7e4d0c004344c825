"""The statuses of the definitions, decided from what the sources answered about one reference.

found            the record is there and the compared fields agree
mismatch         it is there, and fields differ (`fields` names them)
retracted, superseded, corrected, concern   it is there, and its authority flags it
nonexistent      the authority of its identifier, or a complete corpus, answered "no such record"
not_located      every search succeeded, nothing above the floor
ambiguous        several records fit what is given
out_of_corpus    outside the only corpus there is
unreachable      a source that would know could not be asked; never "nonexistent"
not_checkable    nobody was asked
malformed        it can't be right whatever any record says
"""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from percuss.core.strict import Record
from percuss.protocols.citations.references.compare import TITLE_FLOOR, Comparison, Tolerance, compare
from percuss.protocols.citations.references.identity import with_derived
from percuss.protocols.citations.references.names import same_person, surname
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.titles import ratio

__all__ = [
    "FLAGGED",
    "REFERENCE_VERDICT",
    "STATUSES",
    "Answer",
    "Finding",
    "Status",
    "decide",
    "fits",
    "reference_verdict",
]

Status = Literal[
    "found", "mismatch", "retracted", "superseded", "corrected", "concern", "nonexistent", "not_located", "ambiguous",
    "out_of_corpus", "unreachable", "not_checkable", "malformed",
]  # fmt: skip
STATUSES: tuple[Status, ...] = Status.__args__  # type: ignore[attr-defined]
FLAGGED = frozenset({"mismatch", "nonexistent", "not_located", "malformed"})
"""Statuses that an audit flags (definitions/citations, "HALLMARK")."""

REFERENCE_VERDICT: dict[str, str] = {
    "found": "yes", "retracted": "yes", "superseded": "yes", "corrected": "yes", "concern": "yes",
    "mismatch": "no", "nonexistent": "no", "not_located": "no", "malformed": "no",
    "ambiguous": "unscored", "out_of_corpus": "unscored", "unreachable": "unscored", "not_checkable": "unscored",
}  # fmt: skip
"""Verdict on the reference by status (definitions/citations, "Reference verdict"); `ambiguous` is no under `strict`."""


def reference_verdict(finding: "Finding", *, strict: bool = False) -> str:
    """Return yes, no or unscored for a reference; `strict` counts an ambiguous one as no, as the paper does."""
    return "no" if strict and finding.status == "ambiguous" else REFERENCE_VERDICT[finding.status]


_CAUTION = frozenset({"book", "chapter", "thesis", "report", "guideline", "legal", "web", "label"})


class Answer(Record):
    """What one source said when it was asked about one reference.

    Args:
        source: who was asked ("crossref", "library").
        by: what was asked for: an identifier's kind, or "search".
        state: found, absent (asked, and nothing there), failed (could not be asked).
        records: what was found, best first.
        authority: the source holds every record of this kind: a registry for its identifiers, a complete corpus.
        failure: the kind of failure (timeout, dns, tls, refused, too_large, blocked, status); "" = none.
        both: a DOI that a line's end broke was asked for in both spellings.
    """

    source: str
    by: str
    state: Literal["found", "absent", "failed"]
    records: tuple[Known, ...] = ()
    authority: bool = False
    failure: str = ""
    both: bool = False


class Finding(Record):
    """What is known of one reference.

    Args:
        status: one of the statuses. fields: those that differ or are malformed.
        compared: fields that were compared. candidate: the best record; None = none.
        notes: sentences to print.
    """

    status: Status
    fields: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    candidate: Known | None = None
    notes: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The status with its fields, as the definitions write it: `mismatch:year,author`."""
        return f"{self.status}:{','.join(self.fields)}" if self.status == "mismatch" else self.status


def decide(
    cited: Reference,
    answers: Sequence[Answer],
    *,
    tolerance: Tolerance | None = None,
    corpus_only: bool = False,
) -> Finding:
    """Decide on a reference.

    Args:
        cited: as read; its `broken` fields count.
        answers: of every source that was asked; none = nobody.
        tolerance: None = that of conversations.
        corpus_only: the answers are those of one bundled corpus: a reference outside it is `out_of_corpus`.
    """
    rules = tolerance or Tolerance()
    cited = _spelled(cited, answers)
    named = [(known, answer.by) for answer in answers if answer.by != "search" for known in answer.records]
    searched = [known for answer in answers if answer.by == "search" for known in answer.records]
    best = _best(cited, [known for known, _ in named], searched, rules)
    if best is not None:
        return _of_record(cited, best, answers, rules, searched)
    fields = tuple(field for field, _ in cited.broken)
    said = tuple(sentence for _, sentence in cited.broken)
    if _several(cited, searched):
        return Finding(
            status="ambiguous", candidate=searched[0], notes=("several records fit author and year",)
        )
    if cited.broken:
        return Finding(status="malformed", fields=fields, notes=said)
    gone = [answer for answer in answers if answer.state == "absent" and answer.authority]
    uncertain = any(_one_spelling(cited, answer) for answer in gone)
    gone = [answer for answer in gone if not _one_spelling(cited, answer)]
    if gone:
        return Finding(status="nonexistent", notes=(_lacking(gone[0], cited),))
    failed = [answer for answer in answers if answer.state == "failed"]
    if failed:
        return Finding(
            status="unreachable",
            notes=tuple(dict.fromkeys(f"{each.source}: {each.failure}" for each in failed)),
        )
    if not answers:
        return Finding(status="not_checkable", notes=("no source was asked",))
    if corpus_only:
        return Finding(status="out_of_corpus", notes=("outside the corpus that was asked",))
    return Finding(status="not_located", notes=(*((_HYPHEN,) if uncertain else ()), *_caution(cited)))


def _lacking(answer: Answer, cited: Reference) -> str:
    """Say what an authority has no record of."""
    value = with_derived(cited.ids).get(answer.by)
    if answer.by == "search" or not value:
        return f"{answer.source} has no such {'record' if answer.by == 'search' else answer.by}"
    return f"{answer.source} has no {'legal citation' if answer.by == 'legal' else answer.by} {value}"


_HYPHEN = "the DOI is broken at a hyphen at a line's end: whether the hyphen is its own can't be told"


def _one_spelling(cited: Reference, answer: Answer) -> bool:
    """Whether a registry was asked for one spelling of a DOI that has two."""
    return answer.by == "doi" and "doi" in cited.doubtful and not answer.both


def _spelled(cited: Reference, answers: Sequence[Answer]) -> Reference:
    """Return the reference with the spelling of its broken DOI that a record has."""
    other = cited.doubtful.get("doi")
    if not other or not any(
        known.reference.ids.get("doi") == other for each in answers for known in each.records
    ):
        return cited
    return replace(cited, ids={**cited.ids, "doi": other}, doubtful={})


def _caution(cited: Reference) -> tuple[str, ...]:
    asked = "every source answered, none has a record that fits"
    if cited.kind in _CAUTION:
        return (asked, f"a {cited.kind} is often in no index: look by hand before doubting it")
    return (asked, "not in these sources; that doesn't mean that it doesn't exist")


def _best(
    cited: Reference, named: Sequence[Known], searched: Sequence[Known], rules: Tolerance
) -> Known | None:
    """Return the record that the reference means: the identifier's own if the title agrees, else the best by title."""
    fitting = [known for known in (*named, *searched) if fits(cited, known)]
    if not fitting and not cited.title and not cited.ids:
        alike = [known for known in searched if _author_year(cited, known)]
        fitting = alike if len(alike) == 1 else []
    if fitting:
        return min(fitting, key=lambda known: _distance(cited, known, rules))
    return named[0] if named else None


def fits(cited: Reference, known: Known) -> bool:
    """Say whether a record may be the work that is cited: by its title, a changed one where all else agrees, else by identifier."""
    if cited.title and known.reference.title:
        score = ratio(cited.title, known.reference.title)
        return score >= TITLE_FLOOR or (score >= 0.6 and _same_hands(cited, known))
    ids = with_derived(known.reference.ids)
    return any(ids.get(kind) == value for kind, value in with_derived(cited.ids).items() if kind != "issn")


def _same_hands(cited: Reference, known: Known) -> bool:
    """Say whether all authors and the year agree, so that a changed title is a changed title and no other work."""
    record = known.reference
    if len(cited.authors) < 2 or cited.year != record.year or not record.authors:
        return False
    return all(any(same_person(name, other) for other in record.authors) for name in cited.authors)


def _distance(cited: Reference, known: Known, rules: Tolerance) -> tuple[int, float, int]:
    found = compare(cited, known, rules)
    exact = ratio(cited.title, known.reference.title) if cited.title else 1.0
    weight = sum(3 if field == "title" else 1 for field in found.differing)
    return weight, -exact, -len(found.compared)


def _several(cited: Reference, searched: Sequence[Known]) -> bool:
    """Say whether a reference by author and year alone fits more than one record."""
    if cited.title or not cited.authors or cited.year is None:
        return False
    return len([known for known in searched if _author_year(cited, known)]) > 1


def _author_year(cited: Reference, known: Known) -> bool:
    record = known.reference
    return (
        bool(record.authors)
        and record.year == cited.year
        and surname(record.authors[0]) == surname(cited.authors[0])
    )


def _of_record(
    cited: Reference, best: Known, answers: Sequence[Answer], rules: Tolerance, searched: Sequence[Known]
) -> Finding:
    found = compare(cited, best, rules)
    fields, notes = _elsewhere(cited, best, answers, found)
    notes += tuple(sentence for _, sentence in cited.broken)
    broken = tuple(field for field, _ in cited.broken)
    status: Status = "found"
    if fields:
        status, fields, notes = "mismatch", (*fields, *broken), (*notes, *_flag(best))
    elif broken:
        status, fields = "malformed", broken
    elif best.state:
        status, notes = best.state, (*notes, *_flag(best))
    elif not cited.title and not cited.ids and _several(cited, searched):
        status = "ambiguous"
    return Finding(
        status=status,
        fields=tuple(dict.fromkeys(fields)),
        compared=found.compared,
        candidate=best,
        notes=notes,
    )


def _flag(best: Known) -> tuple[str, ...]:
    return (best.notice or f"{best.source} marks it {best.state}",) if best.state else ()


def _elsewhere(
    cited: Reference, best: Known, answers: Sequence[Answer], found: Comparison
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Add what the identifiers say: one that leads to another work, one that its registry doesn't know."""
    fields, notes = list(found.differing), list(found.notes)
    for answer in answers:
        if answer.by in {"search", "url"}:
            continue
        value = cited.ids.get(answer.by, "")
        if answer.state == "absent" and answer.authority and _one_spelling(cited, answer):
            notes.append(_HYPHEN)
        elif answer.state == "absent" and answer.authority:
            fields.append("identifier")
            notes.append(f"{answer.source} has no {answer.by} {value}")
        elif answer.records and not any(
            fits(cited, known) or (known is best and _same_hands(cited, best)) for known in answer.records
        ):
            fields.append("identifier")
            notes.append(f"{answer.by} {value} is another work: {answer.records[0].reference.title[:80]}")
    return tuple(dict.fromkeys(fields)), tuple(dict.fromkeys(notes))
