"""Leaks that come late: in the items behind the first thousand, in a part drawn of very many, in those a study is extended by."""

from pathlib import Path

import pytest
from msgspec import structs

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import AnnotationItem
from percuss.study.create import create
from percuss.study.design import load_design
from percuss.study.extending import extend
from percuss.study.items import prepare_all
from percuss.study.leaking import drawn_over, refuse_leaks
from percuss.study.lifecycle import in_reserve
from percuss.study.settings import Settings
from percuss.study.store.verifying import verify
from tests.unit.study.test_leaking import listed, with_layers


def silent(item: AnnotationItem) -> AnnotationItem:
    """Return an item that does not show what tells its arm."""
    return structs.replace(item, shown={**item.shown, "layers_shown": ["clinical"]})


def test_a_field_that_tells_behind_the_first_thousand_items_is_found(tmp_path: Path) -> None:
    design = load_design(str(with_layers(tmp_path)))
    offered = listed(650)
    late = [silent(one) for one in offered[:1000]] + offered[1000:]
    prepared, _ = prepare_all(late, design)
    with pytest.raises(BadInput, match=r"layers_shown .* tells the arm"):
        refuse_leaks(prepared, design, seed=1)


def test_of_very_many_items_whole_cases_are_drawn_over_all(tmp_path: Path) -> None:
    prepared, _ = prepare_all(listed(300), load_design(str(with_layers(tmp_path))))
    drawn = drawn_over(prepared, seed=1, most=100)
    assert len(drawn) == 100
    assert drawn == [one for one in prepared if one in drawn], "in the order in which they come"
    cases = [one.hidden["case"] for one in drawn]
    assert all(cases.count(case) == 2 for case in cases), "whole cases"
    places = [prepared.index(one) for one in drawn]
    assert sum(place < 200 for place in places) > 15
    assert sum(place >= 400 for place in places) > 15
    assert drawn_over(prepared, seed=1, most=100) == drawn
    assert drawn_over(prepared, seed=2, most=100) != drawn
    assert drawn_over(prepared, seed=1, most=600) == prepared


def test_a_study_is_not_extended_by_items_that_tell_the_arm(tmp_path: Path) -> None:
    settings = Settings(name="t", design=str(with_layers(tmp_path)), seed=1, repeats=0.0)
    clean = [silent(one) for one in listed(60)]
    with create(settings, clean, folder=tmp_path / "a", size=60)[0] as first:
        assert extend(first, 20, by="c1") == 20
        with first.database.read() as connection:
            assert verify(connection, key=first.public_key).ok
    with (
        create(settings, clean, folder=tmp_path / "b", size=60)[0] as again,
        again.database.read() as connection,
    ):
        drawn = {one.id for one in again.all_items(connection).values()}
    telling = [silent(one) if one.id in drawn else one for one in listed(60)]
    study, made = create(settings, telling, folder=tmp_path / "c", size=60)
    with study:
        assert made.tested == made.items == 60
        with pytest.raises(UsageError, match=r"layers_shown .*would tell arm or model; nothing was added"):
            extend(study, 60, by="c1")
        with study.database.read() as connection:
            assert len(study.all_items(connection)) == 60
            assert in_reserve(connection) == 60
            assert verify(connection, key=study.public_key).ok
