"""Numbers and words bound to what they belong to, clause by clause; what belongs to nothing sure stays unbound."""

import re
from decimal import Decimal
from typing import NamedTuple

from percuss.text.concepts.fitting import BY_UNIT, MEASURED, direction_of, role_of
from percuss.text.concepts.mentions import Mention
from percuss.text.numbers import Number, in_unit

__all__ = ["Bound", "bind_numbers"]


class Bound(NamedTuple):
    """A number with the mention it belongs to and as what.

    Args:
        number: the number.
        mention: index of the mention; -1 = the unit itself names the attribute.
        role: "own", "size", "dose", "duration", "count", "state", or the attribute that the unit names.
        earlier: the value before a change; None = none.
    """

    number: Number
    mention: int
    role: str
    earlier: Number | None = None


_LINK = re.compile(
    r"[+−]?\s?[(,:=\-–]?\s?(?:(?:levels?|values?|counts?|rate|concentration|measurements?|readings?|results?|score|scores|index|titer|expression|today|now|currently|"
    r"initially|estimated|total|is|was|were|are|of|at|as|to|came|back|returned|remains|remained|measured|measures|measuring|recorded|found|be|being|"
    r"about|approximately|around|only|just|still|again|has|had|been|with|a|an|the|up|down|rose|fell|dropped|increased|decreased|reached|reaching|"
    r"improved|z-score|z|class|grade|on|admission|arrival|value|reported|noted|approximates|equals|stands|stood|dose|doses|taking|takes|mildly|markedly|"
    r"elevated|low|high|normal|slightly|raised|reduced|decreased|critically|severely|severe|for|over|lasting|since|past|last|daily)\b[\s,:=]*){0,8}(?:[(:=–\-]\s?)?",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(r"[\s-]?(?:of\s(?:the\s|oral\s|intravenous\s|IV\s)?|in\s|-)?(?:\w+\s)?", re.IGNORECASE)
_BRACKET = re.compile(r"\s?\([^)]*\)")
_NEXT = re.compile(r"\s?(?:of\s|-\s?)?", re.IGNORECASE)
_HISTORY = re.compile(r"[\s-](?:history|episode|course|period|bout)\sof\s(?:\w+\s){0,2}", re.IGNORECASE)
_OLD = re.compile(r"[\s-]?(?:old\b|of\sage\b)|\s?(?=[MF]\b)", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged?|age\sof|age:|age\sis|at\sage)\s$", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_COORDINATED = re.compile(
    r"\s?(?:,|,?\s?and|/|&)\s(?:the\s|his\s|her\s|serum\s)?$|^\s?(?:,|,?\s?and|/|&)\s(?:the\s|his\s|her\s|serum\s)?$",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"\bfrom\s$", re.IGNORECASE)
_THEN = re.compile(r"\s?(?:\([^)]*\)\s?)?(?:to|,?\sand then)\s(?:about\s)?$", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\b(?:differences?|changes?|ratio|correlation|gradient)\s(?:in|of|between)\b[^.;]{0,40}$", re.IGNORECASE
)
_AT_TIME = re.compile(r"\bat\s(?:about\s)?$", re.IGNORECASE)
_AND_ON = re.compile(
    r"\s(?:on|in)\s[\w\s./-]{4,24},?\s(?:and|then|and then|but)\s(?:was\s|it was\s|again\s)?", re.IGNORECASE
)
_LASTED = re.compile(
    r"(?:\b(?:for|lasting|lasted|over|since|of|past|last|duration|x|×|about|approximately|at\sleast)\s(?:the\s)?(?:past\s|last\s)?|^\s?[,:(]?\s?)$",
    re.IGNORECASE,
)
_NOT_LASTING = re.compile(
    r"\s(?:ago|after|before|later|prior|earlier|old|apart|post|from\snow|following)\b", re.IGNORECASE
)
_STRONG = re.compile(r"[;|]|\s[-–—]\s|:\s")
_UP_FROM = re.compile(
    r"(?:up|down|increased|decreased|improved|falling|rising)\sfrom\s$|(?:previous|prior|previously|baseline|normal|reference)[\w\s:<>≤≥,(]{0,14}$",
    re.IGNORECASE,
)
_PREDICTED = re.compile(r"\s?(?:of\s)?predicted", re.IGNORECASE)
_NORMAL_RANGE = re.compile(
    r"(?:\breference|\bnormal|\bref\.?|\(N)(?:\s(?:range|value|limit|interval))?s?\s?[:,=]?\s?(?:is\s|of\s|up\sto\s)?(?:[<>≤≥]\s?)?$",
    re.IGNORECASE,
)


