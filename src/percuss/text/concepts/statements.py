"""Reads a text into statements: attribute, value, frame, and the places that each hangs on."""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from percuss.text.concepts.binding import Bound, bind_numbers, state_attribute
from percuss.text.concepts.classes import classes
from percuss.text.concepts.doses import doses
from percuss.text.concepts.fitting import MEASURED, STANDING, direction_of
from percuss.text.concepts.levels import Level, bind_levels
from percuss.text.concepts.matching import Hit, Scan, scan
from percuss.text.concepts.mentions import Mention, Sentence, read_mentions
from percuss.text.concepts.record import Dose, Reading, Span, Statement, StatementKind
from percuss.text.concepts.staging import Code, codes
from percuss.text.concepts.unread import unread_spans
from percuss.text.numbers import Number, numbers

__all__ = ["read", "read_statements", "unread"]

_PRESENT = frozenset({"finding", "diagnosis", "drug", "drug_class", "procedure", "organism", "gene", "test"})
_NAMED = MEASURED - {"measure"}
_SEXES = frozenset({"male", "female"})
_OF_PATIENT = re.compile(
    r"(?:\bold\b[\s,]*(?:\w+\s){0,3}|^\W*(?:a|an|this|the|he is a|she is a)?\s?(?:[\w-]+\s){0,2}|\b(?:sex|gender)\s?(?::|is|=|was)?\s?|\bis\sa\s(?:\w+\s){0,2}|\bin\sa\s(?:[\w-]+\s){0,2}|\d\s?)$",
    re.IGNORECASE,
)
_BINDABLE = frozenset({"quantity", "range", "fraction", "pair"})
_ABSENT = frozenset({"negated", "ruled_out"})
_VALUED_AS = {"duration": "duration", "size": "size", "dose": "dose"}
_SMOKED = re.compile(
    r"\s?(?:status|history)?\s?(?::|=|is|was)\s?(never|none|no|former|ex|current|ever|yes)\b", re.IGNORECASE
)
_SMOKERS = {
    "never": "never smoker",
    "none": "never smoker",
    "no": "never smoker",
    "former": "former smoker",
    "ex": "former smoker",
}


