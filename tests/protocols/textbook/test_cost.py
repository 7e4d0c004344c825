"""Costs of the paper's measured row, to the cent (paper, Table 3)."""

import pytest

from percuss.protocols.textbook.cost import cost_of, prices, verification_cost
from percuss.protocols.textbook.people.minutes import minutes_of


def test_the_measured_row_of_table_3() -> None:
    row = cost_of("LLaMA-3.3 70B", 253, prices())
    assert {cloud: round(value, 2) for cloud, value in row.gpu.items()} == {
        "AWS": 0.36,
        "GCP": 0.28,
        "Azure": 0.32,
    }
    assert {name: round(value, 2) for name, value in row.verified.items()} == {
        "+T1": 0.96,
        "+T2": 2.93,
        "T1+T2": 3.61,
    }


def test_minutes_and_wage() -> None:
    assert verification_cost(2.05, prices().wage) == pytest.approx(0.683, abs=5e-4)
    assert minutes_of([0, 2, 4, 60, 63]) == pytest.approx((2, 7 / 3, 3))
    assert minutes_of([5]) == (0, 0, 0)
