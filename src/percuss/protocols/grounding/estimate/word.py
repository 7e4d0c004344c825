"""The one word on a model: the first that holds of definitions/grounding.md, version 2, "Words"."""

from dataclasses import dataclass

__all__ = [
    "CANT_TELL",
    "CORRECTS",
    "HOLDS_BACK",
    "MARGIN",
    "NO_EFFECT",
    "REMEMBERS",
    "REPEATS",
    "WORDS",
    "WORSE",
    "Read",
    "Span",
    "word",
]

MARGIN = 0.05
"""Largest difference of the unsupported share that is of no importance; it stands in the plan and in the word."""
HDI_ABOVE, HDI_LOW_ABOVE, FEW_WITHOUT = 0.4, 0.2, 0.10
SILENT = 0.4
TWINS = 0.05

CANT_TELL = "can't tell"
WORSE = "evidence makes it worse"
HOLDS_BACK = "holds back without evidence"
REMEMBERS = "answers without the evidence (memory or guess)"
REPEATS = "repeats itself"
CORRECTS = "evidence corrects it"
NO_EFFECT = "no relevant effect"
WORDS = (WORSE, HOLDS_BACK, REMEMBERS, REPEATS, CORRECTS, NO_EFFECT, CANT_TELL)


@dataclass(frozen=True)
class Span:
    """A number with its interval; None where it, or a limit, is undefined."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Read:
    """The numbers that decide the word; shares, and differences of shares.

    Args:
        fall: unsupported share without evidence minus that with it, on complete pairs.
        hdi: pooled. per_answer, any_one: the same of counts per answer, and of answers with at least one.
        without: unsupported share without evidence.
        silent: share of answers without an assertion, without evidence; silent_with: with it.
        lift: how much more often claims are right of the case's own record than of others', unseen.
        excess: overlap of claims across arms beyond chance, by entailment both ways, else at the placed threshold.
        entailed: whether by entailment. A cosine takes a claim for its opposite: by it, who turns most of its inventions round repeats nothing.
        margin: largest difference of no importance.
    """

    fall: Span
    hdi: Span
    without: float | None
    per_answer: Span = Span()
    any_one: Span = Span()
    silent: Span = Span()
    silent_with: float | None = None
    lift: Span = Span()
    excess: Span = Span()
    entailed: bool = False
    margin: float = MARGIN


def word(r: Read) -> str:
    """Return the first word that holds, floors aside.

    Args:
        r: the numbers.

    >>> word(Read(fall=Span(0.6, 0.5, 0.7), hdi=Span(0.9, 0.8, 0.95), without=0.7))
    'evidence corrects it'
    """
    margin = r.margin
    if r.fall.high is not None and r.fall.low is not None and r.fall.high < 0 and r.fall.low < -margin:
        return WORSE
    if _at_least(r.silent.low, SILENT) and (r.silent.value or 0.0) > (r.silent_with or 0.0):
        return HOLDS_BACK
    if r.lift.low is not None and r.lift.low > 0:
        return REMEMBERS
    if _at_least(r.excess.low, TWINS) and (r.entailed or not _at_least(r.hdi.value, 1 - HDI_ABOVE)):
        return REPEATS
    if _corrects(r):
        return CORRECTS
    inside = (
        r.fall.low is not None and r.fall.high is not None and -margin < r.fall.low <= r.fall.high < margin
    )
    if inside and _at_least(r.without, 2 * margin):
        return NO_EFFECT
    return CANT_TELL


def _corrects(r: Read) -> bool:
    if r.hdi.value is None or r.hdi.low is None or not _at_least(r.without, FEW_WITHOUT):
        return False
    below = any(one.high is not None and one.high < 0 for one in (r.per_answer, r.any_one))
    return r.hdi.value > HDI_ABOVE and r.hdi.low > HDI_LOW_ABOVE and not below


def _at_least(value: float | None, limit: float) -> bool:
    return value is not None and value >= limit
