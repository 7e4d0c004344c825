"""Regions of DICOM radiographs from segmentations (SEG) and presentation states (GSPS), joined by the picture's own instance UID."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from percuss.core.errors import BadInput
from percuss.protocols.explanation.cases.dicom import is_dicom
from percuss.protocols.explanation.cases.study import Study
from percuss.protocols.explanation.images.image_edits import Box
from percuss.protocols.explanation.regions import REGIONS, around, region_called

__all__ = ["Outlines", "dicom_outlines", "with_dicom_regions"]

_SEG, _GSPS = "1.2.840.10008.5.1.4.1.1.66.4", "1.2.840.10008.5.1.4.1.1.11.1"
"""SOP classes (DICOM PS3.4, table B.5-1)."""
_CORNERS = 2
"""Numbers of a point."""


@dataclass
class Outlines:
    """Boxes of one picture by region: in fractions where the object has the picture's own grid, else in its pixels."""

    fractions: dict[str, Box] = field(default_factory=dict)
    pixels: dict[str, Box] = field(default_factory=dict)

    def add(self, held: dict[str, Box], region: str, box: Box) -> None:
        """Take a box in; several of one region become the box around them."""
        held[region] = around(held[region], box) if region in held else box


def dicom_outlines(path: Path) -> dict[str, Outlines]:
    """Return instance UID of a picture -> outlines of its regions.

    Args:
        path: a segmentation or presentation state, or a folder of them; other DICOM objects in a folder are passed over.

    Raises:
        BadInput: no such object, a segment or annotation that is no region, a shape without area or in units of the display, or
            one that names no picture or several.
    """
    found: dict[str, Outlines] = {}
    objects = 0
    for file, dataset in _objects(path):
        kind = str(dataset.get("SOPClassUID", ""))
        objects += kind in {_SEG, _GSPS}
        shapes = (
            _segments(dataset, file) if kind == _SEG else _annotations(dataset, file) if kind == _GSPS else ()
        )
        for picture, name, box in shapes:
            outlines = found.setdefault(picture, Outlines())
            held = outlines.fractions if kind == _SEG else outlines.pixels
            outlines.add(held, _region(name, file), box)
    if not objects:
        raise BadInput(
            "no DICOM segmentation or presentation state there; give one, or a COCO file ending in .json",
            source=path.name,
        )
    return found


def _objects(path: Path) -> Iterator[tuple[Path, Any]]:
    """The DICOM objects of a file or folder; in a folder what is none is passed over."""
    import pydicom
    from pydicom.errors import InvalidDicomError

    for file in sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else (path,):
        try:
            dataset = pydicom.dcmread(file)
        except (InvalidDicomError, OSError, ValueError, KeyError, EOFError) as error:
            if path.is_dir():
                continue
            raise BadInput(
                f"no DICOM object ({error}); expected a segmentation or a presentation state",
                source=file.name,
            ) from error
        yield file, dataset


def _region(name: str, file: Path) -> str:
    found = region_called(name)
    if found is None:
        raise BadInput(f"{name!r} is no region; expected {', '.join(REGIONS)}", source=file.name)
    return found


def _segments(dataset: Any, file: Path) -> Iterator[tuple[str, str, Box]]:
    """Picture, label and box of each frame that holds something (PS3.3, C.8.20)."""
    labels = {int(each.SegmentNumber): str(each.SegmentLabel) for each in dataset.SegmentSequence}
    try:
        masks = np.asarray(dataset.pixel_array)
    except Exception as error:
        raise BadInput(
            f"the segments cannot be decoded ({type(error).__name__}: {error}); store them uncompressed",
            source=file.name,
        ) from error
    masks = masks.reshape((-1, int(dataset.Rows), int(dataset.Columns)))
    shared = dataset.get("SharedFunctionalGroupsSequence", [None])[0]
    for mask, own in zip(masks, dataset.PerFrameFunctionalGroupsSequence, strict=True):
        group = own if "SegmentIdentificationSequence" in own else shared
        number = int(group.SegmentIdentificationSequence[0].ReferencedSegmentNumber)
        ys, xs = np.nonzero(mask)
        if not len(xs):
            continue
        height, width = mask.shape
        box = xs.min() / width, ys.min() / height, (xs.max() + 1) / width, (ys.max() + 1) / height
        yield _one_picture(_sources(dataset, own), file), labels[number], tuple(map(float, box))  # type: ignore[misc]


