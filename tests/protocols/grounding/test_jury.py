"""The jury of reading.md, section 8: what the rule makes of real answers agrees with people's labels, or carries no headline."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import jury
import reading


@pytest.mark.parametrize("layout", ["structured", "text"])
def test_each_rate_holds_what_people_say_or_its_headline_is_off(layout: str) -> None:
    found = jury.rates(layout)
    if layout == "text" and not reading.SHARED.is_dir():
        pytest.skip(
            "texts of the corpus are not beside this checkout (PERCUSS_SHARED names the folder above data/)"
        )
    assert found
    for rate in found:
        assert rate.agrees is True or jury.headline_off(rate, layout), rate


def test_the_order_of_models_is_that_of_people_or_there_is_no_headline() -> None:
    shown = [rate for rate in jury.rates() if rate.arm == "evidence"]
    assert len(shown) == 2
    by_people = sorted(shown, key=lambda rate: rate.people)
    by_rule = sorted(shown, key=lambda rate: rate.rule or 0.0)
    assert by_people == by_rule or all(jury.headline_off(rate, "structured") for rate in shown)
