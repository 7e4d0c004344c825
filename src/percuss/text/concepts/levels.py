"""Words of interpretation bound to the attribute that they judge: "elevated potassium", "sodium and chloride are normal"."""

import re
from typing import NamedTuple

from percuss.text.concepts.matching import Hit, Scan
from percuss.text.concepts.mentions import Mention
from percuss.text.frames import COLON, COMMA

__all__ = ["Level", "bind_levels"]

JUDGED = frozenset({"analyte", "vital", "measure", "score", "test", "gene", "organism"})
_CHANGES = frozenset({"rising", "falling", "stable"})
_CHANGED = JUDGED | {"finding", "diagnosis"}
_NOUNS = re.compile(r"elevation|elevations|excess|deficiency|abnormalit\w+|overexpression", re.IGNORECASE)
_OF = frozenset("of in the a an serum plasma blood his her total level levels urine and".split())
_VERBS = frozenset(
    "slightly severely grossly is was are were be been being remains remained appears appeared came back returned looks looked tested test result results level levels value "
    "values count again also still now has have had mildly markedly slightly very both all otherwise within significantly moderately severely "
    "somewhat continues continued to become became seems at expression status rate and then subsequently which too clearly quite "
    "pmol mmol nmol umol mol mg dl ml miu kg mmhg min ng pg ug mcg iu per hour percent".split()
)


_LONGEST_GAP = 9


class Level(NamedTuple):
    """A word of interpretation with the mention it judges; its place."""

    mention: int
    word: str
    start: int
    stop: int


def bind_levels(
    found: Scan, hits: list[Hit], named: list[tuple[Mention, Hit]], valued: set[int]
) -> list[Level]:
    """Return the words of interpretation of one sentence bound to its mentions.

    Args:
        found: the scan. hits: of the sentence. named: its mentions with their hits.
        valued: mentions that have a number already.
    """
    bound: list[Level] = []
    done: set[int] = set(valued)
    for hit in hits:
        word = hit.meaning.level
        if not word or hit.meaning.named:
            continue
        kinds = _CHANGED if word in _CHANGES else JUDGED
        targets = _after(found, hit, named, kinds) or _before(found, hit, named, kinds, done)
        bound.extend(Level(n, word, hit.start, hit.stop) for n in targets)
        done.update(targets)
    return bound


def _gap(found: Scan, first: int, last: int) -> list[str]:
    return [word.lower() for word in found.words[first:last]]


def _after(found: Scan, hit: Hit, named: list[tuple[Mention, Hit]], kinds: frozenset[str]) -> list[int]:
    """Mentions right after an adjective, and those joined to the first: "normal sodium and potassium"."""
    targets: list[int] = []
    at = hit.last
    for n, (mention, other) in enumerate(named):
        if other.first < at:
            continue
        gap = _gap(found, at, other.first)
        heaviest = max((found.marks.get(k, 0) for k in range(at - 1, other.first)), default=0)
        if (
            mention.kind not in kinds
            or heaviest >= COLON
            or any(word not in _OF for word in gap)
            or len(gap) > 3
        ):
            break
        if not targets and (heaviest >= COMMA or (gap and gap[0] == "and")):
            break
        if targets and not (heaviest == COMMA or "and" in gap):
            break
        if targets and _has_own(found, other):
            break
        targets.append(n)
        at = other.last
    return targets


def _has_own(found: Scan, hit: Hit) -> bool:
    """Tell whether a mention that is joined to a judged one has a predicate of its own."""
    following = found.words[hit.last : hit.last + 2]
    return bool(following) and (
        following[0].lower() in {"is", "was", "are", "were"}
        or following[0][:1].isdigit()
        or following[0].lower() in {"negative", "positive", "normal", "high", "low"}
    )


def _before(
    found: Scan, hit: Hit, named: list[tuple[Mention, Hit]], kinds: frozenset[str], done: set[int]
) -> list[int]:
    """Mentions before a predicate, and those joined to the nearest: "potassium, sodium and chloride are normal"."""
    targets: list[int] = []
    at = hit.first
    for n in range(len(named) - 1, -1, -1):
        mention, other = named[n]
        if other.last > at:
            continue
        gap = _gap(found, other.last, at)
        heaviest = max((found.marks.get(k, 0) for k in range(other.last - 1, at)), default=0)
        colon = found.marks.get(other.last - 1, 0) == COLON == heaviest and not targets
        numeric = any(word[:1].isdigit() for word in gap)
        plain = (
            all(word in _VERBS or word[:1].isdigit() or len(word) <= 2 for word in gap)
            and len(gap) <= _LONGEST_GAP
        )
        if heaviest >= COLON and not colon:
            break
        if mention.kind not in kinds:
            if mention.kind == "anatomy" and plain:
                at = other.first
                continue
            break
        joined = (
            targets
            and (heaviest == COMMA or "and" in gap or "or" in gap)
            and all(word in {"and", "or", "the", "serum"} for word in gap)
        )
        if not (joined or (not targets and plain and (heaviest < COMMA or numeric or colon or not gap))):
            break
        if joined and n in done:
            break
        targets.append(n)
        at = other.first
    return targets
