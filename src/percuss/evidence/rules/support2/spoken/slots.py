"""A claim of one thing taken apart: whether it denies, the thing's words, and its side, degree, size, day and state."""

import re
from decimal import Decimal
from typing import Literal, NamedTuple

from percuss.evidence.rules.support2.spoken.noted import GRADES, concepts_in, grade_of, tokens
from percuss.text.cued import Cued
from percuss.text.numbers import numbers

__all__ = ["Slots", "Stands", "dated", "same_day", "slots_of"]

Stands = Literal["same", "other", "open"]
_SHORT = re.compile(r"\b(?:VUJ|RUL|LUL|RLL|LLL|RML|CXR|KUB|USS|AAA|DVT|PE)\b")
_LONG = {
    "VUJ": "vesicoureteric junction", "RUL": "right upper lobe", "LUL": "left upper lobe", "RLL": "right lower lobe", "LLL": "left lower lobe", "RML": "right middle lobe",
    "CXR": "chest x-ray", "USS": "ultrasound", "KUB": "kidneys", "AAA": "abdominal aortic aneurysm", "DVT": "deep vein thrombosis", "PE": "pulmonary embolism",
}  # fmt: skip
_DENIAL = re.compile(
    r"^(?P<at>there\s(?:is|was|are|were)\s)?(?:no|without(?:\sany)?|free\sof|neither)\s(?:evidence\sof\s|signs?\sof\s|sign\sof\s|significant\s)?|"
    r"\b(?:is|was|are|were)\s(?:not\s(?:seen|present|identified|found|visible|demonstrated|noted|there)|absent|missing)\b|"
    r"\b(?:shows?|showed|has|had|have|found|reveals?|revealed|with|is|was)\s(?:no|without(?:\sany)?|not?\sany|free\sof)\s(?:evidence\sof\s|signs?\sof\s)?|,\swithout(?:\sany)?\s"
)
_DENIES = Cued(r"\b(?:no|not|never|without|none|nor|neither|absent|free of|cannot|nil|missing)\b|n['’]t\b")
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(_MONTHS)
_DAY = re.compile(
    rf"\b(?:on|in|from|of|of\sthe)\s(?P<iso>\d{{4}}-\d\d(?:-\d\d)?)\b|\b(?:on|in|from|of)\s(?:the\s)?(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?)?(?P<m>{_MONTH})(?:\s(?P<y>\d{{4}}))?\b"
    rf"|\b(?:in|from)\s(?P<yy>(?:19|20)\d\d)\b"
)
_NAMED_DAY = re.compile(rf"\bthe\s(?P<m>{_MONTH})(?:\s(?P<y>\d{{4}}))?\s(?=[a-z])")
_NEXT = re.compile(r"\bthe\sday\s(?P<way>after|before)\sthe\s(?P<of>[a-z -]+?)$")
_ROMAN = re.compile(
    r"\b(?:grade\s)?(?P<of>iii|ii|iv|vi|i|v|[1-6])/(?:vi|iv|6|4)\b|\bgrade\s(?P<bare>iii|ii|iv|vi|i|v|[1-6])\b"
)
_PLUS = re.compile(r"(?<!\w)(?:[1-4]\+|\+{1,3})(?!\w)")
_GRADE = re.compile(
    rf"\b(?P<of>{'|'.join(GRADES)})(?P<ly>ly)?(?:(?:\s|-)to(?:\s|-)(?P<to>{'|'.join(GRADES)}))?\b(?!\s(?:intestine|bowel|vessel|cell))"
)
_SIDE = re.compile(
    r"\b(?:on\s(?:the|both)\s)?(?P<of>left|right|both|bilateral|bilaterally)(?:-sided|\shand\sside|\sside|\ssides)?\b"
)
_STATUS = (
    ("planned", re.compile(r"\b(?:(?:is|was|has\sbeen|are)\s)?(?:planned|scheduled|booked|due|awaited|listed|arranged|pending)(?:\srather\sthan\s(?:done|performed))?(?:\s(?:for|but\snot\s(?:yet\s)?done))?\b")),
    ("removed", re.compile(r"\b(?:(?:is|was|has\sbeen|had\sbeen)\s)?(?:removed|explanted|taken\sout|pulled\sout|withdrawn|came\sout|has\scome\sout)\b")),
    ("done", re.compile(r"\b(?:(?:is|was|has\sbeen|were)\s)?(?:already\s)?(?:done|performed|carried\sout|completed|placed|inserted|implanted|fitted|put\sin|went\sin|has\shad|underwent|took\splace|undertaken)\b")),
    ("there", re.compile(r"\b(?:still\s)?in\s(?:place|situ)\b")),
)  # fmt: skip
_FILL = frozenset(
    "the a an of in on at to with for and by is was are were be been being has have had there this that these it its his her their he she they him patient patients s man woman "
    "shows showed shown show seen found noted present visible identified demonstrated demonstrates reveals revealed reported recorded picked up heard detected appears appeared looks looked "
    "only just still now also measuring measures measured size sized across diameter maximum lodged lying lies sits sitting located arises arising centred centered lay side sided grade degree extent "
    "some about approximately around one single any which who as out into onto from during scan scans study examination exam imaging image findings finding evidence sign signs gave got having "
    "current currently confirmed confirms known lump overall chest well thick wide long deep region dry clear".split()
)  # fmt: skip
_UNITS = {"mm": 1, "cm": 10, "mL": 0}
_LONGEST = 160


