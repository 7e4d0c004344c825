"""Units of clinical measurement: how each is written, its dimension and its size, and compounds of them ("mL/min/1.73m2").

Sizes are those of the SI brochure (9th edition) and, for arbitrary units, one dimension each; spellings are of our own collection.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Measure", "measure", "unit_at"]


class Measure(NamedTuple):
    """What a unit measures.

    Args:
        name: canonical spelling here.
        dimension: sorted base dimensions with their powers, e.g. (("mass", 1), ("volume", -1)).
        size: how many base units it is; the base is gram, mole, litre, metre, second, or the unit itself.
    """

    name: str
    dimension: tuple[tuple[str, int], ...]
    size: Decimal


# name | dimension | size in its base unit | other spellings ("_" stands for a blank)
_ATOMS = """
%|share|0.01|percent per_cent pct percentage_points
kg|mass|1000|kgs kilogram kilograms kilo kilos
g|mass|1|gm gms gram grams gramme grammes
mg|mass|0.001|mgs milligram milligrams
ug|mass|0.000001|µg μg mcg microgram micrograms
ng|mass|0.000000001|nanogram nanograms
pg|mass|0.000000000001|picogram picograms
lb|mass|453.59237|lbs pound pounds
oz|mass|28.349523125|ounce ounces
st|mass|6350.29318|stone
mol|amount|1|mole moles
mmol|amount|0.001|millimole millimoles millimol
umol|amount|0.000001|µmol μmol mcmol micromole micromoles micromol
nmol|amount|0.000000001|nanomole nanomoles
pmol|amount|0.000000000001|picomole picomoles
mEq|charge|0.001|meq milliequivalent milliequivalents
mOsm|osmoles|0.001|mosm mOsmol mosmol milliosmoles
L|volume|1|l liter liters litre litres
dL|volume|0.1|dl deciliter deciliters decilitre decilitres
mL|volume|0.001|ml cc milliliter milliliters millilitre millilitres cm3 cm^3 cm³
uL|volume|0.000001|µL μL ul µl μl mcL microliter microliters microlitre microlitres mm3 mm^3 mm³ cmm cu_mm cubic_millimeter cubic_millimetre
fL|volume|0.000000000000001|fl femtoliters femtolitres µm3 μm3 µm³ μm³ um3
m|length|1|meter meters metre metres
cm|length|0.01|cms centimeter centimeters centimetre centimetres
mm|length|0.001|millimeter millimeters millimetre millimetres
um|length|0.000001|µm μm micron microns micrometer micrometers
inch|length|0.0254|inches
ft|length|0.3048|feet foot
m2|area|1|m² m^2 square_meter square_meters square_metre square_metres
cm2|area|0.0001|cm² cm^2 square_centimeters square_centimetres
s|time|1|sec secs second seconds
ms|time|0.001|msec millisecond milliseconds
min|time|60|mins minute minutes
h|time|3600|hr hrs hour hours
d|time|86400|day days
wk|time|604800|wks week weeks
mo|time|2629800|mos month months
a|time|31557600|y yr yrs year years yo y/o y.o.
decade|time|315576000|decades
U|activity|1|IU units unit international_units iu
mU|activity|0.001|mIU milliunits
uU|activity|0.000001|µIU μIU uIU µU μU
kU|activity|1000|kIU
mmHg|pressure|1|mm_Hg mmhg mm_hg millimeters_of_mercury millimetres_of_mercury torr
kPa|pressure|7.50061683|
cmH2O|pressure|0.73555924|cm_H2O cmH20 cm_of_water cm_water mm_H2O_x10
Cel|celsius|1|°C ℃ degC deg_C degrees_C degrees_Celsius degree_Celsius Celsius °_C centigrade
degF|fahrenheit|1|°F ℉ deg_F degrees_F degrees_Fahrenheit Fahrenheit °_F
Gy|absorbed|1|gray Gray
cGy|absorbed|0.01|
mSv|exposure|0.001|
mut|mutations|1|mutations muts
Mb|megabase|1|megabase megabases
mut/Mb|burden|1|mutations_per_Mb mutations_per_megabase mutations/megabase mut_per_Mb per_Mb /Mb
TPM|expression|1|
kcal|energy|1|Cal kilocalories calories
ppm|proportion|0.000001|
pack-year|packyears|1|pack-years pack_years pack_year packyears py
copies|copies|1|copy
cells|items|1|cell
CFU|colonies|1|cfu
cigarette|cigarettes|1|cigarettes
drink|drinks|1|drinks
HU|hounsfield|1|hounsfield_units
dB|level|1|decibels decibel
D|dioptre|1|diopters dioptres
Hz|frequency|1|hertz
W|power|1|watts
mA|current|0.001|
mV|voltage|0.001|
mPa|viscosity|1|
beats|beats|1|beat
breaths|beats|1|breath breathes
bpm|rate|1|beats/min beats_per_minute beats/minute breaths/min breaths_per_minute breaths/minute /min /minute per_minute
fold|fold|1|times
fraction|fractions|1|fractions
cycle|cycles|1|cycles courses course
tablet|tablets|1|tablets tab tabs pill pills capsule capsules
puff|puffs|1|puffs
drop|drops|1|drops
French|french|1|Fr
HPF|field|1|hpf high-power_field high_power_field
LPF|field|1|lpf
"""
_CANONICAL = {"bpm": "/min", "cells": "", "copies": "copies", "mut": "mut"}


class _Atom(NamedTuple):
    name: str
    base: str
    size: Decimal


def _atoms() -> dict[str, _Atom]:
    spelled: dict[str, _Atom] = {}
    for line in _ATOMS.strip().splitlines():
        name, base, size, others = line.split("|")
        atom = _Atom(name, base, Decimal(size))
        for word in (name, *others.split()):
            spelled[word.replace("_", " ")] = atom
    return spelled


_SPELLED = _atoms()
# A spelling in lower case counts where it can't be mistaken for another ("M" is no metre, "G" no gram).
_FOLDED = {word.lower(): atom for word, atom in _SPELLED.items() if len(word) > 2} | {"l": _SPELLED["L"]}
_BODY_AREA = r"1\.73\s?m(?:2|²|\^2)"
# "M", "a", "D", "W", "st" and the like name units only within tables or compounds.
_ALONE = sorted(
    (word for word in _SPELLED if word not in {"a", "D", "W", "st", "mut", "y.o.", "l"}),
    key=len,
    reverse=True,
)


def _pattern(words: list[str]) -> str:
    parts = []
    for word in words:
        escaped = re.escape(word).replace(r"\ ", r"[\s-]?")
        parts.append(escaped + (r"(?![A-Za-z\u00b5\u03bc])" if word[-1].isalpha() else ""))
    return "(?:" + "|".join(parts) + ")"


_ATOM = _pattern([*_ALONE, "l"])
"""What may stand under a stroke: there "l" is a litre ("5.9 mmol/l")."""
_UNDER = rf"(?:/\s?|\sper\s|\sa\s(?=day|week|month|year|minute|hour))(?:{_BODY_AREA}|24\s?(?=h)|10\s?(?:\^|\*)?\s?\d\s?)?(?:{_ATOM})?"
_POWER = r"(?:[x×*·]\s?)?10\s?(?:\^|\*\*?|e|E)?\s?(?:\d{1,2}|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_TEN_OR_PER = (
    rf"(?:(?:{_POWER}\s?(?:cells?\s?)?|[KkM](?=/[µμu]?[lL]|/mm))?/\s?{_ATOM}|{_POWER}(?!\w))(?![\d²³])"
)
_MOST_UNDER = 3
_LITRES = re.compile(
    r"l(?=/\s?(?:min|h|hr|s|kg|m)\b)|" + _pattern([word for word in _ALONE if word[0] == "l"])
)
"""A lone "l" is a litre before a stroke ("2 l/min"), and nothing elsewhere."""


@lru_cache(maxsize=256)
def _atom_from(first: str) -> re.Pattern[str] | None:
    """Return the expression of the plain units that begin with a character; None where none does."""
    begun = [word for word in _ALONE if word[0] == first]
    return re.compile(_pattern(begun)) if begun else None


@lru_cache(maxsize=2)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile one of the long expressions when it is first needed: they take longer than everything else that is imported."""
    return re.compile(pattern)


