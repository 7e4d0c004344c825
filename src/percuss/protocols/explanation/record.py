"""A case of this protocol: one question about one picture, with its true answer and the picture's findings."""

from typing import Any, Literal

import msgspec

from percuss.core.errors import PercussError
from percuss.core.records import Case
from percuss.core.strict import Record
from percuss.protocols.explanation.questions import BY_ID, Question
from percuss.protocols.explanation.regions import REGIONS

__all__ = ["BadPicture", "Origin", "Vqa", "question_of", "reading"]

Origin = Literal["synthetic", "file", "parquet", "dicom"]


class BadPicture(PercussError):
    """One case's picture cannot be used: its own failure, which stops nothing else."""


class Vqa(Record):
    """What a case's payload holds.

    Args:
        image: id of the picture; many cases share one.
        patient: id of the patient where it is known, else "".
        question: id of one of the 32.
        answer: the true option.
        fields: findings of the picture; a field that nobody annotated is missing.
        flags: projection, inspiration, malrotation of the picture, for the knowledge base's caps.
        split: train, validation or test, kept per patient.
        problem: why the picture cannot be used, in one sentence; such a case is never asked.
        given, disagrees: the answer was given rather than derived; it contradicts the fields.
        unposed: on the first case of a picture, the questions whose fields are missing.
        regions: name -> box on this picture, where it is another than the table's: scaled to the lung field found, or given
            by the source. unfit: regions that don't fit the picture; no mark or cover is put there.
        parameters: of a synthetic picture (seed, index, mix), or the window of a DICOM file.
    """

    image: str
    question: str
    answer: str
    fields: dict[str, Any] = {}
    patient: str = ""
    flags: dict[str, str] = {}
    split: str = ""
    origin: Origin = "file"
    problem: str | None = None
    given: bool = False
    disagrees: bool = False
    unposed: tuple[str, ...] = ()
    parameters: dict[str, Any] = {}
    regions: dict[str, tuple[float, float, float, float]] = {}
    unfit: tuple[str, ...] = ()

    def boxes(self, side: str | None = None) -> tuple[tuple[float, float, float, float], ...]:
        """Return the boxes of its question on this picture.

        Args:
            side: only those of that side of the patient; None for all.
        """
        return tuple(self.regions.get(name, REGIONS[name]) for name in BY_ID[self.question].named(side))

    def misfits(self, side: str | None = None) -> tuple[str, ...]:
        """Return which of these boxes don't fit the picture."""
        return tuple(name for name in BY_ID[self.question].named(side) if name in self.unfit)


def reading(case: Case) -> Vqa:
    """Return the typed payload of a case."""
    return msgspec.convert(case.payload, Vqa)


def question_of(case: Case) -> Question:
    """Return the question of a case."""
    return BY_ID[case.payload["question"]]
