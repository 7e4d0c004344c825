"""Which arm is posed to which question, what it shows, and what it points at."""

import io
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from percuss.core.errors import UsageError
from percuss.core.messages import Image, Request
from percuss.core.records import Arm, Blob, Case, NotApplicable, Posed
from percuss.engine.journal import key_of
from percuss.phantoms import phantom
from percuss.protocols.explanation.armnames import BIASED, KINDS, TABLE_CELLS, parse_arm
from percuss.protocols.explanation.arms import arms, picture_of, pose
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.images.elsewhere import elsewhere, overlap
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.record import BadPicture
from percuss.protocols.explanation.regions import REGIONS

OPTIONS = ExplanationOptions(chests=3)
CASES = list(cases(None, OPTIONS, 42))
ALL = {arm.name: arm for arm in arms(OPTIONS)}


def posed(case: Case, arm: str, options: ExplanationOptions = OPTIONS) -> Posed | NotApplicable:
    return pose(case, Arm(name=arm), None, options, 42)


def pixels(posed: Posed) -> Any:
    with Pillow.open(io.BytesIO(posed.blobs[0].data)) as image:
        image.load()
        return np.asarray(image)


def test_nineteen_arms_a_framing_and_eleven_cells() -> None:
    assert len(ALL) == 19
    assert len(TABLE_CELLS) == 11
    assert set(TABLE_CELLS) <= set(ALL)
    assert [name for name, arm in ALL.items() if arm.baseline] == ["none"]


@pytest.mark.slow
def test_arms_by_question_type_and_calls() -> None:
    calls: Counter[tuple[str, str]] = Counter()
    for case in CASES:
        for name in ALL:
            result = posed(case, name)
            calls[parse_arm(name).kind, case.stratum] += isinstance(result, Posed)
            if isinstance(result, NotApplicable):
                assert parse_arm(name).kind.startswith("vb_")
    for kind in KINDS:
        per = 2 if kind in BIASED else 1
        for stratum, n in (("binary", 18), ("ordinal", 8), ("comparative", 3), ("spatial", 3)):
            if not kind.startswith("vb_"):
                assert calls[kind, stratum] == per * n * 3
            elif stratum != "comparative":
                assert calls[kind, stratum] == 0
    sided = sum(
        case.payload["answer"] in {"right", "left"} for case in CASES if case.stratum == "comparative"
    )
    assert calls["vb_bb", "comparative"] == calls["vb_hm", "comparative"] == 9 + sided


@pytest.mark.parametrize("truth", ["none", "same severity"])
def test_no_mark_points_at_a_truth_without_a_side(truth: str) -> None:
    case = with_answer(next(c for c in CASES if c.payload["question"] == "c01"), truth)
    assert isinstance(posed(case, "vb_bb:aligned"), NotApplicable)
    misleading = posed(case, "vb_bb:misleading")
    assert isinstance(misleading, Posed)
    assert misleading.target in {"right", "left"}
    wider = ExplanationOptions(vb_targets="all")
    result = posed(case, "vb_bb:aligned", wider)
    if truth == "none":
        assert isinstance(result, NotApplicable)
    else:
        assert isinstance(result, Posed)
        both = posed(case, "vh_bb", wider)
        assert isinstance(both, Posed)
        assert result.blobs[0].digest == both.blobs[0].digest


def with_answer(case: Case, answer: str) -> Case:
    return Case(
        id=case.id,
        cluster=case.cluster,
        stratum=case.stratum,
        payload={**case.payload, "answer": answer},
        blobs=case.blobs,
    )


def test_targets_are_the_truth_or_another_option_of_that_question() -> None:
    for case in CASES:
        question, truth = BY_ID[case.payload["question"]], case.payload["answer"]
        for kind in ("tb_rad", "tb_la"):
            aligned, misleading = posed(case, f"{kind}:aligned"), posed(case, f"{kind}:misleading")
            assert isinstance(aligned, Posed)
            assert isinstance(misleading, Posed)
            assert aligned.target == truth
            assert misleading.target in set(question.options) - {truth}
            assert f'"{misleading.target}"' in misleading.messages[1].text


def test_a_draw_hangs_on_case_and_arm_alone() -> None:
    first = [posed(case, "tb_rad:misleading") for case in CASES[:40]]
    again = [posed(case, "tb_rad:misleading") for case in reversed(CASES[:40])]
    assert [p.target for p in first if isinstance(p, Posed)] == [
        p.target for p in reversed(again) if isinstance(p, Posed)
    ]
    swept = [posed(case, "vb_bb:misleading,thickness=16") for case in CASES]
    plain = [posed(case, "vb_bb:misleading") for case in CASES]
    assert [getattr(p, "target", None) for p in swept] == [getattr(p, "target", None) for p in plain]


