"""Whether two quantities agree: rounding to the decimals written, units converted, comparators and ranges as intervals."""

from decimal import Decimal
from typing import Literal, NamedTuple

from percuss.text.numbers.measures import Measure, measure
from percuss.text.numbers.record import Number

__all__ = ["Agreement", "Analyte", "compare_quantities", "in_unit"]

Agreement = Literal["equal", "within", "different", "undecided"]
"""`within`: the record's value lies in the range or bound that is claimed."""


class Analyte(NamedTuple):
    """What conversion between kinds of unit needs to know of a substance.

    Args:
        molar: grams per mole; 0 = unknown.
        valence: charge per particle.
        unit: the unit meant where none is written; "" = open.
        affine: (unit, slope, offset): a value in that unit is slope * value in `unit` + offset.
        others: further units in which its values are often written without one ("150,000" platelets).
    """

    molar: float = 0.0
    valence: float = 1.0
    unit: str = ""
    affine: tuple[str, float, float] | None = None
    others: tuple[str, ...] = ()


_NOTHING = Analyte()
_CELSIUS = ("Cel", "degF")


def in_unit(value: Decimal, unit: str, to: str, analyte: Analyte = _NOTHING) -> Decimal | None:
    """Return a value in another unit; None where the two measure different things.

    Args:
        value: the number. unit, to: canonical units.
        analyte: molar mass and valence, for mass against amount and charge.

    >>> in_unit(Decimal(90), "mg/dL", "mmol/L", Analyte(molar=180.16)).quantize(Decimal("0.01"))
    Decimal('5.00')
    """
    if unit == to:
        return value
    if analyte.affine and {unit, to} == {analyte.unit, analyte.affine[0]}:
        slope, offset = Decimal(str(analyte.affine[1])), Decimal(str(analyte.affine[2]))
        return value * slope + offset if unit == analyte.unit else (value - offset) / slope
    if unit in _CELSIUS and to in _CELSIUS:
        return value * Decimal("1.8") + 32 if unit == "Cel" else (value - 32) / Decimal("1.8")
    first, second = measure(unit), measure(to)
    if first is None or second is None:
        return None
    factor = _factor(first, second, analyte)
    return None if factor is None else value * factor


def _factor(first: Measure, second: Measure, analyte: Analyte) -> Decimal | None:
    """Return what a value in the first unit is multiplied with; mass, amount and charge differ by the substance."""
    if first.dimension == second.dimension:
        return first.size / second.size
    one, two = _in_moles(first, analyte), _in_moles(second, analyte)
    if one is None or two is None or one[0] != two[0]:
        return None
    return one[1] / two[1]


def _in_moles(unit: Measure, analyte: Analyte) -> tuple[dict[str, int], Decimal] | None:
    """Return the dimension and size of a unit with mass and charge said as amount; None where the substance isn't known."""
    powers, size = dict(unit.dimension), unit.size
    for base, scale in (("mass", analyte.molar), ("charge", analyte.valence)):
        power = powers.pop(base, 0)
        if power and not scale:
            return None
        if power:
            size /= Decimal(str(scale)) ** power
            powers["amount"] = powers.get("amount", 0) + power
    return {base: power for base, power in powers.items() if power}, size


def _half(number: Number) -> Decimal:
    """Return half a unit of the last place written; of the last place that isn't zero where it is said "about"."""
    if number.value is None:
        return Decimal(0)
    if number.comparator == "~" and not number.decimals:
        digits = str(abs(int(number.value)))
        return Decimal(10) ** (len(digits) - len(digits.rstrip("0"))) / 2
    return Decimal(10) ** -number.decimals / 2


