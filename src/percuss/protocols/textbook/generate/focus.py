"""Which sentence of a passage a question is asked about, and whether a statement is asked for as true or false."""

import re

from percuss.core import seeds
from percuss.protocols.textbook.generate.choosing import holds
from percuss.protocols.textbook.ingest.funnel import sentences_of

__all__ = ["WHOLE", "focus_of", "truth_of"]

WHOLE = frozenset({"multi_hop", "multi_hop_inverse"})
"""Types that join several sentences: they have none of their own."""
MIN_WORDS = 6
_LEANS = re.compile(r"(?:it|its|this|that|these|those|they|their|he|she|such|both|here|there|then|so)\b", re.IGNORECASE)  # fmt: skip


def focus_of(text: str, kind: str, seed: int, passage: str) -> str:
    """Return the sentence that a question is asked about; "" where it joins several.

    Args:
        text: of the passage. kind: type of question. seed, passage: of the draw among sentences that do; id of the passage.

    Of a list the one that names things side by side, of a multiple choice the one with the quantity or definition; else
    one that stands by itself: it neither opens with a pronoun nor has fewer than six words.
    """
    if kind in WHOLE:
        return ""
    sentences = sentences_of(text)
    if kind in {"list", "multiple_choice"}:
        fits = [sentence for sentence in sentences if holds(sentence, kind)]
        if fits:
            return fits[0]
    alone = [
        sentence for sentence in sentences if len(sentence.split()) >= MIN_WORDS and not _LEANS.match(sentence)
    ] or sentences  # fmt: skip
    if not alone:
        return ""
    return alone[int(seeds.generator(seed, "focus", passage).integers(len(alone)))]


def truth_of(seed: int, passage: str) -> str:
    """Return whether the statement of a passage is asked for as true or as false, either with probability 1/2."""
    return "true" if seeds.generator(seed, "truth", passage).random() < 0.5 else "false"
