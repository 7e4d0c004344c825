"""A run keeps how pictures were edited, not their bytes: small, and each picture is made again to the byte."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from percuss.core.errors import BadInput
from percuss.core.records import Arm, Blob, Posed
from percuss.protocols.explanation.arms import pose
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.images.recipes import Recipe, cooked, made_again, side_of
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.store import RunStore
from tests.protocols.explanation.runs import run

pytestmark = pytest.mark.slow

ARMS = ["none", "sham", "sham_bb", "vh_bb", "vh_hm", "vo_bb", "blank"]
FILM = Blob.of(
    png.encode(np.random.default_rng(1).integers(8, 200, (300, 260)).astype(np.uint8)), png.MEDIA_TYPE
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ExplanationOptions(chests=1, resamples=100)
    return run(tmp_path_factory.mktemp("run") / "run", ["reader"], options=options, arms=ARMS).folder


def test_a_run_holds_the_pictures_of_its_cases_and_no_edited_one(folder: Path) -> None:
    with sqlite3.connect(folder / "run.sqlite") as db:
        kept = {digest for (digest,) in db.execute("SELECT digest FROM blobs")}
    [film] = {case.blobs[0].digest for case in cases(None, ExplanationOptions(chests=1), 42)}
    assert kept == {film}


def test_every_picture_is_made_again_to_the_byte_and_checked(folder: Path) -> None:
    edited = 0
    with RunStore.open(folder) as store:
        scoring = store.latest_scoring()
        for item in store.view(scoring.id).assessed():
            recipe = item.response.artifacts.get("recipe")
            if recipe is not None:
                again = made_again(item.case.blobs[0], recipe)
                assert again.digest == item.response.artifacts["picture"]
                edited += 1
    assert edited == 32 * (len(ARMS) - 1)


def test_another_picture_or_another_result_is_refused() -> None:
    kept = cooked(FILM, Recipe(operation="occlude", boxes=((0.1, 0.1, 0.5, 0.5),))).recipe
    assert kept is not None
    other = Blob.of(png.encode(np.zeros((40, 40), np.uint8)), png.MEDIA_TYPE)
    with pytest.raises(BadInput, match="is for the picture"):
        made_again(other, kept)
    with pytest.raises(BadInput, match="another version of the edits"):
        made_again(FILM, {**kept, "boxes": [[0.1, 0.1, 0.5, 0.6]]})


def test_pictures_are_kept_where_somebody_asks_for_them() -> None:
    options = ExplanationOptions(chests=1, keep_pictures=True)
    case = next(cases(None, options, 42))
    kept, lent = (pose(case, Arm(name="vo_bb"), None, o, 42) for o in (options, ExplanationOptions(chests=1)))
    assert isinstance(kept, Posed)
    assert isinstance(lent, Posed)
    assert kept.blobs[0].recipe is None
    assert lent.blobs[0].recipe is not None
    assert kept.blobs[0].data == lent.blobs[0].data


def test_strokes_grow_with_the_picture() -> None:
    assert side_of(FILM) == 260
    case = next(cases(None, ExplanationOptions(chests=1), 42))
    for side, thickness in ((512, 4), (2_048, 16)):
        film = Blob.of(png.encode(np.full((side, side + 10), 90, np.uint8)), png.MEDIA_TYPE)
        put = pose(type(case)(**{f: getattr(case, f) for f in ("id", "cluster", "stratum", "payload")}, blobs=(film,)), Arm(name="vh_bb"), None, ExplanationOptions(), 42)  # fmt: skip
        assert isinstance(put, Posed)
        assert put.blobs[0].recipe is not None
        assert put.blobs[0].recipe["thickness"] == thickness