def _unit_end(text: str, first: int) -> int:
    """Return where the unit that begins at a place ends; the place itself where none does."""
    begins = text[first]
    if begins in "/x×*·1KkM":
        match = _compiled(_TEN_OR_PER).match(text, first)
        if match is not None:
            return match.end()
    pattern = _LITRES if begins == "l" else _atom_from(begins)
    match = pattern.match(text, first) if pattern else None
    if match is None:
        return first
    end = match.end()
    for _ in range(_MOST_UNDER):
        if text[end : end + 1] not in {"/", " "}:
            break
        under = _compiled(_UNDER).match(text, end)
        if under is None or under.end() <= end + 1:
            break
        end = under.end()
    return first if text[end : end + 1] in _RAISED else end


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TEN = re.compile(r"^(?:[x×*·]\s?)?10\s?(?:\^|\*\*?|e|E)?\s?(\d{1,2})\s?")
_AREA = re.compile(rf"/\s?{_BODY_AREA}")
_DAY = re.compile(r"/\s?24\s?h(?:ours?|rs?)?\b")
_PER = re.compile(r"\s?/\s?|\sper\s|\sa\s")


@lru_cache(maxsize=2048)
def measure(unit: str) -> Measure | None:
    """Return what a unit measures, or None for what is no unit.

    Args:
        unit: as written ("mcg/mL", "x 10^9/L", "mL/min/1.73 m2").

    >>> measure("mcg/mL").name, measure("K/µL").name, measure("breaths/min").name
    ('ug/mL', '10*3/uL', '/min')
    """
    written = _DAY.sub("/d", re.sub(r"\s+", " ", unit.strip().translate(_SUPERSCRIPT)))
    if not written:
        return None
    whole = _atom(written)
    if whole is not None:
        return _single(whole)
    suffix = ""
    area = _AREA.search(written)
    if area:
        written, suffix = written[: area.start()] + written[area.end() :], "/1.73m2"
    size, head = Decimal(1), ""
    ten = _TEN.match(written)
    if ten:
        size, head, written = Decimal(10) ** int(ten[1]), f"10*{ten[1]}", written[ten.end() :]
    elif written[:1] in "KkM" and written[1:2] == "/":
        power = 6 if written[0] == "M" else 3
        size, head, written = Decimal(10) ** power, f"10*{power}", written[1:]
    return _compound(written, size, head, suffix)


