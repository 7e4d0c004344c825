"""Comparing models: shared cases only, pairs with Holm, a baseline's family, equivalence, ranks; laws of order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from percuss.core.errors import UsageError
from percuss.core.records import Cell
from percuss.measure.compared import Comparison, compared
from percuss.measure.quantity import Plan, Quantity

SCORE = Quantity("score", "score", "What is the mean score?", "higher")
RATES = {"a": 0.9, "b": 0.55, "c": 0.5}


def _cells(
    rates: dict[str, float], *, n: int = 80, seed: int = 5, skip: dict[str, int] | None = None
) -> list[Cell]:
    rng = np.random.default_rng(seed)
    return [
        Cell(
            name="score", model=model, arm="all", labels="s", case_id=f"c{i}", cluster=f"c{i}",
            num=float(rng.random() < rate), den=1.0,
        )
        for model, rate in rates.items()
        for i in range(n)
        if i >= (skip or {}).get(model, 0)
    ]  # fmt: skip


def _compared(cells: list[Cell], **how: float | str | None) -> Comparison:
    return compared(cells, SCORE, labels="s", arm="all", plan=Plan(seed=1, B=400), **how)  # type: ignore[arg-type]


def test_only_cases_that_all_models_have_count() -> None:
    found = _compared(_cells(RATES, skip={"b": 10, "c": 20}))
    assert {single.n for single in found.singles} == {60}
    assert len(found.pairs) == 3


def test_pairs_are_told_apart_or_said_not_to_be() -> None:
    found = _compared(_cells(RATES))
    words = {(p.difference.model, p.difference.versus): p.words for p in found.pairs}
    assert words["a", "b"].startswith("a is higher than b: ")
    assert "(Holm)" in words["a", "b"]
    assert "are not separable" in words["b", "c"]
    assert "we could have seen" in words["b", "c"]
    assert found.ranks[0].model == "a"
    letters = {row.model: row.letters for row in found.ranks}
    assert set(letters["b"]) & set(letters["c"])
    assert not set(letters["a"]) & set(letters["b"])


def test_a_baseline_stands_second_and_pays_for_its_pairs_only() -> None:
    cells = _cells(RATES)
    every, few = _compared(cells), _compared(cells, baseline="a")
    assert [(p.difference.model, p.difference.versus) for p in few.pairs] == [("b", "a"), ("c", "a")]
    first = next(p.difference for p in every.pairs if (p.difference.model, p.difference.versus) == ("a", "b"))
    turned = few.pairs[0].difference
    assert (turned.value, turned.low, turned.high) == (
        -(first.value or 0),
        -(first.high or 0),
        -(first.low or 0),
    )
    assert turned.p == first.p
    assert turned.p_adjusted is not None
    assert first.p_adjusted is not None
    assert turned.p_adjusted <= first.p_adjusted
    assert turned.detectable is not None
    assert first.detectable is not None
    assert turned.detectable < first.detectable


@given(shift=st.floats(-1, 1), margin=st.floats(0.01, 1))
@settings(max_examples=20, deadline=None)
def test_equivalence_needs_the_whole_interval_inside(shift: float, margin: float) -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(size=40)
    cells = [
        Cell(
            name="score",
            model=m,
            arm="all",
            labels="s",
            case_id=f"c{i}",
            cluster=f"c{i}",
            num=float(x),
            den=1.0,
        )
        for m, values in (("a", base), ("b", base + shift + rng.normal(scale=0.2, size=40)))
        for i, x in enumerate(values)
    ]
    quantity = Quantity("score", "score", "?", "higher", "score")
    found = compared(cells, quantity, labels="s", arm="all", plan=Plan(seed=1, B=100), margin=margin)
    (pair,) = found.pairs
    inside = (pair.difference.low or 0) > -margin and (pair.difference.high or 0) < margin
    said = "are equivalent within" in pair.words
    # Two one-sided tests at 5% read the 90% interval: wherever the 95% interval lies inside, they agree.
    assert said or not inside
    assert said or "is not shown" in pair.words
    assert found.singles[0].bounds is None


@pytest.mark.parametrize(
    ("rates", "how", "words"),
    [
        ({"a": 0.5}, {}, "has 1 model"),
        ({"a": 0.5, "b": 0.5}, {"baseline": "z"}, "--baseline got 'z'"),
    ],
)
def test_nothing_to_compare(rates: dict[str, float], how: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        _compared(_cells(rates), **how)


def test_no_shared_case() -> None:
    apart = [*_cells({"a": 0.5}, n=5), *(c for c in _cells({"b": 0.5}, n=10) if c.case_id in {"c7", "c8"})]
    with pytest.raises(UsageError, match="share no case"):
        _compared(apart)


def test_cells_of_other_numbers_labels_and_arms_take_no_part() -> None:
    mine = _cells(RATES)
    others = [
        replace(cell, num=1.0 - cell.num, **where)
        for cell in mine
        for where in ({"name": "else"}, {"labels": "judge"}, {"arm": "without"})
    ]
    assert _compared([*mine, *others]).singles == _compared(mine).singles
