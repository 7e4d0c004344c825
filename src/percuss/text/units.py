"""Units of clinical text: how they are written, what they measure, and how they convert."""

import re
from decimal import Decimal
from typing import NamedTuple

__all__ = ["UNIT", "Unit", "canonical", "convert"]


class Unit(NamedTuple):
    """A unit: its one name here, the dimension it measures, and its size in the dimension's base unit."""

    name: str
    dimension: str
    size: Decimal


_TABLE = """
%      share     0.01  % percent per_cent pct
kg     mass      1000  kg kgs kilogram kilograms kilo kilos
g      mass      1     g gm gms gram grams gramme grammes
mg     mass      0.001 mg mgs milligram milligrams
ug     mass      0.000001 µg μg ug mcg microgram micrograms
ng     mass      0.000000001 ng nanogram nanograms
lb     mass      453.59237 lb lbs pound pounds
L      volume    1     L liter liters litre litres
dL     volume    0.1   dL deciliter deciliters decilitre
mL     volume    0.001 mL ml cc milliliter milliliters millilitre millilitres
uL     volume    0.000001 µL μL uL microliter microliters microlitre
m      length    1     m meter meters metre metres
cm     length    0.01  cm cms centimeter centimeters centimetre centimetres
mm     length    0.001 mm millimeter millimeters millimetre millimetres
um     length    0.000001 µm μm um micron microns micrometer micrometers
inch   length    0.0254 inch inches
ft     length    0.3048 ft feet foot
s      time      1     sec secs second seconds
ms     time      0.001 ms msec millisecond milliseconds
min    time      60    min mins minute minutes
h      time      3600  h hr hrs hour hours
d      time      86400 d day days
wk     time      604800 wk wks week weeks
mo     time      2629800 mo mos month months
y      time      31557600 y yr yrs year years yo y/o
mg/dL  mg/dL     1     mg/dL mg/dl
g/dL   g/dL      1     g/dL g/dl
g/L    g/dL      0.1   g/L g/l
mmol/L mmol/L    1     mmol/L mmol/l mM
umol/L mmol/L    0.001 µmol/L μmol/L umol/L µmol/l
mEq/L  mmol/L    1     mEq/L meq/L mEq/l
ng/mL  ng/mL     1     ng/mL ng/ml
ug/mL  ng/mL     1000  µg/mL μg/mL mcg/mL ug/mL
pg/mL  ng/mL     0.001 pg/mL pg/ml
U/L    U/L       1     U/L IU/L U/l IU/l
IU     IU        1     IU units unit
mmHg   mmHg      1     mmHg mm_Hg
bpm    bpm       1     bpm beats/min
mg/kg  mg/kg     1     mg/kg
mg/m2  mg/m2     1     mg/m2 mg/m²
Gy     Gy        1     Gy
cGy    Gy        0.01  cGy
mut/Mb mut/Mb    1     mut/Mb mutations/Mb muts/Mb mutations_per_megabase mutations/megabase mutations_per_Mb
TPM    TPM       1     TPM
kcal   kcal      1     kcal
degC   degC      1     °C degC
degF   degF      1     °F degF
pack-y pack-y    1     pack-years pack-year pack_years pack_year packyears
fold   fold      1     fold -fold
"""


def _read(table: str) -> dict[str, Unit]:
    spellings: dict[str, Unit] = {}
    for line in table.strip().splitlines():
        name, dimension, size, *written = line.split()
        unit = Unit(name, dimension, Decimal(size))
        for word in (name, *written):
            spellings[word.replace("_", " ")] = unit
    return spellings


_SPELLED = _read(_TABLE)
# A spelling in lower case only where it can't be mistaken: "M" is not metres, "G" is not grams.
_FOLDED = {word.lower(): unit for word, unit in _SPELLED.items() if len(word) > 2} | {"l": _SPELLED["L"]}

UNIT = re.compile(
    r"(?:"
    + "|".join(
        re.escape(word).replace(r"\ ", r"[\s-]") + (r"(?![\w/])" if word[-1].isalnum() else "")
        for word in sorted(_SPELLED, key=len, reverse=True)
    )
    + ")"
)
"""A unit at a position; longest spelling first."""


def canonical(word: str) -> Unit | None:
    """Return the unit that a spelling means, or None.

    >>> canonical("mcg").name, canonical("milligrams").dimension
    ('ug', 'mass')
    """
    word = word.strip().replace("\u00a0", " ")
    return _SPELLED.get(word) or _FOLDED.get(word.lower()) or _SPELLED.get(word.replace("-", " "))


def convert(value: Decimal, unit: Unit, to: Unit) -> Decimal | None:
    """Return a value in another unit of the same dimension; None where they measure different things.

    >>> convert(Decimal("0.5"), canonical("g"), canonical("mg"))
    Decimal('500')
    """
    if unit.dimension != to.dimension:
        return None
    return (value * unit.size / to.size).normalize() + 0 if unit.size != to.size else value
