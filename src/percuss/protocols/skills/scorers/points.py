"""Key points of a reference in an answer: said, missed, or not to be told by a rule; never said where it is denied.

A point lists the wordings that count (`any`). One that lists none can be found by the rule and never missed: it may stand
there in other words, and that is for a judge to say.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from percuss.core.strict import Record
from percuss.protocols.skills.scorers.score import Score, text_of, unscored
from percuss.protocols.textbook.scoring.normal import normal, words_of
from percuss.text.quantities import Quantity, quantities

__all__ = [
    "HIT", "MISSED", "NAME", "OPEN", "KeyPoint", "Read", "clauses_of", "differs", "points_of", "read_points", "recall", "scored_points",
]  # fmt: skip

NAME = "rule:points-1"
HIT, MISSED, OPEN = "hit", "missed", "undecided"
_CLAUSE = re.compile(r"(?<=[.!?;])\s+|\n+|,?\s+\b(?:but|however|whereas|although)\b\s*", re.IGNORECASE)
_ENDS = re.compile(r"[:(—]|,?\s\b(?:because|since|for|as|if|unless|where|when|and then)\b", re.IGNORECASE)
"""Where what a denial speaks of ends: "should not be begun: the bleeding ..", "not recommended because it .."."""
_BEFORE = re.compile(
    r"\b(?:no|not|without|never|avoid(?:ing)?|stop(?:ping)?|withhold(?:ing)?|(?<!be )(?<!is )(?<!are )(?:withheld|discontinued|excluded|ruled out)"
    r"|den(?:y|ies|ied)|neither|nor|cannot|(?:advis\w+|recommend\w*|decid\w+|speaks?) against|instead of|rather than|free of|absence of"
    r"|negative for|rul(?:e|es|ing) out|exclud(?:e|es|ing)|unlikely|unnecessary|contraindicat\w+|discontinu(?:e|es|ing)|preferred to"
    r"|(?:did|does) nothing for)\b(?:[^\w,;]+[\w-]+){0,6}[^\w,;]*$",
    re.IGNORECASE,
)  # "no sign of heart failure"
_AFTER = re.compile(
    r"^(?:\W+[\w-]+){0,3}?\W*\b(?:(?:is|are|was|were|be|been|should|must|can|could|may|will|has|have)\s+(?:not|never|no)\b|not\s+(?:indicated|needed"
    r"|present|required|recommended|advised|seen|used)|(?:contraindicated|avoided|withheld|unnecessary|absent|excluded|unlikely|dropped(?!\s+by)|abandoned"
    r"|ruled out|negative|stopped|discontinued)\b)",
    re.IGNORECASE,
)  # "heparin should not be given", "azithromycin is no longer added", "central venous pressure is no target"
_NEGATED = re.compile(
    r"\b(?:no|not|without|never|avoid\w*|stop(?:s|ped|ping)?|den(?:y|ies|ied)|neither|nor|cannot|against|unlikely|unnecessary|contraindicat\w+"
    r"|discontinu\w+|exclud\w+|ruled? out|withh[eo]ld\w*|absen\w+|free of|only|alone|solely)\b",
    re.IGNORECASE,
)
"""Any word that turns or narrows what a clause says: near words alone say nothing of which way."""
_OUT = re.compile(r"\b(?:keep|keeps|stay|stays|leave|leaves|left)\b.*\bout\b", re.IGNORECASE)
"""What is kept out stands between the two words: "keep pillows and soft toys out of the cot"."""
_FALLS = re.compile(
    r"\b(?:lower\w*|f[ae]ll\w*|reduc\w+|less|fewer|cut|drop\w*|decreas\w+|declin\w+)\b", re.IGNORECASE
)
_RISES = re.compile(r"\b(?:higher|rais\w+|ris(?:e|es|en|ing)|rose|increas\w+|more|up)\b", re.IGNORECASE)
_SIDES = {"left": "right", "right": "left"}


class KeyPoint(Record):
    """One thing that a right answer says.

    Args:
        says: the point in words. any: wordings one of which has to stand there; () leaves it to `says`, and to a judge.
        numbers: numbers with units that have to stand in the same clause. denied: the point is that something is not so.
    """

    says: str
    any: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    denied: bool = False


class Read(NamedTuple):
    """What a rule says of one point.

    Args:
        label: `hit`, `missed` or `undecided`. why: what decided. quote: the clause that it hangs on; "" for none.
    """

    label: str
    why: str
    quote: str = ""


def points_of(held: object) -> tuple[KeyPoint, ...] | Score:
    """Return key points of a JSON list of texts or objects; not applicable where there are none.

    Args:
        held: of an item.
    """
    if not held:
        return unscored("not_applicable:the item has no key points")
    if isinstance(held, str) or not isinstance(held, Sequence):
        return unscored(f"unparsable:expected a list of key points, got {type(held).__name__}")
    try:
        return tuple(KeyPoint(says=each) if isinstance(each, str) else _of(each) for each in held)
    except msgspec.ValidationError as error:
        return unscored(f"unparsable:a key point does not fit: {error}")


def _of(held: Any) -> KeyPoint:
    return held if isinstance(held, KeyPoint) else msgspec.convert(held, KeyPoint)


def recall(answer: object, held: object) -> Score:
    """Return 100 times the share of key points that an answer says, by rule alone; undecided where one can't be told.

    Args:
        answer: of the model. held: the item's key points, texts or objects.

    >>> recall("Give adrenaline into the muscle.", [{"says": "adrenaline", "any": ["adrenaline", "epinephrine"]}]).value
    100.0
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    points = points_of(held)
    if isinstance(points, Score):
        return points
    return scored_points([{**one._asdict(), "by": NAME} for one in read_points(text, points)])


