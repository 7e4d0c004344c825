"""Where a claim names numeric fields of a packet, or a group of them, for comparing them with each other."""

import re
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.text.concepts import attribute_of, mentions
from percuss.text.words import key_of

__all__ = ["Named", "entries", "fields_of", "group_of"]

_TOKEN = re.compile(r"[A-Za-z_]+\d*[A-Za-z]*|\d+")
_LAYERS = {
    "pathology": "pathology", "histology": "pathology", "rna": "transcriptomics", "transcriptomics": "transcriptomics", "transcriptomic": "transcriptomics", "transcriptome": "transcriptomics",
    "clinical": "clinical",
}  # fmt: skip
_OF_SCORE = re.compile(
    r"\bcontribut\w*|\bscore\b|\bshare\b|\bdriv\w+|\bcounts?\s+for\b|\bweight\w*|\bexplain\w*|\baccount\w*|\badd(?:s|ed)\b",
    re.IGNORECASE,
)
_FOLD = {
    "necrotic": "necrosis", "necroses": "necrosis", "stromal": "stroma", "tumour": "tumor", "tumoral": "tumor", "tumors": "tumor",
    "nonsynonymous": "nonsilent", "synonymous": "silent",
}  # fmt: skip
_WEAK = frozenset("z sig per mb fraction fractions score percent value level of tmb purity".split())
_METHODS = frozenset("ihc lump absolute cpe estimate".split())
_GROUPS = (
    (re.compile(r"\b(?:immune[- ])?checkpoint\s+genes\b", re.IGNORECASE), re.compile(r"^z_(?:cd274|pdcd1|pdcd1lg2|ctla4|lag3)$")),
    (re.compile(r"\bimmune\s+genes\b", re.IGNORECASE), re.compile(r"^z_(?!egfr$|kras$)")),
    (re.compile(r"(?<!immune\s)(?<!checkpoint\s)(?<!cell\s)(?<!toxic\s)(?<!effector\s)\bgenes\b", re.IGNORECASE), re.compile(r"^z_")),
    (re.compile(r"\bsignatures\b", re.IGNORECASE), re.compile(r"^sig_")),
    (re.compile(r"\b(?:tumou?r\s+)?purit(?:y\s+(?:estimates|values|measures)|ies)\b|\bestimates\s+of\s+purity\b|\bpurity(?=\sestimate\b)", re.IGNORECASE), re.compile(r"^purity_")),
)  # fmt: skip
_PREFIX = re.compile(r"^[a-z]+_")


class Named(NamedTuple):
    """A place in a claim and the fields that it names; several = a group, none = words that name a group beside one of it."""

    start: int
    stop: int
    facts: tuple[Fact, ...]


@lru_cache(maxsize=512)
def _numeric(packet: Packet) -> tuple[Fact, ...]:
    return tuple(
        fact
        for fact in packet.facts
        if isinstance(fact.value, int | float) and not isinstance(fact.value, bool)
    )


@lru_cache(maxsize=512)
def _by_word(packet: Packet) -> dict[str, tuple[Fact, ...]]:
    """Return the fields that a single word names, where it names one alone."""
    found: dict[str, list[Fact]] = {}
    for fact in _numeric(packet):
        if (
            "contribution" in fact.path
            or re.search(r"\.\d+\.", fact.path)
            or fact.leaf.startswith(("z_", "sig_"))
        ):
            continue
        for word in re.findall(r"[a-z]+", fact.leaf.lower()):
            if word not in _WEAK and (word in _METHODS) <= fact.leaf.startswith("purity"):
                found.setdefault(key_of(word), []).append(fact)
    return {word: tuple(facts) for word, facts in found.items() if len(facts) == 1}


@lru_cache(maxsize=512)
def _contributions(packet: Packet) -> dict[str, Fact]:
    return {
        part: fact
        for fact in _numeric(packet)
        if "contribution" in fact.path
        for part in re.split(r"[.]", fact.path)
        if part in _LAYERS.values() and part != layer_of(fact.path)
    }