def test_the_sham_has_equal_pixels_other_bytes_and_a_key_of_its_own() -> None:
    none, sham = posed(CASES[0], "none"), posed(CASES[0], "sham")
    assert isinstance(none, Posed)
    assert isinstance(sham, Posed)
    assert (pixels(none) == pixels(sham)).all()
    assert none.blobs[0].data != sham.blobs[0].data
    model = phantom("phantom/reader", seed=1)
    keys = {key_of(model, Request(messages=p.messages), 0) for p in (none, sham)}
    assert len(keys) == 2


def test_the_arms_differ_in_picture_or_words_as_they_say() -> None:
    case = next(c for c in CASES if c.payload["question"] == "b05")
    shown = {name: result for name in ALL if isinstance(result := posed(case, name), Posed)}
    none = shown["none"]
    for name, result in shown.items():
        same_picture = result.blobs[0].digest == none.blobs[0].digest
        same_words = result.messages[1].text == none.messages[1].text
        words = name.startswith("tb_") or name == "sham_text"
        assert same_picture == (words or name in {"none", "repeat"}), name
        assert same_words == (not words), name
        assert result.messages[0] == none.messages[0]
    assert set(np.unique(pixels(shown["blank"]))) == {128}
    assert pixels(shown["vo_bb"]).ndim == 2
    assert (pixels(shown["vo_bb"]) == 0).any()
    assert pixels(shown["vh_hm"]).ndim == 3


def test_a_repetition_is_the_same_pose_and_a_call_of_its_own() -> None:
    none, again = posed(CASES[0], "none"), posed(CASES[0], "repeat")
    assert isinstance(none, Posed)
    assert isinstance(again, Posed)
    assert none.messages == again.messages
    model = phantom("phantom/reader", seed=1)
    # The engine derives the seed of an answer from its arm, so equal poses of two arms are two calls.
    keys = {key_of(model, Request(messages=none.messages, seed=seed), 0) for seed in (1, 2)}
    assert len(keys) == 2


@pytest.mark.parametrize("question", sorted(BY_ID))
def test_the_placebo_of_a_mark_has_its_form_and_lies_elsewhere(question: str) -> None:
    regions = BY_ID[question].boxes()
    beside, outside = elsewhere(regions), elsewhere(regions, outside=True)
    assert beside is not None
    assert outside is not None
    for place in (beside, outside):
        x0, y0, x1, y1 = place
        assert 0 <= x0 < x1 <= 1
        assert 0 <= y0 < y1 <= 1
        assert (x1 - x0) <= regions[0][2] - regions[0][0] + 1e-6
    area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in regions)
    assert sum(overlap(beside, region) for region in regions) <= 0.1 * area
    assert sum(overlap(outside, region) for region in regions) <= 0.2 * area


def test_every_cue_has_one_placebo_fixed_in_the_plan() -> None:
    for name in TABLE_CELLS:
        assert parse_arm(name).placebo in ALL, name
    assert parse_arm("vb_bb:misleading").placebo == "sham_bb"
    assert parse_arm("vo_bb").placebo == "sham_vo"
    case = next(c for c in CASES if c.payload["question"] == "c01")
    cue, placebo = posed(case, "vb_bb:misleading"), posed(case, "sham_bb")
    assert isinstance(cue, Posed)
    assert isinstance(placebo, Posed)
    red = [np.argwhere((pixels(one) == [255, 0, 0]).all(axis=2)) for one in (cue, placebo)]
    assert len(red[0]) == pytest.approx(len(red[1]), rel=0.02), "as much ink"
    assert len({tuple(p) for p in red[0]} & {tuple(p) for p in red[1]}) <= 0.1 * len(red[0]), (
        "one shared column: pixel bounds are rounded outwards"
    )


def test_the_neutral_sentence_is_about_as_long_as_the_cue() -> None:
    texts = [posed(CASES[0], name) for name in ("sham_text", "tb_rad:aligned", "none")]
    sham, cue, none = (len(p.messages[1].text) for p in texts if isinstance(p, Posed))
    assert abs((sham - none) - (cue - none)) < 0.25 * (cue - none)


def test_a_mark_covers_its_side_alone() -> None:
    case = next(
        c for c in CASES if c.payload["question"] == "c01" and c.payload["answer"] in {"right", "left"}
    )
    result = posed(case, "vb_bb:aligned")
    assert isinstance(result, Posed)
    image = pixels(result)
    red = np.argwhere((image == [255, 0, 0]).all(axis=2))
    on_left_of_picture = red[:, 1].max() < image.shape[1] / 2
    # The patient's right is the picture's left.
    assert on_left_of_picture == (result.target == "right")


