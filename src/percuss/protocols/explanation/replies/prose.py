"""The answer in plain prose: a statement that names it, or a reply that is nothing else."""

import re
from dataclasses import dataclass

from percuss.protocols.explanation.answers import option_of

__all__ = ["Said", "said_in"]

#: "The answer is: no", "Final answer: yes", "The correct option is "right"", "Answer - none", "**Answer:** yes".
_STATED = re.compile(
    r"(?:\b(?:so|hence|therefore|thus)\W+)?\b(?:the\s+|my\s+|a\s+)?(?:(?:final|correct|best|appropriate|possible|most\s+likely)\s+(?:answer|option)|answer|(?<![\w\s])option)\b"
    r"(?:\s+(?:to|for)\s+(?:this|the)\s+(?:clinical\s+)?question)?\W*?(?:\s+(?:is|would be|should be)\b\s*|[:=]|\s-\s)[\s:\"'“‘*_`$]*(?:\\boxed\{)?"
    r"(?P<answer>[^\n.;\"”*`}]+)[\"'”’*_`]*",
    re.IGNORECASE,
)
#: A reply, or its first or last line, that is an option and nothing else.
_ALONE = re.compile(r"^(?!\s*[-*]\s)[\s\"'“‘*_`>#]*(?P<answer>[A-Za-z][A-Za-z ]{0,24}?)[\s\"'”’*_`.!]*$")
#: "Yes, there is a tube." answers a yes-or-no question.
_OPENING = re.compile(r"\A[\s\"'*_`]*(?P<answer>yes|no)\b(?=\s*[,.:;!\n–—-])[\s,.:;!–—]*", re.IGNORECASE)
#: "(B) left", "c) moderate": a letter of one's own before the option.
_LETTER = re.compile(r"^\(?[A-Ha-h][).:]+\s*")
_CLAUSE = re.compile(r"\s*(?:,|\(|\bbut\b|\bbecause\b|\bsince\b|\bas\b|\band the\b)")


@dataclass(frozen=True)
class Said:
    """The answer as written, the option that it names, where it stands, and why there is none."""

    answer: str | None
    option: str | None
    spans: tuple[tuple[int, int], ...] = ()
    why: str = ""


def said_in(text: str, options: tuple[str, ...]) -> Said:
    """Return the answer that prose states; two statements that name two options are none.

    Args:
        text: the reply. options: of the question.
    """
    stated = [(match.span(), *_named(match.group("answer"), options)) for match in _STATED.finditer(text)]
    valid = [(span, answer, option) for span, answer, option in stated if option is not None]
    if len({option for *_, option in valid}) > 1:
        return Said(valid[-1][1], None, why="two answers")
    if valid:
        return Said(valid[-1][1], valid[-1][2], tuple(span for span, *_ in valid))
    alone = _alone(text, options)
    if alone is not None:
        return alone
    opening = _OPENING.match(text)
    if opening is not None and set(options) == {"yes", "no"}:
        return Said(opening.group("answer"), opening.group("answer").lower(), (opening.span(),))
    if stated:
        return Said(stated[-1][1], None)
    return Said(None, None)


def _named(written: str, options: tuple[str, ...]) -> tuple[str, str | None]:
    """Return the answer that a statement names, and its option: as a whole, or up to where an aside begins."""
    whole = written.strip()
    option = option_of(whole, options) or option_of(_LETTER.sub("", whole), options)
    if option is None:
        first = _CLAUSE.split(whole, maxsplit=1)[0].strip(" \"'")
        rest = whole[len(first) :]
        # "right, left, same severity" lists options and names none.
        if first and not any(
            option_of(part, options) for part in re.split(r"[,/]| and | or ", rest) if part.strip()
        ):
            option = option_of(first, options)
    return whole, option


def _alone(text: str, options: tuple[str, ...]) -> Said | None:
    at, lines = 0, []
    for line in text.splitlines(keepends=True):
        if line.strip():
            lines.append((at, line))
        at += len(line)
    for start, line in [lines[-1], lines[0]] if lines else []:
        match = _ALONE.match(line)
        option = None if match is None else option_of(match.group("answer"), options)
        if match is not None and option is not None:
            return Said(match.group("answer"), option, ((start, start + len(line)),))
    return None