class Slots(NamedTuple):
    """What a claim of one thing says, each where it says it.

    `words`: the rest of it, which must be of the thing's name or place. `dates`: beginnings of an ISO date, or "--MM" and "--MM-DD".
    """

    denies: bool
    words: frozenset[str]
    concepts: tuple[tuple[str, frozenset[str]], ...]
    side: str
    grade: tuple[int, int] | None
    roman: str
    sizes: tuple[tuple[Decimal, int], ...]
    date: str
    status: str
    beside: tuple[str, str]


def slots_of(claim: str) -> Slots | None:
    """Return a claim of one thing taken apart; None for one that says what isn't read here: several denials, several days, other numbers.

    Args:
        claim: the claim's text.

    >>> slots_of("There is a 7 mm stone in the left kidney.").side
    'left'
    """
    if len(claim) > _LONGEST:
        return None
    text = _SHORT.sub(lambda m: _LONG[m.group()], claim).strip().rstrip(". ").lower()
    text = re.sub(r"\s*[()]\s*", " ", text).strip()
    kept, denies = _denied(text)
    if kept is None:
        return None
    text, date, beside = dated(kept)
    text, roman, grade = _graded(text)
    sides = {m["of"] for m in _SIDE.finditer(text)}
    text = _SIDE.sub(" ", text)
    text, status = _state(text)
    sized = _sized(text)
    if date is None or len(sides) > 1 or sized is None:
        return None
    text, sizes = sized
    side = next(iter(sides), "")
    words = tokens(text) - _FILLED
    if not words or any(word[0].isdigit() for word in words):
        return None
    side = "both" if side.startswith("b") else side
    return Slots(denies, words, concepts_in(text), side, grade, roman, sizes, date, status, beside)


_FILLED = frozenset(word for each in _FILL for word in tokens(each)) | _FILL


def _denied(text: str) -> tuple[str | None, bool]:
    """Return a claim without its one denial, and whether it had one; None for several or one of another kind."""
    if not _DENIES.search(text):
        return text, False
    found = list(_DENIAL.finditer(text))
    if len(found) != 1:
        return None, True
    rest = f"{text[: found[0].start()]} {text[found[0].end() :]}".strip()
    return (None, True) if _DENIES.search(rest) else (rest, True)


def dated(text: str) -> tuple[str, str | None, tuple[str, str]]:
    """Return a claim without its day, the day, and what it is said to be the day after or before; None for several.

    Args:
        text: the claim in lower case.
    """
    following = _NEXT.search(text)
    if following is not None:
        return text[: following.start()], "", (following["way"], following["of"])
    found = list(_DAY.finditer(text)) or list(_NAMED_DAY.finditer(text))
    if not found:
        return text, "", ("", "")
    if len(found) > 1:
        return text, None, ("", "")
    match = found[0]
    said = match.groupdict()
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    if said.get("iso") or said.get("yy"):
        return rest, said.get("iso") or said.get("yy") or "", ("", "")
    date = f"{said['y'] or '-'}-{_MONTHS.index(said['m']) + 1:02d}"
    return rest, f"{date}-{int(said['d']):02d}" if said.get("d") else date, ("", "")


def _graded(text: str) -> tuple[str, str, tuple[int, int] | None]:
    roman = _ROMAN.search(text)
    written = ""
    if roman is not None:
        written = (roman["of"] or roman["bare"]).upper()
        text = _ROMAN.sub(" ", text, count=1)
    plus = _PLUS.search(text)
    if plus is not None:
        return _PLUS.sub(" ", text, count=1), written, grade_of(plus.group())
    found = list(_GRADE.finditer(text))
    if len(found) != 1:
        return text, written, None
    grade = grade_of(f"{found[0]['of']} {found[0]['to'] or ''}")
    return f"{text[: found[0].start()]} {text[found[0].end() :]}", written, grade


def _state(text: str) -> tuple[str, str]:
    for name, pattern in _STATUS:
        match = pattern.search(text)
        if match is not None:
            return f"{text[: match.start()]} {text[match.end() :]}", name
    return text, ""


def _sized(text: str) -> tuple[str, tuple[tuple[Decimal, int], ...]] | None:
    """Return a claim without its sizes, and these in millimetres with their decimals; None where another number stands in it."""
    found = numbers(text)
    sizes: list[tuple[Decimal, int]] = []
    for n in reversed(found):
        if n.spelled and n.unit == "" and n.value == 1:
            continue
        scale = _UNITS.get(n.unit, 0)
        if n.kind != "quantity" or n.value is None or not scale or n.comparator:
            return None
        sizes.append((n.value * scale, n.decimals - (1 if scale > 1 else 0)))
        text = f"{text[: n.start]} {text[n.stop :]}"
    return text, tuple(sizes)


def same_day(said: str, held: str) -> Stands:
    """Tell whether a recorded day is the one that is said; open where it isn't recorded, or not so closely.

    Args:
        said: the beginning of an ISO date, "--MM" or "--MM-DD"; "" = none. held: ISO; "" = not recorded.
    """
    if not said:
        return "same"
    if not held:
        return "open"
    if said.startswith("--"):
        return "same" if held[4:].startswith(said[1:]) else "other" if len(held) >= len(said) + 2 else "open"
    if held.startswith(said):
        return "same"
    return "open" if said.startswith(held) else "other"
