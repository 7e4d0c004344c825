"""Assignment: balance, blocks, hidden repeats, the same plan for the same seed."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.study.assignment import REPEAT_GAP, plan, sample

STRATA = [f"m{n % 3}/a{n % 2}" for n in range(120)]


@settings(max_examples=40, deadline=None)
@given(
    counts=st.lists(st.integers(1, 25), min_size=1, max_size=5),
    raters=st.integers(2, 6),
    overlap=st.floats(0, 1),
    repeats=st.sampled_from([0.0, 0.1, 0.3]),
    seed=st.integers(0, 10_000),
)
def test_every_item_is_judged_and_the_load_is_even(
    counts: list[int], raters: int, overlap: float, repeats: float, seed: int
) -> None:
    strata = [f"s{n}" for n, count in enumerate(counts) for _ in range(count)]
    codes = [f"r{n}" for n in range(raters)]
    slots = plan(strata, codes, overlap=overlap, repeats=repeats, seed=seed)
    first = [slot for slot in slots if not slot.repeat]
    times = Counter(slot.item for slot in first)
    assert set(times) == set(range(len(strata)))
    assert set(times.values()) <= {1, 2}
    assert sum(count == 2 for count in times.values()) == round(overlap * len(strata))
    load = Counter(slot.rater for slot in first)
    assert max(load.values()) - min(load.get(code, 0) for code in codes) <= 2
    for stratum in set(strata):
        here = Counter(slot.rater for slot in first if strata[slot.item] == stratum)
        assert max(here.values()) - min(here.get(code, 0) for code in codes) <= 1
    for code in codes:
        mine = sorted((slot for slot in slots if slot.rater == code), key=lambda slot: slot.ordinal)
        assert [slot.ordinal for slot in mine] == list(range(len(mine)))
        at = {slot.item: slot.ordinal for slot in mine if not slot.repeat}
        for slot in mine:
            if slot.repeat:
                assert slot.ordinal - at[slot.item] > REPEAT_GAP


def test_pairs_of_raters_meet_about_as_often() -> None:
    slots = plan(STRATA, ["r1", "r2", "r3"], overlap=0.45, seed=42)
    by_item: dict[int, list[str]] = {}
    for slot in slots:
        if not slot.repeat:
            by_item.setdefault(slot.item, []).append(slot.rater)
    met = Counter(pair for raters in by_item.values() for pair in combinations(sorted(raters), 2))
    assert sum(met.values()) == 54
    assert max(met.values()) - min(met.values()) <= 6


def test_a_prefix_of_an_order_holds_the_strata_in_proportion() -> None:
    slots = plan(STRATA, ["r1"], overlap=0, repeats=0, seed=3)
    for stop in (30, 60, 90):
        shares = Counter(STRATA[slot.item] for slot in slots[:stop])
        assert all(abs(shares[name] - stop / 6) <= 1 for name in set(STRATA))


def test_orders_differ_between_raters_and_come_back_with_the_seed() -> None:
    one = plan(STRATA, ["r1", "r2"], overlap=1, seed=5)
    again = plan(STRATA, ["r1", "r2"], overlap=1, seed=5)
    other = plan(STRATA, ["r1", "r2"], overlap=1, seed=6)
    orders = {
        code: [slot.item for slot in one if slot.rater == code and not slot.repeat] for code in ("r1", "r2")
    }
    assert one == again
    assert one != other
    assert orders["r1"] != orders["r2"]
    assert sorted(orders["r1"]) == sorted(orders["r2"])


def test_a_tenth_of_the_items_comes_back() -> None:
    slots = plan(STRATA, ["r1", "r2"], overlap=1, repeats=0.1, seed=5)
    assert Counter(slot.rater for slot in slots if slot.repeat) == {"r1": 12, "r2": 12}


def test_a_sample_takes_the_strata_equally() -> None:
    strata = ["big"] * 500 + ["small"] * 20 + ["other"] * 100
    taken = Counter(strata[n] for n in sample(strata, 90, seed=42))
    assert taken == {"big": 35, "small": 20, "other": 35}
    assert sample(strata, 90, seed=42) == sample(strata, 90, seed=42)


@pytest.mark.parametrize(
    ("strata", "raters", "overlap", "depth", "words"),
    [
        ([], ["r1"], 0, 2, "at least one"),
        (["a"], ["r1"], 1, 2, "add raters"),
        (["a"], ["r1"], 2, 2, "between 0 and 1"),
    ],
)
def test_a_plan_that_cannot_be_made_says_why(
    strata: list[str], raters: list[str], overlap: float, depth: int, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        plan(strata, raters, overlap=overlap, depth=depth, seed=1)
