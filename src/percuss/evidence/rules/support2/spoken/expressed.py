"""Genes by their standardised values: "CD8A, IFNG and CXCL9 all well above the cohort mean"; and scores that weren't made."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.text.concepts import attribute_of, mentions
from percuss.text.cued import Cued

__all__ = ["by_expression", "of_unmade"]

_CUE = Cued(
    r"\bover-?express\w*|\bunder-?express\w*|\bexpress\w*|\babove\b|\bbelow\b|\bhigh\b|\blow\b|\braised\b|\breduced\b|\belevated\b|\bup-?regulated\b|\bdown-?regulated\b|\baverage\b|\bz-?\s?scores?\b|\bhighly\b|\bstrongly\b"
)
_HOW = r"(?P<how>well\s|far\s|clearly\s|strongly\s|markedly\s|highly\s|very\s|slightly\s|barely\s|just\s|a\slittle\s)?"
_MEAN = r"(?:\s(?:the\s)?(?:cohort\s)?(?:mean|average|median))"
_DIRECTIONS = (
    ("up", re.compile(rf"{_HOW}(?:above|over|higher\sthan){_MEAN}\b")),
    ("down", re.compile(rf"{_HOW}(?:below|under|lower\sthan){_MEAN}\b")),
    ("up", re.compile(r"(?P<how>\b)positive\sz-?\s?scores?\b")),
    ("down", re.compile(r"(?P<how>\b)negative\sz-?\s?scores?\b")),
    ("up", re.compile(rf"{_HOW}(?:over-?express(?:ed|ion)|up-?regulat(?:ed|ion)|raised|elevated|high(?:ly)?(?:\s(?:express(?:ed|ion)|levels?))?|strongly\sexpressed)\b")),
    ("down", re.compile(rf"{_HOW}(?:under-?express(?:ed|ion)|down-?regulat(?:ed|ion)|reduced|low(?:ly)?(?:\s(?:express(?:ed|ion)|levels?))?)\b")),
)  # fmt: skip
_STRONG = frozenset({"well", "far", "clearly", "strongly", "markedly", "highly", "very"})
_SLIGHT = frozenset({"slightly", "barely", "just", "a little"})
_VALUE = re.compile(
    r"(?:\b(?:at|of|with)\s(?:a\sz-?score\sof\s)?|\(?\bz(?:-?score)?\s?(?:=|:|of)\s?)(?P<v>[-−+]?\d+(?:\.\d+)?)\b\)?"
)
_TAIL = re.compile(
    r",\s(?:which|both\sof\swhich|all\sof\swhich)\s(?:is|are)\s(?:an?\s)?(?:inhibitory|immune|checkpoint|activating|inflammatory|cytotoxic)[a-z\s-]*$"
)
_LEFT = frozenset(
    "have has show shows genes checkpoints checkpoint markers two three four five gene expression expressed rna mrna transcript transcripts level levels finding all both every each z score value compared relative cohort than of tumour tumor transcriptome".split()
)
_DENIED = Cued(r"\b(?:no|not|never|without|neither|nor|only|than|except|most|more|less)\b|n['’]t\b")
_HIGH, _NEAR = Decimal(1), Decimal("0.1")
_LONGEST = 150
_UNMADE = {
    "gep": re.compile(r"\bGEP\b|T-cell[- ]inflamed\sgene|gene\sexpression\sprofile"),
    "cyt": re.compile(r"\bCYT\b|\bcytolytic\b"),
    "tide": re.compile(r"\bTIDE\b"),
}
_LEVEL = Cued(
    r"\b(?:high|low|raised|elevated|reduced|increased|decreased|positive|negative|favourable|favorable)\b|\bscore (?:is|was|of)\b"
)
_LACK = Cued(
    r"\b(?:available|unavailable|missing|lacking|no|not|without|absent|unknown|none|if|would|could|might|may|should)\b|n['’]t\b"
)


def by_expression(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of which way genes are expressed stands to their standardised values; None where it says more, or a value is near the mean.

    Args:
        claim: the claim's text. packet: the full packet of the case, in the shape that rules read.

    >>> by_expression("CD8A and LAG3 are both above the cohort mean.", Packet.of_layers({"rna": {"z_cd8a": 2.4, "z_lag3": -1.2}})).label
    'partial'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim) or _DENIED.search(claim):
        return None
    genes = _genes(packet)
    if not genes:
        return None
    named = [m for m in mentions(claim) if m.concept in genes]
    text = claim
    for m in reversed(named):
        text = f"{text[: m.start]} {text[m.stop :]}"
    taking = Taking(text)
    taking.take(_TAIL)
    found = [(way, match) for way, pattern in _DIRECTIONS if (match := taking.take(pattern)) is not None]
    value = taking.take(_VALUE)
    if not named or len(found) != 1 or (value is not None and len(named) > 1) or not taking.done(_LEFT):
        return None
    way, match = found[0]
    how = (match["how"] or "").strip()
    mean = match.re in {pattern for _, pattern in _DIRECTIONS[:4]}
    facts = list(dict.fromkeys(genes[m.concept] for m in named))
    outcomes = [_is(fact, way, how, mean=mean) for fact in facts]
    if value is not None:
        outcomes.append(_same(value["v"], facts[0]))
    if None in outcomes:
        return None
    wrong = next((fact for fact, right in zip(facts, outcomes, strict=False) if not right), None)
    if wrong is None and all(outcomes):
        return Fielded(
            "supported", "by the sign and size of these values", facts[0].path, str(facts[0].value)
        )
    fact = wrong or facts[0]
    label: Literal["partial", "contradicted"] = (
        "partial" if len(facts) > 1 and any(outcomes) else "contradicted"
    )
    return Fielded(label, "a value goes the other way", fact.path, str(fact.value))


@lru_cache(maxsize=512)
def _genes(packet: Packet) -> dict[str, Fact]:
    """Return the standardised values of genes by the gene's concept."""
    held: dict[str, list[Fact]] = {}
    for fact in packet.facts:
        if (
            fact.leaf.startswith("z_")
            and isinstance(fact.value, int | float)
            and not isinstance(fact.value, bool)
        ):
            name = attribute_of(fact.path)
            if name:
                held.setdefault(name, []).append(fact)
    return {name: facts[0] for name, facts in held.items() if len(facts) == 1}


