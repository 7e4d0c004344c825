"""Rule-made contradictions: one token of a fact flipped, graded, or refused with a reason (definitions, section 3).

Grade A in this order: key-value token, one number across its reference range, "denies X", whole clause "No X", laterality,
duration, pain and tenderness. Grade B: verb negation of a whole clause, "documented as normal / abnormal".
"""

import re
from collections.abc import Callable, Iterator

from percuss.core.records import Record
from percuss.protocols.stressors.scenario.analytes import Analyte, analyte_of
from percuss.protocols.stressors.scenario.vignettes import Fact, Grade

__all__ = ["Flip", "flip", "flips"]


class Flip(Record):
    """A fact turned into its contradiction: the statement, and the tokens that differ."""

    original: str
    flipped: str
    injected: str
    rule: str
    grade: Grade


_PAIRS = (
    ("positive", "negative"), ("present", "absent"), ("reactive", "nonreactive"), ("elevated", "decreased"),
    ("increased", "decreased"), ("high", "low"), ("detected", "not detected"),
)  # fmt: skip
_TOKENS: dict[str, str] = {}
for _one, _other in _PAIRS:
    _TOKENS.setdefault(_one, _other)
    _TOKENS.setdefault(_other, _one)
_TOKENS |= {
    "non-reactive": "reactive",
    "not detected": "detected",
    "undetected": "detected",
    "raised": "reduced",
}
_TEST_PREDICATE = re.compile(
    r"\b(?:is|was|were|are|tests?|tested|returned|came back) (positive|negative|elevated|decreased|increased|reactive|nonreactive)"
    r"(?=\s*(?:$|\.|for\b|on\b|in\b|bilaterally))",
    re.IGNORECASE,
)
_NO_TEST = re.compile(r"\b(?:social|interaction|attitude|outlook|mood|risk)\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(denies|denied|deny|denying)\b( (?:having|experiencing|a history of|any)){0,2}", re.IGNORECASE
)
_REPORTS = {"denies": "reports", "denied": "reported", "deny": "report", "denying": "reporting"}
_NO = re.compile(
    r"^(?:(?:there (?:is|was|are|were|has been) )?(no|without)) (?P<what>[^,;:.]+?)(?P<verb> (?:is|are|was|were)\b[^,;:.]*)?\.?$",
    re.IGNORECASE,
)
_NO_BLOCKED = re.compile(
    r"\b(?:but|other|significant|relevant|remarkable|further|additional|longer|more|known|abnormalit\w+|changes?|evidence)\b",
    re.IGNORECASE,
)
_SIDE = re.compile(r"\b(left|right)\b(?!-hand)", re.IGNORECASE)
_SIDES = {"left": "right", "right": "left"}
_DURATION = re.compile(
    r"\b(\d{1,3}|one|two|three|four|five|six|seven|eight|ten|several)([ -])(minute|hour|day|week|month|year)(s?)\b(?!-old| old| of age)",
    re.IGNORECASE,
)
_LONGER = {"minute": "hour", "hour": "day", "day": "month", "week": "year", "month": "day", "year": "week"}
_NO_LENGTH = re.compile(
    r"\b(?:age|aged|every|per|each|daily|nightly|gestation\w*|pregnan\w+|trimester|apgar|intervals?|cycles?|menses|menstru\w+|respectively|"
    r"sleeps?|at night|an? (?:day|night|week|month|year))\b|\d\s?(?:-|–|to|or)\s?\d",
    re.IGNORECASE,
)
"""Words beside a time that is no duration of an illness: it can't be multiplied ("at 36 weeks' gestation", "1 and 5 minutes")."""
_NO_LONG = re.compile(r"\b(?:newborn|neonate|infant|birth|born|deliver\w+|defecat\w+|bowel movements?)\b", re.IGNORECASE)  # fmt: skip
_NO_SHORT = re.compile(r"\bweight\b|\b(?:lost|gained) \d|\d ?-?(?:kg|lb)", re.IGNORECASE)
_LONG, _SHORT, _LIFE = frozenset({"month", "year"}), frozenset({"hour", "day", "week"}), 100
_PAIN = re.compile(r"(?<!non-)\b(painless|painful|non-?tender|tender)\b(?! point)", re.IGNORECASE)
_PAINS = {
    "painless": "painful",
    "painful": "painless",
    "tender": "nontender",
    "nontender": "tender",
    "non-tender": "tender",
}
_PRESSURE = re.compile(r"\b(\d{2,3})\s?/\s?(\d{2,3})(?= ?mm ?Hg|\b(?!\s?/))", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w.,]*\d)")
_PLAIN_UNIT = re.compile(r"\s?(cm|mm|mg|kg|m[lL]|%|pack[- ]years?)(?![\w/])")
_VERB = re.compile(r"\b(is|was|were|are|has|have|had)\b(?! (?:not|no|been|a history)\b)")
_NOT_NEGATED = re.compile(
    r"[,;]|\b(?:no|not|never|also|only|always|just|still|already|otherwise|except|unable|unlike|unconscious|unaware|unremarkable|uncomfortable|until|non-?\w+)\b|"
    r"^(?:it|some|most|many|several|one|two|a few)\b",
    re.IGNORECASE,
)
"""A statement whose negation is none ("some are not"), says nothing ("also not") or denies a denial."""
_SUBORDINATE = re.compile(
    r"\b(?:when|while|who|whom|which|that|because|what|whether|if|where|than|since|after|before|time|suspects?|feels?|says?|believes?|thinks?|"
    r"notice[sd]?)\b",
    re.IGNORECASE,
)
"""Before the verb: what is negated then is not the statement ("pain when the lesion is struck")."""
_PARTICIPLE = re.compile(
    r" (?:\w+ed|shown|taken|gone|grown|lost|become|begun|come|done|given|felt|seen|known|spread)"
    r"(?=\.?$| (?:in|on|over|for|to|from|by|with|at|during|after|and|despite)\b)",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r" (?:decreased|increased|reduced|elevated|marked|enlarged|dilated|impaired|raised|scattered|ulcerated|delayed)\b", re.IGNORECASE)  # fmt: skip
