"""Remembering what was worked out, so that circles give the same answer whatever was asked first."""

from collections.abc import Callable, Hashable
from typing import Any

__all__ = ["Memory"]

_NEVER = 1_000_000


class Memory:
    """Keeps results that rest on themselves alone; one that met a circle further up is forgotten with that question."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}
        self._passing: dict[Hashable, tuple[Any, int]] = {}
        self._places: dict[Hashable, int] = {}
        # The outermost question that the present result rests on, by its place.
        self._rests_on = _NEVER

    def recall(self, key: Hashable, work: Callable[[], Any], circle: Any) -> Any:
        """Return what `work` gives for a key, kept where it may be.

        Args:
            key: of the question.
            work: answers it, and may ask others through this memory.
            circle: the answer to the same question while it is being answered.
        """
        if key in self._kept:
            return self._kept[key]
        if key in self._passing:
            value, place = self._passing[key]
            self._rests_on = min(self._rests_on, place)
            return value
        place, outer = len(self._places), self._rests_on
        self._places[key] = place
        self._passing[key] = (circle, place)
        self._rests_on = _NEVER
        try:
            value = work()
        except BaseException:
            self._places.clear()
            self._passing.clear()
            self._rests_on = _NEVER
            raise
        self._places.pop(key, None)
        return self._settled(key, value, place, outer)

    def cut_short(self) -> None:
        """Say that the present result was cut short: nothing but the outermost answer may be kept."""
        self._rests_on = min(self._rests_on, 0)

    def _settled(self, key: Hashable, value: Any, place: int, outer: int) -> Any:
        if self._rests_on >= place:
            self._kept[key] = value
            # What met this question on its way was half an answer: whoever asks for it next works it out whole.
            self._passing = {other: (half, on) for other, (half, on) in self._passing.items() if on < place}
            self._rests_on = outer
        else:
            self._passing[key] = (value, self._rests_on)
            self._rests_on = min(outer, self._rests_on)
        if not self._places:
            self._passing.clear()
            self._rests_on = _NEVER
        return value
