"""The frame around a mention: negated, ruled out, possible, unlikely, historical, someone else's, planned, stopped, compared.

The logic is that of NegEx (Chapman et al. 2001, J Biomed Inform 34:301) and ConText (Harkema et al. 2009, J Biomed Inform 42:839):
trigger words govern what follows or precedes them up to a word or mark that ends their scope; pseudo-triggers only look like one.
The triggers are our own (`triggers.jsonl`, each row with an example).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple

import msgspec

__all__ = ["FRAMES", "Cue", "Item", "Trigger", "frames_of", "triggers"]

Frame = Literal[
    "negated",
    "ruled_out",
    "possible",
    "unlikely",
    "historical",
    "family",
    "planned",
    "stopped",
    "compared",
    "hypothetical",
    "affirmed",
]
FRAMES: tuple[Frame, ...] = (
    "negated", "ruled_out", "possible", "unlikely", "historical", "family", "planned", "stopped", "compared", "hypothetical", "affirmed",
)  # fmt: skip
"""Frames that a mention may stand in; `affirmed` only undoes a negation and isn't handed out."""

Reach = Literal["after", "next", "before", "before_all", "between", "label", "none", "all", "verb"]


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that put mentions into a frame.

    Args:
        frame: the frames; ("pseudo",) = looks like a trigger and is none; ("ends",) = ends the scope of others.
        reach: where it governs: "after" to the end of its scope, "next" the next mention and those joined to it by "or", "before" the
            mentions before it in its part of the clause, "before_all" all before it in the clause, "between" both sides, "label" the
            mention before a colon; for ends: "all" frames, or "verb" all but those of whose and what if.
        words: its wordings.
        example: a sentence in which it does that.
    """

    frame: tuple[str, ...]
    reach: Reach
    words: tuple[str, ...]
    example: str


class Item(NamedTuple):
    """A mention, by the places of its first token and of the token after its last."""

    first: int
    last: int


class Cue(NamedTuple):
    """A trigger that was found, by the places of its tokens."""

    first: int
    last: int
    frame: tuple[str, ...]
    reach: Reach


@lru_cache(maxsize=1)
def triggers() -> tuple[Trigger, ...]:
    """Return the table of triggers."""
    lines = resources.files(__package__).joinpath("triggers.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(b"[" + b",".join(lines) + b"]", type=list[Trigger]))


COMMA, COLON, CLAUSE, SENTENCE = 1, 2, 3, 4
"""Weights of the gap after a token: a comma, a colon, a mark that parts clauses (; |, dash), the end of a sentence."""

_JOINS = frozenset({"and", "or", "nor"})
_FRESH = frozenset(
    "mild moderate severe marked small large some diffuse a an his her their its with patient on temperature blood heart bp hr".split()
)
_LIVED = frozenset({"had", "suffered", "underwent", "sustained", "experienced"})
_THEN = frozenset({"ago", "childhood", "infancy", "youth", "child", "teenager"})
_YEAR = re.compile(r"(?:19|20)\d\d")
_LABELLED = 3  # "Cranial nerves: data not provided"
_BEFORE_HISTORY = frozenset("day week month year hour d wk".split())


def frames_of(
    items: Sequence[Item], cues: Sequence[Cue], words: Sequence[str], marks: dict[int, int]
) -> list[frozenset[str]]:
    """Return the frames of each mention of one sentence.

    Args:
        items: mentions in order. cues: triggers in order.
        words: keys of the sentence's tokens, lower case.
        marks: token place -> weight of the gap after it, where it is a comma or more.
    """
    held: list[set[str]] = [set() for _ in items]
    live = [cue for cue in cues if cue.frame != ("pseudo",)]
    for place, cue in enumerate(live):
        if cue.frame == ("ends",) or _only_seems(cue, words, marks):
            continue
        for index in _governed(cue, place, live, items, words, marks):
            held[index].update(cue.frame)
    for index in _long_past(items, words):
        if not held[index]:
            held[index].add("historical")
    return [_settled(frames) for frames in held]


def _long_past(items: Sequence[Item], words: Sequence[str]) -> list[int]:
    """Return the mentions between "had" and when that was: "had a stroke in 2018"."""
    if _LIVED.isdisjoint(words):
        return []
    verb = next(place for place, word in enumerate(words) if word in _LIVED)
    then = next(
        (
            place
            for place in range(verb, len(words))
            if words[place] in _THEN or _YEAR.fullmatch(words[place])
        ),
        None,
    )
    return [] if then is None else [n for n, item in enumerate(items) if verb < item.first < then]


def _settled(frames: set[str]) -> frozenset[str]:
    """Drop what another frame says better: "cannot be excluded" is possible, not ruled out; a denied possibility is a denial."""
    if "affirmed" in frames:
        frames -= {"affirmed"}
    if "ruled_out" in frames and ("possible" in frames or "planned" in frames):
        frames.discard("ruled_out")
    if "ruled_out" in frames:
        frames.discard("negated")
    if "unlikely" in frames:
        frames -= {"possible", "negated"}
    if "stopped" in frames:
        frames -= {"historical"}
    return frozenset(frames)


def _only_seems(cue: Cue, words: Sequence[str], marks: dict[int, int]) -> bool:
    """Tell whether a trigger is none here: "a 3-week history of cough" is now; "no" as an answer stands after a colon."""
    if "historical" in cue.frame and cue.first and words[cue.first - 1] in _BEFORE_HISTORY:
        return True
    if cue.reach == "label":
        after_mark = cue.first and marks.get(cue.first - 1, 0) in {COLON, CLAUSE}
        closes = cue.last >= len(words) or marks.get(cue.last - 1, 0) >= COMMA
        return not (after_mark and closes)
    return False


def _governed(
    cue: Cue,
    place: int,
    cues: Sequence[Cue],
    items: Sequence[Item],
    words: Sequence[str],
    marks: dict[int, int],
) -> list[int]:
    if cue.reach in {"after", "next"}:
        stop = _scope_end(cue, place, cues, words, marks)
        inside = [n for n, item in enumerate(items) if cue.last <= item.first < stop]
        return _joined(inside, items, words) if cue.reach == "next" else inside
    if cue.reach == "between":
        return _compared(cue, items, marks)
    if cue.reach == "label":
        before = [n for n, item in enumerate(items) if item.last <= cue.first]
        return before[-1:] if before and items[before[-1]].last == cue.first else []
    start = _scope_start(cue, place, cues, words, marks)
    return [n for n, item in enumerate(items) if start <= item.first and item.last <= cue.first]


def _scope_end(cue: Cue, place: int, cues: Sequence[Cue], words: Sequence[str], marks: dict[int, int]) -> int:
    """Return the token at which the scope of a trigger ends."""
    stop = len(words)
    whose = cue.frame[-1] in {"family", "hypothetical"}
    for mark, weight in marks.items():
        if (weight >= COLON and cue.last - 1 < mark + (weight > COLON) and mark < stop) or (
            weight == COMMA and cue.last - 1 < mark < stop - 1 and words[mark + 1] in _FRESH
        ):
            stop = mark + 1
    for other in cues[place + 1 :]:
        if other.first >= stop:
            break
        ends = other.frame == ("ends",) and (other.reach == "all" or not whose)
        renewed = (
            other.reach == "after"
            and other.frame != cue.frame
            and _parted(cue.last, other.first, words, marks)
        )
        closing = other.reach in {"before", "before_all"} and other.frame != cue.frame and not whose
        if (ends and other.first > cue.last - 1) or renewed:
            return other.first
        if closing and _parted(cue.last, other.first, words, marks):
            return _chunk_start(other.first, words, marks)
    return stop


def _parted(first: int, second: int, words: Sequence[str], marks: dict[int, int]) -> bool:
    """Tell whether a comma or "and" stands between two places."""
    return any(marks.get(k, 0) >= COMMA or words[k] == "and" for k in range(max(first - 1, 0), second))


def _chunk_start(stop: int, words: Sequence[str], marks: dict[int, int]) -> int:
    for k in range(stop - 1, -1, -1):
        if marks.get(k, 0) >= COMMA or words[k] == "and":
            return k + 1
    return 0


def _scope_start(
    cue: Cue, place: int, cues: Sequence[Cue], words: Sequence[str], marks: dict[int, int]
) -> int:
    """Return the token at which the scope of a trigger that looks back begins."""
    start = 0
    for k in range(cue.first - 1, -1, -1):
        weight = marks.get(k, 0)
        if weight >= CLAUSE or (weight == COLON and cue.first - k > _LABELLED):
            start = k + 1
            break
        if cue.reach == "before" and k < cue.first - 1 and weight == COMMA:
            start = k + 1
            break
        if cue.reach == "before" and words[k] in {"and", "but"}:
            start = k + 1
            break
    for other in cues[:place]:
        if (other.frame == ("ends",) and other.reach == "all" and start < other.last <= cue.first) or (
            other.reach in {"before", "before_all"} and start < other.last <= cue.first
        ):
            start = other.last
    return start


def _joined(inside: list[int], items: Sequence[Item], words: Sequence[str]) -> list[int]:
    """Return the first of the mentions and those joined to it by "or"."""
    if not inside:
        return []
    kept = inside[:1]
    for n in inside[1:]:
        between = words[items[kept[-1]].last : items[n].first]
        if between and between[0] == "or" and len(between) <= 3:
            kept.append(n)
        elif between:
            break
    return kept


def _compared(cue: Cue, items: Sequence[Item], marks: dict[int, int]) -> list[int]:
    before = [n for n, item in enumerate(items) if item.last <= cue.first][-1:]
    after = [n for n, item in enumerate(items) if item.first >= cue.last][:1]
    near = [
        n
        for n in (*before, *after)
        if not any(
            marks.get(k, 0) >= CLAUSE
            for k in range(min(items[n].last, cue.last) - 1, max(items[n].first, cue.first))
        )
    ]
    return near if before and after else []