def _is(fact: Fact, way: str, how: str, *, mean: bool) -> bool | None:
    """Tell whether a value goes a way; None for one too near to the mean for its word."""
    value = Decimal(str(fact.value)) * (1 if way == "up" else -1)
    if value < -_NEAR:
        return False
    if value < _NEAR:
        return None
    if mean and how in _STRONG and value <= _HIGH / 2:
        return False
    if how in _SLIGHT:
        return True if value < _HIGH / 2 else None
    return True if value >= _HIGH or (mean and not how) else None


def _same(said: str, fact: Fact) -> bool:
    value = Decimal(said.replace("−", "-").lstrip("+"))
    half = Decimal("0.5").scaleb(int(value.as_tuple().exponent))
    return abs(value - Decimal(str(fact.value))) <= half


def of_unmade(claim: str, packet: Packet) -> Fielded | None:
    """Return that a score is absent which a claim tells the height of, where the packet says that it wasn't made; None else.

    Args:
        claim: the claim's text. packet: the full packet of the case, in the shape that rules read.
    """
    if len(claim) > _LONGEST or not packet.facts or not _LEVEL.search(claim) or _LACK.search(claim):
        return None
    for name, fact in _unmade(packet):
        if _UNMADE[name].search(claim):
            return Fielded("absent", "this score is recorded as not available", fact.path, str(fact.value))
    return None


@lru_cache(maxsize=512)
def _unmade(packet: Packet) -> tuple[tuple[str, Fact], ...]:
    """Return the scores that a packet says weren't made, by name."""
    named = [(fact.leaf.lower().rpartition("_"), fact) for fact in packet.facts if fact.value is False]
    return tuple((name, fact) for (name, _, end), fact in named if end == "available" and name in _UNMADE)
