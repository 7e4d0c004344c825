"""Genes as a record has them: wild type or mutated, which variant, how it is classified, on one copy or both."""

import re
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.cued import Cued

__all__ = ["by_gene"]

_SECTION = re.compile(
    r"genom|molecul|mutation|variant|^genes?$|^ngs$|genetic|biomarker|^markers?$|^drivers?$", re.IGNORECASE
)
_CUE = Cued(
    r"rearrang|\bfusion|translocat|amplif|alteration|\b(?:positive|negative)\b|\b[a-z]\d{1,4}[a-z]\b|\bwild|\bmutat|\bmutant|\bvariant|\bpathogenic|\bbenign|zygous\b"
)
_GENE = r"(?P<gene>[A-Z][A-Za-z0-9-]{1,9})"
_WHO = r"(?:(?:the\s)?(?:patient|he|she|tumou?r|case|sample|genetic\stesting|testing|sequencing|ngs)\s(?:has|had|carries|carried|harbou?rs|harbou?red|shows|showed|is|found|revealed|detected)\s)"
_FOUND = r"(?:\s(?:was|were|is|has\sbeen)\s(?:found|detected|identified|present|seen|reported|picked\sup))?"
_SORT = r"(?:(?:activating|somatic|germline|oncogenic|driver)\s)?"
_CLASS = r"(?P<of>likely\spathogenic|pathogenic|likely\sbenign|benign)"
_WILD = re.compile(rf"^(?:the\s)?(?:{_WHO})?(?:(?P<first>[A-Z][A-Za-z0-9-]{{1,9}})(?:\sgene)?\s(?:is|was|are)\s(?:wild[- ]?type|not\smutated|unmutated)|(?P<second>[A-Z][A-Za-z0-9-]{{1,9}})\swild[- ]?type)$", re.IGNORECASE)  # fmt: skip
_NO = re.compile(
    rf"^(?:(?:there\s(?:is|was)\s)|{_WHO})?no\s(?:pathogenic\s)?{_SORT}{_GENE}(?:\sgene)?\s(?:mutation|variant)s?{_FOUND}$",
    re.IGNORECASE,
)
_HAS = re.compile(
    rf"^(?:(?:there\s(?:is|was)\s)|{_WHO})?(?:an?\s|the\s)?(?:(?P<copies>heterozygous|homozygous)\s)?(?:(?:for\s)?an?\s)?(?:{_CLASS}\s)?{_SORT}{_GENE}(?:\sgene)?\s(?:{_CLASS.replace('of', 'then')}\s)?(?:mutation|variant|mutant)s?{_FOUND}$",
    re.IGNORECASE,
)
_COPIES = re.compile(
    rf"^(?:(?:the\s)?(?:patient|he|she)\s(?:is|was)\s)(?P<copies>heterozygous|homozygous)\sfor\s(?:an?\s|the\s)?(?:{_CLASS}\s)?{_GENE}\s(?:mutation|variant)$",
    re.IGNORECASE,
)
_MUTATED = re.compile(rf"^(?:the\s)?{_GENE}(?:\sgene)?\s(?:is|was)\s(?:mutated|mutant)$", re.IGNORECASE)
_IS = re.compile(
    rf"^(?:the\s|this\s)?{_GENE}\s(?:variant|mutation)\s(?:is|was)\s(?:classified\sas\s|called\s)?(?:(?P<copies>heterozygous|homozygous)|{_CLASS})$",
    re.IGNORECASE,
)
_EXACT = re.compile(
    rf"^(?:{_WHO})?(?:an?\s)?{_GENE}\s(?:p\.)?(?P<exact>[A-Z]\d{{1,4}}[A-Z])(?:\s(?:mutation|variant|mutant))?{_FOUND}$",
    re.IGNORECASE,
)
_SORTS = r"(?:rearrangement|fusion|translocation|alteration|mutation|variant|amplification)"
_FORMS = r"(?:rearranged|translocated|mutated|mutant|amplified|(?:fusion[\s-]|mutation[\s-])?positive)"
_TUMOUR = r"(?:(?:the|this|a)\s)?(?:(?:tumou?r|it|disease|cancer)\s(?:is|was|tested)\s)?"
_CHANGES = re.compile(
    rf"^{_TUMOUR}{_GENE}[\s-](?:(?:testing|status|fish|ihc)\s)?(?:(?:is|was|came\sback|returned|tested|turned\sout)\s)?(?P<form>{_FORMS})(?:\s(?:tumou?r|disease|cancer|adenocarcinoma))?$"
    rf"|^(?:an?\s|the\s)?{_GENE.replace('gene', 'second')}\s(?P<sort>{_SORTS})s?\s(?:was|is|were|has\sbeen)\s(?:found|detected|identified|present|seen)$",
    re.IGNORECASE,
)
_UNCHANGED = re.compile(
    rf"^{_TUMOUR}{_GENE}[\s-](?:(?:testing|status|fish|ihc|mutation|rearrangement|fusion)\s)?(?:(?:is|was|came\sback|returned|tested|turned\sout)\s)?(?:negative|not\s(?:rearranged|mutated|amplified|detected|found))$"
    rf"|^(?:(?:there\s(?:is|was)\s)|{_WHO})?no\s{_GENE.replace('gene', 'second')}\s{_SORTS}s?{_FOUND}$",
    re.IGNORECASE,
)
_OPEN = re.compile(r"^(?:pending|awaited|in\sprogress|not\s(?:tested|done|performed))\b", re.IGNORECASE)
_RESULT = Cued(r"\b(?:testing|tested|came\sback|returned)\b")
_KIND = {
    "rear": "fusion",
    "fusi": "fusion",
    "tran": "fusion",
    "muta": "mutation",
    "vari": "mutation",
    "ampl": "amplification",
}
_RECORDED = {"fusion": re.compile(r"fusion|rearrang|translocat", re.IGNORECASE), "mutation": re.compile(r"mutat|variant|\b[A-Z]\d{1,4}[A-Z*]\b|exon", re.IGNORECASE), "amplification": re.compile(r"amplif", re.IGNORECASE)}  # fmt: skip
_CODE = re.compile(r"\b[A-Z]\d{1,4}[A-Z]\b")
_HELD = re.compile(r"\b(?:likely\s)?(?:pathogenic|benign)\b", re.IGNORECASE)
_ZYGOUS = re.compile(r"\b(?:hetero|homo)zygous\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"uncertain|\bvus\b|pending|conflicting|failed|not\s(?:tested|done|assessed)|benign|unknown",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"mutation|mutant|mutated|variant|\bc\.|\bp\.|\bexon\b|fusion|pathogenic|\b[A-Z]\d{1,4}[A-Z*]\b|\bdel|\bins|positive|detected",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"^(?:negative|wild[- ]?type|wt|none|not\s(?:detected|mutated)|no\s.*(?:variant|mutation).*)$",
    re.IGNORECASE,
)