def scored_points(read: Sequence[Mapping[str, Any]]) -> Score:
    """Return 100 times the share of points that are hit; undecided where one can't be told.

    Args:
        read: at least one: label, why, quote, and by whom it was decided.
    """
    found = {"points": [dict(one) for one in read]}
    undecided = sum(one["label"] == OPEN for one in read)
    if undecided:
        return Score(None, f"undecided:{undecided} of {len(read)} key points", found=found)
    return Score(100 * sum(one["label"] == HIT for one in read) / len(read), found=found)


def read_points(text: str, points: Sequence[KeyPoint]) -> tuple[Read, ...]:
    """Return what the rule says of each point.

    Args:
        text: an answer. points: of its item.
    """
    clauses = clauses_of(text)
    return tuple(_read(clauses, point) for point in points)


def clauses_of(text: str) -> list[str]:
    """Return the clauses of an answer, "isn't" as "is not"."""
    return [clause.strip() for clause in _CLAUSE.split(re.sub(r"n[’']t\b", " not", text)) if clause.strip()]


def _read(clauses: Sequence[str], point: KeyPoint) -> Read:
    vetoed = ""
    for clause in clauses:
        for wording in point.any or (point.says,):
            place = _place(clause, wording)
            if place is None:
                continue
            veto = _veto(clause, place, point)
            if not veto:
                return Read(HIT, f"says {wording!r}", clause)
            vetoed = vetoed or f"{veto}|{clause}"
    if vetoed:
        why, _, quote = vetoed.partition("|")
        return Read(MISSED, why, quote)
    if point.any:
        return Read(MISSED, "none of its wordings stands there")
    return Read(OPEN, "not in its own words")


def _place(clause: str, wording: str) -> tuple[int, int] | None:
    """Return where a wording stands in a clause, words made alike; None where it doesn't."""
    wanted = words_of(wording)
    if not wanted or f" {' '.join(wanted)} " not in f" {normal(clause)} ":
        return None
    spans = [match.span() for match in re.finditer(r"[\w.%]+", clause)]
    for first in range(len(spans)):
        for last in range(first, min(len(spans), first + 2 * len(wanted) + 1)):
            if words_of(clause[spans[first][0] : spans[last][1]]) == wanted:
                return spans[first][0], spans[last][1]
    return 0, len(clause)


def _veto(clause: str, place: tuple[int, int], point: KeyPoint) -> str:
    """Return why a clause that has the words does not say the point; "" where it does."""
    denied = _denied(clause, place)
    if denied != point.denied:
        return "denied" if denied else "not denied"
    turned = _turned(clause, point)
    if turned:
        return turned
    there = quantities(clause)
    missing = next((each for each in point.numbers if not _stands(each, there, place)), None)
    return f"without {missing}" if missing else ""


def _turned(clause: str, point: KeyPoint) -> str:
    """Return whether a clause names the other side or the other direction; "" where it doesn't."""
    said = set(words_of(clause))
    for side, other in _SIDES.items():
        if side in words_of(point.says) and other in said and side not in said:
            return "other side"
    for way, other_way in ((_FALLS, _RISES), (_RISES, _FALLS)):
        if way.search(point.says) and other_way.search(clause) and not way.search(clause):
            return "other direction"
    return ""


def differs(clause: str, point: KeyPoint) -> str:
    """Return why a clause near a point does not say it, its own words aside; "" where nothing speaks against it.

    Args:
        clause: of an answer. point: that it is close to.
    """
    turned = _turned(clause, point)
    if turned:
        return turned
    if _NEGATED.search(clause) is None and (point.denied or _NEGATED.search(point.says)):
        return "not denied"
    if _NEGATED.search(clause) and not (point.denied or _NEGATED.search(point.says)):
        return "denied"
    wanted = [*quantities(point.says), *(one for number in point.numbers for one in quantities(number))]
    there = quantities(clause)
    return "" if all(any(_same(each, one) for each in there) for one in wanted) else "without its number"


def _denied(clause: str, place: tuple[int, int]) -> bool:
    before = clause[: place[0]]
    before = before[max((match.end() for match in _ENDS.finditer(before)), default=0) :]
    if _BEFORE.search(before) or _AFTER.search(clause[place[1] :]):
        return True
    kept = _OUT.search(clause)
    return kept is not None and kept.start() <= place[0] < kept.end()


def _stands(wanted: str, there: Sequence[Quantity], place: tuple[int, int]) -> bool:
    needed = quantities(wanted)
    return bool(needed) and all(
        any(_same(one, each) for one in _nearest(there, each, place)) for each in needed
    )


def _nearest(there: Sequence[Quantity], wanted: Quantity, place: tuple[int, int]) -> list[Quantity]:
    """Return the numbers of the wanted kind that stand nearest to the wording: of "6.2% versus 14.6% on placebo" placebo's is the second.

    Two ends of a range are one place.
    """
    kind = [one for one in there if one.percent == wanted.percent and wanted.unit in {"", one.unit}]
    away = {one: max(one.start - place[1], place[0] - one.stop, 0) for one in kind}
    best = min(away.values(), default=0)
    spans = {(one.start, one.stop) for one in kind if away[one] == best}
    return [one for one in kind if (one.start, one.stop) in spans]


def _same(one: Quantity, wanted: Quantity) -> bool:
    """Say whether a number is the one wanted; a unit counts where the point gives one."""
    same = one.value == wanted.value and one.percent == wanted.percent
    return same and (not wanted.unit or one.unit == wanted.unit)