_VERBAL = re.compile(r" (?:the|his|her|their|its|\w+ed|\w+ly|shown|taken|gone|grown|lost|become|begun|come|done|given|felt|seen|known|spread|difficulty|to|had)\b", re.IGNORECASE)  # fmt: skip
_NORMAL = re.compile(r"^(normal|abnormal)$", re.IGNORECASE)


def flip(fact: Fact) -> Flip | None:
    """Return the best-graded contradiction of a fact; None where no rule applies."""
    return next(flips(fact), None)


def flips(fact: Fact) -> Iterator[Flip]:
    """Yield the contradictions that the rules make of a fact, the best grade first."""
    for rule, grade, make in _RULES:
        found = make(fact)
        if found is not None and found[2] != fact.text and found[0].lower() != found[1].lower():
            yield Flip(original=found[0], flipped=found[1], injected=found[2], rule=rule, grade=grade)


Made = tuple[str, str, str] | None


def _swap(text: str, start: int, stop: int, new: str) -> str:
    old = text[start:stop]
    new = new.capitalize() if old[:1].isupper() and old[1:].islower() else new
    return text[:start] + new + text[stop:]


def _token(fact: Fact) -> Made:
    """The value is only a token, or a test's whole predicate is one."""
    bare = fact.value.strip().rstrip(".").lower()
    if bare in _TOKENS and fact.text.rstrip(".").lower().endswith(bare):
        start = len(fact.text.rstrip(".")) - len(bare)
        new = _TOKENS[bare]
        return bare, new, _swap(fact.text, start, start + len(bare), new)
    found = _TEST_PREDICATE.search(fact.text)
    if (
        found is None
        or fact.value
        or _NO_TEST.search(fact.text)
        or len(_TEST_PREDICATE.findall(fact.text)) > 1
    ):
        return None
    if re.search(r"\b(?:and|but)\b", fact.text[found.end() :]):
        return None
    old = found.group(1).lower()
    return old, _TOKENS[old], _swap(fact.text, *found.span(1), _TOKENS[old])


