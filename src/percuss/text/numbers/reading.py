"""Finds the numbers of a text and says what each is, before anything compares them."""

import re
from decimal import Decimal
from functools import lru_cache

from percuss.text.numbers.dates import DATE, iso
from percuss.text.numbers.enumerators import enumerators
from percuss.text.numbers.measures import unit_at
from percuss.text.numbers.record import Comparator, Number
from percuss.text.numbers.words import Worded, worded

__all__ = ["numbers"]

_DIGITS = re.compile(r"\d")
_PLAIN = re.compile(r"\d{1,3}(?:[,\u202f\u2009\u00a0 ]\d{3})+(?![\d,]*\d)(?:\.\d+)?|\d+(?:\.\d+)?")
_DATE_SIGN = re.compile(
    r"\d[-/:.]\d|\d(?:st|nd|rd|th)?\s(?:of\s)?[JFMASOND][a-z]{2}|[JFMASOND][a-z]{2,8}\.?,?\s\d"
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|of|from|until|till|year|by|after|before|during|to|and|early|late|mid)|[,(;–-])\s?$",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(
    r"\b(?:type|types|stage|grade|class|group|category|phase|level|tier|lead|leads|figure|fig\.?|table|section|step|room|bed|no\.|number|case|patient|"
    r"version|chapter|page|exon|exons|codon|factor|vitamin|chromosome|trisomy|day|days|week|weeks|month|cycle|visit|arm|cohort|line|zone|segment|score\sof\sgrade|"
    r"hepatitis|interleukin|item|question|option|note|order|part|reference|ref\.?|CA)\s$",
    re.IGNORECASE,
)
_LIST_BEFORE = re.compile(
    r"\b(?:days|types|stages|grades|leads|weeks|exons)\s\d+(?:\s(?:to|and|or|through)\s|\s?[-–,]\s?)$",
    re.IGNORECASE,
)
_GESTATION = re.compile(r"(?:at|to|until|by)\s(?:day|week|month)\s$", re.IGNORECASE)
_COMPARED: tuple[tuple[Comparator, str], ...] = (
    ("<=", r"≤|<=|=<|at most|no more than|not more than|up to|maximum of|a maximum of"),
    (">=", r"≥|>=|=>|at least|no less than|not less than|minimum of|a minimum of"),
    ("<", r"<|less than|below|under|fewer than|lower than|smaller than"),
    (">", r">|more than|greater than|above|over|exceeding|exceeds|higher than|larger than"),
    ("~", r"~|≈|∼|about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca\.|some|close to"),
)
_COMPARATOR = re.compile(
    "|".join(rf"(?P<c{i}>(?<!\w)(?:{words})\s?$)" for i, (_, words) in enumerate(_COMPARED)), re.IGNORECASE
)
_TO = re.compile(r"\s?(?:[-–—‐‑−]|to|through)\s?", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:r[io]se[ns]?|increas\w+|f[ae]ll(?:en|s|ing)?|drop\w*|declin\w+|decreas\w+|improv\w+|went|gone|chang\w+|climb\w*|reduc\w+|titrat\w+|taper\w*"
    r"|grew|grown|shr[aiu]nk\w*|worsen\w*|up|down|switch\w*|progress\w*)\b[^.;\d]{0,60}\bfrom\s?$",
    re.IGNORECASE,
)
_OF = re.compile(r"\s(?:out\s)?of\s(?:the\s|a\stotal\sof\s|his\s|her\s|their\s)?", re.IGNORECASE)
_CONFIDENCE = re.compile(r"\s?(?:%|percent)\s?(?:-\s?)?(?:CI\b|confidence|credib)", re.IGNORECASE)
_SCALE = re.compile(r"\s?(million|billion|thousand)\b|([kK])(?![\w/])", re.IGNORECASE)
_LASTS = re.compile(
    r"(?:the\s)?[\w.]+[\s-](?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|h|hr|min|d|wk)\b",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\bq\.?\s?$", re.IGNORECASE)
_SCALES = {"million": 1_000_000, "billion": 1_000_000_000, "thousand": 1000, "k": 1000}
_COUNTED = re.compile(
    r"\s(?:(?:new|small|large|positive|enlarged|bilateral|left|right|separate|palpable|regional|axillary|lymph)\s){0,2}([a-z]{3,})",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"\s?(?:±|\+/-|\+-)\s?(\d+(?:\.\d+)?)")
_NOT_COUNTED = frozenset(
    "was were and but for with has had his her its this that mm per are the from after before than which class"
)
_DASHES = "-–—−‐‑"


@lru_cache(maxsize=2048)
def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, each with its kind.

    Args:
        text: any text; digits within words ("CD8", "T2aN1M0") are names, list numbers are enumerators.

    >>> [(n.kind, str(n.value), n.unit) for n in numbers("2. Potassium 5.9 mmol/L in type 2 diabetes")]
    [('enumerator', '2', ''), ('quantity', '5.9', 'mmol/L'), ('name', 'None', '')]
    """
    spelled = worded(text)
    if not spelled and not _DIGITS.search(text):
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
        of = _OF.match(text, word.stop)
        other = _PLAIN.match(text, of.end()) if of else None
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
        dates = {m.start(): m for m in DATE.finditer(text)} if _DATE_SIGN.search(text) else {}
        while True:
            match = _DIGITS.search(text, at)
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
        match = _PLAIN.match(text, start)
        assert match is not None
        stop = match.end()
        if " " in match.group() or "\u00a0" in match.group():
            match, stop = self._blank_thousands(start, match)
        name = self._name(start, stop)
        if name is not None:
            self._add(*name, "name")
            return name[1]
        if (
            _CONFIDENCE.match(text, stop)
            or _NAME_BEFORE.search(text, max(0, start - 16), start)
            or _LIST_BEFORE.search(text, max(0, start - 24), start)
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
        short = re.compile(r"\d+(?:\.\d+)?").match(self.text, start)
        assert short is not None
        return short, short.end()

    def _named_or_measured(self, start: int, stop: int) -> int:
        """A number after "type", "day", "95%" is a name, unless a unit follows it ("level 5.9 mmol/L")."""
        text = self.text
        unit, after = unit_at(text, stop)
        if (
            unit
            and not _CONFIDENCE.match(text, stop)
            and not re.search(
                r"(?:type|stage|grade|class|phase|group)\s$", text[max(0, start - 8) : start], re.IGNORECASE
            )
        ):
            return self._measured(start, text[start:stop], stop)
        self._add(start, stop, "name")
        return after if _CONFIDENCE.match(text, stop) else stop

    def _name(self, start: int, stop: int) -> tuple[int, int] | None:
        """Return the place of a name that digits belong to ("CD8", "IL-6", "31-A1", "2nd"); None where they are a number."""
        text = self.text
        before = text[start - 1] if start else " "
        after = text[stop] if stop < len(text) else " "
        if before == "." and start > 1 and (text[start - 2].isspace() or text[start - 2] in "<>=≤≥~("):
            return None
        if before in "qQ" and _EVERY.search(text, max(0, start - 4), start) and unit_at(text, stop)[0]:
            return None  # "q8h"
        glued = (
            before.isalnum()
            or before == "_"
            or (
                before in "-–‑"
                and start > 1
                and (text[start - 2].isalpha() or text[start - 2] == "_" or self._in_code(start))
            )
        )
        if before in "x×X*" and start > 1 and (text[start - 2].isspace() or text[start - 2].isdigit()):
            glued = False
        if not glued and after == "-" and stop + 1 < len(text) and text[stop + 1].isalnum():
            glued = (
                not unit_at(text, stop)[0]
                and not text[stop + 1].isdigit()
                and not re.match(r"-(?:fold|to-|point|vessel|lead|year|yr)", text[stop : stop + 8])
            )
        elif not glued and (after.isalpha() or after == "_"):
            glued = (
                not unit_at(text, stop)[0]
                and not _SCALE.match(text, stop)
                and not re.match(r"[x×]\s?\d", text[stop : stop + 3])
            )
        if not glued:
            down = re.match(r"[-–](\d+)", text[stop : stop + 6])
            if (
                down
                and int(down[1]) < int(re.split(r"[.,\s]", text[start:stop])[0])
                and "." not in text[start:stop]
                and not unit_at(text, stop + down.end())[0]
            ):
                return start, stop + down.end()  # "CA 19-9" counts down
            return None
        low, high = start, stop
        while low and (text[low - 1].isalnum() or text[low - 1] in "-_‑*"):
            low -= 1
        while high < len(text) and (
            text[high].isalnum()
            or (text[high] in "-_‑*:" and high + 1 < len(text) and text[high + 1].isalnum())
        ):
            high += 1
        while text[low] in "-_‑*":
            low += 1
        return self._split_levels(low, high, start, stop)

    def _split_levels(self, low: int, high: int, start: int, stop: int) -> tuple[int, int]:
        """Give each of "L4-L5" a name of its own."""
        if re.fullmatch(r"[CTLS]\d{1,2}[-–][CTLS]?\d{1,2}", self.text[low:high]):
            first = low if self.text[start - 1].isalpha() else start
            return (start - 1 if self.text[start - 1].isalpha() else first), stop
        return low, high

    def _in_code(self, start: int) -> bool:
        """Tell whether the digits before a hyphen belong to a name already ("TCGA-44-6147")."""
        last = self.found[-1] if self.found else None
        return last is not None and last.kind == "name" and last.stop == start - 1

    def _is_year(self, start: int, stop: int) -> bool:
        text = self.text
        if unit_at(text, stop)[0] or _SCALE.match(text, stop):
            return False
        return (
            start == 0
            or bool(_YEAR_BEFORE.search(text, max(0, start - 10), start))
            or text[stop : stop + 1] in ")"
        )

    def _measured(self, start: int, written: str, stop: int) -> int:
        text = self.text
        value, decimals = _decimal(written), len(written.partition(".")[2])
        if start and text[start - 1] == "." and not (start > 1 and text[start - 2].isalnum()):
            value, decimals, start = Decimal("0." + written), len(written), start - 1
        if "e" not in written and (scale := _SCALE.match(text, stop)) is not None:
            value, decimals, stop = value * _SCALES[(scale[1] or scale[2]).lower()], 0, scale.end()
        begin, value = self._signed(start, value)
        paired = self._pair(begin, value, decimals, stop)
        if paired is not None:
            return paired
        spread = _SPREAD.match(text, stop)
        if spread:
            stop = spread.end()
        unit, stop = unit_at(text, stop)
        ranged = None if spread else self._range(begin, value, decimals, unit, stop)
        if ranged is not None:
            return ranged
        begin, comparator = self._comparator(begin)
        unit = unit or self._shared_unit(stop)
        counted = "" if unit else self._counted(stop)
        self._add(begin, stop, "quantity", value=value, unit=unit, counted=counted, decimals=decimals, comparator=comparator,
                  spread=Decimal(spread[1]) if spread else None)  # fmt: skip
        return stop

    def _signed(self, start: int, value: Decimal) -> tuple[int, Decimal]:
        text = self.text
        if not start or text[start - 1] not in _DASHES:
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
            other = re.compile(r"\d{1,3}(?:\.\d+)?(?![\w/]|\.\d)").match(text, stop + 1)
            if other is not None:
                upper = Decimal(other.group())
                kind = "pair" if value >= upper and value > 30 else "fraction"
                unit, end = unit_at(text, other.end())
                begin, comparator = self._comparator(start)
                self._add(begin, end, kind, value=value, upper=upper, unit=unit, comparator=comparator)
                return end
        of = _OF.match(text, stop) or (re.compile(r"\sin\s").match(text, stop) if value == 1 else None)
        other = _PLAIN.match(text, of.end()) if of else None
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
        between = re.search(r"between\s$", text[max(0, start - 8) : start], re.IGNORECASE)
        to = re.compile(r"\sand\s").match(text, stop) if between else _TO.match(text, stop)
        other = _PLAIN.match(text, to.end()) if to and to.end() > stop else None
        if other is None or _CHANGE.search(text, max(0, start - 90), start):
            return None
        if (
            " " in other.group()
            or self._name(other.start(), other.end()) is not None
            and text[other.start() - 1] not in _DASHES
        ):
            return None
        upper = _decimal(other.group())
        if upper < value:
            return None
        second, end = unit_at(text, other.end())
        if end < len(text) and text[end] in "/-" and text[end + 1 : end + 2].isdigit():
            return None
        places = max(decimals, len(other.group().partition(".")[2]))
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
        match = _COMPARATOR.search(self.text, max(0, start - 18), start)
        if match is None or match.lastgroup is None:
            return start, ""
        if match.group().strip().lower() in {"over", "above", "below", "under"} and _LASTS.match(
            self.text, start
        ):
            return start, ""  # "over two days" is how long
        return match.start(), _COMPARED[int(match.lastgroup[1:])][0]

    def _shared_unit(self, stop: int) -> str:
        """Return the unit of the number after it in "3 x 4 cm" and "12 to 88 mg/L"."""
        match = re.compile(r"(?:\s?[x×*]\s?\d+(?:\.\d+)?){1,2}|\s(?:to|then|and)\s\d+(?:[.,]\d+)*").match(
            self.text, stop
        )
        return unit_at(self.text, match.end())[0] if match else ""

    def _counted(self, stop: int) -> str:
        match = _COUNTED.match(self.text, stop)
        if match is None or match[1].lower() in _NOT_COUNTED:
            return ""
        word = match[1].lower()
        return word[:-1] if word.endswith("s") and not word.endswith("ss") else ""

    def _add(self, start: int, stop: int, kind: str, **given: object) -> None:
        self.found.append(Number(start=start, stop=stop, text=self.text[start:stop], kind=kind, **given))  # type: ignore[arg-type]


def _decimal(written: str) -> Decimal:
    return Decimal(re.sub(r"[,\s]", "", written))
