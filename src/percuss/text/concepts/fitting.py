"""Which numbers an attribute can have: by its kind, its usual unit, and the unit written."""

from decimal import Decimal
from functools import lru_cache

from percuss.text.concepts.table import analyte_of, concept, concepts
from percuss.text.numbers import Number, in_unit, measure

__all__ = ["BY_UNIT", "MEASURED", "STANDING", "direction_of", "fits", "role_of"]

MEASURED = frozenset({"analyte", "vital", "measure", "score", "gene"})
"""Kinds whose concepts have numbers of their own."""

BY_UNIT = {
    "pack-year": "pack-years", "mut/Mb": "tumour mutational burden", "Gy": "radiation dose", "cGy": "radiation dose",
    "fraction": "number of fractions", "HU": "attenuation",
}  # fmt: skip
"""Units that name their attribute by themselves."""

STANDING = frozenset({"arterial hypertension", "hyperlipidaemia"})
"""States that a person has whatever the value of the day is."""

_DOSED = frozenset({"g", "mg", "ug", "ng", "U", "mU", "mL", "tablet", "puff", "drop", "mmol", "mEq", "L", "mg/d", "g/d", "ug/d", "mg/kg", "ug/kg",
                    "mg/kg/d", "mg/m2", "U/kg", "U/h", "mL/h", "ug/kg/min", "mg/h", "U/d", "ug/h", "mg/kg/h", "U/kg/h", "g/kg", "%"})  # fmt: skip
_WRITTEN_UNITS = frozenset({"%", "mo", "d", "wk", "a"})
_OFTEN_BARE = frozenset({"left ventricular ejection fraction", "diffusing capacity"})
_OPEN = frozenset({"", "1"})
_CODED = frozenset(
    {"tumour stage", "T category", "N category", "M category", "immune subtype", "immune tier"}
)


@lru_cache(maxsize=1)
def _directions() -> dict[str, tuple[str, str]]:
    """Map a state ("hyperkalaemia") to what it says ("potassium", "high")."""
    found: dict[str, tuple[str, str]] = {}
    for each in concepts().values():
        for name, level in ((each.high, "high"), (each.low, "low")):
            if name and name != each.name:
                found.setdefault(name, (each.name, level))
    return found


def direction_of(name: str) -> tuple[str, str] | None:
    """Return the attribute and level that a state says, or None.

    >>> direction_of("hyperkalaemia"), direction_of("asthma")
    (('potassium', 'high'), None)
    """
    return _directions().get(name)


@lru_cache(maxsize=8192)
def _unit_fits(name: str, unit: str) -> bool:
    """Tell whether a unit can be one of an attribute's."""
    known = concept(name)
    usual = known.unit if known else ""
    if usual in _OPEN:
        dimension = measure(unit)
        return (
            usual == ""
            and dimension is not None
            and dimension.dimension not in ((("time", 1),), (("length", 1),))
        )
    analyte = analyte_of(name)
    if any(
        in_unit(Decimal(1), unit, other, analyte) is not None
        for other in (usual, *(o for o in analyte.others if o != "share"))
    ):
        return True
    return (
        unit == "%"
        and known is not None
        and known.kind in {"analyte", "measure"}
        and usual in {"10*9/L", "10*12/L", "L"}
    )


def role_of(kind: str, name: str, number: Number) -> str:
    """Return what a number would be of a concept: "own" (its value), "size", "dose", "duration", "count"; "" = it can't be one's.

    Args:
        kind, name: of the concept. number: with its kind and unit.
    """
    if number.kind not in {"quantity", "range", "fraction", "pair"}:
        return ""
    unit = number.unit
    if number.kind == "pair":
        return "own" if name == "blood pressure" else ""
    if name in _CODED or (
        number.kind == "fraction"
        and not unit
        and not any(mark in number.text for mark in ("/", " of ", " in "))
    ):
        return ""
    if number.kind == "fraction" and not unit:
        return (
            "own"
            if kind in {"score", "measure"} or name in {"pain", "headache"}
            else ("count" if kind in {"anatomy", "organism", "finding"} and "/" not in number.text else "")
        )
    if kind in MEASURED and name not in _CODED:
        if fits(name, number):
            return "own"
        return ""
    return _of_thing(kind, name, unit)


def _of_thing(kind: str, name: str, unit: str) -> str:
    """The role of a number beside a thing that has no values of its own."""
    dimension = measure(unit).dimension if unit and measure(unit) else ()  # type: ignore[union-attr]
    if kind in {"drug", "drug_class"}:
        return (
            "dose" if unit in _DOSED and unit != "%" else ("duration" if dimension == (("time", 1),) else "")
        )
    if dimension == (("time", 1),):
        return (
            "duration"
            if kind in {"finding", "diagnosis", "procedure"} and name not in {"male", "female"}
            else ""
        )
    if dimension == (("length", 1),):
        return (
            "size" if kind in {"finding", "diagnosis", "anatomy"} and name not in {"male", "female"} else ""
        )
    if direction_of(name) is not None:
        attribute = direction_of(name)
        return "state" if attribute and (not unit or _unit_fits(attribute[0], unit)) else ""
    if name == "radiotherapy" and unit in {"Gy", "cGy"}:
        return ""
    return ""


def fits(name: str, number: Number) -> bool:
    """Tell whether a number can be a value of an attribute: by its unit, or, without one, if it isn't a count of something."""
    known = concept(name)
    if number.unit:
        return _unit_fits(name, number.unit)
    if number.kind == "fraction":
        return known is not None and known.kind == "score"
    if (
        known is not None
        and known.kind == "measure"
        and known.unit in _WRITTEN_UNITS
        and known.name not in _OFTEN_BARE
    ):
        return False
    return not number.counted or (known is not None and known.kind == "score")
