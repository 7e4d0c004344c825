"""The names of the arms that replay another with a statement struck."""

from percuss.core.records import Arm

__all__ = ["BASE", "REPLAYED", "SHAM", "STRIKE", "is_replay", "replay_arms"]

BASE, STRIKE, SHAM = "baseline", "strike", "sham_strike"
"""The arm that is replayed, the replay without an unsupported statement, and the one without a supported one."""
REPLAYED = (STRIKE, SHAM)


def is_replay(arm: str) -> bool:
    """Tell whether an arm replays another with a statement struck.

    >>> is_replay("sham_strike:draw=2"), is_replay("omission")
    (True, False)
    """
    return arm.partition(":")[0] in REPLAYED


def replay_arms(draws: int) -> tuple[Arm, ...]:
    """Return the arms of so many replays of each kind.

    Args:
        draws: replays of each kind; 0 for none.
    """
    return tuple(
        Arm(name=f"{kind}:draw={draw}", after=BASE, needs="verdicts")
        for draw in range(1, draws + 1)
        for kind in (STRIKE, SHAM)
    )
