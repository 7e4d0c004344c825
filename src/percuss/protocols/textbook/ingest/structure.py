"""What is no prose of a textbook: front matter, exercises, references, captions, tables, formulas, navigation."""

import re

from percuss.protocols.textbook.ingest.passage import Paragraph

__all__ = ["REASONS", "noise"]

REASONS = (
    "front_matter", "exercise", "outline", "bibliography", "navigation", "caption", "table", "formula", "code", "list",
)  # fmt: skip
"""Why a paragraph is structural noise (paper, section 3.3, heuristic iv), in the order in which it is looked for."""

_FRONT = re.compile(
    r"(?:preface|foreword|acknowledge?ments?|about (?:the|this|our|openstax)\b.*|copyright.*|contents|table of contents|contributors"
    r"|dedication|index|colophon|credits|errata|title page|imprint|licen[cs]e|list of (?:figures|tables)|how to use.*)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:references|bibliography|works cited|further reading|suggested reading|answer key|answers?|(?:review |practice )?questions"
    r"|exercises?|key terms|glossary|self[- ]test|check your understanding|case (?:study|studies) questions|unfolding case study.*)",
    re.IGNORECASE,
)
_MATTER = re.compile(
    r"\bISBN\b|©|\bAll rights reserved\b|\blicensed under (?:a |the )?Creative Commons\b|\bCC BY\b|\bto report errata\b"
    r"|\bsenior contributing authors?\b|\bno part of this (?:book|publication)\b|\bprinted in\b.{0,40}\bby\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^\s*(?:\(?\d{1,3}[.)]\s+)?(?:which (?:of|one|statement|drug|client|action)\b|what (?:is|are|would|should)\b|(?:select|choose) (?:all|the)\b"
    r"|true or false\b|fill in\b|match (?:the|each)\b|discuss\b|explain (?:why|how)\b|exercise \d|question \d)",
    re.IGNORECASE,
)
_OPTIONS = re.compile(r"(?:^|\s)\(?([a-dA-D])[.)]\s")
_OUTLINE = re.compile(
    r"^\s*(?:by the end of this|after (?:reading|studying|completing) this|in this (?:chapter|section|module|unit)\b"
    r"|this (?:chapter|section|module|unit) (?:will|has|is|covers?|covered|provid\w+|discuss\w*|explor\w+|introduc\w+|review\w*|examin\w+|focus\w*|present\w*|explain\w*|describ\w+)"
    r"|the (?:previous|next|following) (?:chapter|section)\b|learning (?:objectives|outcomes)\b|chapter outline\b)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"^(?:\[?\d{1,3}[.\]]\s*)?[^\W\d_][\w’'. -]{1,40},\s(?:[A-Z]\.\s?-?){1,4}.{0,400}?\((?:19|20)\d\d[a-z]?(?:, [A-Z][a-z]+(?: \d{1,2})?)?\)"
    r"|^[^()]{4,160}\.\s\((?:19|20)\d\d[a-z]?(?:, [A-Z][a-z]+(?: \d{1,2})?)?\)\.|\bdoi\.org/|\bRetrieved (?:from|[A-Z][a-z]+ \d)",
    re.DOTALL,
)
_NAVIGATION = re.compile(
    r"^\s*(?:next|previous|back|home|skip to|click here|go to|return to|jump to|see also|show answer|download|log ?in|sign ?in|menu|search|share)\b.{0,80}$"
    r"|(?:\s[|›»→]\s.*){2,}|\bAll chapters\b|\bPrivacy policy\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"^\s*(?:(?:fig(?:ure|\.)?|table|plate|box|photo|image|illustration|chart|diagram)\s*[A-Z]?\d+(?:[.\-–]\d+)*\b[.:]?"
    r"|(?:is|lists|shows|presents|gives)\b.{0,60}\b(?:table|figure|diagram)\b|\((?:a|credit)\b.{0,20}\bcredit\b|(?:image|photo|figure) (?:credit|courtesy|attribution))",
    re.IGNORECASE,
)
_FIGURES = re.compile(r"(?<!\S)[\d.,;:()%±<>≤≥–-]+(?!\S)")
_FORMULA = re.compile(
    r"\\(?:begin|end|frac|text|mathrm|left|right|sum|cdot|times|label|ref|cite)\b|\$[^$\s\d][^$\n]{0,200}\$|\\\(|\\\["
)


def noise(paragraph: Paragraph) -> str | None:
    """Return why a paragraph is no prose of the book; None where it is.

    Args:
        paragraph: what its markup says counts first.
    """
    if paragraph.kind in {"caption", "table", "exercise", "navigation", "code", "list"}:
        return paragraph.kind
    section = paragraph.section.strip()
    if _FRONT.fullmatch(section) or _MATTER.search(paragraph.text):
        return "front_matter"
    if section and _BACK.fullmatch(section):
        return "bibliography" if re.match(r"ref|bib|works|furth|sugg", section, re.IGNORECASE) else "exercise"
    return _by_text(paragraph.text)


def _by_text(text: str) -> str | None:
    if _is_exercise(text):
        return "exercise"
    if _OUTLINE.search(text):
        return "outline"
    for name, pattern in (
        ("bibliography", _REFERENCE), ("navigation", _NAVIGATION), ("caption", _CAPTION), ("formula", _FORMULA)
    ):  # fmt: skip
        if pattern.search(text):
            return name
    return "table" if _is_table(text) else None


def _is_exercise(text: str) -> bool:
    """Tell whether a paragraph asks more than it states, or lists lettered options."""
    asked = text.count("?")
    ended = asked + len(re.findall(r"[.!](?=\s|$)", text))
    if (asked and _ASKED.match(text)) or (2 * asked >= max(ended, 1) and text.rstrip().endswith("?")):
        return True
    options = [letter.lower() for letter in _OPTIONS.findall(text)]
    return options[:3] == ["a", "b", "c"] and asked > 0


def _is_table(text: str) -> bool:
    """Tell whether a paragraph is cells: bars or tabs between them, or more figures than words."""
    if text.count("|") >= 4 or text.count("\t") >= 4:
        return True
    words = text.split()
    return len(words) >= 8 and 2 * len(_FIGURES.findall(text)) > len(words)
