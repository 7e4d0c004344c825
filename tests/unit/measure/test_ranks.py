"""What is said of pairs of models: real and simulated ones are counted apart."""

import pytest

from percuss.core.records import Estimate
from percuss.measure.ranks import apart_words


def _pair(p: float | None, *, simulated: bool = False) -> Estimate:
    return Estimate(
        model="phantom/a" if simulated else "a", versus="b", arm="full", labels="s", name="rate_difference",
        label="rate", question="?", better="lower", unit="points", value=0.1, p_adjusted=p, simulated=simulated,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([_pair(0.01)], "Of 1 pair of models, 1 can be told apart in the rate."),
        ([_pair(0.01), _pair(None), _pair(0.2)], "Of 3 pairs of models, 1 can be told apart in the rate."),
        (
            [_pair(0.2), _pair(0.01, simulated=True)],
            "Of 1 pair of models, 0 can be told apart in the rate; of 1 more pair with a simulated model, 1.",
        ),
        (
            [_pair(0.01, simulated=True), _pair(0.2, simulated=True)],
            "Of 2 pairs with a simulated model, 1 can be told apart in the rate.",
        ),
    ],
)
def test_pairs_with_a_simulated_model_are_counted_for_themselves(pairs: list[Estimate], words: str) -> None:
    assert apart_words(pairs, "the rate") == words
