"""The simulated reader of chest films for `explanation`: it measures pixels and follows cues at planted rates.

It knows messages, pictures, the questionnaire and the zones that it is told when it is made, and nothing of protocols,
claims or checkers.
"""

from collections.abc import Mapping
from typing import Any

from percuss.core.errors import UsageError
from percuss.phantoms.plan import Entry, Given
from percuss.protocols.explanation.phantom.knobs import KEYS, Knobs, Questionnaire, Topic
from percuss.protocols.explanation.phantom.reader import Cue, Reader, ReaderPlan

__all__ = ["KEYS", "PHANTOMS", "Cue", "Knobs", "Questionnaire", "Reader", "ReaderPlan", "Topic"]


def _reader(given: Given, seed: int, extra: Mapping[str, Any]) -> Reader:
    if "questionnaire" not in extra or "blobs" not in extra:
        # Without them it has an id and rates, which is all that a dry run asks of it.
        return Reader(Knobs.of(given), seed, Questionnaire((), {}), _Nothing())
    return Reader(Knobs.of(given), seed, Questionnaire.of(extra["questionnaire"]), extra["blobs"])


class _Nothing:
    """Blobs of a reader that was made for its name alone."""

    def get(self, digest: str) -> Any:
        raise UsageError(f"phantom/reader was made without pictures and cannot see {digest}")

    def put(self, blob: Any) -> None:
        raise UsageError(f"phantom/reader was made without pictures and cannot keep {blob.digest}")


PHANTOMS = {"reader": Entry(keys=KEYS, make=_reader)}