class _Gene(NamedTuple):
    """A gene of a record: whether it is changed (None = not sure), how the change is classed, on how many copies, and the fact."""

    changed: bool | None
    classed: str
    copies: str
    fact: Fact


def by_gene(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of one gene stands to what is recorded of it; None where it says more, or the record leaves it open.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> held = Packet.of_layers({"genomics": {"egfr": "wild type", "kras": "KRAS G12C mutation"}})
    >>> by_gene("EGFR is wild type.", held).label, by_gene("KRAS is wild type.", held).label
    ('supported', 'contradicted')
    """
    if not packet.facts or not _CUE.search(claim):
        return None
    text, held = claim.strip().rstrip(". "), _genes(packet)
    for pattern in (_EXACT, _WILD, _NO, _IS, _COPIES, _MUTATED, _HAS) if held else ():
        match = pattern.match(text)
        if match is None:
            continue
        told = {name: (said or "").lower() for name, said in match.groupdict().items()}
        gene = held.get((told.get("gene") or told.get("first") or told.get("second") or "").replace("-", ""))
        right = _right(told, gene, changed=pattern not in {_WILD, _NO}) if gene is not None else None
        if gene is not None and right is not None:
            reason = "what is recorded of this gene" if right else "another thing is recorded of this gene"
            return Fielded(
                "supported" if right else "contradicted", reason, gene.fact.path, str(gene.fact.value)
            )
    return _of_kind(text, held) if held else None


def _of_kind(text: str, held: dict[str, _Gene]) -> Fielded | None:
    """Read "ALK-rearranged", "no ROS1 fusion", "RET testing came back negative": a result that is pending is neither."""
    for pattern, changed in ((_UNCHANGED, False), (_CHANGES, True)):
        match = pattern.match(text)
        gene = (
            held.get((match["gene"] or match["second"]).lower().replace("-", ""))
            if match is not None
            else None
        )
        if match is None or gene is None:
            continue
        said = str(gene.fact.value)
        if _OPEN.match(said.strip()):
            told_of = _RESULT.search(text) is not None
            return Fielded("contradicted", "no result is recorded", gene.fact.path, said) if told_of else None
        right = None if gene.changed is None else gene.changed == changed
        if changed and right:
            told = (match["form"] or match["sort"]).lower()
            kind = _KIND.get(told[:4])
            right = True if kind is None or _RECORDED[kind].search(said) else None
        if right is not None:
            reason = "what is recorded of this gene" if right else "another thing is recorded of this gene"
            return Fielded("supported" if right else "contradicted", reason, gene.fact.path, said)
    return None


def _right(told: dict[str, str], gene: _Gene, *, changed: bool) -> bool | None:
    """Tell whether a gene is as a claim says; None where one part of it isn't recorded."""
    if told.get("exact"):
        codes = [code.lower() for code in _CODE.findall(str(gene.fact.value))]
        return told["exact"] in codes if codes or gene.changed is False else None
    if gene.changed is None:
        return _classed(told, gene) if gene.classed else None
    if gene.changed != changed:
        return False
    if not changed:
        return True
    parts = [
        _classed(told, gene) if told.get("of") or told.get("then") else True,
        (gene.copies == told["copies"] if gene.copies else None) if told.get("copies") else True,
    ]
    return False if False in parts else None if None in parts else True


def _classed(told: dict[str, str], gene: _Gene) -> bool | None:
    said = told.get("of") or told.get("then")
    if not said or not gene.classed:
        return None
    if said == gene.classed:
        return True
    sides = ["benign" in each for each in (said, gene.classed)]
    return False if sides[0] != sides[1] else None


@lru_cache(maxsize=512)
def _genes(packet: Packet) -> dict[str, _Gene]:
    """Return what is recorded of each gene by its name in small letters; none of which two things are recorded."""
    found: dict[str, list[_Gene]] = {}
    for fact in packet.facts:
        above = fact.path.split(".")[:-1]
        if not isinstance(fact.value, str) or not any(_SECTION.search(part) for part in above):
            continue
        said = fact.value.strip()
        classed, copies = _HELD.search(said), _ZYGOUS.search(said)
        negative = bool(_NEGATIVE.match(said))
        changed = False if negative else True if _CHANGED.search(said) and not _UNSURE.search(said) else None
        found.setdefault(fact.leaf.lower().replace("-", ""), []).append(
            _Gene(
                changed,
                classed.group().lower() if classed else "",
                copies.group().lower() if copies else "",
                fact,
            )
        )
    return {name: genes[0] for name, genes in found.items() if len(genes) == 1}
