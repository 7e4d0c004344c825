"""The names of the arms that replay another with a statement struck."""

from percuss.core.records import Arm

__all__ = ["BASE", "REPLAYED", "SHAM", "STRIKE", "arm_of_kind", "base_of", "is_replay", "replay_arms"]

BASE, STRIKE, SHAM = "baseline", "strike", "sham_strike"
"""The arm that is replayed unless another is named, the replay without an unsupported statement, and the one without a supported one."""
REPLAYED = (STRIKE, SHAM)


def is_replay(arm: str) -> bool:
    """Tell whether an arm replays another with a statement struck.

    >>> is_replay("sham_strike:draw=2"), is_replay("strike@delay:draw=1"), is_replay("omission")
    (True, True, False)
    """
    return arm.partition(":")[0].partition("@")[0] in REPLAYED


def base_of(arm: str) -> str:
    """Return the arm that a replay follows; of an arm that is no replay itself.

    >>> base_of("strike@delay:draw=1"), base_of("strike:draw=1"), base_of("omission")
    ('delay', 'baseline', 'omission')
    """
    return (arm.partition(":")[0].partition("@")[2] or BASE) if is_replay(arm) else arm


def arm_of_kind(kind: str, base: str) -> str:
    """Return the name that the replays of one kind and arm share in estimates.

    Args:
        kind: one of `REPLAYED`. base: the arm that is replayed.
    """
    return kind if base == BASE else f"{kind}@{base}"


def replay_arms(draws: int, base: str = BASE) -> tuple[Arm, ...]:
    """Return the arms of so many replays of each kind.

    Args:
        draws: replays of each kind; 0 for none. base: the arm that is replayed.
    """
    return tuple(
        Arm(name=f"{arm_of_kind(kind, base)}:draw={draw}", after=base, needs="verdicts")
        for draw in range(1, draws + 1)
        for kind in (STRIKE, SHAM)
    )
