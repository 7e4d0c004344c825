"""A picture with its findings, before its questions are posed; from it, one case a question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from percuss.protocols.explanation.images.image_edits import Box, Pixels
from percuss.protocols.explanation.images.lungfield import fitted, free_corners, lung_field, unfit
from percuss.protocols.explanation.questions import QUESTIONS, Question
from percuss.protocols.explanation.record import Origin, Vqa
from percuss.protocols.explanation.regions import REGIONS

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
        regions: name -> box (x0, y0, x1, y1 in fractions), where the source gives it.
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
    regions: Mapping[str, Sequence[float]] = field(default_factory=dict)
    origin: Origin = "file"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    line: int | None = None

    def check(self) -> None:
        """Refuse findings that are unknown or out of range.

        Raises:
            BadInput: with the record's line.
        """
        wrong = problem(self.fields) or _region_problem(self.regions)
        if wrong:
            raise BadInput(wrong, source=self.source, line=self.line)


def _region_problem(regions: Mapping[str, Any]) -> str | None:
    for name, box in regions.items():
        if name not in REGIONS:
            return f"the region {name!r} is unknown; expected one of {', '.join(REGIONS)}"
        if (
            not isinstance(box, (list, tuple))
            or len(box) != 4
            or any(not isinstance(edge, (int, float)) for edge in box)
        ):
            return f"the region {name!r} is {box!r}; expected four fractions x0, y0, x1, y1"
    return None


def cases_of(study: Study) -> Iterator[Case]:
    """Yield one case for each question that can be answered.

    Args:
        study: a picture that cannot be used yields its cases all the same: each carries the problem and is never
            asked, so that one bad file stops nothing else and is counted.

    Raises:
        BadInput: findings that are unknown or out of range, or a given answer that is no option.
    """
    study.check()
    blob, parameters, origin, wrong, field = _picture(study)
    regions, misfits, note = _regions(study, field)
    parameters |= note
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
            regions=regions,
            unfit=misfits,
        )
        yield Case(
            id=f"{study.id}:{question.id}",
            cluster=study.patient or study.id,
            stratum=question.kind,
            payload=_kept(payload),
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


def _kept(payload: Vqa) -> dict[str, Any]:
    """Return a payload as it is kept; what only real films have is left out where they have none of it (old cases stay equal)."""
    held: dict[str, Any] = msgspec.to_builtins(payload)
    return {name: value for name, value in held.items() if value or name not in {"regions", "unfit"}}


def _regions(study: Study, field: Box | None) -> tuple[dict[str, Box], tuple[str, ...], dict[str, Any]]:
    """Return boxes that differ from the table's, those that don't fit, and what was found."""
    given = {name: tuple(map(float, box)) for name, box in study.regions.items()}
    if study.origin == "synthetic":
        return {}, (), {}
    if field is None:
        wrong = tuple(name for name in unfit(given, (0.0, 0.0, 1.0, 1.0)) if name in given)  # type: ignore[arg-type]
        return given, wrong, {}  # type: ignore[return-value]
    placed = {**fitted(REGIONS, field), **given}
    own = {name: box for name, box in placed.items() if box != REGIONS[name]}
    return own, unfit(placed, field), {"lung_field": list(field)}  # type: ignore[arg-type,return-value]


def _picture(study: Study) -> tuple[Blob | None, dict[str, Any], Origin, str | None, Box | None]:
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
        return None, parameters, origin, str(error), None
    field = None if origin == "synthetic" else lung_field(loaded)
    if field is not None:
        parameters["corners"] = [list(corner) for corner in free_corners(loaded)]
    return Blob.of(png.encode(loaded), png.MEDIA_TYPE), parameters, origin, None, field
