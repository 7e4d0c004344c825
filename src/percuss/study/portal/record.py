"""What is known of a case, as people read it: names in words, values with their units, numbers of a statement beside their cells."""

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from percuss.study.portal.words import Words
from percuss.text.quantities import Quantity, quantities

__all__ = ["CaseRecord", "Cell", "Piece", "linked", "read_record"]

ENDINGS = {
    "years": "years",
    "months": "months",
    "weeks": "weeks",
    "days": "days",
    "hours": "hours",
    "minutes": "minutes",
    "percent": "%",
    "kg": "kg",
    "mg": "mg",
    "ml": "mL",
    "cm": "cm",
    "mm": "mm",
    "mmhg": "mmHg",
}
"""Last words of a field's name that are the unit of its value."""
OF_UNITS = frozenset({"pack", "person"})
"""Words that are one unit with the next: pack years."""
ACRONYMS = frozenset(
    "alk bmi bp braf brca crp ct dna ecg eeg egfr ekg hdl her2 hiv id inr io kras ldl mri msi pdl1 pet rbc rna tmb tp53 tsh wbc".split()
)
"""Parts of names that are written in capitals."""
SHARES = frozenset({"share", "fraction", "purity", "proportion"})
"""Parts of names whose values between 0 and 1 are shares."""
ANSWERS = frozenset({"yes", "no"})
"""Values that are said in the reader's language, as true and false are."""
LONG = 60  # characters; longer text takes the whole width


class Cell(NamedTuple):
    """One value of the record.

    Args:
        place: number of the cell on its page, from 0.
        label: its name in words. text: its value with the unit. number: its value as a number, None where it is none.
        empty: whether the record says that it is not known.
    """

    place: int
    label: str
    text: str
    number: Decimal | None = None
    empty: bool = False

    @property
    def long(self) -> bool:
        """Whether it needs the whole width."""
        return len(self.text) > LONG


