"""Boxes lie where the lungs are, misfits are left out before a call, and what is stated behind a cover is counted."""

import json
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.core.errors import BadInput
from percuss.core.records import Arm, Case, NotApplicable, Posed
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.arms import NO_PLACE, UNFIT, pose
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.chest import draw, sample
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.images.image_edits import Box, Pixels
from percuss.protocols.explanation.images.lungfield import REFERENCE, fitted, lung_field, unfit
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.regions import REGIONS
from tests.protocols.explanation.runs import run


def upright(height: int = 700, width: int = 600, bottom: float = 0.62) -> Pixels:
    """A film on which the lungs end high and the abdomen fills the rest: body bright, lungs dark, surround black."""
    y, x = np.mgrid[0:height, 0:width] / np.array([height, width])[:, None, None]
    image = np.where((x > 0.06) & (x < 0.94), 170.0, 0.0)
    for centre in (0.29, 0.71):
        inside = ((x - centre) / 0.16) ** 2 + ((y - (bottom + 0.1) / 2) / ((bottom - 0.1) / 2)) ** 2 < 1
        image = np.where(inside, 60.0, image)
    return np.clip(image + np.random.default_rng(1).normal(0, 4, image.shape), 0, 255).astype(np.uint8)


def test_the_lung_field_is_found_where_it_is() -> None:
    field = lung_field(upright())
    assert field is not None
    assert field == pytest.approx((0.13, 0.10, 0.87, 0.62), abs=0.04)
    assert lung_field(np.full((300, 300), 90, np.uint8)) is None
    assert lung_field(np.random.default_rng(2).integers(0, 255, (300, 300)).astype(np.uint8)) is None


def test_boxes_follow_the_lungs_and_stay_on_the_reference() -> None:
    assert fitted(REGIONS, REFERENCE) == REGIONS
    field: Box = (0.13, 0.10, 0.87, 0.62)
    moved = fitted(REGIONS, field)
    low = moved["PleuralEffusion_Right"]
    assert low[3] < 0.70, "on the abdomen before"
    assert low[1] < field[3] <= low[3]
    assert unfit(moved, field) == ()
    assert "PleuralEffusion_Right" in unfit(REGIONS, field)
    assert unfit({"HeartSize": (0.4, 0.5, 0.4, 0.6)}, field) == ("HeartSize",)


def film(folder: Path, image: Pixels, **own: Any) -> list[Case]:
    (folder / "film.png").write_bytes(png.encode(image))
    fields = sample(0, seed=1)
    (folder / "cases.jsonl").write_text(
        json.dumps({"image": "film.png", "fields": fields, **own}), encoding="utf-8"
    )
    return list(cases(str(folder / "cases.jsonl"), ExplanationOptions(), 42))


def test_a_film_has_its_own_boxes_and_its_recipe_says_so(tmp_path: Path) -> None:
    held = film(tmp_path, upright())
    case = next(one for one in held if one.payload["question"] == "b05")
    assert case.payload["parameters"]["lung_field"] is not None
    put = pose(case, Arm(name="vo_bb"), None, ExplanationOptions(), 42)
    assert isinstance(put, Posed)
    assert put.blobs[0].recipe is not None
    [box] = put.blobs[0].recipe["boxes"]
    assert box[3] < 0.70


def test_a_region_that_does_not_fit_is_left_out_before_a_call(tmp_path: Path) -> None:
    held = film(tmp_path, upright(), regions={"PleuralEffusion_Right": [0.05, 0.85, 0.35, 0.99]})
    case = next(one for one in held if one.payload["question"] == "b05")
    other = next(one for one in held if one.payload["question"] == "b06")
    assert case.payload["unfit"] == ("PleuralEffusion_Right",)
    for arm in ("vh_bb", "vh_hm", "vo_bb"):
        assert pose(case, Arm(name=arm), None, ExplanationOptions(), 42) == NotApplicable(reason=UNFIT)
        assert isinstance(pose(other, Arm(name=arm), None, ExplanationOptions(), 42), Posed)
    assert isinstance(pose(case, Arm(name="none"), None, ExplanationOptions(), 42), Posed)
    with pytest.raises(BadInput, match="the region 'Lung' is unknown"):
        film(tmp_path, upright(), regions={"Lung": [0, 0, 1, 1]})