def _compound(written: str, size: Decimal, head: str, suffix: str) -> Measure | None:
    """Read "a/b/c"; cells and copies are counts, so that "cells/uL" and "/uL" are one unit."""
    names: list[str] = []
    powers: dict[str, int] = {}
    for place, part in enumerate(_PER.split(written)):
        if not part:
            if place:
                return None
            names.append("")
            continue
        atom = _atom(part.strip())
        if atom is None:
            return None
        sign = -1 if place else 1
        size = size * atom.size if sign > 0 else size / atom.size
        names.append("" if atom.base == "items" and place == 0 else atom.name)
        if atom.base not in {"items", "beats"}:
            powers[atom.base] = powers.get(atom.base, 0) + sign
    name = "/".join([head + names[0], *names[1:]]) if names else head
    if name in {"beats/min", "breaths/min"}:
        name = "/min"
    dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
    return Measure((name or head) + suffix, dimension, size)


def _single(atom: _Atom) -> Measure:
    if atom.base == "rate":
        return Measure("/min", (("time", -1),), 1 / Decimal(60))
    if atom.base == "burden":
        return Measure("mut/Mb", (("megabase", -1), ("mutations", 1)), Decimal(1))
    return Measure(atom.name, ((atom.base, 1),), atom.size)


def _atom(word: str) -> _Atom | None:
    return _SPELLED.get(word) or _FOLDED.get(word.lower()) or _SPELLED.get(word.replace("-", " "))


_RAISED = frozenset("0123456789²³")
_AFTER = frozenset(" -\u00a0\u202f\u2009")


def unit_at(text: str, at: int) -> tuple[str, int]:
    """Return the canonical unit that stands at a place (one blank or hyphen may come before) and where it ends.

    Args:
        text: the text. at: where the number ends.

    Returns:
        ("", at) where no unit stands.
    """
    if at >= len(text):
        return "", at
    first = at + 1 if text[at] in _AFTER else at
    end = _unit_end(text, first) if first < len(text) else first
    if end == first:
        return "", at
    found = measure(text[first:end])
    return ("", at) if found is None else (found.name, end)