def _number(fact: Fact) -> Made:
    """One number of a known measurement, moved across its range; blood pressure and dual units move both."""
    value = fact.value or fact.text
    offset = fact.text.rfind(value)
    if offset < 0:
        return None
    if pressure := _blood_pressure(fact, value, offset):
        return pressure
    found = list(_NUMBER.finditer(value))
    if len(found) == 2 and (dual := _dual(fact, value, offset, found)):
        return dual
    if len(found) != 1 or re.search(r"\d\s?(?:-|–|to)\s?\d|year-old|[<>≤≥]", value):
        return None
    m = found[0]
    label = fact.label or fact.text[: offset + m.start()]
    row = analyte_of(label, value[m.end() :])
    new = _moved(m, row) if row else _scaled(m, value)
    if new is None:
        return None
    start, stop = offset + m.start(), offset + m.end()
    injected = fact.text[:start] + new + fact.text[stop:]
    injected = re.sub(
        r" ?\((?:high|low|elevated|decreased|increased|reduced|normal|prolonged|H|L)\)",
        "",
        injected,
        flags=re.IGNORECASE,
    )
    return m.group(), new, injected


def _blood_pressure(fact: Fact, value: str, offset: int) -> Made:
    found = list(_PRESSURE.finditer(value))
    if len(found) != 1 or not re.search(r"pressure|\bbp\b|mm ?hg", fact.text, re.IGNORECASE):
        return None
    m = found[0]
    systolic = int(m.group(1))
    new = "118/74" if systolic >= 140 or systolic < 95 else "182/106"
    start, stop = offset + m.start(), offset + m.end()
    return m.group(), new, fact.text[:start] + new + fact.text[stop:]


def _dual(fact: Fact, value: str, offset: int, found: list[re.Match[str]]) -> Made:
    """36.6°C (97.9°F): both are changed, and stay the same temperature."""
    first, second = (analyte_of(fact.label or fact.text, value[m.end() :]) for m in found)
    if first is None or second is None or {first.name, second.name} != {"temperature_c", "temperature_f"}:
        return None
    new = _moved(found[0], first)
    if new is None:
        return None
    celsius = first.name == "temperature_c"
    other = float(new) * 9 / 5 + 32 if celsius else (float(new) - 32) * 5 / 9
    spots = [(found[0], new), (found[1], _written(found[1], other))]
    text = fact.text
    for m, fresh in reversed(spots):
        text = text[: offset + m.start()] + fresh + text[offset + m.end() :]
    return found[0].group(), new, text


def _moved(m: re.Match[str], row: Analyte) -> str | None:
    """Cross the reference range: what lies inside goes out, what lies outside comes to its middle."""
    value = _value(m)
    if not row.least * 0.5 <= value <= row.most * 2:
        return None
    if row.low <= value <= row.high:
        up = row.high + 0.35 * max(row.high - row.low, 0.1 * row.high)
        new = up if up <= row.most and row.high < row.most else row.low - 0.5 * (row.high - row.low)
    else:
        new = (row.low + row.high) / 2
    new = min(max(new, row.least), row.most)
    text = _written(m, new)
    return text if text != m.group() else None


def _scaled(m: re.Match[str], value: str) -> str | None:
    """A number with a plain unit and no known range: half of it, or twice where it is small."""
    unit = _PLAIN_UNIT.match(value[m.end() :])
    if unit is None:
        return None
    number = _value(m)
    limit = 100 if unit.group(1) == "%" else float("inf")
    new = number * 2.5 if number * 2.5 <= limit and number < 40 else number / 2.5
    text = _written(m, new)
    return text if text != m.group() and float(text.replace(",", "")) > 0 else None


def _value(m: re.Match[str]) -> float:
    return float(m.group().replace(",", ""))


def _written(m: re.Match[str], new: float) -> str:
    """Write a number as the old one was: same decimals, same thousands marks, same roundness."""
    decimals = len(m.group(2)) - 1 if m.group(2) else 0
    if not decimals and new >= 1000:
        new = round(new, -2)
    return (
        f"{new:,.{decimals}f}"
        if "," in m.group() or (not decimals and new >= 10000)
        else f"{new:.{decimals}f}"
    )


def _denial(fact: Fact) -> Made:
    found = list(_DENIES.finditer(fact.text))
    if len(found) != 1 or re.search(r"\b(?:but|except|reports?|admits)\b", fact.text, re.IGNORECASE):
        return None
    m = found[0]
    verb = m.group(1).lower()
    kept = re.sub(r" any\b", "", m.group()[len(m.group(1)) :])
    new = _REPORTS[verb]
    text = (
        fact.text[: m.start()]
        + (new.capitalize() if m.group(1)[0].isupper() else new)
        + kept
        + fact.text[m.end() :]
    )
    text = re.sub(r"\bor\b", "and", text)
    return verb, new, text


