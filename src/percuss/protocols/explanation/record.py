"""A case of this protocol: one question about one picture, with its true answer and the picture's findings."""

from typing import Any, Literal

import msgspec

from percuss.core.errors import PercussError
from percuss.core.records import Case
from percuss.core.strict import Record
from percuss.protocols.explanation.questions import BY_ID, Question

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


def reading(case: Case) -> Vqa:
    """Return the typed payload of a case."""
    return msgspec.convert(case.payload, Vqa)


def question_of(case: Case) -> Question:
    """Return the question of a case."""
    return BY_ID[case.payload["question"]]
