"""The grade of a submission: ranked ids, citations and structured fields against gold; the answer's prose decides nothing.

score = mean(MAP, citation precision, citation recall) x what the family adds (definitions/skills, sections 3 and 4): copies left
out, passages in order, or, in a conflict, both sides cited and the newer or stronger one followed.
"""

from itertools import combinations

from percuss.protocols.skills.scorers.ranking import average_precision
from percuss.protocols.skills.worlds.contract import Final, Grade, Task
from percuss.protocols.skills.worlds.documents import grade_submission, quoted
from percuss.protocols.skills.worlds.library.documents import Mark, shelf
from percuss.protocols.skills.worlds.library.tasks import Gold, gold_of
from percuss.protocols.skills.worlds.library.tools import MOST_CITATIONS, MOST_RANKED, Citation, Submission

__all__ = ["COVERED", "grade", "supports"]

COVERED = 0.5
"""Share of a supporting sentence that a quote has to cover."""


def grade(task: Task, final: Final) -> Grade:
    """Grade what was handed in for a `task`, `final` being what is left; the tool log is not needed here."""
    return grade_submission(
        final,
        Submission(ranked=(), answer=""),
        fits=lambda one: len(one.ranked) <= MOST_RANKED and len(one.citations) <= MOST_CITATIONS,
        worth=lambda one: _worth(task, one),
    )


def _worth(task: Task, submission: Submission) -> Grade:
    gold = gold_of(task)
    hits = [_groups_hit(each, gold, int(task.setting["seed"])) for each in submission.citations]
    found = set().union(*hits) if hits else set()
    parts: dict[str, float | None] = {
        "map": average_precision(submission.ranked, gold.relevant).value or 0.0,
        "citation_precision": 100 * sum(map(bool, hits)) / len(hits) if hits else None,
        "citation_recall": 100 * len(found) / len(gold.groups),
    }
    base = sum(value or 0.0 for value in parts.values()) / len(parts)
    family, share, reason = _family(gold, submission, found)
    if family:
        parts[family] = 100 * share
    return Grade(score=base * share, parts=parts, reason=reason)


def _groups_hit(citation: Citation, gold: Gold, seed: int) -> frozenset[int]:
    """Return the numbers of the gold groups that a citation supports; none: its quote isn't there or supports nothing."""
    return frozenset(
        n for n, group in enumerate(gold.groups) if any(supports(citation, mark, seed) for mark in group)
    )


def supports(citation: Citation, mark: Mark, seed: int) -> bool:
    """Tell whether a citation names the passage of a mark and its quote stands there, to the letter, and covers half of the sentence.

    Args:
        citation: as handed in. mark: the sentence. seed: of the arrangement of the documents.
    """
    if (citation.document, citation.passage) != (mark.document, mark.passage):
        return False
    document = shelf(seed).document(mark.document)
    passage = document.passage(mark.passage) if document else None
    place = quoted(citation.quote, passage.text) if passage else None
    if place is None:
        return False
    covered = min(place[1], mark.stop) - max(place[0], mark.start)
    return covered >= COVERED * (mark.stop - mark.start)


def _family(gold: Gold, submission: Submission, found: set[int]) -> tuple[str, float, str]:
    """Return the name of what the family adds, its share from 0 to 1, and what decided."""
    if gold.follow:
        both = found == set(range(len(gold.groups)))
        followed = submission.followed in gold.follow
        reason = (
            ""
            if both and followed
            else "one side isn't cited"
            if not both
            else "the weaker or older one is followed"
        )
        return "conflict", float(both and followed), reason
    if gold.order:
        right = list(combinations(gold.order, 2))
        place = {label: n for n, label in enumerate(dict.fromkeys(submission.order))}
        if len(place) != len(submission.order) or set(place) - set(gold.order):
            return "order", 0.0, "labels are repeated or unknown"
        concordant = sum(a in place and b in place and place[a] < place[b] for a, b in right)
        return "order", max(0.0, 2 * concordant / len(right) - 1), ""
    if gold.copies:
        kept = len(set(submission.ranked) & set(gold.copies))
        return "copies", 1 - kept / len(gold.copies), "a copy is handed in" if kept else ""
    return "", 1.0, ""
