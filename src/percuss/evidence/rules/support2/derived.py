"""What follows from what is known: bands of values, classes of drugs, stage groups, body mass index, age by year of birth."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

import msgspec

from percuss.evidence.rules.support2.tables import bands, members, stages
from percuss.text.concepts import Statement
from percuss.text.numbers import Number

__all__ = ["derive"]

Stated = tuple[Statement, str, str]
"""(statement, path of the fact, its value as text)."""

_LISTED = re.compile(r"\.\d+$")
"""Which of several entries of one name a path is of; the first may have no number."""
_ADULT = 18
_SPREAD = ("metastasis", "brain metastasis", "liver metastasis", "bone metastasis")


def derive(known: Sequence[Stated]) -> list[Stated]:
    """Return the statements that follow from known ones, each with the fact that it follows from.

    Args:
        known: statements with the path and value of their facts.
    """
    made = [
        *_members(known),
        *_shown(known),
        *_dual(known),
        *_index(known),
        *_age(known),
        *_stage(known),
        *_confined(known),
        *_nodal(known),
        *_pressure(known),
        *_trends(known),
    ]
    made.extend(_bands([*known, *made]))
    return made


def _bands(known: Sequence[Stated]) -> Iterator[Stated]:
    young = any(
        s.attribute == "age"
        and s.number is not None
        and (s.number.upper or s.number.value or _ADULT) < _ADULT
        for s, _, _ in known
    )
    for statement, path, value in known:
        number = statement.number
        if number is None or number.value is None or number.upper is not None or statement.kind != "quantity":
            continue
        for band in bands():
            if band.of != statement.attribute or (young and band.of == "body mass index"):
                continue
            if (band.low is None or number.value >= Decimal(str(band.low))) and (
                band.below is None or number.value < Decimal(str(band.below))
            ):
                yield from _presences(band.gives, band.excludes, statement, path, value)


def _presences(
    gives: Sequence[str], excludes: Sequence[str], source: Statement, path: str, value: str
) -> Iterator[Stated]:
    for names, present in ((gives, True), (excludes, False)):
        for name in names:
            frames = source.frames if present else ("negated",)
            yield (
                Statement(
                    attribute=name,
                    kind="presence",
                    present=present,
                    frames=frames,
                    date=source.date,
                    derived=True,
                ),
                path,
                value,
            )


_SHOWN = {"pregnancy test": "pregnancy"}
"""States that a test shows by its result alone."""


def _shown(known: Sequence[Stated]) -> Iterator[Stated]:
    for statement, path, value in known:
        state = _SHOWN.get(statement.attribute)
        if state is not None and statement.kind == "word" and statement.word in {"positive", "negative"}:
            shown = statement.word == "positive"
            yield from _presences(
                (state,) if shown else (), () if shown else (state,), statement, path, value
            )


def _members(known: Sequence[Stated]) -> Iterator[Stated]:
    for statement, path, value in known:
        if statement.kind == "dose":
            for member in members():
                if member.drug and statement.subject in member.of:
                    for name in member.gives:
                        yield msgspec.structs.replace(statement, subject=name, derived=True), path, value
        if statement.kind != "presence" or not statement.present:
            continue
        for member in members():
            if statement.attribute in member.of:
                yield from _presences(member.gives, member.excludes, statement, path, value)


def _dual(known: Sequence[Stated]) -> Iterator[Stated]:
    """Two antiplatelet agents that are taken together make dual antiplatelet therapy."""
    agents = {name for member in members() if "antiplatelet agent" in member.gives for name in member.of}
    taken = {
        s.attribute: (s, path, value)
        for s, path, value in known
        if s.attribute in agents and s.present and not s.frames
    }
    if len(taken) > 1:
        (statement, path, value), *_ = taken.values()
        yield from _presences(("dual antiplatelet therapy",), (), statement, path, value)


def _single(known: Sequence[Stated], attribute: str, unit: str) -> list[tuple[Decimal, Stated]]:
    return [
        (s.number.value, (s, path, value))
        for s, path, value in known
        if s.attribute == attribute
        and s.number is not None
        and s.number.value is not None
        and s.number.upper is None
        and s.number.unit == unit
        and not s.frames
    ]


def _index(known: Sequence[Stated]) -> Iterator[Stated]:
    """Body mass index of a weight and a height, where it isn't recorded itself."""
    if any(s.attribute == "body mass index" for s, _, _ in known):
        return
    heights = [(h / 100, stated) for h, stated in _single(known, "height", "cm")] + _single(
        known, "height", "m"
    )
    for weight, (statement, path, value) in _single(known, "weight", "kg"):
        for height, (_, other, more) in heights[:1]:
            if height > 0:
                index = round(weight / (height * height), 1)
                yield (
                    Statement(
                        attribute="body mass index",
                        kind="quantity",
                        number=_number(index, "kg/m2", 1),
                        date=statement.date,
                        derived=True,
                    ),
                    f"{path}, {other}",
                    f"{value}, {more}",
                )


