"""Planted faults."""

import pytest

from percuss.core.errors import UsageError
from percuss.models.faults import Faults


def test_a_script_comes_first_and_the_rates_after_it() -> None:
    faults = Faults({"reset": 1.0}, script=["rate_limit", None])
    assert [faults.draw("k", attempt) for attempt in (1, 2, 3, 4)] == ["rate_limit", None, "reset", "reset"]


def test_rates_are_kept() -> None:
    rates = {"rate_limit": 0.1, "timeout": 0.05, "refusal": 0.05}
    drawn = [Faults(rates, seed=11).draw(f"key {number}", 1) for number in range(4000)]
    for kind, rate in rates.items():
        # Four standard errors; the seed is fixed, so this passes always or never.
        assert abs(drawn.count(kind) / 4000 - rate) < 4 * (rate * (1 - rate) / 4000) ** 0.5  # type: ignore[arg-type]


def test_a_real_filter_says_no_each_time_and_an_overloaded_server_does_not() -> None:
    faults = Faults({"refusal": 0.5, "server_error": 0.3}, seed=1)
    for number in range(50):
        drawn = [faults.draw(f"key {number}", attempt) for attempt in range(1, 6)]
        if drawn[0] == "refusal":
            assert set(drawn) == {"refusal"}
    assert len({Faults({"server_error": 0.5}, seed=1).draw("k", attempt) for attempt in range(1, 20)}) == 2


@pytest.mark.parametrize("rates", [{"nonsense": 0.1}, {"reset": 0.8, "empty": 0.3}, {"reset": -0.1}])
def test_bad_rates_are_usage_errors(rates: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="expected"):
        Faults(rates)
