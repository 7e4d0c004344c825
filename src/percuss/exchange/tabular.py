"""What tables of clinical attributes share: words that mean "nothing recorded", numbers, paths and units."""

import re

from percuss.evidence.packet import Fact, Value
from percuss.evidence.shapes import slug

__all__ = ["fact", "slug", "value_of"]

MISSING = frozenset(
    {
        "", "'--", "--", "na", "n/a", "nan", "null", "none", "not reported", "not available", "[not available]",
        "[not applicable]", "[not evaluated]", "[unknown]", "[discrepancy]", "[completed]", "not applicable", "unknown",
    }
)  # fmt: skip
"""How GDC and cBioPortal tables write that nothing was recorded, in lower case."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_UNIT = re.compile(r"\((months|years|days|percent|%|mm|cm|kg|g)\)\s*$", re.IGNORECASE)


def value_of(text: object, *, number: bool | None = None) -> Value:
    """Return a cell's value: None where nothing was recorded, a number where it reads as one.

    Args:
        text: the cell. number: whether the column holds numbers; None tells by the cell.

    >>> value_of("'--"), value_of("61"), value_of("IIA"), value_of("1", number=False)
    (None, 61, 'IIA', '1')
    """
    if text is None or isinstance(text, bool | int | float):
        return text
    plain = str(text).strip()
    if plain.lower() in MISSING:
        return None
    if number is False or not _NUMBER.fullmatch(plain):
        return plain
    return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 16 else float(plain)


def fact(path: str, value: Value, source: str, *, title: str = "") -> Fact:
    """Return a table's fact; its unit is read off the end of the column's title, or off a name in days.

    Args:
        path: place in the packet. value: None = not recorded. source: table and column. title: the column's own title.
    """
    unit = _UNIT.search(title)
    leaf = path.rpartition(".")[2]
    days = leaf.startswith("days_to_") or leaf == "age_at_diagnosis"
    return Fact(
        path=path,
        value=value,
        unit=unit[1].lower() if unit else "days" if days and isinstance(value, int | float) else "",
        source=source,
    )
