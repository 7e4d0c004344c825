"""The grade of a task: what was handed in and what was created, both or nothing; what was said is no part of it."""

from collections.abc import Sequence

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.contract import Final, Grade, Task
from percuss.protocols.skills.worlds.documents import grade_submission
from percuss.protocols.skills.worlds.fhir.server import Answer, Left
from percuss.protocols.skills.worlds.fhir.tasks import Gold, gold_of
from percuss.protocols.skills.worlds.fhir.writing import compared

__all__ = ["grade"]

EXACT = 1e-6


def grade(task: Task, final: Final) -> Grade:
    """Grade what is left of a `task`: 100 where the answers are right and exactly what was asked for was created, else 0."""
    return grade_submission(
        final, Left(), fits=lambda _: True, worth=lambda left: _worth(gold_of(task), left)
    )


def _worth(gold: Gold, left: Left) -> Grade:
    answered = left.answers is not None and _answers(gold, left.answers)
    wanted, made = (
        [canonical_json(compared(each)) for each in held] for held in (gold.created, left.created)
    )
    created = sorted(wanted) == sorted(made)
    extra = [each for each in made if each not in wanted]
    reasons = (
        "" if answered else "nothing was handed in" if left.answers is None else "wrong answer",
        ""
        if created
        else "what was not asked for was created"
        if extra
        else "what was asked for was not created",
    )
    return Grade(
        score=100.0 * (answered and created),
        parts={
            "answers": 100.0 * answered if gold.answers else None,
            "created": 100.0 * (not set(wanted) - set(made)) if wanted else None,
            "nothing_else": 100.0 * (not extra),
        },
        reason="; ".join(each for each in reasons if each),
    )


def _answers(gold: Gold, given: Sequence[Answer]) -> bool:
    if len(given) != len(gold.answers):
        return False
    if gold.any_order:
        return sorted(map(_plain, given)) == sorted(map(_plain, gold.answers))
    return all(_same(own, right, gold.tolerance) for own, right in zip(given, gold.answers, strict=True))


def _same(own: Answer, right: Answer, tolerance: float) -> bool:
    if isinstance(right, str):
        return _plain(own) == _plain(right)
    try:
        value = float(own)
    except (ValueError, OverflowError):
        return False
    return abs(value - right) <= max(tolerance, EXACT)


def _plain(answer: Answer) -> str:
    return str(answer).strip().casefold()
