"""A session for tests of a protocol's own commands: no run, no budget, one unit after another."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from percuss.core.ports import Roles

__all__ = ["TrialSession"]

Unit = TypeVar("Unit")
Made = TypeVar("Made")


@dataclass(frozen=True)
class TrialSession:
    """The session of a command under test.

    Args:
        roles: given to the command as they are.
        offline, dry_run: what the user said.
    """

    roles: Roles
    offline: bool = False
    dry_run: bool = False

    async def each(self, units: Iterable[Unit], work: Callable[[Unit], Awaitable[Made]]) -> tuple[Made, ...]:
        """Do the work on one unit after another, and return the outcomes in their order."""
        return tuple([await work(unit) for unit in units])
