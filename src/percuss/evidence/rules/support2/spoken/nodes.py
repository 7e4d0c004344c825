"""What was resected, in words: nodes counted ("3 of 14 nodes"), node-positive or not, margins clear or involved."""

import re
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.text.cued import Cued
from percuss.text.number_words import COUNTS

__all__ = ["by_nodes"]

_CUE = Cued(r"\bnodes?\b|\bnodal\b|\bmargins?\b|\bR[012]\b|\bnode-\w+")
_N = rf"(?:\d{{1,3}}|{'|'.join(COUNTS)})"
_NODES = r"(?:(?:lymph|axillary|regional|sentinel|examined|resected|sampled|hilar|mediastinal)\s)*(?:lymph\s)?nodes?"
_COUNT = re.compile(
    rf"\b(?P<some>none|no|all|{_N})(?:\sout)?\s?(?:of|/)\s?(?:the\s|all\s|a\stotal\sof\s|his\s|her\s)?(?P<all>{_N})\s{_NODES}"
)
_TOTAL = re.compile(
    rf"\b(?P<all>{_N})\s{_NODES}\s(?:were|was|had\sbeen)\s(?:examined|removed|resected|sampled|taken|retrieved|harvested)\b"
)
_SOME = re.compile(
    rf"\b(?P<some>no|{_N})\s(?:positive\s|involved\s|metastatic\s)?{_NODES}(?=\s(?:were|was|is|are|contained?|had|held|showed|with|involved|positive)\b|$)"
)
_BAD = re.compile(
    r"\b(?:(?:were|was|are|is)\s)?(?:positive|involved|metastatic|affected)\b|\b(?:contain(?:ed|ing|s)?|had|held|showed|with|bore)\s(?:tumou?r|cancer|metasta\w+|carcinoma|disease|deposits)\b|\btumou?r\s(?:was\s)?(?:found|seen|present)\sin\b|\binvolv(?:ing|ed)\b"
)
_CLEAR = re.compile(
    r"\bnode[-\s]negative\b|\b(?:lymph\s)?nodes?\s(?:were|are|was|is)\s(?:all\s)?(?:clear|negative|free(?:\sof\s(?:tumou?r|disease|cancer))?|uninvolved)\b|\bno\s(?:lymph\snode|nodal|regional\snodal)\s(?:involvement|disease|metastas[ei]s|spread)\b"
)
_SPREAD = re.compile(
    r"\bnode[-\s]positive\b|\b(?:lymph\s)?nodes?\s(?:were|are|was|is)\s(?:positive|involved)\b|(?<!no\s)\b(?:lymph\snode|nodal|regional\snodal)\s(?:involvement|disease|metastas[ei]s|spread)\b"
)
_CODE = re.compile(r"\bp?n(?P<n>[0-3])[abc]?\b")
_MARGIN = re.compile(
    r"\b(?:(?:the|all|both)\s)?(?P<which>circumferential\s|proximal\s|distal\s|deep\s|radial\s)?(?:resection\s|surgical\s|excision\s)?margins?\s(?:were|are|was|is)\s(?:all\s|both\s)?(?P<clear>clear|negative|free(?:\sof\s(?:tumou?r|disease))?|uninvolved|not\sinvolved|tumou?r[-\s]free)?(?P<bad>positive|involved)?\b"
)
_R = re.compile(r"\b(?:an?\s)?(?:complete\s|incomplete\s)?r(?P<r>[012])\b(?:\sresection)?")
_FREE = frozenset({"clear", "negative", "r0", "free", "uninvolved", "tumour-free", "not involved"})
_HIT = frozenset({"involved", "positive", "r1", "r2"})
_LEFT = frozenset("tumour tumor lymph node nodes disease examined all resection pathology there".split())
_LONGEST = 140


class _Held(NamedTuple):
    """What is recorded of nodes: how many were looked at, how many held tumour, and the category."""

    total: Fact | None
    positive: Fact | None
    code: Fact | None