def test_synthetic_chests_are_drawn_for_the_table_and_keep_their_cases() -> None:
    fields = sample(3, seed=1)
    assert draw(fields, 3, seed=1).shape == (512, 512)
    case = next(cases(None, ExplanationOptions(chests=1), 42))
    assert not {"regions", "unfit"} & set(case.payload)


def test_what_is_stated_behind_a_cover_is_counted(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=2, resamples=100)
    ran = run(tmp_path / "run", ["reader?noise=0&invalid=0"], options=options, arms=["none", "vo_bb"])
    behind = ran.one("seen_behind_cover", "vo_bb")
    # The simulated reader states "no effusion" of what it can't see, as it states a finding of what it sees.
    assert behind.n == 64
    assert (behind.value or 0) > 0.8
    assert ran.one("stated_before_cover", "vo_bb").value is not None
    assert ran.one("withheld", "vo_bb").value == 0
    assert any(section.title == "Is something seen behind a cover?" for section in ran.sections)


def test_a_gate_may_read_whatever_a_run_estimates(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=1, resamples=100)
    arms = ["none", "repeat", "sham_text", "sham_vo", "tb_rad:misleading", "vo_bb", "blank"]
    ran = run(tmp_path / "run", ["reader"], options=options, arms=arms)
    made = {e.name for e in ran.estimates if not e.versus}
    assert {"seen_behind_cover", "withheld", "repeat_follow"} <= made
    assert not {name for name in made if not any(fnmatch(name, one) for one in PROTOCOL.estimate_names)}


def test_a_placebo_lies_on_the_midline_or_outside_the_body_of_a_film(tmp_path: Path) -> None:
    """On a film with black beside the body covers go to a free corner; on one that the body fills there is none, and no call."""
    image = upright()
    image[:72, :136] = 3  # the neck is narrow: black beside it, joined to the surround
    held = film(tmp_path, image)
    corners = held[0].payload["parameters"]["corners"]
    assert corners == [[0.0, 0.0, 0.22, 0.1]]
    left, _, right, _ = held[0].payload["parameters"]["lung_field"]
    for case in held:
        for kind in ("sham_bb", "sham_hm", "sham_vo"):
            put = pose(case, Arm(name=kind), None, ExplanationOptions(), 42)
            if isinstance(put, NotApplicable):
                assert put.reason == NO_PLACE
                continue
            recipe = put.blobs[0].recipe
            assert recipe is not None
            [box] = recipe["boxes"]
            middle = (box[0] + box[2]) / 2
            in_corner = box[2] <= 0.22 and box[3] <= 0.10
            assert in_corner or (kind != "sham_vo" and middle == pytest.approx((left + right) / 2, abs=1e-3))


def test_a_placebo_that_fits_nowhere_is_left_out_before_a_call(tmp_path: Path) -> None:
    image = upright()
    image[:, :40], image[:, -40:] = 170, 170  # the body fills the film
    held = film(tmp_path, image)
    assert held[0].payload["parameters"]["corners"] == []
    by_id = {case.payload["question"]: case for case in held}
    for question, arm in (("b05", "sham_vo"), ("b03", "sham_bb"), ("b03", "sham_vo")):
        assert pose(by_id[question], Arm(name=arm), None, ExplanationOptions(), 42) == NotApplicable(reason=NO_PLACE)  # fmt: skip
    assert isinstance(pose(by_id["b05"], Arm(name="sham_bb"), None, ExplanationOptions(), 42), Posed)
