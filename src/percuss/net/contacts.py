"""A record of the hosts that a run contacted, with counts, for the manifest."""

from collections import Counter

__all__ = ["Contacts"]


class Contacts:
    """Counts requests by host. One object may be shared by several clients."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, host: str) -> None:
        """Count one request to a host (`name` or `name:port`)."""
        self._counts[host] += 1

    def counts(self) -> dict[str, int]:
        """Return requests by host, in alphabetical order."""
        return dict(sorted(self._counts.items()))