def by_nodes(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of nodes or margins stands to the fields of them; None where it says more, or they can't tell.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> by_nodes("None of 14 nodes contained tumour.", Packet.of_layers({"nodes": {"examined": 14, "positive": 2}})).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    taking = Taking(claim)
    found = _margins(taking, packet) or _of_nodes(taking, _held(packet))
    if not found or not taking.done(_LEFT) or any(right is None for right, _ in found):
        return None
    right, fact = next(((right, fact) for right, fact in found if not right), found[0])
    if fact is None:
        return None
    reason = "as the pathology fields have it" if right else "the pathology fields say another thing"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))


def _count(said: str) -> int:
    return 0 if said in {"none", "no"} else int(said) if said.isdigit() else COUNTS[said]


def _held(packet: Packet) -> _Held:
    total = positive = code = None
    for fact in packet.facts:
        path = fact.path.lower()
        if "node" in path and isinstance(fact.value, int) and not isinstance(fact.value, bool):
            if re.search(r"examined|total|removed|sampled|resected|retrieved", fact.leaf):
                total = fact
            elif re.search(r"positive|involved|metasta", fact.leaf):
                positive = fact
        elif fact.leaf == "n_category":
            code = fact
    return _Held(total, positive, code)


def _of_nodes(taking: Taking, held: _Held) -> list[tuple[bool | None, Fact | None]]:
    counted, total = taking.take(_COUNT), taking.take(_TOTAL)
    clear, spread = taking.take(_CLEAR), taking.take(_SPREAD)
    found: list[tuple[bool | None, Fact | None]] = []
    some = None if counted or total or clear or spread else taking.take(_SOME)
    if counted or some:
        bad = taking.take(_BAD)
        said = (counted or some)["some"] if (counted or some) else ""  # type: ignore[index]
        if bad is None or said == "all" or (some is not None and said in {"one", "1"}):
            return [(None, None)]
        found.append(_equal(_count(said), held.positive))
    if counted or total:
        found.append(_equal(_count((counted or total)["all"]), held.total))  # type: ignore[index]
    if clear or spread:
        found.append(_involved(held, spread=spread is not None))
    code = taking.take(_CODE) if found else None
    if code is not None:
        known = re.search(r"\d", str(held.code.value)) if held.code is not None else None
        found.append((known is not None and known.group() == code["n"] if known else None, held.code))
    return found


def _equal(said: int, fact: Fact | None) -> tuple[bool | None, Fact | None]:
    return (None, None) if fact is None else (fact.value == said, fact)


def _involved(held: _Held, *, spread: bool) -> tuple[bool | None, Fact | None]:
    if held.positive is not None:
        return (bool(held.positive.value) == spread, held.positive)
    known = (
        re.match(r"p?N?(?P<n>[0-3])", str(held.code.value), re.IGNORECASE) if held.code is not None else None
    )
    return (None, None) if known is None else ((known["n"] != "0") == spread, held.code)


def _margins(taking: Taking, packet: Packet) -> list[tuple[bool | None, Fact | None]]:
    facts = [f for f in packet.facts if "margin" in f.path.lower() and isinstance(f.value, str)]
    said = taking.take(_MARGIN) if facts else None
    coded = taking.take(_R) if facts else None
    if said is None and coded is None:
        return []
    clear = coded["r"] == "0" if said is None and coded is not None else bool(said and said["clear"])
    if said is not None and not said["clear"] and not said["bad"]:
        return [(None, None)]
    if said is not None and coded is not None and clear != (coded["r"] == "0"):
        return [(None, None)]
    which = (said["which"] or "").strip() if said is not None else ""
    about = [fact for fact in facts if which in fact.path.lower()]
    states = {_state(fact) for fact in about}
    if not about or None in states:
        return [(None, None)]
    wrong = next((fact for fact in about if _state(fact) != clear), None)
    if not clear:
        wrong = None if False in states else about[0]
    return [(wrong is None, wrong or about[0])]


def _state(fact: Fact) -> bool | None:
    low = str(fact.value).strip().lower()
    return True if low in _FREE else False if low in _HIT else None
