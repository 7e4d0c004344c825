"""Gene levels in words ("elevated CD274", "PD-1 expression is low") against z-scores within the cohort."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from percuss.evidence.concepts import GENES

__all__ = ["Level", "agrees", "levels"]

HIGH = 0.5
"""A z-score that may be called high, and, negative, low (ours: about the outer thirds of a normal distribution)."""
AGAINST = 0.25
"""A z-score that contradicts "high" when this far below zero, and "low" when this far above (ours)."""

_HIGH = (
    r"(?:very )?(?:high(?:er|ly)?|elevated|increased|up-?regulated|strong|over-?express(?:ed|ion|es)|raised)"
)
_LOW = r"(?:very )?(?:low(?:er)?|reduced|decreased|down-?regulated|weak|diminished|suppressed)"
_MID = r"(?:moderate(?:ly)?|intermediate|average|near[\s-]average)"
_GENE = "|".join(
    f"(?P<%s{name}>{words})" for name, words in sorted(GENES.items(), key=lambda item: -len(item[0]))
)
_LEVEL = rf"(?:(?P<%shigh>{_HIGH})|(?P<%slow>{_LOW})|(?P<%smid>{_MID}))"
_NOUN = r"(?:(?:mrna|rna|gene|transcript)\s)?(?:expression|levels?|abundance|transcripts?)"


def _fill(pattern: str, mark: str) -> str:
    return pattern.replace("%s", mark)


_SAID = re.compile(
    rf"(?<![\w-]){_fill(_LEVEL, 'a_')}\s(?:{_NOUN}\s(?:of|for)\s)?(?:{_fill(_GENE, 'a_')})(?!\w)"
    rf"|(?<![\w-])(?:{_fill(_GENE, 'b_')})(?![\w-])(?:\s{_NOUN})?(?:\s(?:is|are|was|were|appears|seems|remains)|:)?\s"
    rf"(?:relatively\s|slightly\s|markedly\s|expressed\s)?{_fill(_LEVEL, 'b_')}\b"
    rf"|(?<![\w-])(?:{_fill(_GENE, 'c_')})(?![\w-])\sis\sexpressed\s(?:at\s(?:an?\s)?)?{_fill(_LEVEL, 'c_')}\b",
    re.IGNORECASE,
)


_ANY_GENE = "|".join(words for _, words in sorted(GENES.items(), key=lambda item: -len(item[0])))
_NEXT = re.compile(
    rf"(?:,\s(?:and\s)?|\sand\s|/)(?P<gene>{_ANY_GENE})(?![\w-])(?!\s(?:\w{{1,12}}\s)?(?:is|are|was|were)\b)",
    re.IGNORECASE,
)
_EACH = {symbol: re.compile(words, re.IGNORECASE) for symbol, words in GENES.items()}
_MOST_LISTED = 20


class Level(NamedTuple):
    """A level said of a gene: high, low or mid; `gene` is the packet's name of it in lower case (cd274)."""

    start: int
    stop: int
    gene: str
    level: str


def levels(claim: str) -> Iterator[Level]:
    """Yield the gene levels of a claim.

    >>> [(each.gene, each.level) for each in levels("Elevated PD-L1, and CD8A expression is low")]
    [('cd274', 'high'), ('cd8a', 'low')]
    """
    for match in _SAID.finditer(claim):
        held = [name[2:] for name, text in match.groupdict().items() if text is not None]
        gene = next((name for name in held if name in GENES), "")
        level = next((name for name in held if name in {"high", "low", "mid"}), "")
        if gene and level:
            yield Level(match.start(), match.end(), gene, level)
            yield from _listed(claim, match.end(), level)


def _listed(claim: str, stop: int, level: str) -> Iterator[Level]:
    """Yield the further genes of a list: "elevated CD274, PDCD1 and CTLA4"."""
    for _ in range(_MOST_LISTED):
        match = _NEXT.match(claim, stop)
        if match is None:
            return
        yield Level(match.start("gene"), match.end(), _symbol(match["gene"]), level)
        stop = match.end()


def _symbol(name: str) -> str:
    return next(symbol for symbol, pattern in _EACH.items() if pattern.fullmatch(name))


def agrees(level: str, z: float) -> bool | None:
    """Tell whether a level says a z-score; None where it is too near to call."""
    if level == "mid":
        return True if abs(z) < HIGH else (False if abs(z) >= 2 * HIGH else None)
    z = z if level == "high" else -z
    return True if z >= HIGH else (False if z <= -AGAINST else None)
