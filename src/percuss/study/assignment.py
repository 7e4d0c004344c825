"""Who judges what, in which order: balanced, blocked, seeded, with hidden repeats.

Every rater gets the same number of items of every stratum (within one), each pair of raters shares about as many, every
rater has an own order in which any stretch holds the strata in proportion, and a share of the items comes back later.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from percuss.core.errors import UsageError
from percuss.core.records import Record
from percuss.core.seeds import generator

__all__ = ["REPEAT_GAP", "Slot", "plan", "plan_pages", "sample", "strata_of_pages"]

Own = Callable[[str, np.random.Generator], Iterable[tuple[int, bool]]]
REPEAT_GAP = 20  # items between an item and its hidden repeat, so that memory does not answer


class Slot(Record):
    """One place in a rater's list: `item` is an index into the study's items, `ordinal` counts from 0."""

    rater: str
    item: int
    ordinal: int
    repeat: bool = False


def sample(strata: Sequence[str], size: int, *, seed: int) -> tuple[int, ...]:
    """Draw items so that the strata are as equal as they can be.

    Args:
        strata: stratum of each item.
        size: items wanted; all are taken where there are fewer.
        seed: of the draw.

    Returns: indices in ascending order. Papers 0 appendix F draws 60 a bucket this way.
    """
    if size < 1:
        raise UsageError(f"--sample {size} draws nothing; give at least 1")
    rng = generator(seed, "study", "sample")
    buckets: dict[str, list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        buckets[stratum].append(index)
    pools = [list(rng.permutation(buckets[name])) for name in sorted(buckets)]
    taken: list[int] = []
    while len(taken) < size and any(pools):
        for index in rng.permutation(len(pools)):
            if pools[index] and len(taken) < size:
                taken.append(int(pools[index].pop()))
    return tuple(sorted(taken))


def _overlapped(groups: Mapping[str, list[int]], share: float, rng: np.random.Generator) -> set[int]:
    """Choose the items that several people judge: the share holds in each stratum by largest remainder."""
    total = round(share * sum(len(items) for items in groups.values()))
    exact = {name: share * len(items) for name, items in groups.items()}
    counts = {name: int(value) for name, value in exact.items()}
    order = sorted(groups, key=lambda name: (counts[name] - exact[name], name))
    for name in order[: max(0, total - sum(counts.values()))]:
        counts[name] += 1
    return {int(i) for name, items in groups.items() for i in rng.permutation(items)[: counts[name]]}


def _given(
    strata: Sequence[str], raters: Sequence[str], overlap: float, depth: int, rng: np.random.Generator
) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        groups[stratum].append(index)
    shared = _overlapped(groups, overlap, rng)
    load: Counter[str] = Counter()
    pairs: Counter[frozenset[str]] = Counter()
    given: dict[str, list[int]] = {rater: [] for rater in raters}
    for stratum in sorted(groups):
        here: Counter[str] = Counter()
        # Shared items first: the single ones that follow even out what pairs could not.
        for item in sorted(rng.permutation(groups[stratum]).tolist(), key=lambda i: i not in shared):
            chosen: list[str] = []
            tie = dict(zip(raters, rng.random(len(raters)).tolist(), strict=True))
            for _ in range(depth if item in shared else 1):
                chosen.append(_next_rater(raters, chosen, here, load, pairs, tie))
                here[chosen[-1]] += 1
                load[chosen[-1]] += 1
            pairs.update(frozenset((a, b)) for n, a in enumerate(chosen) for b in chosen[:n])
            for rater in chosen:
                given[rater].append(int(item))
    return given


def _next_rater(
    raters: Sequence[str],
    chosen: Sequence[str],
    here: Mapping[str, int],
    load: Mapping[str, int],
    pairs: Mapping[frozenset[str], int],
    tie: Mapping[str, float],
) -> str:
    """Take whoever has least of this stratum, then least in all, then met the chosen least, then by lot."""

    def burden(rater: str) -> tuple[int, int, int, float]:
        met = sum(pairs.get(frozenset((rater, other)), 0) for other in chosen)
        return here.get(rater, 0), load.get(rater, 0), met, tie[rater]

    return min((rater for rater in raters if rater not in chosen), key=burden)


def _ordered(items: Sequence[int], strata: Sequence[str], rng: np.random.Generator) -> list[int]:
    """Blocks that hold each stratum in proportion, shuffled inside."""
    groups: dict[str, list[int]] = defaultdict(list)
    for item in items:
        groups[strata[item]].append(item)
    blocks = max((len(group) for group in groups.values()), default=1)
    placed: dict[int, list[int]] = defaultdict(list)
    for name in sorted(groups):
        group = rng.permutation(groups[name]).tolist()
        offset = rng.random()
        for n, item in enumerate(group):
            placed[int((n + offset) * blocks / len(group)) % blocks].append(item)
    return [int(i) for block in range(blocks) for i in rng.permutation(placed[block]).astype(int).tolist()]


def _with_repeats(order: list[int], repeats: float, rng: np.random.Generator) -> list[tuple[int, bool]]:
    """Put a share of the items in again, more than `REPEAT_GAP` places after the first time."""
    wanted = round(repeats * len(order))
    early = len(order) - REPEAT_GAP
    sequence = [(item, False) for item in order]
    if wanted < 1 or early < 1:
        return sequence
    for index in sorted(rng.permutation(early)[:wanted].tolist()):
        item = order[index]
        first = sequence.index((item, False))
        sequence.insert(int(rng.integers(first + REPEAT_GAP + 1, len(sequence) + 1)), (item, True))
    return sequence


def plan(
    strata: Sequence[str],
    raters: Sequence[str],
    *,
    overlap: float,
    depth: int = 2,
    repeats: float = 0.1,
    seed: int,
) -> tuple[Slot, ...]:
    """Assign items to raters and put each rater's list in order.

    Args:
        strata: stratum of each item, in the order of the items.
        raters: their codes.
        overlap: share 0..1 of the items that `depth` raters judge; the others are judged once.
        depth: raters of an overlapping item.
        repeats: share of a rater's items that come back for intra-rater agreement.
        seed: of all draws.

    Raises:
        UsageError: no item, no rater, a share outside 0..1, or more raters an item than there are.
    """
    if not strata or not raters:
        raise UsageError(
            f"got {len(strata)} items and {len(raters)} raters; a study needs at least one of each"
        )
    if not (0 <= overlap <= 1 and 0 <= repeats <= 1):
        raise UsageError(f"got overlap {overlap} and repeats {repeats}; both are shares between 0 and 1")
    if overlap > 0 and not 2 <= depth <= len(raters):
        raise UsageError(
            f"an overlap needs 2 to {len(raters)} raters an item, got {depth}; add raters or set --overlap 0"
        )
    given = _given(strata, raters, overlap, depth, generator(seed, "study", "assign"))

    def own(rater: str, rng: np.random.Generator) -> list[tuple[int, bool]]:
        return _with_repeats(_ordered(given[rater], strata, rng), repeats, rng)

    return _lists(raters, "order", own, seed)


def _lists(raters: Sequence[str], name: str, own: Own, seed: int) -> tuple[Slot, ...]:
    """Return every rater's list: items and whether they come back, in the order of draws that are the rater's own.

    Args:
        raters: their codes. name: of the draws. own: rater and draws -> (item, repeat) in order. seed: root.
    """
    return tuple(
        Slot(rater=rater, item=item, ordinal=n, repeat=again)
        for rater in raters
        for n, (item, again) in enumerate(own(rater, generator(seed, "study", name, rater)))
    )


def strata_of_pages(groups: Sequence[str], strata: Sequence[str]) -> dict[str, str]:
    """Return group -> its stratum: the strata of its items, each named once.

    Args:
        groups: group of each item. strata: stratum of each item.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for group, stratum in zip(groups, strata, strict=True):
        found[group].add(stratum)
    return {group: " + ".join(sorted(found[group])) for group in dict.fromkeys(groups)}


def plan_pages(
    groups: Sequence[str],
    strata: Sequence[str],
    raters: Sequence[str],
    *,
    overlap: float,
    depth: int = 2,
    repeats: float = 0.1,
    seed: int,
) -> tuple[Slot, ...]:
    """Assign whole groups of items, as `plan` assigns items; a group's items follow each other in an order of the rater's own.

    Args:
        groups: group of each item: what is judged on one page, such as a patient.
        strata: stratum of each item. raters: their codes.
        overlap, depth, repeats: as in `plan`, of groups.
        seed: of all draws.

    Raises:
        UsageError: as `plan`.
    """
    kinds = strata_of_pages(groups, strata)
    names = list(kinds)
    members = {name: [n for n, group in enumerate(groups) if group == name] for name in names}
    planned = plan(list(kinds.values()), raters, overlap=overlap, depth=depth, repeats=repeats, seed=seed)

    def own(rater: str, rng: np.random.Generator) -> Iterator[tuple[int, bool]]:
        for slot in planned:
            if slot.rater == rater:
                yield from ((int(item), slot.repeat) for item in rng.permutation(members[names[slot.item]]))

    return _lists(raters, "together", own, seed)
