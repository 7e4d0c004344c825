"""Tests of the lung and PD-L1 in words: "DLCO is 54% of predicted", "the FEV1/FVC ratio is about 0.58", "PD-L1 TPS below 50%"."""

import re
from decimal import Decimal

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.cued import Cued

__all__ = ["by_predicted", "by_ratio", "by_tps"]

_PREDICTED = Cued(r"\bpredicted\b")
_TESTS = r"(?P<test>fev1|fvc|dlco|tlco|tlc|rv|kco|pef|pefr|vo2\smax|peak\sflow)"
_SAID = re.compile(
    rf"^(?:(?:the|his|her|their|patient['’]s)\s)*{_TESTS}(?:\s(?:is|was|at|of|measures|measured|came\sto))?:?\s(?:only\s|just\s)?(?:(?P<over>above|over|more\sthan|at\sleast)\s|(?P<under>below|under|less\sthan)\s|(?P<near>about|around|roughly|approximately|nearly|~)\s?)?\(?(?P<n>\d{{1,3}}(?:\.\d+)?)\s?%\s(?:of\s)?(?:the\s)?predicted(?:\svalue)?\)?$",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^(?P<test>[a-z0-9_]+?)_?(?:percent|pct|perc)_(?:of_)?pred(?:icted)?$|^(?P<short>[a-z0-9_]+?)_(?:pp|pred_pct|predicted_percent)$", re.IGNORECASE)  # fmt: skip
_RATIO = re.compile(
    r"^(?:(?:the|his|her|their)\s)*(?:fev1\s?[/:]\s?fvc|tiffeneau)(?:\s(?:ratio|index))?(?:\s(?:is|was|of|at))?:?\s(?:(?P<over>above|over|more\sthan)\s|(?P<under>below|under|less\sthan)\s|(?P<near>about|around|roughly|approximately|~)\s?)?(?P<n>0?\.\d+|\d{2}(?:\.\d+)?\s?%)$",
    re.IGNORECASE,
)
_RATIO_CUE = Cued(r"\b(?:fev1|tiffeneau)\b")
_TPS_CUE = Cued(r"\b(?:pd-?l1|tps)\b")
_TPS_FIELD = re.compile(
    r"pd_?l_?1.*(?:tps|percent|proportion)|^tps(?:_|$)|tumou?r_proportion_score", re.IGNORECASE
)
_PDL1 = r"(?:pd-?l1(?:\s?\(?tps\)?|\stumou?r\sproportion\sscore|\sexpression|\stumou?r\scell\sexpression)*|tps|tumou?r\sproportion\sscore)"
_TPS = re.compile(
    rf"^(?:(?:the|his|her|their|a|with\sa)\s)*{_PDL1}(?:\s(?:is|was|of|at|comes\sto))?:?\s(?:(?P<over>above|over|more\sthan|at\sleast|≥|>)\s?|(?P<under>below|under|less\sthan|<)\s?|(?P<near>about|around|roughly|approximately|~)\s?)?(?P<n>\d{{1,3}}(?:\.\d+)?)\s?%(?:\sof\s(?:the\s)?tumou?r\scells)?$",
    re.IGNORECASE,
)
_TPS_WORD = re.compile(
    rf"^(?:(?:the|his|her|their|this)\s)*(?:tumou?r\s(?:is\s)?)?{_PDL1}[\s-](?:is\s|was\s)?(?P<word>negative|positive|high|low)$",
    re.IGNORECASE,
)
_POSITIVE, _HIGH = 1, 50
"""Tumour proportion scores, in percent, from which on PD-L1 is called positive, and high (the cut-offs of the 22C3 assay in lung cancer)."""
_ROUGH = Decimal("0.03")
_LONGEST = 120


def by_predicted(claim: str, packet: Packet) -> Fielded | None:
    """Return how a share of the predicted value stands to the field of that test; None where it says more, or there is none.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> by_predicted("DLCO is 68% of predicted.", Packet.of_layers({"lungs": {"dlco_percent_predicted": 54}})).label
    'contradicted'
    """
    match = (
        _SAID.match(claim.strip().rstrip(". "))
        if len(claim) <= _LONGEST and _PREDICTED.search(claim)
        else None
    )
    if match is None:
        return None
    test = match["test"].lower().replace(" ", "_")
    named = ((fact, _FIELD.match(fact.leaf)) for fact in _numeric(packet))
    facts = [
        fact for fact, form in named if form and (form["test"] or form["short"]).lower().strip("_") == test
    ]
    return _compared(match, facts[0], Decimal(str(facts[0].value)), Decimal(1)) if len(facts) == 1 else None


def by_ratio(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of FEV1/FVC stands to the two values; None where the record has the ratio itself, or not both of them once.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    match = (
        _RATIO.match(claim.strip().rstrip(". "))
        if len(claim) <= _LONGEST and _RATIO_CUE.search(claim)
        else None
    )
    if match is None:
        return None
    held = {
        name: [f for f in _numeric(packet) if re.fullmatch(rf"{name}(?:_l|_litres)?", f.leaf.lower())]
        for name in ("fev1", "fvc")
    }
    if any(len(facts) != 1 for facts in held.values()) or any(
        "ratio" in f.leaf.lower() for f in packet.facts
    ):
        return None
    fev1, fvc = (held[name][0] for name in ("fev1", "fvc"))
    if fev1.unit != fvc.unit or not fvc.value:
        return None
    scale = Decimal(100) if "%" in match["n"] else Decimal(1)
    return _compared(match, fev1, scale * Decimal(str(fev1.value)) / Decimal(str(fvc.value)), scale / 100)


def by_tps(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of PD-L1 on tumour cells stands to the tumour proportion score; None where it says more, or there is none.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if len(claim) > _LONGEST or not _TPS_CUE.search(claim):
        return None
    facts = [fact for fact in _numeric(packet) if _TPS_FIELD.search(fact.leaf)]
    text = claim.strip().rstrip(". ")
    match, word = _TPS.match(text), _TPS_WORD.match(text)
    if len(facts) != 1 or (match is None and word is None):
        return None
    share = Decimal(str(facts[0].value))
    if match is not None:
        return _compared(match, facts[0], share, Decimal(1))
    said = word["word"].lower() if word is not None else ""
    right = {
        "negative": share < _POSITIVE,
        "positive": share >= _POSITIVE,
        "high": share >= _HIGH,
        "low": _POSITIVE <= share < _HIGH,
    }[said]
    return _fielded(facts[0], right=right)


def _numeric(packet: Packet) -> list[Fact]:
    return [f for f in packet.facts if isinstance(f.value, int | float) and not isinstance(f.value, bool)]


def _compared(match: re.Match[str], fact: Fact, held: Decimal, unit: Decimal) -> Fielded:
    """Compare a number that a claim says with a recorded one, to the decimals written, or roughly where it says so."""
    written = match["n"].rstrip("% ")
    said = Decimal(written)
    if match["over"]:
        return _fielded(fact, right=held > said or (held == said and match["over"] in {"at least", "≥"}))
    if match["under"]:
        return _fielded(fact, right=held < said)
    exact = round(held, len(written.partition(".")[2])) == said
    return _fielded(
        fact, right=exact or (bool(match["near"]) and abs(held - said) <= max(unit, abs(held) * _ROUGH))
    )


def _fielded(fact: Fact, *, right: bool) -> Fielded:
    reason = "the value that is recorded" if right else "another value is recorded"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))
