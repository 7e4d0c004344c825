"""Who lends whom their evidence in the arm `shuffled`: a seeded derangement that prefers another stratum."""

from collections.abc import Mapping

from percuss.core import seeds

__all__ = ["derangement"]


def derangement(strata: Mapping[str, str], *, seed: int) -> dict[str, str]:
    """Return case -> donor: a permutation without fixed point, donors from another stratum wherever it can be.

    Args:
        strata: case id -> stratum, in the cohort's order; fewer than two cases have no donors.
        seed: root seed.

    Cases are shuffled within their strata, laid end to end, and lent on by the size of the largest stratum: then two
    of one stratum meet only if that stratum holds more than half of the cohort.
    """
    if len(strata) < 2:
        return {}
    rng = seeds.generator(seed, "donors", *sorted(strata))
    groups: dict[str, list[str]] = {}
    for case, stratum in strata.items():
        groups.setdefault(stratum, []).append(case)
    line: list[str] = []
    for stratum in sorted(groups):
        members = groups[stratum]
        line.extend(members[int(i)] for i in rng.permutation(len(members)))
    step = max(len(members) for members in groups.values())
    step = step if step < len(line) else 1 + int(rng.integers(len(line) - 1))
    return {case: line[(at + step) % len(line)] for at, case in enumerate(line)}
