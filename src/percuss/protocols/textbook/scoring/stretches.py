"""Stretches of a reply that may hold its answer: what is marked as one, what concludes, and what only says no or gives reasons."""

import re
from collections.abc import Iterator, Sequence

__all__ = [
    "LEAD",
    "MARK",
    "affirmed",
    "conclusion",
    "heads",
    "is_lettered",
    "marked",
    "sentences",
    "spoken",
    "without_contrast",
    "without_denied",
    "without_letter",
]

MARK = re.compile(
    r"(?:^|\b)(?:final\s+answer|correct\s+(?:answer|option|choice|entrie|one)s?|best\s+(?:answer|option|choice)s?|answers?|i\s+(?:would\s+)?choose)\s*(?:\([^)]{0,20}\)\s*)?(?:is|are|would be|:|=)\s*[:*]*\s*",
    re.IGNORECASE,
)
"""Words after which the answer stands."""
LEAD = re.compile(r"^\s*(?:[-*•‣]+\s*|\(?\d{1,2}[.)]\s+)+")
_LETTERED = re.compile(r"^\s*\(?[A-Z]\s*[.):]\s")
_SENTENCE = re.compile(r"(?<=[a-z0-9%)\"'][.!?])(?=\s)|(?<=\n)")
"""Where a sentence ends; the letter of an option ends none."""
_CLAUSE = re.compile(r"(?<=[,;])(?=\s+(?:and|but|while|whereas|so|yet)\s)|(?<=;)(?=\s)")
_DENIED = re.compile(
    r"\b(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:(?:an?|the)\s+)?(?:valid|correct|right|true|accurate|possible|answer|option|choice|one|reason)\b|\b(?:is|are)\s+(?:incorrect|wrong|false)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"(?:(?:^|,|\band|\bbut)\s*not(?!\s+only)|,?\s*\b(?:rather\s+than|instead\s+of|unlike|as\s+opposed\s+to|other\s+than))\s[^,.;\n]*?(?=\sbut\b|[,.;\n]|$)"
    r"|\bnot\s[^,.;\n]*?\s(?=but\b)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"[,;]?\s*\b(?:because|since|as(?!\s+well)|while|whereas|whilst|although|though|which)\b|;", re.IGNORECASE
)
_CONCLUDES = re.compile(
    r"^\W*(?:so|therefore|thus|hence|in conclusion|to conclude|overall|in summary|finally)\b", re.IGNORECASE
)
_AFFIRMED = re.compile(
    r"\b(?:is|would\s+be)\s+(?:the|a)?\s*(?:correct|right|best|only|one|answer|most\s+likely)\b",
    re.IGNORECASE,
)


def spoken(text: str) -> str:
    """Return a reply without thinking aloud and emphasis."""
    return re.sub(r"[*_`#]+", "", text.rpartition("/think>")[2]).strip()


def without_letter(line: str) -> str:
    """Return a line without the letter that it begins with."""
    return _LETTERED.sub("", line)


def is_lettered(line: str) -> bool:
    """Say whether a line begins with an option's letter."""
    return _LETTERED.match(line) is not None


def marked(plain: str) -> str:
    """Return the line after the last "answer:", or the lines of a list there; "" where none is marked."""
    found = list(MARK.finditer(plain))
    if not found:
        return ""
    rest = plain[found[-1].end() :].strip()
    many = rest.split("\n\n")[0]
    if LEAD.match(many) or all(map(is_lettered, many.splitlines())):
        return many
    return rest.splitlines()[0] if rest else ""


def sentences(part: str) -> list[str]:
    """Return the sentences of a stretch; no character is lost."""
    return [one for one in _SENTENCE.split(part) if one]


def without_denied(part: str) -> str:
    """Return a stretch without the clauses that say of something that it is no answer."""
    clauses = (clause for sentence in sentences(part) for clause in _CLAUSE.split(sentence))
    return "".join(clause for clause in clauses if not _DENIED.search(clause))


def without_contrast(part: str, options: Sequence[str]) -> str:
    """Return a stretch without what it sets aside ("not B", "rather than B"); an option that says not keeps all.

    Args:
        part: of a reply. options: what was offered.
    """
    return (
        part
        if any(re.search(r"\bnot\b", option, re.IGNORECASE) for option in options)
        else _CONTRAST.sub("", part)
    )


def heads(sentence: str) -> Iterator[str]:
    """Yield a sentence, then what stands before its reasons ("because", "while")."""
    yield sentence
    cut = _REASON.search(sentence, 1)
    if cut is not None:
        yield sentence[: cut.start()]


def conclusion(plain: str) -> str:
    """Return the last sentence where it concludes ("Therefore, .."); "" where it doesn't."""
    held = [one for one in sentences(plain) if one.strip()]
    return held[-1] if len(held) > 1 and _CONCLUDES.match(held[-1]) else ""


def affirmed(plain: str) -> Iterator[str]:
    """Yield the clauses that call something the right answer."""
    for sentence in sentences(plain):
        yield from (clause for clause in re.split(r"(?<=,)\s", sentence) if _AFFIRMED.search(clause))
