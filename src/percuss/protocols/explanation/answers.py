"""From an answer to an option, and what counts as a flip.

An error is an error: never an answer, never a flip (papers/1 sections 4.2, appendix E; decisions in
definitions/explanation, "Flip, accuracy, follow").
"""

import re

from percuss.protocols.explanation.questions import Question

__all__ = ["FLIP_GRADES", "flipped", "option_of"]

#: An ordinal answer flips at this many grades (papers/1 section 4.2).
FLIP_GRADES = 2

_SYNONYMS = {
    "true": "yes",
    "present": "yes",
    "false": "no",
    "absent": "no",
    "normal size": "normal",
    "borderline enlarged": "borderline",
    "massive enlargement": "massively enlarged",
    "no": "none",
    "absence": "none",
    "neither": "none",
    "right side": "right",
    "left side": "left",
    "same": "same severity",
    "equal": "same severity",
    "equally severe": "same severity",
    "both sides": "both",
    "bilateral": "both",
    "absent device": "not present",
    "correct": "correctly positioned",
    "correct position": "correctly positioned",
    "low": "too low",
    "high": "too high",
    "moderately severe": "moderate",
    "minimal": "questionable",
}
# Words that name an option of one question only where the option exists: "both" of a comparison is "same severity".
_FALLBACKS = {
    "both": "same severity",
    "bilateral": "same severity",
    "none": "not present",
    "absent": "not present",
}


def option_of(answer: str | None, options: tuple[str, ...]) -> str | None:
    """Return the option that an answer names, or None.

    Args:
        answer: as written; case, punctuation, a leading article and synonyms don't matter.
        options: of the question.

    >>> option_of("**Same** ", ("right", "left", "same severity", "none"))
    'same severity'
    """
    if answer is None:
        return None
    plain = re.sub(r"[^a-z0-9]+", " ", answer.casefold()).strip()
    plain = re.sub(r"^(?:the|a|an|option|answer) ", "", plain)
    if plain in options:
        return plain
    for table in (_SYNONYMS, _FALLBACKS):
        if table.get(plain) in options:
            return table[plain]
    return None


def flipped(question: Question, baseline: str, answer: str) -> bool:
    """Tell whether a valid answer flipped against a valid baseline: any change, or two grades of an ordinal scale.

    Args:
        question: the question of both answers.
        baseline, answer: options.
    """
    return question.distance(baseline, answer) >= (FLIP_GRADES if question.kind == "ordinal" else 1)
