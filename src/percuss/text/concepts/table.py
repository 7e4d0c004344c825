"""The table of clinical concepts: one line each in `data/*.jsonl`, one file per kind."""

from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from percuss.core.strict import Record
from percuss.text.numbers.comparing import Analyte

__all__ = ["KINDS", "Concept", "analyte_of", "concept", "concepts", "with_parents"]

Kind = Literal[
    "analyte",
    "vital",
    "measure",
    "score",
    "test",
    "procedure",
    "anatomy",
    "gene",
    "organism",
    "finding",
    "drug",
    "drug_class",
    "diagnosis",
]
KINDS: tuple[Kind, ...] = (
    "analyte", "vital", "measure", "score", "test", "procedure", "anatomy", "gene", "organism", "finding", "drug", "drug_class", "diagnosis",
)  # fmt: skip
"""Kinds of concepts; each has its file."""


class Concept(Record, omit_defaults=True):
    """One thing that clinical text speaks of.

    Args:
        name: canonical name.
        kind: which file it stands in.
        also: synonyms; case and spelling don't matter.
        short: abbreviations, as written.
        short_with_number: abbreviations that mean this only beside a number ("K 5.9").
        short_ambiguous: abbreviations that mean other things too ("MS").
        parent: the broader concept; "" = none.
        unit: usual unit of its values; "1" = a bare number; "" = open.
        range: usual adult reference range in that unit; None = none that can be said in general.
        molar: grams per mole; 0 = unknown. valence: charge per particle.
        affine: (unit, slope, offset) where conversion isn't a factor.
        high, low: names of the states of being above or below the range.
        opposite: the finding that can't hold at the same time.
        path: words of packet fields that hold it ("purity ihc").
        near: a related concept that is often named for it.
    """

    name: str
    kind: Kind = "finding"
    also: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    short_with_number: tuple[str, ...] = ()
    short_ambiguous: tuple[str, ...] = ()
    parent: str = ""
    unit: str = ""
    range: tuple[float, float] | None = None
    molar: float = 0.0
    valence: float = 1.0
    affine: tuple[str, float, float] | None = None
    high: str = ""
    low: str = ""
    opposite: str = ""
    path: tuple[str, ...] = ()
    near: str = ""


@lru_cache(maxsize=1)
def concepts() -> dict[str, Concept]:
    """Return all concepts by name, in the order of the files."""
    decoder = msgspec.json.Decoder(list[Concept])
    found: dict[str, Concept] = {}
    for kind in KINDS:
        lines = resources.files(__package__).joinpath("data", f"{kind}.jsonl").read_bytes().splitlines()
        for each in decoder.decode(b"[" + b",".join(line for line in lines if line) + b"]"):
            found[each.name] = each if kind == "finding" else msgspec.structs.replace(each, kind=kind)
    return found


@lru_cache(maxsize=4096)
def concept(name: str) -> Concept | None:
    """Return the concept of a canonical name, or None."""
    return concepts().get(name)


@lru_cache(maxsize=4096)
def with_parents(name: str) -> tuple[str, ...]:
    """Return a concept's name and those of all broader ones, nearest first.

    >>> with_parents("ST-elevation myocardial infarction")
    ('ST-elevation myocardial infarction', 'myocardial infarction', 'acute coronary syndrome')
    """
    line: list[str] = []
    known = concepts()
    while name in known and name not in line:
        line.append(name)
        name = known[name].parent
    return tuple(line)


@lru_cache(maxsize=1024)
def analyte_of(name: str) -> Analyte:
    """Return what unit conversion needs to know of a concept."""
    found = concepts().get(name)
    if found is None:
        return Analyte()
    others = {"10*9/L": ("/uL", "10*3/uL"), "10*12/L": ("10*6/uL", "/uL"), "%": ("share",), "Cel": ("degF",)}
    unit = "" if found.unit == "1" else found.unit
    return Analyte(found.molar, found.valence, unit, found.affine, others.get(unit, ()))
