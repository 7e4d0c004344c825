"""Finds the numbers of a text and says what each is, before anything compares them."""

import re
from decimal import Decimal
from functools import lru_cache

from percuss.text.number_words import Worded, worded
from percuss.text.numbers import patterns
from percuss.text.numbers.dates import DATE, iso
from percuss.text.numbers.enumerators import enumerators
from percuss.text.numbers.measures import unit_at
from percuss.text.numbers.names import name_around
from percuss.text.numbers.record import Comparator, Number

__all__ = ["numbers"]

_GROUPED = re.compile(r"[,\s]")
_SHORT = re.compile(r"\d+(?:\.\d+)?")
_UNDER = re.compile(r"\d{1,3}(?:\.\d+)?(?![\w/]|\.\d)")
_IN, _AND = re.compile(r"\s{1,3}in\s{1,3}"), re.compile(r"\s{1,3}and\s{1,3}")
_SHARED = re.compile(r"(?:\s?[x×*]\s?\d+(?:\.\d+)?){1,2}|\sto\s\d+(?:[.,]\d+)*")
"""What shares the unit after it: "3 x 4 cm", "12 to 88 mg/L"."""
_DEGREES = re.compile(r"\s?([CF])(?![\w'’+-])")
_VULGAR = re.compile("(?:[\u00bc-\u00be\u2150-\u215e]\\d*)+")
"""Fractions that are one letter: "2½" is no 2, and what it is stays open."""
_WARM = re.compile(r"\b(?:[Tt]emp\w*|[Ff]evers?|[Ff]ebrile|T|Tmax|[Hh]ypotherm\w*|[Hh]ypertherm\w*)\b")
_WARMTHS = {"C": ("Cel", 25, 45), "F": ("degF", 77, 113)}
"""Letter -> unit, and between which values a body's temperature lies in it."""