def _none(fact: Fact) -> Made:
    """A whole clause "No X": X is there."""
    clause = fact.value or fact.text
    found = _NO.match(clause.strip())
    if found is None or len(clause) > 70 or "," in clause or _NO_BLOCKED.search(clause):
        return None
    offset = fact.text.rfind(clause)
    what = re.sub(r"\bor\b", "and", re.sub(r"^any ", "", found["what"].strip()))
    what = re.sub(r" (?:present|noted|observed|seen|detected|identified|found)$", "", what)
    plural = what.endswith("s") and not what.endswith(("ss", "is", "us"))
    statement = f"{what[0].upper()}{what[1:]} {'are' if plural or ' and ' in what else 'is'} present."
    return f"no {found['what'].strip()}", f"{what} present", fact.text[:offset] + statement


def _side(fact: Fact) -> Made:
    found = list(_SIDE.finditer(fact.text))
    if len(found) != 1 or re.search(r"\bbilateral|both sides\b", fact.text, re.IGNORECASE):
        return None
    old = found[0].group(1).lower()
    return old, _SIDES[old], _swap(fact.text, *found[0].span(), _SIDES[old])


def _duration(fact: Fact) -> Made:
    found = list(_DURATION.finditer(fact.text))
    if len(found) != 1 or _NO_LENGTH.search(fact.text):
        return None
    m = found[0]
    unit = _LONGER[m.group(3).lower()]
    if (unit in _LONG and _NO_LONG.search(fact.text)) or (unit in _SHORT and _NO_SHORT.search(fact.text)):
        return None
    if unit == "year" and m.group(1).isdigit() and int(m.group(1)) >= _LIFE:
        return None
    new = f"{m.group(1)}{m.group(2)}{unit}{m.group(4)}"
    return m.group(), new, fact.text[: m.start()] + new + fact.text[m.end() :]


def _pain(fact: Fact) -> Made:
    found = list(_PAIN.finditer(fact.text))
    if len(found) != 1 or re.search(r"\b(?:no|not|without|denies|denied)\b", fact.text, re.IGNORECASE):
        return None
    old = found[0].group(1).lower()
    return old, _PAINS[old], _swap(fact.text, *found[0].span(), _PAINS[old])


def _negated(fact: Fact) -> Made:
    found = list(_VERB.finditer(fact.text))
    if len(found) != 1 or len(fact.text) > 110 or _NOT_NEGATED.search(fact.text):
        return None
    m = found[0]
    before, after, verb = fact.text[: m.start()], fact.text[m.end() :], m.group(1)
    if _SUBORDINATE.search(before):
        return None
    new = _negation(verb, before, after)
    if new is None:
        return None
    article = re.match(r" an?\b", after) if new.endswith(" no") else None
    old = verb + (article.group() if article else "")
    return old, new, before + new + fact.text[m.start() + len(old) :]


def _negation(verb: str, before: str, after: str) -> str | None:
    """A verb with its negation: "is not", "has not increased", "has no rash", "there are no"; None where grammar leaves it open."""
    if verb in {"is", "was", "were", "are"}:
        return f"{verb} no" if before.strip().lower() == "there" else f"{verb} not"
    if _PARTICIPLE.match(after):
        return f"{verb} not"
    return f"{verb} no" if _ADJECTIVE.match(after) or not _VERBAL.match(after) else None


def _documented(fact: Fact) -> Made:
    bare = fact.value.strip().rstrip(".")
    if not _NORMAL.match(bare) or not fact.label:
        return None
    new = "abnormal" if bare.lower() == "normal" else "normal"
    return bare, f"documented as {new}", f"{fact.label}: documented as {new}."


_RULES: tuple[tuple[str, Grade, Callable[[Fact], Made]], ...] = (
    ("key-value token", "A", _token),
    ("number across its range", "A", _number),
    ("denial", "A", _denial),
    ("absence", "A", _none),
    ("laterality", "A", _side),
    ("duration", "A", _duration),
    ("pain or tenderness", "A", _pain),
    ("verb negation", "B", _negated),
    ("documented as", "B", _documented),
)  # fmt: skip
