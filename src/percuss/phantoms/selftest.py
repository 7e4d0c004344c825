"""What a protocol's self-test plants: a record that a protocol fills, and that `percuss selftest` reads."""

from typing import Any

from percuss.core.strict import Record

__all__ = ["SelftestPlan"]


class SelftestPlan(Record):
    """What is planted.

    Args:
        models: phantom strings.
        limit: cases of the bundled source.
        arms: () takes all of the protocol's.
        estimates: names that count for the verdict; others are listed only.
        settings: of the protocol.
    """

    models: tuple[str, ...]
    limit: int
    arms: tuple[str, ...] = ()
    estimates: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
