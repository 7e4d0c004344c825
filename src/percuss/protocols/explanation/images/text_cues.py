"""Cues in words: an answer put into the prompt, its seeded draw, and a neutral sentence of the same length.

Source: papers/1 section 4.1 and appendix D (TB-RAD, TB-LA). The text placebo is ours: the paper has one for pictures only.
"""

from collections.abc import Sequence

from percuss.core.seeds import generator

__all__ = ["draw_other", "neutral"]

_CLAUSES = (
    "This picture was exported from the archive",
    "in the usual way",
    "and is shown here at the size",
    "in which it was stored",
    "by the department's routine",
    "on an ordinary working day",
    "together with the others of the same series",
    "and without any further remark",
)


def draw_other(options: Sequence[str], taken: str | None, root: int, *names: str) -> str:
    """Draw uniformly from the options other than `taken`.

    Args:
        options: what may be drawn; at least one other than `taken`.
        taken: the truth; None draws from all.
        root: the run's root seed.
        names: what the draw is for (case, arm), so that adding cases changes no other draw.

    >>> draw_other(("yes", "no"), "yes", 42, "case", "arm")
    'no'
    """
    others = [option for option in options if option != taken]
    return others[int(generator(root, *names).integers(len(others)))]


def neutral(length: int) -> str:
    """Return one sentence that says nothing about the case, nearest to `length` characters.

    Args:
        length: of the cue that it stands in for, in characters.

    >>> neutral(60)
    'This picture was exported from the archive in the usual way.'
    """
    sentences = [" ".join(_CLAUSES[:count]) + "." for count in range(1, len(_CLAUSES) + 1)]
    return min(sentences, key=lambda sentence: abs(len(sentence) - length))
