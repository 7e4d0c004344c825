"""One queue, several adjudicators: what one of them has open is left to them for a while, so that nobody works for nothing."""

import threading
import time
from collections.abc import Sequence

__all__ = ["Claims"]

HELD_S = 600.0  # seconds for which an item that somebody opened is left to them


class Claims:
    """Who has which item open; kept in the process that serves, for a decision that was saved meanwhile is never replaced anyway."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[str, float]] = {}
        self._guard = threading.Lock()

    def take(self, item: int, code: str) -> None:
        """Note that somebody opened an item; whoever has it keeps it."""
        with self._guard:
            if self._holder(item) in ("", code):
                self._held[item] = (code, time.monotonic() + HELD_S)

    def left_to(self, code: str, items: Sequence[int]) -> list[int]:
        """Return the items that nobody else has open; all of them where others have them all open."""
        with self._guard:
            free = [item for item in items if self._holder(item) in ("", code)]
        return free or list(items)

    def _holder(self, item: int) -> str:
        who, until = self._held.get(item, ("", 0.0))
        return who if time.monotonic() < until else ""