class CaseRecord(NamedTuple):
    """A record: groups of cells under their headings, and texts that come with it."""

    groups: tuple[tuple[str, tuple[Cell, ...]], ...]
    texts: tuple[str, ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in order."""
        return tuple(cell for _, cells in self.groups for cell in cells)


class Piece(NamedTuple):
    """A piece of a statement; `cell` is the place of the cell that its number is found in, None for the text between."""

    text: str
    cell: int | None = None


def read_record(value: Any, words: Words) -> CaseRecord:
    """Bring facts into cells.

    Args:
        value: nested facts, or a text that begins with them as JSON. words: of the reader's language.
    """
    texts: tuple[str, ...] = ()
    if isinstance(value, str):
        value, rest = _parted(value)
        texts = (rest,) if rest else ()
    groups: dict[str, list[Cell]] = {}
    rows = _rows(value) if value is not None else ()
    for place, (path, one, unit) in enumerate(rows):
        *heads, name = path or ("",)
        group = " › ".join(words.plain(_words(head)) for head in heads)
        groups.setdefault(group, []).append(_cell(place, name, one, unit, words))
    return CaseRecord(tuple((group, tuple(cells)) for group, cells in groups.items()), texts)


def _parted(text: str) -> tuple[Any, str]:
    """Return the JSON object that a text begins with, None where it begins with none, and the text behind it."""
    try:
        value, stop = json.JSONDecoder().raw_decode(text.lstrip())
    except json.JSONDecodeError:
        return None, text.strip()
    return (value, text.lstrip()[stop:].strip()) if isinstance(value, dict | list) else (None, text.strip())


def _rows(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    """Yield path, value and unit of every leaf; a list of plain values is one leaf."""
    if isinstance(value, dict) and {"path", "value"} <= set(value):
        yield (*path, *str(value["path"]).split(".")), value["value"], str(value.get("unit") or "")
    elif isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _rows(inner, (*path, str(key)))
    elif isinstance(value, list | tuple) and any(isinstance(entry, dict | list | tuple) for entry in value):
        for n, entry in enumerate(value, 1):
            facts = isinstance(entry, dict) and {"path", "value"} <= set(entry)
            yield from _rows(entry, path if facts else (*path, str(n)))
    else:
        yield path, value, ""


def _words(name: str) -> str:
    """Return a field's name in words: underscores are spaces, acronyms in capitals, the first letter too."""
    parts = [part.upper() if part.lower() in ACRONYMS else part for part in name.replace("_", " ").split()]
    said = " ".join(parts)
    return said[:1].upper() + said[1:]


def _cell(place: int, name: str, value: Any, unit: str, words: Words) -> Cell:
    said, unit = _named(name, value, unit)
    said = words.plain(said)
    if value is None or value == "":
        return Cell(place, said, words.plain("not given"), empty=True)
    if isinstance(value, bool):
        return Cell(place, said, words.plain("yes" if value else "no"))
    if isinstance(value, int | float):
        number = Decimal(str(value))
        share = f" ({words.decimal(_percent(number))} %)" if _is_share(name, number, unit) else ""
        measure = f" {words.plain(unit)}" if unit else ""
        return Cell(place, said, f"{words.decimal(str(value))}{measure}{share}", number)
    if isinstance(value, list | tuple):
        return Cell(place, said, _listed(value, words) or words.plain("none"))
    if str(value) in ANSWERS:
        return Cell(place, said, words.plain(value))
    text = f"{value} {words.plain(unit)}" if unit else str(value)
    return Cell(place, said, text, _first_number(str(value)))


def _listed(values: Iterable[Any], words: Words) -> str:
    """Return values in a row; where a comma stands in numbers, a semicolon stands between them."""
    said = [words.decimal(str(one)) if isinstance(one, float) else str(one) for one in values]
    return ("; " if any("," in one for one in said) else ", ").join(said)


def _named(name: str, value: Any, unit: str) -> tuple[str, str]:
    """Return a field's name in words without the unit that it ends with, and the unit."""
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    parts = name.split("_")
    if numeric and len(parts) > 1 and parts[0] == "z":
        return f"{_words(' '.join(parts[1:])).upper()}, z", unit
    if numeric and len(parts) > 2 and parts[-2] == "per":
        return _words(" ".join(parts[:-2])), unit or f"per {parts[-1].capitalize()}"
    if numeric and len(parts) > 1 and parts[-1].lower() in ENDINGS and parts[-2].lower() not in OF_UNITS:
        return _words(" ".join(parts[:-1])), unit or ENDINGS[parts[-1].lower()]
    return _words(name), unit


def _is_share(name: str, number: Decimal, unit: str) -> bool:
    return not unit and 0 < number < 1 and bool(SHARES & set(name.lower().split("_")))


def _percent(number: Decimal) -> str:
    return f"{(number * 100).normalize():f}"


def _first_number(text: str) -> Decimal | None:
    found = quantities(text)
    return found[0].value if found else None


def linked(statement: str, cells: Iterable[Cell]) -> tuple[Piece, ...]:
    """Part a statement so that each number that stands in the record is a piece of its own with the cell it stands in.

    A number fits a cell that rounds to it at the digits written, as a share or as percent.

    Args:
        statement: what is judged. cells: of the record.
    """
    known = [cell for cell in cells if cell.number is not None]
    pieces: list[Piece] = []
    at = 0
    for found in quantities(statement):
        cell = next((cell for cell in known if cell.number is not None and _fits(found, cell.number)), None)
        if cell is None or found.start < at:
            continue
        pieces += [Piece(statement[at : found.start]), Piece(statement[found.start : found.stop], cell.place)]
        at = found.stop
    return tuple(piece for piece in (*pieces, Piece(statement[at:])) if piece.text)


def _fits(found: Quantity, number: Decimal) -> bool:
    half = Decimal(1).scaleb(-found.decimals) / 2
    scales = (Decimal(100), Decimal(1)) if found.percent else (Decimal(1),)
    return any(abs(number * scale - found.value) <= half for scale in scales)