@lru_cache(maxsize=2048)
def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, each with its kind.

    Args:
        text: any text; digits within words ("CD8", "T2aN1M0") are names, list numbers are enumerators.

    >>> [(n.kind, str(n.value), n.unit) for n in numbers("2. Potassium 5.9 mmol/L in type 2 diabetes")]
    [('enumerator', '2', ''), ('quantity', '5.9', 'mmol/L'), ('name', 'None', '')]
    """
    spelled = worded(text)
    if not spelled and not patterns.DIGITS.search(text):
        return ()
    reader = _Reader(text)
    for word in spelled:
        reader.add_word(word)
    reader.digits()
    return tuple(sorted(reader.found, key=lambda number: number.start))


class _Reader:
    """Reads the digits of one text from left to right; a number may take the one after it (range, fraction, pair)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Number] = []
        self.listed = enumerators(text)

    def add_word(self, word: Worded) -> None:
        text = self.text
        if word.whole:
            self._add(
                word.start, word.stop, "fraction", value=word.value, upper=Decimal(word.whole), spelled=True
            )
            return
        of = patterns.OF.match(text, word.stop)
        other = patterns.PLAIN.match(text, of.end()) if of else None
        if other is not None:
            self._add(
                word.start,
                other.end(),
                "fraction",
                value=word.value,
                upper=_decimal(other.group()),
                spelled=True,
            )
            return
        unit, stop = unit_at(text, word.stop)
        start, comparator = self._comparator(word.start)
        counted = "" if unit else self._counted(stop)
        self._add(
            start,
            stop,
            "quantity",
            value=word.value,
            unit=unit,
            counted=counted,
            comparator=comparator,
            spelled=True,
        )

    def digits(self) -> None:
        text = self.text
        at = 0
        taken = [(number.start, number.stop) for number in self.found]
        dates = {m.start(): m for m in DATE.finditer(text)} if patterns.DATE_SIGN.search(text) else {}
        while True:
            match = patterns.DIGITS.search(text, at)
            if match is None:
                return
            start = match.start()
            inside = next((stop for low, stop in taken if low <= start < stop), None)
            date = next((m for low, m in dates.items() if low <= start < m.end()), None) if dates else None
            if inside is not None:
                at = inside
            elif date is not None and not self._scale_or_unit(date):
                self._add(date.start(), date.end(), "date", date=iso(date))
                at = date.end()
            elif start in self.listed:
                stop = self.listed[start]
                self._add(start, stop, "enumerator", value=Decimal(text[start:stop]))
                at = stop
            else:
                at = self._number(start)

    def _scale_or_unit(self, date: re.Match[str]) -> bool:
        return bool(unit_at(self.text, date.end())[0]) and not date["y1"]

    def _number(self, start: int) -> int:
        """Read the number at a place and return where reading goes on."""
        text = self.text
        match = patterns.PLAIN.match(text, start)
        assert match is not None
        stop = match.end()
        if " " in match.group() or "\u00a0" in match.group():
            match, stop = self._blank_thousands(start, match)
        mixed = _VULGAR.match(text, stop)
        if mixed is not None:
            self._add(start, mixed.end(), "name")
            return mixed.end()
        name = self._name(start, stop)
        if name is not None:
            self._add(*name, "name")
            return name[1]
        if (text[stop : stop + 1] in "% " and patterns.CONFIDENCE.match(text, stop)) or self._after_name(
            start
        ):
            return self._named_or_measured(start, stop)
        written = match.group()
        if len(written) == 4 and written[:2] in {"19", "20"} and self._is_year(start, stop):
            self._add(start, stop, "date", date=written)
            return stop
        return self._measured(start, written, stop)

    def _blank_thousands(self, start: int, match: re.Match[str]) -> tuple[re.Match[str], int]:
        """Tell "15 000/mm3" from "grade 2 300 mg": blanks group thousands only as 000 or before a unit, and never alone."""
        groups = re.split(r"[ \u00a0\u202f\u2009]", match.group())
        if (
            all(len(group) == 3 for group in groups[1:])
            and groups[1].startswith("0")
            and unit_at(self.text, match.end())[0]
        ):
            return match, match.end()
        short = _SHORT.match(self.text, start)
        assert short is not None
        return short, short.end()

    def _after_name(self, start: int) -> bool:
        """Tell whether a word that numbers things stands before: "type 2", "days 3 to 5"."""
        text = self.text
        before = text[max(0, start - 24) : start]
        if before[-1:] == " " and _last_word(before[:-1]).lstrip("([*_") in patterns.NAMING:
            return True
        return (
            before[-2:] in patterns.LISTING
            and patterns.LIST_BEFORE.search(text, max(0, start - 24), start) is not None
        )

    def _named_or_measured(self, start: int, stop: int) -> int:
        """A number after "type", "day", "95%" is a name, unless a unit follows it ("level 5.9 mmol/L")."""
        text = self.text
        unit, after = unit_at(text, stop)
        if (
            unit
            and not patterns.CONFIDENCE.match(text, stop)
            and not re.search(
                r"(?:type|stage|grade|class|phase|group)\s$", text[max(0, start - 8) : start], re.IGNORECASE
            )
        ):
            return self._measured(start, text[start:stop], stop)
        self._add(start, stop, "name")
        return after if patterns.CONFIDENCE.match(text, stop) else stop

    def _name(self, start: int, stop: int) -> tuple[int, int] | None:
        """Return the place of a name that digits belong to; None where they are a number."""
        return name_around(self.text, start, stop, after_name=self._in_code(start))

    def _in_code(self, start: int) -> bool:
        """Tell whether the digits before a hyphen belong to a name already ("TCGA-44-6147")."""
        last = self.found[-1] if self.found else None
        return last is not None and last.kind == "name" and last.stop == start - 1

    def _is_year(self, start: int, stop: int) -> bool:
        text = self.text
        if unit_at(text, stop)[0] or patterns.SCALE.match(text, stop):
            return False
        return (
            start == 0
            or bool(patterns.YEAR_BEFORE.search(text, max(0, start - 10), start))
            or text[stop : stop + 1] == ")"
        )

    def _measured(self, start: int, written: str, stop: int) -> int:
        text = self.text
        value, decimals = _decimal(written), _places(written)
        if start and text[start - 1] == "." and not (start > 1 and text[start - 2].isalnum()):
            value, decimals, start = Decimal("0." + written), len(written), start - 1
        if "e" not in written and (scale := patterns.SCALE.match(text, stop)) is not None:
            value, decimals, stop = value * patterns.SCALES[(scale[1] or scale[2]).lower()], 0, scale.end()
        begin, value = self._signed(start, value)
        paired = self._pair(begin, value, decimals, stop)
        if paired is not None:
            return paired
        spread = patterns.SPREAD.match(text, stop)
        if spread:
            stop = spread.end()
        unit, stop = unit_at(text, stop)
        if (
            not unit
            and (letter := _DEGREES.match(text, stop)) is not None
            and self._is_warmth(start, value, letter[1])
        ):
            unit, stop = _WARMTHS[letter[1]][0], letter.end()
        ranged = None if spread else self._range(begin, value, decimals, unit, stop)
        if ranged is not None:
            return ranged
        begin, comparator = self._comparator(begin)
        unit = unit or self._shared_unit(stop)
        counted = "" if unit else self._counted(stop)
        self._add(begin, stop, "quantity", value=value, unit=unit, counted=counted, decimals=decimals, comparator=comparator,
                  spread=Decimal(spread[1]) if spread else None)  # fmt: skip
        return stop

    def _is_warmth(self, start: int, value: Decimal, letter: str) -> bool:
        """Tell whether a bare letter after a number is a unit of temperature: "temp 102 F"."""
        _, low, high = _WARMTHS[letter]
        return low <= value <= high and _WARM.search(self.text, max(0, start - 60), start) is not None

    def _signed(self, start: int, value: Decimal) -> tuple[int, Decimal]:
        text = self.text
        if not start or text[start - 1] not in patterns.DASHES:
            return start, value
        alone = start == 1 or text[start - 2].isspace() or text[start - 2] in "([=:,;~<>≥≤|"
        last = self.found[-1] if self.found else None
        if alone and not (last is not None and last.stop == start - 2 and text[start - 1] in "–—"):
            return start - 1, -value
        return start, value

    def _pair(self, start: int, value: Decimal, decimals: int, stop: int) -> int | None:
        """Read "120/80" and "12 of 15"."""
        text = self.text
        if text[stop : stop + 1] == "/":
            other = _UNDER.match(text, stop + 1)
            if other is not None:
                upper = Decimal(other.group())
                kind = "pair" if value >= upper and value > 30 else "fraction"
                unit, end = unit_at(text, other.end())
                begin, comparator = self._comparator(start)
                self._add(begin, end, kind, value=value, upper=upper, unit=unit, comparator=comparator)
                return end
        of = patterns.OF.match(text, stop) or (_IN.match(text, stop) if value == 1 else None)
        other = patterns.PLAIN.match(text, of.end()) if of else None
        if other is None or decimals or self._name(other.start(), other.end()) is not None:
            return None
        upper = _decimal(other.group())
        if upper < value or "." in other.group() or unit_at(text, other.end())[0]:
            return None
        self._add(start, other.end(), "fraction", value=value, upper=upper)
        return other.end()

    def _range(self, start: int, value: Decimal, decimals: int, unit: str, stop: int) -> int | None:
        """Read "3-5 days", "between 100 and 150"; "rose from 12 to 88" are two numbers."""
        text = self.text
        between = text[max(0, start - 8) : start - 1].lower() == "between" and text[start - 1].isspace()
        to = (_AND if between else patterns.TO).match(text, stop)
        other = patterns.PLAIN.match(text, to.end()) if to and to.end() > stop else None
        if other is None or patterns.CHANGE.search(text, max(0, start - 90), start):
            return None
        if " " in other.group() or (
            self._name(other.start(), other.end()) is not None
            and text[other.start() - 1] not in patterns.DASHES
        ):
            return None
        upper = _decimal(other.group())
        if upper < value:
            return None
        second, end = unit_at(text, other.end())
        if end < len(text) and text[end] in "/-" and text[end + 1 : end + 2].isdigit():
            return None
        places = max(decimals, _places(other.group()))
        begin, comparator = self._comparator(start)
        self._add(
            begin,
            end,
            "range",
            value=value,
            upper=upper,
            unit=second or unit,
            decimals=places,
            comparator=comparator,
        )
        return end

    def _comparator(self, start: int) -> tuple[int, Comparator]:
        """Return where the words that bound a number begin, and which bound they are."""
        before = self.text[max(0, start - 18) : start].rstrip()
        if not before or (
            before[-1] not in patterns.BOUNDING_SIGNS and _last_word(before) not in patterns.BOUNDING_WORDS
        ):
            return start, ""
        match = patterns.COMPARATOR.search(self.text, max(0, start - 18), start)
        if match is None or match.lastgroup is None:
            return start, ""
        if match.group().strip().lower() in {"over", "above", "below", "under"} and patterns.LASTS.match(
            self.text, start
        ):
            return start, ""  # "over two days" is how long
        return match.start(), patterns.COMPARED[int(match.lastgroup[1:])][0]

    def _shared_unit(self, stop: int) -> str:
        """Return the unit of the number after it in "3 x 4 cm" and "12 to 88 mg/L"."""
        match = _SHARED.match(self.text, stop)
        return unit_at(self.text, match.end())[0] if match else ""

    def _counted(self, stop: int) -> str:
        match = patterns.COUNTED.match(self.text, stop)
        if match is None or match[1].lower() in patterns.NOT_COUNTED:
            return ""
        word = match[1].lower()
        return word[:-1] if word.endswith("s") and not word.endswith("ss") else ""

    def _add(self, start: int, stop: int, kind: str, **given: object) -> None:
        self.found.append(Number(start=start, stop=stop, text=self.text[start:stop], kind=kind, **given))  # type: ignore[arg-type]


def _last_word(before: str) -> str:
    return before[before.rfind(" ") + 1 :].lower()


def _places(written: str) -> int:
    """Return how many digits are written after the point; the Lancet raises its point."""
    return len(written.replace("·", ".").partition(".")[2].partition(".")[0])


def _decimal(written: str) -> Decimal:
    return Decimal(
        written if written.isascii() and written.isdigit() else _GROUPED.sub("", written).replace("·", ".")
    )
