"""Regions from a COCO file: boxes in pixels become regions of the picture of that name; what doesn't fit is refused or left out."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.core.errors import BadInput
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.cases.coco import coco_regions
from percuss.protocols.explanation.chest import draw, sample
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.record import reading

CATEGORIES = [{"id": 1, "name": "pleural effusion right"}, {"id": 2, "name": "HeartSize"}]
BOXES = [
    {"image_id": 7, "category_id": 1, "bbox": [50, 700, 150, 100], "iscrowd": 0},
    {"image_id": 7, "category_id": 1, "bbox": [180, 650, 120, 200]},
]


def coco(folder: Path, **own: Any) -> Path:
    body = {
        "info": {"year": 2026}, "images": [{"id": 7, "file_name": "films/a.png", "width": 1000, "height": 1000}],
        "annotations": BOXES, "categories": CATEGORIES, **own,
    }  # fmt: skip
    path = folder / "boxes.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


def test_several_boxes_of_one_region_become_the_box_around_them(tmp_path: Path) -> None:
    assert coco_regions(coco(tmp_path)) == {"films/a.png": {"PleuralEffusion_Right": (0.05, 0.65, 0.3, 0.85)}}


def test_a_case_carries_the_box_of_its_picture_and_the_others_do_not(tmp_path: Path) -> None:
    rows = []
    for name in ("a.png", "b.png"):
        fields = sample(3, seed=42, mix="balanced")
        (tmp_path / name).write_bytes(png.encode(draw(fields, 3, seed=42)))
        rows.append(json.dumps({"image": name, "fields": dict(fields)}))
    (tmp_path / "cases.jsonl").write_text("\n".join(rows), encoding="utf-8")
    options = ExplanationOptions(regions=str(coco(tmp_path)))
    cases = list(PROTOCOL.cases(str(tmp_path / "cases.jsonl"), options, 42))
    boxes = {reading(case).image: reading(case).regions.get("PleuralEffusion_Right") for case in cases}
    assert boxes["a.png"] == pytest.approx((0.05, 0.65, 0.3, 0.85))
    assert boxes["b.png"] != boxes["a.png"]
    assert np.isfinite(boxes["b.png"] or (0.0,)).all()


@pytest.mark.parametrize(
    ("own", "why"),
    [
        ({"categories": [{"id": 1, "name": "spleen"}]}, "'spleen' is no region"),
        (
            {"annotations": [{"image_id": 7, "category_id": 1, "bbox": [950, 0, 100, 10]}]},
            "within 1000 x 1000",
        ),
        (
            {"annotations": [{"image_id": 8, "category_id": 1, "bbox": [0, 0, 1, 1]}]},
            "picture 8, which the file does not hold",
        ),
        (
            {"images": [{"id": k, "file_name": "a.png", "width": 9, "height": 9} for k in (7, 8)]},
            "two pictures are called",
        ),
        ({"annotations": [{"segmentation": []}]}, "no COCO file of boxes"),
    ],
)
def test_what_is_ambiguous_or_off_is_refused(tmp_path: Path, own: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        coco_regions(coco(tmp_path, **own))


def test_boxes_of_other_pictures_alone_are_refused(tmp_path: Path) -> None:
    options = ExplanationOptions(regions=str(coco(tmp_path)), chests=1)
    with pytest.raises(BadInput, match="none of its pictures is among the cases"):
        list(PROTOCOL.cases(None, options, 42))
