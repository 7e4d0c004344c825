"""The one day that a claim names: "on 2 September", "from 2025-09-02"."""

import re
from typing import NamedTuple

from percuss.text.numbers import numbers

__all__ = ["Day", "day_of"]

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_SAID = re.compile(
    rf"(?:\s(?:taken|drawn|collected|sent))?(?:^|\s)(?:on|from|of)\s(?P<day>\d{{4}}-\d\d-\d\d|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})(?:\s\d{{4}})?),?",
    re.IGNORECASE,
)
_YEAR = 4


class Day(NamedTuple):
    """A claim without its day, and the day: with its year, or month and day alone."""

    claim: str
    day: str

    def of(self, date: str) -> bool:
        """Tell whether a recorded date is of this day.

        Args:
            date: ISO, with or without a time; "" = not recorded.
        """
        held = date[:10]
        return bool(held) and (
            held == self.day if len(self.day.partition("-")[0]) == _YEAR else held.endswith(f"-{self.day}")
        )


def day_of(claim: str) -> Day | None:
    """Return the day that a claim names; None where it names none, several, or one that isn't plain.

    >>> day_of("On 5 September she was febrile")
    Day(claim='she was febrile', day='09-05')
    """
    found = list(_SAID.finditer(claim))
    if len(found) != 1:
        return None
    days = [n.date.lstrip("-") for n in numbers(found[0]["day"]) if n.kind == "date" and n.date]
    if len(days) != 1 or days[0].count("-") < 1 or not re.search(r"\d\d-\d\d$", days[0]):
        return None
    return Day(f"{claim[: found[0].start()]} {claim[found[0].end() :].lstrip()}".strip(), days[0])
