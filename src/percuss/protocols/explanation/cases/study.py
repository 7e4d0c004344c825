"""A picture with its findings, before its questions are posed; from it, one case a question."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.records import Blob, Case
from percuss.protocols.explanation.answers import option_of
from percuss.protocols.explanation.cases.dicom import is_dicom, radiograph
from percuss.protocols.explanation.cases.images import picture
from percuss.protocols.explanation.fields import problem
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.images.image_edits import Pixels
from percuss.protocols.explanation.questions import QUESTIONS, Question
from percuss.protocols.explanation.record import Origin, Vqa

__all__ = ["Study", "cases_of"]


@dataclass(frozen=True)
class Study:
    """One picture as a source holds it; its bytes are read when they are needed.

    Args:
        id: of the picture.
        load: returns the file's bytes, or the finished picture.
        fields: findings.
        given: question id -> answer as the source gives it; None where answers are derived from the fields.
        asked: ids of the questions to pose; None for all that can be answered.
        source, line: where the record stands.
    """

    id: str
    load: Callable[[], bytes | Pixels]
    fields: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] | None = None
    patient: str = ""
    split: str = ""
    flags: Mapping[str, str] = field(default_factory=dict)
    origin: Origin = "file"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    line: int | None = None

    def check(self) -> None:
        """Refuse findings that are unknown or out of range.

        Raises:
            BadInput: with the record's line.
        """
        wrong = problem(self.fields)
        if wrong:
            raise BadInput(wrong, source=self.source, line=self.line)


def cases_of(study: Study) -> Iterator[Case]:
    """Yield one case for each question that can be answered.

    Args:
        study: a picture that cannot be used yields its cases all the same: each carries the problem and is never
            asked, so that one bad file stops nothing else and is counted.

    Raises:
        BadInput: findings that are unknown or out of range, or a given answer that is no option.
    """
    study.check()
    blob, parameters, origin, wrong = _picture(study)
    posed, unposed = [], []
    for question in QUESTIONS:
        if study.asked is not None and question.id not in study.asked:
            continue
        answer = _answer(study, question)
        if answer is None:
            unposed.append(question.id)
        else:
            posed.append((question, *answer))
    for place, (question, option, given, disagrees) in enumerate(posed):
        payload = Vqa(
            image=study.id,
            question=question.id,
            answer=option,
            fields=dict(study.fields),
            patient=study.patient,
            flags=dict(study.flags),
            split=study.split,
            origin=origin,
            problem=wrong,
            given=given,
            disagrees=disagrees,
            unposed=tuple(unposed) if place == 0 else (),
            parameters=parameters,
        )
        yield Case(
            id=f"{study.id}:{question.id}",
            cluster=study.patient or study.id,
            stratum=question.kind,
            payload=msgspec.to_builtins(payload),
            blobs=() if blob is None else (blob,),
        )


def _answer(study: Study, question: Question) -> tuple[str, bool, bool] | None:
    """Return (option, given, disagrees), or None where the question cannot be answered."""
    derived = question.answer(study.fields)
    if question.id not in study.given:
        return None if derived is None else (derived, False, False)
    option = option_of(study.given[question.id], question.options)
    if option is None:
        expected = ", ".join(question.options)
        raise BadInput(
            f"the answer {study.given[question.id]!r} to {question.id} is no option; expected one of {expected}",
            source=study.source,
            line=study.line,
        )
    return option, True, derived is not None and derived != option


def _picture(study: Study) -> tuple[Blob | None, dict[str, Any], Origin, str | None]:
    parameters, origin = dict(study.parameters), study.origin
    try:
        loaded = study.load()
        if isinstance(loaded, bytes):
            if is_dicom(loaded, study.source if study.line is None else study.id):
                loaded, how = radiograph(loaded, study.id)
                parameters, origin = {**parameters, **how}, "dicom"
            else:
                loaded = picture(loaded, study.id)
    except (BadInput, OSError) as error:
        return None, parameters, origin, str(error)
    return Blob.of(png.encode(loaded), png.MEDIA_TYPE), parameters, origin, None