def fields_of(claim: str, packet: Packet) -> list[Named]:
    """Return the fields that a claim names, in order of place; where two names overlap, the longer one.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    found: list[Named] = []
    for words, group in _groups(packet):
        found.extend(Named(m.start(), m.end(), group) for m in words.finditer(claim))
    of_score = _contributions(packet) if _OF_SCORE.search(claim) else {}
    single = _by_word(packet)
    tiles = entries(packet)
    for match in _TOKEN.finditer(claim):
        word = match.group().lower()
        layer = _LAYERS.get(word)
        if layer is not None and layer in of_score:
            found.append(Named(match.start(), match.end(), (of_score[layer],)))
        elif word in tiles:
            found.append(Named(match.start(), match.end(), (tiles[word],)))
        elif not of_score or not layer:
            fact = single.get(key_of(_FOLD.get(word, word)))
            if fact is not None and (not word.startswith("estimate") or match.group().isupper()):
                found.append(Named(match.start(), match.end(), fact))
    found.extend(_concepts(claim, packet))
    return _apart(found)


@lru_cache(maxsize=512)
def _groups(packet: Packet) -> tuple[tuple[re.Pattern[str], tuple[Fact, ...]], ...]:
    held = [(words, tuple(f for f in _numeric(packet) if leaf.match(f.leaf))) for words, leaf in _GROUPS]
    return tuple((words, group) for words, group in held if len(group) > 1)


def _concepts(claim: str, packet: Packet) -> list[Named]:
    held = _by_concept(packet)
    return (
        [Named(m.start, m.stop, held[m.concept]) for m in mentions(claim) if m.concept in held]
        if held
        else []
    )


@lru_cache(maxsize=512)
def _by_concept(packet: Packet) -> dict[str, tuple[Fact, ...]]:
    held: dict[str, list[Fact]] = {}
    for fact in _numeric(packet):
        attribute = attribute_of(fact.path) if "contribution" not in fact.path else None
        if attribute:
            held.setdefault(attribute, []).append(fact)
    return {name: tuple(facts) for name, facts in held.items() if len(facts) == 1}


@lru_cache(maxsize=512)
def entries(packet: Packet) -> dict[str, Fact]:
    """Return the number that stands beside an identifier in an entry of a list, by the identifier in lower case.

    Args:
        packet: the full packet of the case.
    """
    held: dict[str, Fact] = {}
    for name in packet.facts:
        if isinstance(name.value, str) and re.fullmatch(r"[A-Za-z]+[_-]\d+", name.value):
            head = name.path.rpartition(".")[0]
            beside = [fact for fact in _numeric(packet) if fact.path.rpartition(".")[0] == head]
            if len(beside) == 1:
                held[name.value.lower()] = beside[0]
    return held


def _apart(found: list[Named]) -> list[Named]:
    """Drop what overlaps, names again what stands beside it, or is the whole group of a field that is named too."""
    single = {each.facts[0] for each in found if len(each.facts) == 1}
    methods = (
        sum(
            each.facts[0].leaf.startswith("purity")
            for each in found
            if each.stop - each.start < len("purity") + 3
        )
        > 1
    )
    kept: list[Named] = []
    for each in sorted(found, key=lambda named: (named.start, named.start - named.stop)):
        whole = len(each.facts) > 1 and single & set(each.facts)
        bare = methods and each.facts[0].leaf.startswith("purity") and each.stop - each.start == len("purity")
        if whole or bare:
            kept.append(Named(each.start, each.stop, ()))
        elif kept and each.facts == kept[-1].facts and each.start <= kept[-1].stop + 1:
            kept[-1] = Named(kept[-1].start, max(kept[-1].stop, each.stop), each.facts)
        elif not kept or each.start >= kept[-1].stop:
            kept.append(each)
    return kept


def group_of(one: Fact, packet: Packet) -> tuple[Fact, ...]:
    """Return the fields of a field's kind, itself among them: the other tissues, layers, genes, tiles.

    Args:
        one: the field. packet: the full packet of the case.
    """
    shape, prefix = _shape(one.path), _PREFIX.match(one.leaf)
    return tuple(
        fact
        for fact in _numeric(packet)
        if _shape(fact.path) == shape and (prefix is None or fact.leaf.startswith(prefix.group()))
        if prefix is not None or one.path.count(".") > 1
    )


def _shape(path: str) -> str:
    """Return a path without what tells the fields of one kind apart."""
    if "contribution" in path:
        return re.sub(r"\.(?:pathology|transcriptomics|clinical)\b", ".*", path)
    if re.search(r"\.\d+\.", path):
        return re.sub(r"\.\d+\.", ".*.", path)
    return path.rpartition(".")[0]