def _age(known: Sequence[Stated]) -> Iterator[Stated]:
    """Age by year of birth, at the latest date that the record holds: one of two years."""
    if any(s.attribute == "age" for s, _, _ in known):
        return
    latest = max((s.date[:4] for s, _, _ in known if s.date[:4].isdigit()), default="")
    for statement, path, value in known:
        if (
            statement.attribute == "birth year"
            and statement.number is not None
            and statement.number.value is not None
            and latest
        ):
            years = Decimal(latest) - statement.number.value
            if 0 < years < 125:
                number = _number(years - 1, "a", 0)
                yield (
                    Statement(
                        attribute="age",
                        kind="quantity",
                        number=msgspec.structs.replace(number, kind="range", upper=years),
                        derived=True,
                    ),
                    path,
                    value,
                )


def _stage(known: Sequence[Stated]) -> Iterator[Stated]:
    codes = {
        s.attribute[0]: (s.word, path, value)
        for s, path, value in known
        if s.kind == "code" and s.attribute.endswith(" category")
    }
    if not codes or any(s.attribute == "tumour stage" for s, _, _ in known):
        return
    lung = any(
        s.attribute in {"lung adenocarcinoma", "lung cancer", "non-small cell lung cancer"}
        for s, _, _ in known
    )
    held = {letter: codes[letter][0] if letter in codes else "" for letter in "TNM"}
    path, value = next((path, value) for _, path, value in codes.values())
    for row in stages():
        if (row.cancer and not lung) or (row.m and row.m != held["M"]) or (row.n and row.n != held["N"]):
            continue
        if not row.t or held["T"] in row.t:
            yield Statement(attribute="tumour stage", kind="code", word=row.gives, derived=True), path, value
            return


def _confined(known: Sequence[Stated]) -> Iterator[Stated]:
    """Stages 0 to III are without distant spread; where a metastasis is recorded all the same, nothing follows."""
    if any(s.attribute in _SPREAD and s.present for s, _, _ in known):
        return
    for statement, path, value in known:
        if statement.attribute == "tumour stage" and re.match(r"(?:0|I{1,3})(?![IV])", statement.word):
            yield from _presences((), _SPREAD, statement, path, value)


def _nodal(known: Sequence[Stated]) -> Iterator[Stated]:
    """Nodes are free at N0 and aren't at N1 to N3; NX tells nothing."""
    for statement, path, value in known:
        if statement.kind == "code" and statement.attribute == "N category":
            held = re.match(r"N(?P<of>[0-3])", statement.word, re.IGNORECASE)
            names = ("lymph node metastasis",)
            if held is not None:
                none = held["of"] == "0"
                yield from _presences(() if none else names, names if none else (), statement, path, value)


def _number(value: Decimal, unit: str, decimals: int) -> Number:
    written = str(value)
    return Number(
        start=0, stop=len(written), text=written, kind="quantity", value=value, unit=unit, decimals=decimals
    )


def _pressure(known: Sequence[Stated]) -> Iterator[Stated]:
    """Blood pressure as a pair, where its two values are recorded once each."""
    upper, lower = (
        _single(known, "systolic blood pressure", "mmHg"),
        _single(known, "diastolic blood pressure", "mmHg"),
    )
    if len(upper) == len(lower) == 1:
        (high, (statement, path, value)), (low, (_, other, more)) = upper[0], lower[0]
        number = msgspec.structs.replace(_number(high, "mmHg", 0), kind="pair", upper=low)
        yield (
            Statement(
                attribute="blood pressure", kind="quantity", number=number, date=statement.date, derived=True
            ),
            f"{path}, {other}",
            f"{value}, {more}",
        )


def _trends(known: Sequence[Stated]) -> Iterator[Stated]:
    """Direction of several values of one attribute, by their dates, else by their order; a series that turns has none."""
    held: dict[tuple[str, str], list[tuple[str, Decimal, str, str]]] = {}
    for s, path, value in known:
        if (
            s.kind == "quantity"
            and s.number is not None
            and s.number.value is not None
            and s.number.upper is None
            and not s.frames
        ):
            held.setdefault((s.attribute, s.number.unit), []).append((s.date, s.number.value, path, value))
    for (attribute, _), values in held.items():
        lists = {_LISTED.sub("", path) for _, _, path, _ in values}
        if len(values) < 2 or len(lists) > 1 or not any(_LISTED.search(path) for _, _, path, _ in values):
            continue
        ordered = sorted(values, key=lambda each: each[0]) if all(date for date, *_ in values) else values
        first, last = ordered[0], ordered[-1]
        steps = {(after[1] > before[1]) - (after[1] < before[1]) for before, after in pairwise(ordered)}
        if len(steps - {0}) > 1:
            continue
        word = "stable" if first[1] == last[1] else "rising" if last[1] > first[1] else "falling"
        yield (
            Statement(attribute=attribute, kind="word", word=word, derived=True),
            f"{first[2]}, {last[2]}",
            f"{first[3]}, {last[3]}",
        )