class _Binder:
    """Binds the numbers of one sentence."""

    def __init__(self, text: str, mentions: list[Mention], numbers: list[Number]) -> None:
        self.text, self.mentions, self.numbers = text, mentions, numbers
        self.taken: dict[int, int] = {}
        self.bound: list[Bound] = []
        self.loose: list[Number] = []

    def run(self) -> None:
        pending = list(self.numbers)
        if "espectively" in self.text and _RESPECTIVELY.search(self.text, self._low(), self._high()):
            pending = self._in_parallel(pending)
        place = 0
        while place < len(pending):
            number = pending[place]
            following = pending[place + 1] if place + 1 < len(pending) else None
            earlier = None
            if following is not None and self._changed(number, following):
                number, earlier = following, number
                place += 1
            place += 1
            self._bind(number, earlier)

    def _low(self) -> int:
        return min((m.start for m in self.mentions), default=0)

    def _high(self) -> int:
        last = max((n.stop for n in self.numbers), default=0)
        return min(len(self.text), last + 40)

    def _changed(self, number: Number, following: Number) -> bool:
        """Tell whether two numbers are "from X to Y"."""
        text = self.text
        return (
            _CHANGE.search(text, max(0, number.start - 6), number.start) is not None
            and _THEN.fullmatch(text, number.stop, following.start) is not None
            and (number.unit == following.unit or not number.unit or not following.unit)
        )

    def _bind(self, number: Number, earlier: Number | None) -> None:
        start = (earlier or number).start
        if _NORMAL_RANGE.search(self.text, max(0, start - 28), start) or (
            number.unit == "%" and _PREDICTED.match(self.text, number.stop)
        ):
            return
        if self._age(number) or self._again(number):
            return
        place, role = self._best(number, start)
        if role:
            if role not in {"duration", "dose", "size"} or place >= 0:
                self.taken[place] = self.taken.get(place, 0) + 1
            self.bound.append(Bound(number, place, role, earlier))
        elif number.unit in BY_UNIT:
            self.bound.append(Bound(number, -1, BY_UNIT[number.unit]))
        elif number.kind == "pair" and number.unit in {"", "mmHg"} and number.unit:
            self.bound.append(Bound(number, -1, "blood pressure"))
        elif not (_UP_FROM.search(self.text, max(0, start - 20), start)):
            self.loose.append(number)

    def _again(self, number: Number) -> bool:
        """Tell whether a number in brackets says the one before it in another unit: "39.8 °C (103.6 °F)"."""
        text, last = self.text, self.bound[-1].number if self.bound else None
        if last is None or not number.unit or not last.unit or text[last.stop : number.start].strip() != "(":
            return False
        return last.unit != number.unit and (
            in_unit(Decimal(1), last.unit, number.unit) is not None
            or text[number.stop : number.stop + 1] == ")"
        )

    def _age(self, number: Number) -> bool:
        """Read "58-year-old", "aged 70", "58 years old"."""
        if number.unit in {"a", "mo", "wk", "d"} and _OLD.match(self.text, number.stop):
            self.bound.append(Bound(number, -1, "age"))
            return True
        if (
            number.unit in {"", "a"}
            and not number.counted
            and _AGED.search(self.text, max(0, number.start - 10), number.start)
        ):
            self.bound.append(Bound(number, -1, "age"))
            return True
        return False

    def _best(self, number: Number, start: int) -> tuple[int, str]:
        """Return the mention that a number belongs to, and as what."""
        before = [n for n, m in enumerate(self.mentions) if m.stop <= start]
        after = [n for n, m in enumerate(self.mentions) if m.start >= number.stop]
        inside = [
            n
            for n, m in enumerate(self.mentions)
            if m.start < number.stop and m.stop > number.start and not (m.stop <= start)
        ]
        for n in inside:
            role = self._role(n, number)
            if role:
                return n, role
        linked = self._linked(before, number, start)
        if linked[1]:
            return linked
        adjacent = self._adjacent(after, number)
        if adjacent[1]:
            return adjacent
        return self._near(before, number, start)

    def _role(self, n: int, number: Number) -> str:
        mention = self.mentions[n]
        role = role_of(mention.kind, mention.concept, number)
        if role == "duration" and not self._lasts(mention, number):
            return ""
        if role == "own" and not self._own_value(mention, number):
            return ""
        if not role and mention.others:
            role = next((r for name in mention.others if (r := role_of(mention.kind, name, number))), "")
        if role == "own" and self.taken.get(n) and self._next_value(n, number):
            return role
        if role in {"own", "state", "size"} and self.taken.get(n):
            return (
                role
                if role == "size"
                and re.fullmatch(
                    r"\s?(?:x|×|by)\s?", self.text[self.numbers_before(number).stop : number.start]
                )
                else ""
            )
        return role

    def _own_value(self, mention: Mention, number: Number) -> bool:
        """Tell a value from a difference between values, and from the time at which it was seen."""
        text = self.text
        if _DIFFERENCE.search(text, max(0, mention.start - 60), mention.start):
            return False
        timed = number.unit in {"a", "mo", "wk", "d", "h"} and mention.concept not in {
            "age",
            "gestational age",
        }
        return not (timed and _AT_TIME.search(text, max(0, number.start - 12), number.start))

    def _next_value(self, n: int, number: Number) -> bool:
        """Tell whether a number is a further dated value of the same attribute: "1.1 mg/dL on 2 March and 2.4 mg/dL on 5 April"."""
        last = self.bound[-1] if self.bound else None
        if last is None or last.mention != n or not number.unit or last.number.unit != number.unit:
            return False
        between = self.text[last.number.stop : number.start]
        return len(between) < 40 and _AND_ON.fullmatch(between) is not None

    def _lasts(self, mention: Mention, number: Number) -> bool:
        """Tell whether a time beside a thing is how long it lasts, and not when it was."""
        if _NOT_LASTING.match(self.text, number.stop):
            return False
        if mention.start >= number.stop:
            return True
        return _LASTED.search(self.text[mention.stop : number.start]) is not None

    def numbers_before(self, number: Number) -> Number:
        """Return the number before one."""
        place = self.numbers.index(number)
        return self.numbers[max(0, place - 1)]

    def _linked(self, before: list[int], number: Number, start: int) -> tuple[int, str]:
        """A mention whose value a number is by the words between: "was", "of", ":"."""
        for n in reversed(before[-3:]):
            mention = self.mentions[n]
            gap = self.text[mention.stop : start]
            role = self._role(n, number)
            if not role:
                if mention.kind in MEASURED and not self.taken.get(n) and _LINK.fullmatch(gap):
                    return -1, ""
                continue
            if _LINK.fullmatch(gap) or (
                role in {"dose", "duration"} and len(gap) < 24 and not _STRONG.search(gap)
            ):
                return (n, role) if not self._shares(n) else (-1, "")
            if any(m.start >= mention.stop and m.kind in MEASURED for m in self.mentions if m.stop <= start):
                continue
        return -1, ""

    def _shares(self, n: int) -> bool:
        """Tell whether a mention is joined to one before it that has no value yet: "sodium and potassium were 138"."""
        if not n or self.mentions[n].kind not in MEASURED:
            return False
        other = self.mentions[n - 1]
        gap = self.text[other.stop : self.mentions[n].start]
        return (
            other.kind in MEASURED and not self.taken.get(n - 1) and _COORDINATED.fullmatch(gap) is not None
        )

    def _adjacent(self, after: list[int], number: Number) -> tuple[int, str]:
        """A mention right after a number: "40 mg of prednisolone", "a 2.5 cm nodule", "3-week history of cough"."""
        for n in after[:2]:
            mention = self.mentions[n]
            gap = _BRACKET.sub("", self.text[number.stop : mention.start])
            role = self._role(n, number)
            if not role or "," in gap or "." in gap:
                continue
            close = _FOLLOWS.fullmatch(gap) is not None or (
                role == "duration" and _HISTORY.fullmatch(gap) is not None
            )
            if role == "own":
                close = _NEXT.fullmatch(gap) is not None
            if close and not (role == "own" and self._own_number(n)):
                return n, role
        return -1, ""

    def _own_number(self, n: int) -> bool:
        """Tell whether a number of its own follows a mention right away."""
        mention = self.mentions[n]
        later = next((k for k in self.numbers if k.start >= mention.stop), None)
        return later is not None and _LINK.fullmatch(self.text, mention.stop, later.start) is not None

    def _near(self, before: list[int], number: Number, start: int) -> tuple[int, str]:
        """The nearest mention before, in the same clause, with no other attribute between."""
        for n in reversed(before):
            mention = self.mentions[n]
            gap = self.text[mention.stop : start]
            if _STRONG.search(gap) or len(gap) > 60:
                break
            role = self._role(n, number)
            if role in {"dose", "duration", "size"} and ("," not in gap or len(gap) < 4):
                return n, role
            if role == "own" and number.unit and "," not in gap and len(gap) < 50 and not self._shares(n):
                return n, role
            if role == "own" and number.kind == "fraction" and len(gap) < 60 and not self._shares(n):
                return n, role
            if role == "state" and len(gap) < 24:
                return n, role
            if mention.kind in MEASURED and not self.taken.get(n):
                break
        return -1, ""

    def _in_parallel(self, pending: list[Number]) -> list[Number]:
        """Bind "A, B and C were 1, 2 and 3, respectively"; return the numbers that are left."""
        run: list[int] = []
        for n, mention in enumerate(self.mentions):
            joined = run and _COORDINATED.fullmatch(self.text, self.mentions[run[-1]].stop, mention.start)
            if mention.kind in MEASURED and (not run or joined):
                run.append(n)
            elif len(run) < 2:
                run = [n] if mention.kind in MEASURED else []
        values = [k for k in pending if run and k.start > self.mentions[run[-1]].stop]
        if len(run) < 2 or len(values) != len(run):
            return pending
        for n, number in zip(run, values, strict=True):
            if not role_of(self.mentions[n].kind, self.mentions[n].concept, number):
                return pending
        for n, number in zip(run, values, strict=True):
            self.taken[n] = 1
            self.bound.append(Bound(number, n, "own"))
        return [k for k in pending if k not in values]


def bind_numbers(
    text: str, mentions: list[Mention], numbers: list[Number]
) -> tuple[list[Bound], list[Number]]:
    """Return the numbers of one sentence bound to its mentions, and those that are bound to nothing sure.

    Args:
        text: the whole text, for what stands between. mentions: of the sentence. numbers: of the sentence, quantities only.
    """
    if not numbers:
        return [], []
    binder = _Binder(text, mentions, numbers)
    binder.run()
    return binder.bound, binder.loose


def state_attribute(mention: Mention) -> str:
    """Return the attribute that a state speaks of ("febrile at 38.9": temperature)."""
    found = direction_of(mention.concept)
    return found[0] if found else mention.concept
