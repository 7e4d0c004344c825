"""What a judge is asked of an answer over the knowledge base, and what a grade is with what it said of open citations.

A rule knows the sentences that support an answer. A quote that stands in its passage to the letter and is none of these may
still support what the answer says: that is for a judge (definitions/skills, section 4: "supporting (rule, judge)").
"""

from collections.abc import Mapping

from msgspec.structs import replace

from percuss.protocols.skills.worlds.contract import Final, Grade, Result, Task
from percuss.protocols.skills.worlds.desk import read
from percuss.protocols.skills.worlds.documents import quoted
from percuss.protocols.skills.worlds.library.documents import Shelf, shelf
from percuss.protocols.skills.worlds.library.grading import supports
from percuss.protocols.skills.worlds.library.tasks import Gold, gold_of
from percuss.protocols.skills.worlds.library.tools import Citation, Submission
from percuss.protocols.skills.worlds.material import Material, Quoted

__all__ = ["SUPPORTS", "judged", "material"]

SUPPORTS = "supports"


def material(task: Task, final: Final) -> Material | None:
    """Return what was handed in beside what a right answer rests on; None where there is nothing to judge.

    Args:
        task: of this world. final: what is left.
    """
    submission = _handed_in(final)
    if submission is None:
        return None
    gold, kept = gold_of(task), shelf(int(task.setting["seed"]))
    lines = [f"[{each.document} {each.passage}] {each.quote}" for each in submission.citations]
    return Material(
        question=task.says[0],
        reference=_reference(gold, kept),
        answer="\n".join([submission.answer, *lines, f"Acts on: {submission.followed}" * bool(submission.followed)]),
        quotes={n: Quoted(passage=text, quote=each.quote) for n, each in enumerate(submission.citations) if (text := _open(each, gold, kept, task))},
    )  # fmt: skip


def judged(final: Final, waiting: Grade, labels: Mapping[int, str | None]) -> Grade:
    """Return a grade with open citations counted that a judge said support the answer.

    Args:
        final: what is left. waiting: of the rules. labels: number of an open citation -> what was said of it.
    """
    submission = _handed_in(final)
    more = sum(label == SUPPORTS for label in labels.values())
    precision = waiting.parts.get("citation_precision")
    if submission is None or not more or precision is None or waiting.score is None:
        return waiting
    parts = {**waiting.parts, "citation_precision": precision + 100 * more / len(submission.citations)}
    base = sum(parts[name] or 0.0 for name in ("map", "citation_precision", "citation_recall")) / 3
    shares = [value for name, value in parts.items() if name in {"conflict", "order", "copies"}]
    return replace(waiting, parts=parts, score=base * ((shares[0] or 0.0) / 100 if shares else 1.0))


def _handed_in(final: Final) -> Submission | None:
    handed = final.submitted[0] if final.submitted and not final.limit else None
    held = None if handed is None else read(handed, Submission)
    return None if isinstance(held, Result) else held


def _reference(gold: Gold, kept: Shelf) -> str:
    """Return the sentences that a right answer cites, one of each group, and what to act on."""
    lines = []
    for mark in (group[0] for group in gold.groups):
        document = kept.document(mark.document)
        passage = document.passage(mark.passage) if document else None
        lines.append(
            f"[{mark.document} {mark.passage}] {passage.text[mark.start : mark.stop]}" if passage else ""
        )
    return "\n".join([*filter(None, lines), f"Acts on: {' or '.join(gold.follow)}" * bool(gold.follow)])  # fmt: skip


def _open(citation: Citation, gold: Gold, kept: Shelf, task: Task) -> str:
    """Return the passage of a citation whose quote stands there and of which no rule says that it supports; "" for none."""
    document = kept.document(citation.document)
    passage = document.passage(citation.passage) if document else None
    seed = int(task.setting["seed"])
    if passage is None or any(supports(citation, mark, seed) for group in gold.groups for mark in group):
        return ""
    return passage.text if quoted(citation.quote, passage.text) else ""
