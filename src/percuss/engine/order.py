"""Arms that follow arms: their order, the waves in which they are asked, and whom naming one brings along."""

from collections.abc import Sequence

from percuss.core.errors import UsageError
from percuss.core.records import Arm

__all__ = ["followed_for_verdicts", "waves_of", "with_predecessors"]


def waves_of(arms: Sequence[Arm]) -> tuple[tuple[Arm, ...], ...]:
    """Return the arms in the waves in which they are asked: first those that follow none, then those that follow them ..

    Args:
        arms: of one run, predecessors among them; within a wave they keep their order.

    Raises:
        UsageError: two arms of one name, an arm that follows an unknown one, or arms that follow each other in a circle.
    """
    by_name = {arm.name: arm for arm in arms}
    if len(by_name) < len(arms):
        names = [arm.name for arm in arms]
        raise UsageError(
            f"two arms are called {next(n for n in names if names.count(n) > 1)!r}; expected one of each name"
        )
    depth = {arm.name: len(_chain(arm, by_name)) for arm in arms}
    return tuple(
        tuple(arm for arm in arms if depth[arm.name] == level)
        for level in range(1, max(depth.values(), default=0) + 1)
    )


def with_predecessors(named: Sequence[Arm], arms: Sequence[Arm]) -> tuple[Arm, ...]:
    """Return the arms that were named and all that they follow, in the protocol's order.

    Args:
        named: some of the arms. arms: all of the protocol's.

    Raises:
        UsageError: as `waves_of`.
    """
    by_name = {arm.name: arm for arm in arms}
    wanted = {name for arm in named for name in _chain(arm, by_name)}
    return tuple(arm for arm in arms if arm.name in wanted)


def followed_for_verdicts(arms: Sequence[Arm]) -> tuple[str, ...]:
    """Return the names of the arms whose verdicts some arm needs, each once."""
    return tuple(
        dict.fromkeys(arm.after for arm in arms if arm.after is not None and arm.needs == "verdicts")
    )


def _chain(arm: Arm, by_name: dict[str, Arm]) -> list[str]:
    """Return an arm's name and those of all that it follows."""
    chain = [arm.name]
    while arm.after is not None:
        if arm.after not in by_name:
            known = ", ".join(by_name)
            raise UsageError(
                f"the arm {arm.name!r} follows {arm.after!r}, which is none of the arms {known}; mend `Arm.after`"
            )
        if arm.after in chain:
            raise UsageError(
                f"the arms {' -> '.join([*chain, arm.after])} follow each other in a circle; mend `Arm.after`"
            )
        arm = by_name[arm.after]
        chain.append(arm.name)
    return chain
