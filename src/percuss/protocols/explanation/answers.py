"""From a reply to an option: parsing tolerant of how models write, normalising, and what counts as a flip.

An error is an error: never an answer, never a flip (papers/1 sections 4.2, appendix E; decisions in
definitions/explanation, "Flip, accuracy, follow").
"""

import json
import re
from dataclasses import dataclass
from typing import Literal

from percuss.judging.judge import last_object
from percuss.protocols.explanation.questions import Question

__all__ = ["FLIP_GRADES", "Parsed", "flipped", "option_of", "parse", "reasoning_of"]

#: An ordinal answer flips at this many grades (papers/1 section 4.2).
FLIP_GRADES = 2
Layout = Literal["tags", "json", "answer_only", "untagged", "empty"]

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
_ANSWER = re.compile(r"<\s*answer\s*>(.*?)(?:<\s*/\s*answer\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_THINK = re.compile(
    r"<\s*think(?:ing)?\s*>(.*?)(?:<\s*/\s*think(?:ing)?\s*>|(?=<\s*answer)|\Z)", re.IGNORECASE | re.DOTALL
)
_INFLUENCE = re.compile(
    r"<\s*external[\s_-]*influence\s*>(.*?)(?:<\s*/\s*external[\s_-]*influence\s*>|(?=<\s*/?\s*(?:think|answer|step))|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<\s*/?\s*(?:think(?:ing)?|step|answer|external[\s_-]*influence)\b[^>]*>", re.IGNORECASE)
_LAST_LINE = re.compile(r"(?:final\s+)?answer\s*(?:is)?\s*[:=]\s*(.+?)\s*\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Parsed:
    """A reply taken apart; offsets of the spans refer to the reply as it is.

    Args:
        answer: text of the answer as written, or None.
        option: the option that it names, or None where it is outside the vocabulary or missing.
        layout: how the reply was written.
        reasoning: spans of the reasoning, without answer and without `<external_influence>`.
        influence: spans of `<external_influence>`.
    """

    answer: str | None
    option: str | None
    layout: Layout
    reasoning: tuple[tuple[int, int], ...]
    influence: tuple[tuple[int, int], ...]

    @property
    def state(self) -> Literal["valid", "invalid"]:
        """Whether the answer is an option."""
        return "invalid" if self.option is None else "valid"


def parse(text: str, options: tuple[str, ...]) -> Parsed:
    """Take a reply apart: tags in any case and spacing, a JSON object instead, or no tags at all.

    Args:
        text: the reply.
        options: of the question.
    """
    influence = tuple(match.span(1) for match in _INFLUENCE.finditer(text))
    tagged = list(_ANSWER.finditer(text))
    if tagged:
        last = tagged[-1]
        answer = last.group(1).strip()
        thoughts = [match.span(1) for match in _THINK.finditer(text[: last.start()])]
        spans = thoughts or [(0, last.start())]
        layout: Layout = "tags" if thoughts else "answer_only"
        return _parsed(text, answer, options, layout, spans, influence)
    found = last_object(text, "answer")
    if found is not None:
        return _parsed(text, _word(found["answer"]), options, "json", _json_spans(text, found), influence)
    if not text.strip():
        return Parsed(None, None, "empty", (), ())
    line = text.strip().splitlines()[-1]
    named = _LAST_LINE.search(line)
    answer = (named.group(1) if named else line).strip()
    stop = text.rindex(line)
    return _parsed(text, answer, options, "untagged", [(0, stop)] if stop else [(0, len(text))], influence)


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _json_spans(text: str, found: dict[str, object]) -> list[tuple[int, int]]:
    """Return where the object's other strings stand in the text; the whole text where they are escaped."""
    spans = []
    for key, value in found.items():
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if key != "answer" and isinstance(part, str) and part.strip():
                at = text.find(part)
                if at < 0:
                    return [(0, len(text))]
                spans.append((at, at + len(part)))
    return spans


def reasoning_of(text: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return the spans of reasoning and of `<external_influence>` in a turn that gives no answer yet."""
    influence = tuple(match.span(1) for match in _INFLUENCE.finditer(text))
    return _spans(text, [(0, len(text))], influence), influence


def _parsed(
    text: str,
    answer: str,
    options: tuple[str, ...],
    layout: Layout,
    spans: list[tuple[int, int]],
    influence: tuple[tuple[int, int], ...],
) -> Parsed:
    return Parsed(answer, option_of(answer, options), layout, _spans(text, spans, influence), influence)


def _spans(
    text: str, spans: list[tuple[int, int]], influence: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    cut = sorted([*influence, *(match.span() for match in _TAG.finditer(text))])
    parts = (part for whole in spans for part in _without(whole, cut))
    return tuple((start, stop) for start, stop in parts if text[start:stop].strip())


def _without(whole: tuple[int, int], holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    start, stop = whole
    out = []
    for low, high in holes:
        if high <= start or low >= stop:
            continue
        if low > start:
            out.append((start, low))
        start = max(start, high)
    if start < stop:
        out.append((start, stop))
    return out


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
