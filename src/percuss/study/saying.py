"""Sentences with names in braces and what stands for them, so that they can be said in any language of the screens."""

from typing import Any

from percuss.core.errors import UsageError
from percuss.core.records import Record

__all__ = ["CantNow", "Said"]


class Said(Record):
    """A sentence with names in braces, and what stands for them."""

    sentence: str
    values: dict[str, str] = {}

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.sentence.format(**self.values)


class CantNow(UsageError):
    """What somebody asked of a study can't be done as it stands.

    Args:
        sentence: in English, with names in braces, beginning small and without a full stop.
        values: what stands for the names.
    """

    def __init__(self, sentence: str, **values: Any) -> None:
        self.said = Said(sentence=sentence, values={name: str(value) for name, value in values.items()})
        super().__init__(str(self.said))
