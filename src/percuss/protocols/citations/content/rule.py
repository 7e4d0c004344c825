"""The rule content check (definitions/citations, "Verdicts"): yes and no where it is nearly sure, else undecided.

yes        every quantity of the claim stands in one window with its unit, named drugs and names occur, the weighed recall
           of content words is high, and polarity and direction agree
no         `contradicted`: the same sentence with another quantity, polarity or direction;
           `absent`: the whole source is held and no window comes near
undecided  everything else, with the reason
"""

import re
from collections.abc import Sequence
from typing import Literal

from percuss.core.ports import Hit
from percuss.core.strict import Record
from percuss.evidence.drugs import drugs
from percuss.evidence.search import Corpus
from percuss.protocols.citations.content.signs import opposed, signs, unsigned
from percuss.protocols.citations.content.words import Rarity, content_words, names_of
from percuss.text.quantities import Quantity, quantities, worded
from percuss.text.sentences import is_heading, split

__all__ = ["ABSENT", "CONTRADICTED", "RECALL", "ContentVerdict", "check_content"]

RECALL = 0.70
"""Weighed recall from which a window may say it (definitions/citations, "Rule content check")."""
ABSENT = 0.30
"""Recall that no window reaches where a claim is absent (same place); measured over all windows together, which no single
one can exceed: other words for the same thing made the windows' own measure wrong on one pair in five of real text."""
CONTRADICTED = 0.85
"""Recall of one sentence, numbers aside, from which it is the claim's own sentence: stricter than the window's."""
_SURE = 0.92
_WINDOW, _LOOKED_AT = 3, 6
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,9}\b")
# "It was opened by ..", "The same year, ..": what is meant stands elsewhere
_LEANS = re.compile(
    r"(?:it|he|she|they|this|these|those|that|its|his|her|their|the (?:same|latter|former)|both|such)\b",
    re.IGNORECASE,
)


class ContentVerdict(Record):
    """What the rule says of one claim and one source.

    Args:
        label: yes, no or undecided. subtype: contradicted or absent, for no. reason: one sentence.
        start, stop: the passage in the source's text; 0, 0 where there is none. recall: of the best window.
    """

    label: Literal["yes", "no", "undecided"]
    subtype: Literal["", "contradicted", "absent"] = ""
    reason: str = ""
    start: int = 0
    stop: int = 0
    recall: float = 0.0


def _coverage(wanted: list[str], windows: Sequence["_Window"]) -> float:
    """Return the share of a claim's words that the source holds anywhere, long words by their first five letters."""
    held = {word for window in windows for word in window.words}
    begun = {word[:5] for word in held}
    words = set(wanted)
    return sum(word in held or (len(word) > 5 and word[:5] in begun) for word in words) / len(words)


class _Window(Record):
    start: int
    stop: int
    words: tuple[str, ...]


def check_content(claim: str, source: str, *, whole: bool = True) -> ContentVerdict:
    """Decide whether a source says what it is cited for.

    Args:
        claim: one proposition. source: text of the document. whole: all of it is held (an abstract is not).
    """
    wanted = content_words(claim)
    spans = [span for span in split(source) if not is_heading(source[slice(*span)])]
    if len(wanted) < 3 or not spans:
        return ContentVerdict(
            label="undecided", reason="the claim has too few words" if spans else "the source has no text"
        )
    windows = _windows(source, spans)
    rarity = Rarity([window.words for window in windows])
    ranked = _ranked(claim, source, windows)
    best = max(ranked, key=lambda window: rarity.recall(wanted, window.words), default=None)
    recall = rarity.recall(wanted, best.words) if best else 0.0
    if whole and len(wanted) >= 4 and _coverage(wanted, windows) < ABSENT:
        return ContentVerdict(
            label="no", subtype="absent", reason="no passage comes near the claim", recall=recall
        )
    if _LEANS.match(claim):
        return ContentVerdict(
            label="undecided", reason="the claim leans on the sentence before it", recall=recall
        )
    wrong = _contradicted(claim, source, spans, rarity)
    if wrong is not None:
        return wrong
    for window in ranked:
        held = _says(claim, wanted, source, window, rarity)
        if held is not None:
            return held
    return ContentVerdict(label="undecided", reason="no window holds all of the claim", recall=recall)


def _windows(source: str, spans: Sequence[tuple[int, int]]) -> list[_Window]:
    last = max(1, len(spans) - _WINDOW + 1)
    made = []
    for first in range(last):
        start, stop = spans[first][0], spans[min(first + _WINDOW, len(spans)) - 1][1]
        made.append(_Window(start=start, stop=stop, words=tuple(content_words(source[start:stop]))))
    return made