def compare_quantities(claim: Number, record: Number, analyte: Analyte = _NOTHING) -> Agreement:
    """Tell whether a claimed quantity agrees with a recorded one.

    The record rounded to the decimals of the claim must be the claim; across units, half a place of either is forgiven.

    Args:
        claim: what is said. record: what is known.
        analyte: what the numbers measure, for conversion and for numbers without a unit.

    Returns:
        "equal", "within" (the claim is a range or bound that holds the record), "different", or "undecided" where units are of
        another kind or a side is no quantity.
    """
    if claim.value is None or record.value is None:
        return "undecided"
    if claim.kind in {"fraction", "pair"} or record.kind in {"fraction", "pair"}:
        return _paired(claim, record)
    units = _units(claim, record, analyte)
    if not units:
        return "undecided"
    results = {_compare(claim, record, said, meant, analyte) for said, meant in units}
    for result in ("equal", "within", "different"):
        if result in results:
            return result
    return "undecided"


def _paired(claim: Number, record: Number) -> Agreement:
    if claim.kind != record.kind or claim.upper is None or record.upper is None:
        if (
            claim.kind == "fraction"
            and record.unit == "%"
            and claim.upper
            and record.value is not None
            and claim.value is not None
        ):
            return (
                "equal"
                if abs(100 * claim.value / claim.upper - record.value) <= _half(record)
                else "different"
            )
        return "undecided"
    return "equal" if (claim.value, claim.upper) == (record.value, record.upper) else "different"


def _units(claim: Number, record: Number, analyte: Analyte) -> list[tuple[str, str]]:
    """Return the pairs of units under which the two may be compared; a missing one is the other's, or the usual one."""
    if claim.unit and record.unit:
        return [(claim.unit, record.unit)]
    if claim.unit or record.unit:
        given = claim.unit or record.unit
        meant = [given, *(unit for unit in (analyte.unit, *analyte.others) if unit)]
        if given == "%":
            meant.append("share")
        fitting = [
            unit for unit in dict.fromkeys(meant) if _convert(Decimal(1), given, unit, analyte) is not None
        ]
        return [(claim.unit or unit, record.unit or unit) for unit in fitting]
    return [("", "")]


def _convert(value: Decimal, unit: str, to: str, analyte: Analyte) -> Decimal | None:
    if unit == to:
        return value
    if "share" in (unit, to):
        return (value * 100 if unit == "share" else value / 100) if "%" in (unit, to) else None
    return in_unit(value, unit, to, analyte)


def _compare(claim: Number, record: Number, said: str, meant: str, analyte: Analyte) -> Agreement:
    assert claim.value is not None
    assert record.value is not None
    same = said == meant
    low = _convert(record.value, meant, said, analyte)
    high = low if record.upper is None else _convert(record.upper, meant, said, analyte)
    if low is None or high is None:
        return "undecided"
    slack = _half(claim)
    if not same:
        step = _convert(record.value + _half(record), meant, said, analyte)
        slack = max(slack, abs((step or low) - low))
    if claim.comparator in {"", "~"} and claim.upper is None:
        return _point(claim.value, low, high, slack, record)
    return _bounded(claim, low, high, slack, record)


def _point(value: Decimal, low: Decimal, high: Decimal, slack: Decimal, record: Number) -> Agreement:
    if record.comparator in {"<", "<="}:
        return "undecided" if value <= high else "different"
    if record.comparator in {">", ">="}:
        return "undecided" if value >= low else "different"
    if record.upper is not None:
        return "undecided" if low - slack <= value <= high + slack else "different"
    return "equal" if abs(value - low) <= slack else "different"


def _bounded(claim: Number, low: Decimal, high: Decimal, slack: Decimal, record: Number) -> Agreement:
    """Compare a claimed bound or range with what is recorded."""
    assert claim.value is not None
    if claim.upper is not None:
        if record.upper is not None:
            near = abs(claim.value - low) <= slack and abs(claim.upper - high) <= slack
            return "equal" if near else "different"
        return (
            "within"
            if claim.value - slack <= low <= claim.upper + slack and not record.comparator
            else "different"
        )
    if record.comparator:
        same = record.comparator.rstrip("=") == claim.comparator.rstrip("=")
        return "equal" if same and abs(claim.value - low) <= slack else "undecided"
    holds = {
        "<": high < claim.value, "<=": high <= claim.value, ">": low > claim.value, ">=": low >= claim.value,
    }[claim.comparator]  # fmt: skip
    return "within" if holds else "different"