def _sources(dataset: Any, frame: Any) -> set[str]:
    """The pictures that a frame was drawn on: its own source, else the series that the object refers to."""
    own = {
        str(source.ReferencedSOPInstanceUID)
        for derived in frame.get("DerivationImageSequence", ())
        for source in derived.get("SourceImageSequence", ())
    }
    return own or {
        str(each.ReferencedSOPInstanceUID)
        for series in dataset.get("ReferencedSeriesSequence", ())
        for each in series.get("ReferencedInstanceSequence", ())
    }


def _annotations(dataset: Any, file: Path) -> Iterator[tuple[str, str, Box]]:
    """Picture, text (or layer) and box of each graphic (PS3.3, C.10.5)."""
    for each in dataset.get("GraphicAnnotationSequence", ()):
        referred = each.get("ReferencedImageSequence") or [
            image
            for series in dataset.get("ReferencedSeriesSequence", ())
            for image in series.ReferencedImageSequence
        ]
        pictures = {str(image.ReferencedSOPInstanceUID) for image in referred}
        texts = [str(text.UnformattedTextValue).strip() for text in each.get("TextObjectSequence", ())]
        name = texts[0] if texts else str(each.GraphicLayer)
        for graphic in each.get("GraphicObjectSequence", ()):
            yield _one_picture(pictures, file), name, _drawn(graphic, name, file)


def _one_picture(pictures: set[str], file: Path) -> str:
    if len(pictures) != 1:
        raise BadInput(
            f"a shape refers to {len(pictures)} pictures; expected the one that it was drawn on",
            source=file.name,
        )
    return next(iter(pictures))


def _drawn(graphic: Any, name: str, file: Path) -> Box:
    """The box around a graphic in pixels, whose corner is 0, 0 (PS3.3, C.10.5.1.2)."""
    if str(graphic.GraphicAnnotationUnits) != "PIXEL":
        raise BadInput(
            f"the shape of {name!r} is in units of the display; expected PIXEL, positions on the picture",
            source=file.name,
        )
    points = np.asarray(graphic.GraphicData, float).reshape((-1, _CORNERS))
    if str(graphic.GraphicType) == "CIRCLE":
        reach = np.full(_CORNERS, np.hypot(*(points[1] - points[0])))
        low, high = points[0] - reach, points[0] + reach
    elif str(graphic.GraphicType) == "ELLIPSE":
        reach = np.hypot((points[0] - points[1]) / 2, (points[2] - points[3]) / 2)
        centre = (points[0] + points[1]) / 2
        low, high = centre - reach, centre + reach
    else:
        low, high = points.min(0), points.max(0)
    if (high <= low).any():
        raise BadInput(f"the shape of {name!r} has no area; draw a line around the region", source=file.name)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def with_dicom_regions(studies: Iterable[Study], path: Path) -> Iterator[Study]:
    """Yield pictures with the regions drawn on them in DICOM objects laid over their own.

    Args:
        studies: DICOM radiographs are joined by their instance UID, which is not kept; other pictures have none.
        path: as `dicom_outlines`.

    Raises:
        BadInput: as `dicom_outlines`; a shape off its picture; after the last picture, if none was joined.
    """
    held = dicom_outlines(path)
    joined = 0
    for study in studies:
        uid, width, height = _header(study)
        outlines = held.get(uid)
        joined += outlines is not None
        if outlines is None:
            yield study
            continue
        drawn = {name: _fractions(name, box, width, height, path) for name, box in outlines.pixels.items()}
        yield replace(study, regions={**study.regions, **outlines.fractions, **drawn})
    if not joined:
        raise BadInput(
            "none of the pictures that it was drawn on is among the cases; DICOM radiographs are joined by instance UID",
            source=path.name,
        )


def _fractions(name: str, box: Box, width: int, height: int, path: Path) -> Box:
    x0, y0, x1, y1 = box
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height:
        raise BadInput(
            f"the shape of {name} spans {[x0, y0, x1, y1]}; expected it within {width} x {height}",
            source=path.name,
        )
    return x0 / width, y0 / height, x1 / width, y1 / height


def _header(study: Study) -> tuple[str, int, int]:
    """Instance UID, width and height of a DICOM picture; nothing of another."""
    import pydicom

    data = study.load()
    if not isinstance(data, bytes) or not is_dicom(data):
        return "", 0, 0
    wanted = ["SOPInstanceUID", "Columns", "Rows"]
    dataset = pydicom.dcmread(io.BytesIO(data), stop_before_pixels=True, specific_tags=wanted)
    return str(dataset.get("SOPInstanceUID", "")), int(dataset.get("Columns", 0)), int(dataset.get("Rows", 0))
