"""Whether a named diagnosis is the case's: equal, less specific, another one, or not to be decided.

Equal means the same concept with equal qualifiers; more specific is equal where the extra is consistent, less specific is partial.
"X versus Y", "rule out X" and "X less likely" do not name X.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple

import msgspec

from percuss.core.strict import Record
from percuss.text.concepts import Mention, mentions, with_parents

__all__ = ["READER", "Named", "Standing", "named", "same_name"]

READER = "rule:diagnoses-2"
"""Name of the reader in runs, passports and panels."""
Standing = Literal["gold", "partial", "other", "undecided"]


class Named(NamedTuple):
    """How a named diagnosis stands to the case's, and why."""

    standing: Standing
    reason: str


class _Names(Record):
    """One line of the table: other names, words that make it another disease, and less specific names."""

    name: str
    also: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    # "not" is no name for a field of a record; it is renamed where the table is read.
    excluded: tuple[str, ...] = ()


_BETWEEN = re.compile(r"\b(?:versus|vs\.?|or|either|differential(?: diagnosis)?|ddx)\b|\s/\s", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(?:rule[sd]?[ -]?out|r/o|to be (?:excluded|ruled out|confirmed|determined)|must be excluded|exclude[ds]?\b(?=[^,;]*$)|query|"
    r"not (?:yet )?(?:established|confirmed|known|certain))\b|\?\s*$|^(?:unknown|undetermined|unclear|none|n/?a|uncertain)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:less likely|unlikely|excluded|ruled out|improbable|rather than [^,;.]+)\b|^\s*(?:and )?(?:not|no|without evidence of)\b",
    re.IGNORECASE,
)
_RATHER = re.compile(r"\b(?:rather than|instead of|, not|but not|and not)\b.*$", re.IGNORECASE)
_NOT_BUT = re.compile(r"^\s*not\b.*?\bbut\b", re.IGNORECASE)
_CAUSE = re.compile(
    r"\b(?:due to|caused by|secondary to|because of|causing|with|after|following|complicated by|associated with|in the setting of|on the basis of)\b",
    re.IGNORECASE,
)
_DIMENSIONS: tuple[frozenset[str], ...] = (
    frozenset({"acute", "chronic", "old", "previous", "former"}),
    frozenset({"primary", "secondary", "tertiary"}),
    frozenset({"anterior", "inferior", "lateral", "posterior", "septal", "anteroseptal"}),
    frozenset({"mild", "moderate", "severe"}),
    frozenset({"viral", "bacterial", "fungal", "tuberculous", "parasitic", "aseptic"}),
    frozenset({"central", "peripheral", "nephrogenic"}),
    frozenset({"type 1", "type 2"}),
)
_MAY_BE_LEFT = frozenset({"acute", "chronic", "severe", "mild"})
"""Qualifiers without which a name is still that of the case, unless the table says otherwise."""
_POSSESSIVE = re.compile(
    r"\b[A-Z][a-zé]+['’]s?(?!\w)(?!\s+(?:disease|syndrome|palsy|thyroiditis|lymphoma|granulomatosis|crisis|phenomenon|tumou?r))"
)
"""An eponym that leaves its noun out ("Addison's")."""
_NUMERALS = {"i": "1", "ii": "2", "iii": "3"}
_ENDS_OF_NAMES = re.compile(
    r"(?:itis|osis|oma|aemia|emia|pathy|plasia|trophy|stasis|lithiasis|cancer|stroke|infection|fracture|syndrome|disease|failure)$"
)
_EPONYMS = re.compile(r"\b(?:syndrome|disease|failure|disorder|crisis)$")


def named(said: str, names: Sequence[str], context: str = "") -> Named:
    """Return how a named diagnosis stands to the case's.

    Args:
        said: what stands after DIAGNOSIS, or a name read in the prose. names: the case's diagnosis first, then its other names.
        context: text of the case; a side that it doesn't hold is another diagnosis.

    >>> named("Tertiary hyperparathyroidism", ["Primary hyperparathyroidism"]).standing
    'other'
    """
    return _named(said, tuple(names), context)


@lru_cache(maxsize=16384)
def _named(said: str, names: tuple[str, ...], context: str) -> Named:
    kept = _asserted(said)
    if kept is None:
        return Named("other", "named as one of several, asked or rejected")
    if not re.search(r"[a-z]{2}", kept.lower()):
        return Named("undecided", "no name")
    forms, broader, excluded = _forms(names)
    head = _plain(_CAUSE.split(kept)[0])
    whole = _plain(kept)
    if _POSSESSIVE.search(kept):
        whole, head = f"{whole} disease syndrome", f"{head} disease syndrome"
    if any(re.search(rf"\b{re.escape(word)}", whole) for word in excluded):
        return Named("other", "a word that makes it another disease")
    if _side_conflicts(whole, context):
        return Named("other", "the other side")
    for text in dict.fromkeys((whole, head)):
        found = _by_words(text, forms, names)
        if found is not None:
            return found
    if _tail(whole, head, forms):
        return Named("gold", "named as the cause")
    if any(_words(head) - _MAY_BE_LEFT == _words(b) for b in broader):
        return Named("partial", "less specific")
    found = _by_concept(kept, names)
    if found is not None:
        return found
    return _unknown(whole, kept, forms)


def _asserted(said: str) -> str | None:
    """Return the part of a line that names a diagnosis; None where it names several, asks, or rejects all."""
    text = said.strip(" .*\"'")
    text = _NOT_BUT.sub("", text)
    kept = []
    for clause in re.split(r"[;()]|,(?= (?:not|but|and not|think|probably|likely|less)\b)|\bbut\b", text):
        bare = _RATHER.sub("", clause).strip(" ,.")
        bare = re.sub(
            r"^(?:think(?: of)?|most likely|likely|probably|probable|suspected|possible|presumed|consider|and|the|an?)\b\s*",
            "",
            bare,
            flags=re.IGNORECASE,
        )
        if bare and not _DENIED.search(bare):
            kept.append(bare)
    if not kept or any(_BETWEEN.search(part) for part in kept) or _ASKED.search(text):
        return None
    return ", ".join(kept)


@lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    """A name in plain letters: no accents, possessives, hyphens or case; British spelling to one form."""
    import unicodedata

    low = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    low = re.sub(r"['’]s\b|['’](?=\s|$)", "", low)
    low = re.sub(r"[-–/,.()]", " ", low)
    low = (
        re.sub(r"aem", "em", re.sub(r"oedem", "edem", low))
        .replace("coeliac", "celiac")
        .replace("haem", "hem")
        .replace("goitre", "goiter")
    )
    low = (
        low.replace("generalised", "generalized")
        .replace("tumour", "tumor")
        .replace("legionnaire ", "legionnaires ")
    )
    return " ".join(
        _NUMERALS.get(word, word)
        for word in low.split()
        if word not in {"the", "a", "an", "of", "by", "disease's"}
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_plain(text).split())


@lru_cache(maxsize=4096)
def _forms(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return (other names, less specific names, excluding words) of a case's diagnosis."""
    own = {_plain(name) for name in names}
    rows = [row for row in _table() if _plain(row.name) in own]
    also = dict.fromkeys([*names, *(n for row in rows for n in (row.name, *row.also))])
    wide = tuple(n for row in rows for n in row.broader)
    said_wide = {_plain(n) for n in wide}
    forms = tuple(n for n in also if _plain(n) not in said_wide)
    return forms, wide, tuple(_plain(w) for row in rows for w in row.excluded)


@lru_cache(maxsize=1)
def _table() -> tuple[_Names, ...]:
    lines = (
        resources.files("percuss.protocols.stressors.data")
        .joinpath("diagnosis_names.jsonl")
        .read_bytes()
        .splitlines()
    )
    rows = [msgspec.json.decode(line) for line in lines]
    return tuple(
        msgspec.convert(
            {**{k: v for k, v in r.items() if k != "not"}, "excluded": r.get("not", ())}, type=_Names
        )
        for r in rows
    )


def _by_words(text: str, forms: Iterable[str], names: Sequence[str]) -> Named | None:
    """All words of one of the names stand in what was said, and no qualifier says otherwise."""
    there = frozenset(text.split())
    for form in forms:
        wanted = _words(form)
        if not wanted or not wanted <= there:
            continue
        if _qualifiers_conflict(there, _words(names[0]) | wanted):
            return Named("other", "another qualifier")
        if {"non", "pseudo", "no", "not"} & (there - wanted):
            return Named("other", "negated by its own name")
        return Named("gold", f"named as {form}")
    return None


def _qualifiers_conflict(said: frozenset[str], gold: frozenset[str]) -> bool:
    for values in _DIMENSIONS:
        a, b = said & values, gold & values
        if a and b and not a & b:
            return True
    return False


def _side_conflicts(said: str, context: str) -> bool:
    low = context.lower()
    for side, other in (("left", "right"), ("right", "left")):
        if (
            re.search(rf"\b{side}\b", said)
            and low
            and re.search(rf"\b{other}\b", low)
            and not re.search(rf"\b{side}\b", low)
        ):
            return True
    return False


_OPEN = frozenset({"compared", "ruled_out", "unlikely", "negated", "historical", "family"})


def _diagnoses(text: str) -> list[Mention]:
    return [m for m in mentions(text) if m.kind == "diagnosis" and not set(m.frames) & _OPEN]


def _by_concept(said: str, names: Sequence[str]) -> Named | None:
    """By canonical concept: the same or narrower with qualifiers that agree; broader, or without a needed qualifier, is partial."""
    found = _diagnoses(said)
    golds = [m for name in names for m in mentions(name) if m.kind == "diagnosis"]
    if not found or not golds:
        return None
    leftover = _words(names[0]) - _words(golds[0].text) if golds else frozenset()
    for m in found:
        ids = {m.concept, *m.others}
        for gold in golds[:1]:
            if any(gold.concept in with_parents(i) for i in ids):
                return _with_qualifiers(said, m, gold, leftover)
            if any(i in with_parents(gold.concept) for i in ids):
                apart = _qualifiers_conflict(_words(said), _words(names[0]))
                return Named("other", "another qualifier") if apart else Named("partial", "less specific")
    if all(m.concept not in {g.concept for g in golds} for m in found):
        return Named("other", f"{found[0].concept} is another diagnosis")
    return None


def _with_qualifiers(said: str, m: Mention, gold: Mention, leftover: frozenset[str]) -> Named:
    there = _words(said)
    if _qualifiers_conflict(there, _words(m.concept)):
        # "secondary hyperaldosteronism" holds a bare name of the primary form, and is another disease.
        return Named("other", "another qualifier")
    mine = dict(m.qualifiers)
    for dimension, value in gold.qualifiers:
        held = mine.get(dimension)
        if held is not None and held != value:
            return Named("other", f"{held}, not {value}")
        if held is None and value not in there and value not in _MAY_BE_LEFT:
            return Named("partial", f"not said to be {value}")
    if "historical" in m.frames:
        return Named("other", "an old one")
    if not leftover - {"severe", "acute", "disease"} <= there:
        return Named("partial", "less specific")
    if gold.qualifiers and ("severity", "severe") in gold.qualifiers and "severe" not in there:
        return Named("partial", "not said to be severe")
    return Named("gold", f"the concept {gold.concept}")


def _tail(whole: str, head: str, forms: Iterable[str]) -> bool:
    """The case's diagnosis is named as what lies behind ("hyperthyroidism due to Graves disease")."""
    rest = whole.removeprefix(head)
    return any(_words(form) <= frozenset(rest.split()) for form in forms)


def _unknown(whole: str, kept: str, forms: Iterable[str]) -> Named:
    """No name that the table holds: another one where it names something else and shares no word with the case's."""
    shared = frozenset(whole.split()) & frozenset(w for form in forms for w in _words(form))
    if mentions(kept) and not shared:
        return Named("other", "it names something else")
    last = re.split(r",|\b(?:with|due|in)\b", whole)[0].split()
    if any(m.kind in {"finding", "organism"} for m in mentions(kept)) or (
        last and _ENDS_OF_NAMES.search(last[-1]) and not _EPONYMS.search(last[-1])
    ):
        return Named("other", "another name")
    return Named("undecided", "a name that the table doesn't hold")


def same_name(first: str | None, second: str | None) -> bool:
    """Tell whether two declared diagnoses are one, as said in two turns."""
    if first is None or second is None:
        return False
    if _plain(first) == _plain(second):
        return True
    return _named(first, (second,), "").standing == "gold" or _named(second, (first,), "").standing == "gold"