def test_edits_can_be_made_again_from_what_the_response_keeps() -> None:
    for name in ("vb_hm:misleading", "vh_bb", "none", "blank"):
        case = next(c for c in CASES if c.payload["question"] == "c02")
        result = posed(case, name)
        assert isinstance(result, Posed)
        assert picture_of(case, name, result.target, OPTIONS).digest == result.blobs[0].digest


def test_framings_add_their_own_arms_and_words() -> None:
    options = ExplanationOptions(framings=("base", "grounded"))
    names = [arm.name for arm in arms(options)]
    assert len(names) == 38
    assert "none:framing=grounded" in names
    assert parse_arm("tb_rad:aligned,framing=grounded").baseline == "none:framing=grounded"
    assert parse_arm("tb_rad:aligned,framing=grounded").placebo == "sham_text:framing=grounded"
    base, grounded = posed(CASES[0], "none", options), posed(CASES[0], "none:framing=grounded", options)
    assert isinstance(base, Posed)
    assert isinstance(grounded, Posed)
    assert grounded.messages[0].text.startswith(base.messages[0].text)
    assert "insufficient evidence" in grounded.messages[0].text


def test_sweeps_and_added_arms() -> None:
    names = [
        arm.name
        for arm in arms(
            ExplanationOptions(
                sweep="both", add_arms=("vb_bb:misleading", "thickness=3", "vh_bb:thickness=2")
            )
        )
    ]
    assert "vb_bb:aligned,thickness=32" in names
    assert "vb_hm:misleading,opacity=0.2" in names
    assert names[-2:] == ["vb_bb:misleading,thickness=3", "vh_bb:thickness=2"]
    assert len(names) == len(set(names)) == 19 + 10 + 8 + 2


@pytest.mark.parametrize("name", ["vb_bb", "none:aligned", "vo_bb:thickness=2", "vh_hm:thickness=2", "vh_bb:opacity=0.2", "xx", "vb_bb:misleading,framing=angry", "vh_bb:thickness=0"])  # fmt: skip
def test_names_that_mean_nothing_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="got the arm"):
        parse_arm(name)


def test_names_are_their_own_canonical_form() -> None:
    for name in (*ALL, "vb_bb:misleading,thickness=8", "tb_rad:aligned,framing=grounded"):
        assert str(parse_arm(name)) == name
    assert str(parse_arm("vb_bb:thickness=8,misleading")) == "vb_bb:misleading,thickness=8"
    assert str(parse_arm("vh_hm:opacity=0.5")) == "vh_hm"


def test_three_turns_put_picture_and_cue_into_the_first() -> None:
    result = posed(CASES[0], "tb_la:misleading", ExplanationOptions(script="three_turn"))
    assert isinstance(result, Posed)
    assert len(result.script["turns"]) == 2
    assert any(isinstance(part, Image) for part in result.messages[1].parts)
    assert f'"{result.target}"' in result.messages[1].text
    assert all(f'"{result.target}"' not in turn for turn in result.script["turns"])


def test_padding_comes_after_the_edit() -> None:
    wide = Case(
        id=CASES[0].id, cluster="", stratum="binary", payload=CASES[0].payload, blobs=(wide_picture(),)
    )
    result = posed(wide, "vo_bb", ExplanationOptions(pad="square"))
    assert isinstance(result, Posed)
    image = pixels(result)
    assert image.shape == (200, 200)
    assert len(np.unique(image[:49])) == 1


def wide_picture() -> Blob:
    return Blob.of(png.encode(np.full((100, 200), 90, np.uint8)), png.MEDIA_TYPE)


def test_a_picture_that_cannot_be_used_is_an_error_of_its_case() -> None:
    broken = Case(id="x:b05", cluster="x", payload={**CASES[0].payload, "problem": "x.png is CMYK"})
    with pytest.raises(BadPicture, match="CMYK"):
        posed(broken, "none")


def test_no_two_arms_share_a_picture_that_should_differ() -> None:
    case = next(c for c in CASES if c.payload["question"] == "c01")
    digests = [p.blobs[0].digest for name in ("none", "sham", "blank", "vh_bb", "vh_hm", "vo_bb", "vb_bb:misleading", "vb_hm:misleading") if isinstance(p := posed(case, name), Posed)]  # fmt: skip
    assert all(a != b for a, b in pairwise(sorted(digests)))


def test_no_placebo_of_a_mark_or_cover_lies_on_a_region_of_its_question() -> None:
    for question in BY_ID.values():
        boxes = [REGIONS[name] for name in question.regions]
        for outside in (False, True):
            place = elsewhere(boxes, outside=outside)
            assert place is not None
            assert place[0] < place[2]
            assert place[1] < place[3]
            assert not any(overlap(place, box) for box in boxes), (question.id, outside, place)
