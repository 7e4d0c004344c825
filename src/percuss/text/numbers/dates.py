"""Dates and times as written in clinical text."""

import re

__all__ = ["DATE", "iso"]

_MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)
}
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?"
    r"|Dec(?:ember)?)\b\.?"
)
DATE = re.compile(
    r"(?<![\w.])(?:(?P<y1>(?:19|20)\d\d)[-/.](?P<m1>\d{1,2})(?:[-/.](?P<d1>\d{1,2}))?(?![\w])"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m2>{_MONTH}),?(?:\s(?P<y2>\d{{4}}))?"
    rf"|(?P<m3>{_MONTH})\s(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\.\d)(?:,?\s(?P<y3>\d{{4}}))?"
    rf"|(?P<m4>{_MONTH}),?\s(?P<y4>\d{{4}})"
    r"|(?P<open>\d{1,2}[/.]\d{1,2}[/.]\d{2,4})(?!\w)|(?P<time>\d{1,2}:\d{2}(?::\d{2})?)(?!\w))"
)
"""Dates and times; months begin with a capital letter ("may 14" may be a verb)."""


def iso(match: re.Match[str]) -> str:
    """Return the date of a match of `DATE` as far as it is told: "2019-03-12", "2017-06", "--03-12"; else as written.

    >>> iso(DATE.search("on 12 March 2019"))
    '2019-03-12'
    """
    found = match.groupdict()
    if found["open"] or found["time"]:
        return match.group()
    year = found["y1"] or found["y2"] or found["y3"] or found["y4"] or "-"
    day = found["d1"] or found["d2"] or found["d3"]
    written = found["m1"] or found["m2"] or found["m3"] or found["m4"] or ""
    month = int(written) if written.isdigit() else _MONTHS[written[:3].lower()]
    return f"{year}-{month:02d}" + (f"-{int(day):02d}" if day else "")
