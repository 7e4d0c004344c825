"""Claims of an explanation: findings affirmed or denied, with side and grade, against the case's fields.

Definitions/explanation, "HDI for images": unsupported where a claim contradicts the fields, not checkable where the field
is missing. A grade one step off is `partial`: graders differ by one (papers/1 section 4.2).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from percuss.core.labels import Reason, Support
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.protocols.explanation.check.concepts import Hit, Pattern, Reading, bundled_lexicon, pattern, read
from percuss.protocols.explanation.check.transcript import Told
from percuss.protocols.explanation.knowledge import bundled
from percuss.protocols.explanation.record import question_of, reading

__all__ = ["EXTRACTOR", "Stated", "claims_of", "found_in", "judged", "support"]

EXTRACTOR = "findings@1"
RATER = "rule:strict"

#: Field (without side) -> question whose `yes` names it in the knowledge base.
_NAMED_BY = {
    "rotated": "b02",
    "heart": "b03",
    "congestion": "b04",
    "effusion": "b05",
    "opacity": "b07",
    "atelectasis": "b09",
    "pneumothorax": "b11",
    "nodule": "b13",
    "ett": "b14",
    "gastric_tube": "b15",
    "cvc": "b16",
    "pacemaker": "b17",
    "chest_tube": "b18",
}
_SIDED = frozenset({"effusion", "opacity", "atelectasis", "pneumothorax", "chest_tube"})
_GRADED = frozenset({"heart", "congestion", "effusion", "opacity", "atelectasis"})
_GRADES = (
    (
        4,
        re.compile(
            r"(?<!more )(?<!less )(?<!equally )(?<!most )\b(?:severe|severely|marked|markedly|extensive|large|massive|massively)\b"
        ),
    ),
    (3, re.compile(r"\b(?:moderate|moderately|medium)\b")),
    (2, re.compile(r"\b(?:mild|mildly|slight|slightly|small)\b")),
    (1, re.compile(r"\b(?:questionable|equivocal|minimal|minimally|faint|possible|borderline)\b")),
)
_HEART = (
    (3, re.compile(r"\b(?:massive|massively|marked|markedly|severe|severely)\b")),
    (1, re.compile(r"\bborderline\b")),
)


@dataclass(frozen=True)
class Stated:
    """One finding as stated: field without side, side, affirmed or denied, grade or None."""

    field: str
    side: str | None
    affirmed: bool
    grade: int | None
    hit: Hit


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, tuple[Pattern, ...]], ...]:
    base = bundled()
    rows = []
    for field, question in _NAMED_BY.items():
        entry = base.entry(question, "yes")
        wordings = [wording for term in (entry.must_all if entry else ()) for wording in term.wordings]
        rows.append((field, tuple(pattern(wording) for wording in wordings)))
    return tuple(rows)


def found_in(text: str, asked_side: str | None = None) -> list[Stated]:
    """Return the findings that a text affirms or denies, in order.

    Args:
        text: reasoning.
        asked_side: the side that a question asks about: it holds where the text names none.
    """
    reading_of = read(text, bundled_lexicon())
    stated: list[Stated] = []
    for field, patterns in _patterns():
        hits = [(hit, wanted) for wanted in patterns for hit in reading_of.mentions(wanted)]
        for hit, wanted in _apart(hits):
            side = (hit.side or asked_side) if field in _SIDED else None
            affirmed = hit.negated == wanted.negative
            stated.append(
                Stated(field, side, affirmed, _grade(reading_of, field, hit) if affirmed else None, hit)
            )
    return sorted(stated, key=lambda item: (item.hit.start, item.hit.stop, item.field))


def _apart(hits: Sequence[tuple[Hit, Pattern]]) -> Iterator[tuple[Hit, Pattern]]:
    """Yield hits that don't overlap, the longest first: one mention is one claim however many wordings it fits."""
    taken: list[tuple[int, int]] = []
    for hit, wanted in sorted(hits, key=lambda item: (item[0].start - item[0].stop, item[0].start)):
        if all(hit.stop <= low or hit.start >= high for low, high in taken):
            taken.append((hit.start, hit.stop))
            yield hit, wanted


def _grade(text: Reading, field: str, hit: Hit) -> int | None:
    if field not in _GRADED:
        return None
    clause = text.clause_text(hit).lower()
    table = _HEART if field == "heart" else _GRADES
    return next((grade for grade, words in table if words.search(clause)), None)


def claims_of(case: Case, response: Response, told: Told) -> tuple[Claim, ...]:
    """Return the findings of a response's reasoning as claims."""
    question = question_of(case)
    out: dict[str, Claim] = {}
    for piece in told.reasoning:
        for item in found_in(piece.text, question.side):
            start, stop = piece.start + item.hit.start, piece.start + item.hit.stop
            claim = Claim.of(
                response.id,
                turn=piece.turn,
                start=start,
                stop=stop,
                text=piece.text[item.hit.start : item.hit.stop],
                extractor=EXTRACTOR,
                kind="finding",
                kinds=("finding",),
                payload={
                    "field": item.field,
                    "side": item.side,
                    "affirmed": item.affirmed,
                    "grade": item.grade,
                },
            )
            out.setdefault(claim.id, claim)
    return tuple(out.values())


def support(claim: Claim, fields: dict[str, Any]) -> tuple[Support | None, str, list[str]]:
    """Return the label of a claim against a picture's fields, a reason in words, and the fields that it hangs on.

    Args:
        claim: of `claims_of`.
        fields: findings of the picture; the label is None where one that is needed is missing.
    """
    name, side, grade = claim.payload["field"], claim.payload["side"], claim.payload["grade"]
    affirmed = bool(claim.payload["affirmed"])
    names = (
        [name]
        if name not in _SIDED
        else [f"{name}_{s}" for s in (("right", "left") if side in {None, "both"} else (side,))]
    )
    if any(field not in fields for field in names):
        return None, "nobody annotated the field", names
    values = [int(fields[field]) for field in names]
    shown = ", ".join(f"{field} = {fields[field]}" for field in names)
    if not affirmed:
        return (Support.UNSUPPORTED if any(values) else Support.SUPPORTED), f"denied; {shown}", names
    there = any(values) if side is None else all(values)
    if not there:
        return Support.UNSUPPORTED, f"affirmed; {shown}", names
    if grade is None:
        return Support.SUPPORTED, f"affirmed; {shown}", names
    off = min(abs(value - grade) for value in values if value)
    label = Support.SUPPORTED if off == 0 else Support.PARTIAL if off == 1 else Support.UNSUPPORTED
    return label, f"affirmed with grade {grade}; {shown}", names


def judged(claim: Claim, case: Case) -> Verdict:
    """Return the verdict of a claim."""
    label, why, names = support(claim, reading(case).fields)
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect="support",
        rater=RATER,
        label=None if label is None else label.value,
        unscored=None if label is not None else f"{Reason.NOT_CHECKABLE}:field missing",
        rationale=why,
        evidence=({"kind": "fields", "paths": names},),
    )
