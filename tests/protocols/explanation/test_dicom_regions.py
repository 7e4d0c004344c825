"""Regions from DICOM segmentations and presentation states: masks and outlines become boxes of the picture that they were drawn on."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

from percuss.core.errors import BadInput
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.cases.dicom_regions import dicom_outlines
from percuss.protocols.explanation.chest import draw, sample
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.record import reading

FILM, OTHER = "1.2.826.0.1.3680043.2.1", "1.2.826.0.1.3680043.2.2"
SEG, GSPS, RADIOGRAPH = (f"1.2.840.10008.5.1.4.1.1.{end}" for end in ("66.4", "11.1", "1.1"))


def item(**held: Any) -> Dataset:
    made = Dataset()
    for name, value in held.items():
        setattr(made, name, value)
    return made


def saved(path: Path, kind: str, **held: Any) -> Path:
    made = item(SOPClassUID=kind, SOPInstanceUID=held.pop("uid", "1.2.826.0.1.3680043.2.9"), **held)
    made.file_meta = FileMetaDataset()
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    made.save_as(path, enforce_file_format=True)
    return path


def pixels(values: Any, bits: int = 8) -> dict[str, Any]:
    return {
        "Rows": values.shape[-2], "Columns": values.shape[-1], "SamplesPerPixel": 1, "PhotometricInterpretation": "MONOCHROME2",
        "BitsAllocated": bits, "BitsStored": bits, "HighBit": bits - 1, "PixelRepresentation": 0,
        "PixelData": values.tobytes() if bits > 1 else np.packbits(values.ravel(), bitorder="little").tobytes(),
    }  # fmt: skip


def segmentation(path: Path, label: str = "pleural effusion right", film: str = FILM) -> Path:
    masks = np.zeros((2, 100, 200), np.uint8)
    masks[0, 70:80, 10:40] = 1
    masks[1, 75:95, 20:60] = 1
    refers = item(ReferencedSOPInstanceUID=film)
    frame = item(
        SegmentIdentificationSequence=[item(ReferencedSegmentNumber=1)],
        DerivationImageSequence=[item(SourceImageSequence=[refers])],
    )
    return saved(
        path, SEG, NumberOfFrames=2, SegmentationType="BINARY", SegmentSequence=[item(SegmentNumber=1, SegmentLabel=label)],
        PerFrameFunctionalGroupsSequence=[frame, frame], **pixels(masks, bits=1),
    )  # fmt: skip


def state(path: Path, *graphics: Dataset, text: str = "HeartSize", films: tuple[str, ...] = (FILM,)) -> Path:
    drawn = item(
        GraphicLayer="HEART", TextObjectSequence=[item(UnformattedTextValue=text)], GraphicObjectSequence=list(graphics),
        ReferencedImageSequence=[item(ReferencedSOPInstanceUID=film) for film in films],
    )  # fmt: skip
    return saved(path, GSPS, GraphicAnnotationSequence=[drawn])


def graphic(kind: str, *numbers: float, units: str = "PIXEL") -> Dataset:
    return item(
        GraphicAnnotationUnits=units, GraphicDimensions=2, NumberOfGraphicPoints=len(numbers) // 2, GraphicData=list(numbers),
        GraphicType=kind, GraphicFilled="N",
    )  # fmt: skip


def test_masks_of_one_segment_become_the_box_around_them(tmp_path: Path) -> None:
    found = dicom_outlines(segmentation(tmp_path / "seg.dcm"))
    assert found[FILM].fractions == {"PleuralEffusion_Right": pytest.approx((0.05, 0.70, 0.30, 0.95))}


@pytest.mark.parametrize(
    ("drawn", "box"),
    [
        (graphic("POLYLINE", 150, 180, 350, 180, 350, 330, 150, 330, 150, 180), (150, 180, 350, 330)),
        (graphic("CIRCLE", 256, 256, 256, 300), (212, 212, 300, 300)),
        (graphic("ELLIPSE", 156, 256, 356, 256, 256, 206, 256, 306), (156, 206, 356, 306)),
    ],
)
def test_outlines_become_boxes_in_pixels(tmp_path: Path, drawn: Dataset, box: tuple[float, ...]) -> None:
    found = dicom_outlines(state(tmp_path / "state.dcm", drawn))
    assert found[FILM].pixels == {"HeartSize": pytest.approx(box)}


def test_a_radiograph_is_joined_by_its_instance_and_no_other_is(tmp_path: Path) -> None:
    fields, rows = sample(3, seed=42, mix="balanced"), []
    for name, uid in (("a.dcm", FILM), ("b.dcm", OTHER)):
        saved(tmp_path / name, RADIOGRAPH, uid=uid, **pixels(draw(fields, 3, seed=42)))
        rows.append(json.dumps({"image": name, "fields": dict(fields)}))
    (tmp_path / "cases.jsonl").write_text("\n".join(rows), encoding="utf-8")
    objects = tmp_path / "objects"
    objects.mkdir()
    segmentation(objects / "seg.dcm")
    state(objects / "state.dcm", graphic("POLYLINE", 128, 128, 256, 128, 256, 384, 128, 384))
    (objects / "readme.txt").write_text("no DICOM object", encoding="utf-8")
    cases = list(PROTOCOL.cases(str(tmp_path / "cases.jsonl"), ExplanationOptions(regions=str(objects)), 42))
    held: dict[str, dict[str, Any]] = {"a.dcm": {}, "b.dcm": {}}
    for case in cases:
        held[reading(case).image] |= reading(case).regions
    assert held["a.dcm"]["PleuralEffusion_Right"] == pytest.approx((0.05, 0.70, 0.30, 0.95))
    assert held["a.dcm"]["HeartSize"] == pytest.approx((0.25, 0.25, 0.5, 0.75))
    assert held["b.dcm"].get("HeartSize") != held["a.dcm"]["HeartSize"]
    assert FILM not in str([case.payload for case in cases])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda p: segmentation(p, label="spleen"), "'spleen' is no region"),
        (lambda p: state(p, graphic("POLYLINE", 1, 1, 9, 1)), "has no area"),
        (lambda p: state(p, graphic("POLYLINE", 0, 0, 1, 1, units="DISPLAY")), "units of the display"),
        (lambda p: state(p, graphic("CIRCLE", 9, 9, 9, 12), films=(FILM, OTHER)), "refers to 2 pictures"),
        (lambda p: saved(p, RADIOGRAPH, **pixels(np.ones((40, 40), np.uint8))), "no DICOM segmentation"),
        (lambda p: (p.write_text("boxes"), p)[1], "no DICOM object"),
    ],
)
def test_what_is_ambiguous_or_no_region_is_refused(tmp_path: Path, make: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        dicom_outlines(make(tmp_path / "object.dcm"))


def test_objects_of_other_pictures_alone_are_refused(tmp_path: Path) -> None:
    options = ExplanationOptions(regions=str(segmentation(tmp_path / "seg.dcm")), chests=1)
    with pytest.raises(BadInput, match="none of the pictures that it was drawn on is among the cases"):
        list(PROTOCOL.cases(None, options, 42))