def _ranked(claim: str, source: str, windows: Sequence[_Window]) -> list[_Window]:
    corpus = Corpus(
        [Hit(id=str(n), title="", text=source[each.start : each.stop]) for n, each in enumerate(windows)]
    )
    return [windows[number] for number, _ in corpus.bm25(claim)[:_LOOKED_AT]]


def _says(
    claim: str, wanted: list[str], source: str, window: _Window, rarity: Rarity
) -> ContentVerdict | None:
    """Return yes if a window says all of the claim, else None."""
    text = source[window.start : window.stop]
    recall = rarity.recall(wanted, window.words)
    if recall < RECALL or _missing_quantities(claim, text) or _missing_names(claim, text, window):
        return None
    nearest, near_recall = _nearest(wanted, text, rarity)
    if recall < _SURE or near_recall < RECALL or opposed(signs(claim), signs(nearest)):
        return None
    return ContentVerdict(
        label="yes", reason="one passage holds every quantity, name and nearly every word", start=window.start,
        stop=window.stop, recall=recall,
    )  # fmt: skip


def _nearest(wanted: list[str], text: str, rarity: Rarity) -> tuple[str, float]:
    pieces = [text[slice(*span)] for span in split(text)] or [text]
    scored = [(rarity.recall(wanted, content_words(piece)), piece) for piece in pieces]
    recall, piece = max(scored, key=lambda each: each[0])
    return piece, recall


def _missing_quantities(claim: str, text: str) -> list[Quantity]:
    held = (*quantities(text), *worded(text))
    return [
        each
        for each in (*quantities(claim), *worded(claim))
        if not any(_equal(each, other) for other in held)
    ]


def _equal(one: Quantity, other: Quantity) -> bool:
    """Say whether two quantities agree: unit or percent mark, and value to the fewer decimals written."""
    if one.percent != other.percent and (one.unit or other.unit or one.percent or other.percent):
        return False
    if one.unit and other.unit and one.unit != other.unit:
        return False
    decimals = min(one.decimals, other.decimals)
    tolerance = max(one.tolerance, other.tolerance)
    if abs(one.value - other.value) <= tolerance:
        return True
    return round(one.value, decimals) == round(other.value, decimals) and decimals > 0


def _missing_names(claim: str, text: str, window: _Window) -> set[str]:
    held = set(window.words)
    named = {name for _, _, name in drugs(claim)} - {name for _, _, name in drugs(text)}
    years = _years(claim) - _years(text)
    acronyms = {word for word in _ACRONYM.findall(claim) if not re.search(rf"\b{re.escape(word)}s?\b", text)}
    return named | (names_of(claim) - held) | years | acronyms


def _years(text: str) -> set[str]:
    return {word for word in text.replace("–", " ").replace("-", " ").split() if (bare := word.strip(".,;:()")).isdigit()
            and len(bare) == 4 and bare[:2] in {"18", "19", "20"} for word in (bare,)}  # fmt: skip


def _contradicted(
    claim: str, source: str, spans: Sequence[tuple[int, int]], rarity: Rarity
) -> ContentVerdict | None:
    """Return no if one sentence of the source is the claim's own, with another quantity, polarity or direction."""
    said, wanted = signs(claim), content_words(unsigned(claim))
    if len(wanted) < 3:
        return None
    for start, stop in spans:
        sentence = source[start:stop]
        words = content_words(unsigned(sentence))
        if rarity.recall(wanted, words) < CONTRADICTED or rarity.recall(words, wanted) < RECALL:
            continue
        missing = _missing_quantities(claim, sentence)
        extra = _missing_quantities(sentence, claim)
        number = _one_differs(missing, extra)
        other = opposed(said, signs(sentence))
        if (number and not other and not (names_of(claim) - set(words))) or (
            other and not missing and not extra
        ):
            what = f"{missing[0].text} where the source has {extra[0].text}" if number else f"another {other}"
            return ContentVerdict(
                label="no",
                subtype="contradicted",
                reason=what,
                start=start,
                stop=stop,
                recall=rarity.recall(wanted, words),
            )
    return None


def _one_differs(missing: list[Quantity], extra: list[Quantity]) -> bool:
    """Say whether exactly one quantity was exchanged for one of the same kind."""
    if len(missing) != 1 or len(extra) != 1:
        return False
    one, other = missing[0], extra[0]
    return one.percent == other.percent and one.unit == other.unit and one.part == other.part
