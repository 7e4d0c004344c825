"""The one day or month that a claim names: "on 2 September", "from 2025-09-02", "in March"."""

import re
from typing import NamedTuple

from percuss.text.numbers import numbers

__all__ = ["DAYS", "MONTHS", "Day", "day_of"]

MONTHS = "january february march april may june july august september october november december".split()
DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
"""Days of a unit of time, roughly."""

_MONTHS = "|".join(month.capitalize() for month in MONTHS)
_SAID = re.compile(
    rf"(?:\s(?:taken|drawn|collected|sent))?(?:^|\s)(?:(?:in|during)\s(?P<month>{_MONTHS})(?:\s(?P<year>\d{{4}}))?(?=[,.]|\s(?!\d)|$)|(?:on|from|of)\s(?P<day>\d{{4}}-\d\d-\d\d|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})(?:\s\d{{4}})?)),?",
    re.IGNORECASE,
)
_YEAR, _MONTH = 4, 2


class Day(NamedTuple):
    """A claim without its day, and the day: with its year, or month and day alone; or the month, with its year or alone."""

    claim: str
    day: str

    def of(self, date: str) -> bool:
        """Tell whether a recorded date is of this day.

        Args:
            date: ISO, with or without a time; "" = not recorded.
        """
        held = date[:10]
        if len(self.day) == _MONTH:
            return held[5:7] == self.day
        if len(self.day.partition("-")[0]) == _YEAR:
            return bool(held) and held.startswith(self.day)
        return bool(held) and held.endswith(f"-{self.day}")


def day_of(claim: str) -> Day | None:
    """Return the day that a claim names; None where it names none, several, or one that isn't plain.

    >>> day_of("On 5 September she was febrile")
    Day(claim='she was febrile', day='09-05')
    >>> day_of("In March the TSH was high")
    Day(claim='the TSH was high', day='03')
    """
    found = list(_SAID.finditer(claim))
    if len(found) != 1:
        return None
    rest = f"{claim[: found[0].start()]} {claim[found[0].end() :].lstrip()}".strip()
    if found[0]["month"]:
        month = f"{MONTHS.index(found[0]['month'].lower()) + 1:02}"
        return Day(rest, f"{found[0]['year']}-{month}" if found[0]["year"] else month)
    days = [n.date.lstrip("-") for n in numbers(found[0]["day"]) if n.kind == "date" and n.date]
    if len(days) != 1 or days[0].count("-") < 1 or not re.search(r"\d\d-\d\d$", days[0]):
        return None
    return Day(rest, days[0])