def read_statements(text: str) -> tuple[Statement, ...]:
    """Return what a text states, in order of place.

    Args:
        text: a claim, a sentence of a passage, a finding of a report.

    >>> [(s.attribute, str(s.number.value)) for s in read_statements("K 5.9, sodium was 138") if s.number]
    [('potassium', '5.9'), ('sodium', '138')]
    """
    return read(text).statements


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Return all that was read in a text: statements, mentions, numbers, and which of them are bound to nothing sure."""
    found = scan(text)
    counted = numbers(text)
    staged = codes(text)
    statements: list[Statement] = []
    loose: list[Number] = []
    every: list[Mention] = []
    for sentence, named in read_mentions(text):
        if not named and not counted and not staged:
            continue
        low, high = _place(text, found, sentence)
        inside = [number for number in counted if low <= number.start < high]
        coded = [code for code in staged if low <= code.start < high] if staged else []
        if not named and not coded and not any(number.kind in _BINDABLE for number in inside):
            continue
        reader = _Sentence(text, found, sentence, named, inside, coded)
        statements.extend(reader.statements())
        loose.extend(reader.loose)
        every.extend(mention for mention, _ in named)
    statements.sort(key=lambda statement: (statement.start, statement.stop))
    return Reading(
        text=text,
        statements=tuple(statements),
        mentions=tuple(every),
        numbers=counted,
        unbound=tuple(loose),
    )


def unread(text: str) -> tuple[Span, ...]:
    """Return the places of content words that no statement of a text hangs on.

    >>> text = "Potassium was 5.9 in the greenish sample"
    >>> [text[start:stop] for start, stop in unread(text)]
    ['greenish', 'sample']
    """
    reading = read(text)
    return unread_spans(scan(text), reading.statements, reading.numbers)


def _place(text: str, found: Scan, sentence: Sentence) -> tuple[int, int]:
    low = 0 if sentence.first == 0 else found.starts[sentence.first]
    if sentence.first:
        before = found.starts[sentence.first - 1] + len(found.words[sentence.first - 1])
        low = before
    high = found.starts[sentence.last] if sentence.last < len(found.starts) else len(text)
    if sentence.last < len(found.starts):
        high = found.starts[sentence.last - 1] + len(found.words[sentence.last - 1])
    return low, max(high, low)


def _change(earlier: Number | None, number: Number) -> str:
    """Return the direction from one value to another; "" where there is none to tell."""
    if (
        earlier is None
        or earlier.value is None
        or number.value is None
        or number.unit != (earlier.unit or number.unit)
    ):
        return ""
    if number.value == earlier.value:
        return "stable"
    return "rising" if number.value > earlier.value else "falling"


class _Sentence:
    """Makes the statements of one sentence."""

    def __init__(
        self,
        text: str,
        found: Scan,
        sentence: Sentence,
        named: list[tuple[Mention, Hit]],
        counted: list[Number],
        staged: list[Code],
    ) -> None:
        self.text, self.found, self.hits, self.named = text, found, sentence.hits, named
        self.counted, self.staged = counted, staged
        self.mentions = [mention for mention, _ in named]
        self.dates = [number for number in counted if number.kind == "date"]
        self.loose: list[Number] = []
        self.coded: list[tuple[int, str, Span]] = list(classes(text, self.mentions))

    def statements(self) -> Iterator[Statement]:
        usable = [number for number in self.counted if self._usable(number)]
        bound, self.loose = bind_numbers(self.text, self.mentions, usable)
        valued = {each.mention for each in bound if each.role in {"own", "state"}} | {
            n for n, _, _ in self.coded
        }
        levels = bind_levels(self.found, self.hits, self.named, valued)
        dosed = {each.mention for each in bound if each.role == "dose"}
        given = doses(self.found, self.hits, self.named, dosed)
        for each in bound:
            yield from self._quantity(each, given)
        for level in levels:
            yield self._word(level)
        for n, value, span in self.coded:
            yield self._made(self.mentions[n], "code", word=value, spans=(span,))
        for code in self.staged:
            yield Statement(
                attribute=code.attribute, kind="code", word=code.value, start=code.start, stop=code.stop, date=self._date(code.start),
                frames=self._frames_near(code.start), spans=((code.start, code.stop),),
            )  # fmt: skip
        yield from self._presences(bound, levels, given)

    def _usable(self, number: Number) -> bool:
        if number.kind not in _BINDABLE:
            return False
        if any(code.start <= number.start < code.stop for code in self.staged) or any(
            a <= number.start < b for _, _, (a, b) in self.coded
        ):
            return False
        within = next((m for m in self.mentions if m.start <= number.start and number.stop <= m.stop), None)
        return within is None or number.unit in {"a", "pack-year"}

    def _quantity(self, each: Bound, given: dict[int, tuple[Dose, list[Span]]]) -> Iterator[Statement]:
        number = each.number
        spans: list[Span] = [(number.start, number.stop)]
        if each.earlier is not None:
            spans.insert(0, (each.earlier.start, each.earlier.stop))
        if each.mention < 0:
            yield self._alone(each.role, number)
            return
        mention = self.mentions[each.mention]
        if each.role in _VALUED_AS:
            dose, more = given.get(each.mention, (None, [])) if each.role == "dose" else (None, [])
            yield self._made(mention, "dose" if each.role == "dose" else "quantity", attribute=_VALUED_AS[each.role], subject=mention.concept,
                             number=number, dose=dose, spans=(*spans, *more))  # fmt: skip
            return
        if mention.concept in {"size", "duration", "thickness"}:
            subject = self._owner(each.mention)
            yield self._made(
                mention, "quantity", subject=subject, number=number, earlier=each.earlier, spans=tuple(spans)
            )
            return
        attribute = state_attribute(mention) if each.role == "state" else self._meant(mention, number)
        yield self._made(
            mention,
            "quantity",
            attribute=attribute,
            number=number,
            earlier=each.earlier,
            spans=tuple(spans),
            derived=each.role == "state",
        )
        word = _change(each.earlier, number)
        if word:
            yield self._made(
                mention, "word", attribute=attribute, word=word, spans=tuple(spans), derived=True
            )

    def _alone(self, attribute: str, number: Number) -> Statement:
        """Return the statement of a number whose unit or form names its attribute ("58-year-old", "25 Gy")."""
        return Statement(
            attribute=attribute, kind="quantity", number=number, start=number.start, stop=number.stop, date=self._date(number.start),
            frames=self._frames_near(number.start), spans=((number.start, number.stop),),
        )  # fmt: skip

    def _owner(self, n: int) -> str:
        """Return whose size or duration a mention names: the thing before it, else after it."""
        things = {"finding", "diagnosis", "anatomy", "procedure", "drug"}
        for other in (*reversed(self.mentions[:n]), *self.mentions[n + 1 :]):
            if other.kind in things and other.concept not in {"male", "female"}:
                return other.concept
        return ""

    def _meant(self, mention: Mention, number: Number) -> str:
        """Choose among the meanings of an abbreviation by the number: a heart rate is no 0.68."""
        if not mention.others or number.value is None:
            return mention.concept
        names = (mention.concept, *mention.others)
        for ratio, rate in (("hazard ratio", "heart rate"), ("relative risk", "respiratory rate")):
            if ratio in names and rate in names:
                return ratio if number.value < 8 and not number.unit else rate
        return mention.concept

    def _word(self, level: Level) -> Statement:
        mention = self.mentions[level.mention]
        return self._made(mention, "word", word=level.word, spans=((level.start, level.stop),), denied=False)

    def _presences(
        self, bound: list[Bound], levels: list[Level], given: dict[int, tuple[Dose, list[Span]]]
    ) -> Iterator[Statement]:
        valued = {each.mention for each in bound if each.role in {"own", "state", "count"}} | {
            level.mention for level in levels
        }
        valued |= {n for n, _, _ in self.coded}
        valued |= {
            n
            for n, mention in enumerate(self.mentions if self.staged else ())
            if any(code.start < mention.stop and mention.start < code.stop for code in self.staged)
        }
        dosed = {each.mention for each in bound if each.role == "dose"}
        for n, mention in enumerate(self.mentions):
            if mention.kind in {"drug", "drug_class"} and self._allergen(n) is not None:
                continue
            if mention.concept in _SEXES and not _OF_PATIENT.search(
                self.text[max(0, mention.start - 40) : mention.start]
            ):
                continue
            if mention.kind in _PRESENT and not (
                n in valued and mention.kind in {"test", "gene", "organism"}
            ):
                yield self._presence(mention)
                if n in given and n not in dosed:
                    dose, spans = given[n]
                    yield self._made(
                        mention,
                        "dose",
                        attribute="dose",
                        subject=mention.concept,
                        dose=dose,
                        spans=tuple(spans),
                    )
                yield from self._direction(mention)
            elif mention.kind in _NAMED and mention.concept not in {"age", "height"} and n not in valued:
                yield self._made(mention, "named")

    def _allergen(self, n: int) -> Mention | None:
        """Return the mention of an allergy that a drug is the cause of: "allergic to penicillin", "penicillin allergy"."""
        mention = self.mentions[n]
        for other in self.mentions[max(0, n - 3) : n + 2]:
            if other.concept == "allergy" and mention.kind in {"drug", "drug_class"}:
                gap = (
                    self.text[other.stop : mention.start]
                    if other.start < mention.start
                    else self.text[mention.stop : other.start]
                )
                if gap.strip() in {"to", "", ":"} or (
                    other.start < mention.start and re.fullmatch(r"\s?to\s[\w\s,]{0,40}", gap)
                ):
                    return other
        return None

    def _presence(self, mention: Mention) -> Statement:
        attribute = mention.concept
        if attribute == "smoking":
            match = _SMOKED.match(self.text, mention.stop)
            if match:
                return self._made(
                    mention,
                    "presence",
                    attribute=_SMOKERS.get(match[1].lower(), "smoking"),
                    present=True,
                    framed=False,
                )
        subject = (
            next((other.concept for k, other in enumerate(self.mentions) if self._allergen(k) is mention), "")
            if attribute == "allergy"
            else ""
        )
        return self._made(
            mention,
            "presence",
            attribute=attribute,
            subject=subject,
            present=not _ABSENT & set(mention.frames),
        )

    def _direction(self, mention: Mention) -> Iterator[Statement]:
        """What a state says of its attribute, where it is said to hold: hyperkalaemia is a high potassium."""
        found = direction_of(mention.concept)
        if found is not None and not mention.frames and mention.concept not in STANDING:
            yield self._made(mention, "word", attribute=found[0], word=found[1], derived=True)

    def _made(
        self, mention: Mention, kind: StatementKind, *, attribute: str = "", subject: str = "", spans: tuple[Span, ...] = (), denied: bool = True, framed: bool = True,
        number: Number | None = None, earlier: Number | None = None, word: str = "", present: bool | None = None, dose: Dose | None = None,
        derived: bool = False,
    ) -> Statement:  # fmt: skip
        if not framed:
            mention = msgspec.structs.replace(mention, frames=())
        frames = (
            mention.frames
            if denied or word not in {"negative", "normal"}
            else tuple(f for f in mention.frames if f != "negated")
        )
        return Statement(
            attribute=attribute or mention.concept, kind=kind, subject=subject, number=number, earlier=earlier, word=word, present=present,
            dose=dose, qualifiers=mention.qualifiers, site=mention.site, frames=frames,
            date=self._date(number.start if number is not None and number.start > mention.start else mention.start),
            others=mention.others, derived=derived, start=mention.start, stop=mention.stop,
            spans=((mention.start, mention.stop), *mention.spans, *spans),
        )  # fmt: skip

    def _date(self, place: int) -> str:
        """Return the date of what stands at a place: the only one of the sentence, else the next one in its part."""
        if not self.dates:
            return ""
        if len(self.dates) == 1:
            date = self.dates[0]
            between = self.text[min(place, date.stop) : max(place, date.start)]
            return "" if ";" in between else date.date
        following = next((date for date in self.dates if date.start > place), None)
        if following is None or re.search(r"[;,]\s", self.text[place : following.start]):
            return ""
        values = [
            number
            for number in self.counted
            if number.kind != "date" and place <= number.start < following.start
        ]
        return following.date if len(values) <= 1 else ""

    def _frames_near(self, place: int) -> tuple[str, ...]:
        """Return the frames that a code or bare value shares with the mention nearest to it, if it is somebody else's or past."""
        near = min(self.mentions, key=lambda mention: abs(mention.start - place), default=None)
        kept = {
            "family",
            "historical",
            "planned",
            "possible",
            "negated",
            "hypothetical",
            "unlikely",
            "ruled_out",
            "compared",
        }
        return tuple(frame for frame in near.frames if frame in kept) if near else ()
