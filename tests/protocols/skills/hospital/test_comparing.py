"""Rows as multisets, columns by name, values by kind: what counts as equal and what doesn't."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.skills.worlds.hospital.comparing import compared
from percuss.protocols.skills.worlds.hospital.tasks.round import MEAN, Column, Gold

ROW = st.tuples(st.integers(0, 3), st.sampled_from(["a", "b"]))


def gold(kind: str, value: Any, tolerance: float = 1e-6) -> Gold:
    return Gold(columns=(Column(name="x", kind=kind, tolerance=tolerance),), rows=((value,),))


@pytest.mark.parametrize(
    ("kind", "wanted", "given", "right"),
    [
        ("integer", 4, 4, True),
        ("integer", 4, 4.0, True),
        ("integer", 4, "4", True),
        ("integer", 4, " 4 ", True),
        ("integer", 4, 5, False),
        ("integer", 1, True, False),
        ("integer", 4, "four", False),
        ("integer", 4, [4], False),
        ("integer", 4, 10**400, False),
        ("number", 4.1, 4.1000000001, True),
        ("number", 4.1, 4.2, False),
        ("number", 4.1, "nan", False),
        ("number", 1e6, 1e6 + 0.5, True),
        ("number", None, None, True),
        ("number", None, 0, False),
        ("number", 0, None, False),
        ("date", "2024-05-01", "2024-05-01", True),
        ("date", "2024-05-01", "2024-05-01 00:00:00", True),
        ("date", "2024-05-01", "2024-05-01T00:00:00", True),
        ("date", "2024-05-01", "2024-05-01 08:00:00", False),
        ("date", "2024-05-01", "01.05.2024", False),
        ("date", "2024-05-01", 20240501, False),
        ("time", "2024-05-01 08:00:00", "2024-05-01T08:00:00", True),
        ("time", "2024-05-01 08:00:00", "2024-05-01T08:00", True),
        ("time", "2024-05-01 08:00:00", "2024-05-01", False),
        ("text", "Old Town", "old  town", True),
        ("text", "Old Town", "Oldtown", False),
        ("text", "4", 4, False),
        ("text", "ﬁ", "fi", True),
    ],
)
def test_values_compare_by_their_kind(kind: str, wanted: Any, given: Any, right: bool) -> None:
    assert compared(gold(kind, wanted), [{"x": given}]).right is right


@pytest.mark.parametrize(
    ("given", "right"), [(7.04, True), (7.1, True), (7.11, False), (7.0, True), (6.9, False)]
)
def test_a_mean_may_be_rounded_to_one_decimal(given: float, right: bool) -> None:
    assert compared(gold("number", 7.05, MEAN), [{"x": given}]).right is right


def test_columns_go_by_name_in_any_order_and_case_and_more_are_left_aside() -> None:
    wanted = Gold(columns=(Column(name="a", kind="integer"), Column(name="b", kind="text")), rows=((1, "x"),))
    assert compared(wanted, [{"B ": "x", "A": 1, "more": 0}]).right
    lacking = compared(wanted, [{"a": 1}])
    assert (lacking.right, lacking.f1, lacking.why) == (False, 0.0, "no column b")


def test_order_counts_only_where_gold_says_so() -> None:
    rows = ((1,), (2,))
    column = (Column(name="x", kind="integer"),)
    turned = [{"x": 2}, {"x": 1}]
    assert compared(Gold(columns=column, rows=rows), turned).right
    ordered = compared(Gold(columns=column, rows=rows, ordered=True), turned)
    assert (ordered.right, ordered.f1, ordered.why) == (False, 1.0, "the rows are in another order")


def test_within_tolerance_rows_are_matched_so_that_most_fit() -> None:
    wanted = Gold(columns=(Column(name="x", kind="number", tolerance=0.1),), rows=((1.0,), (1.15,)))
    assert compared(wanted, [{"x": 1.08}, {"x": 0.95}]).right


def test_f1_is_over_rows() -> None:
    column = (Column(name="x", kind="integer"),)
    found = compared(Gold(columns=column, rows=((1,), (2,), (3,))), [{"x": 1}, {"x": 1}, {"x": 9}])
    assert (found.right, found.f1, found.why) == (False, 2 / 6, "1 of 3 rows, 3 given")


def _named(rows: list[tuple[int, str]]) -> list[dict[str, Any]]:
    return [{"a": a, "b": b} for a, b in rows]


@given(st.lists(ROW, max_size=6), st.lists(ROW, max_size=6), st.randoms(use_true_random=False))
def test_a_multiset_is_right_exactly_when_it_is_the_same(one: Any, other: Any, random: Any) -> None:
    columns = (Column(name="a", kind="integer"), Column(name="b", kind="text"))
    wanted = Gold(columns=columns, rows=tuple(one))
    found = compared(wanted, _named(other))
    assert found.right == (sorted(one) == sorted(other))
    assert 0 <= found.f1 <= 1
    shuffled = list(other)
    random.shuffle(shuffled)
    assert compared(wanted, _named(shuffled)) == found
