"""Gates read interval bounds, and say when they cannot tell."""

import pytest

from percuss.core.errors import UsageError
from percuss.core.records import Estimate
from percuss.measure.gates import judge_gate, parse_gate, require_names


def _rate(
    value: float | None, low: float | None = None, high: float | None = None, **fields: object
) -> Estimate:
    keys: dict[str, object] = {
        "name": "unsupported_rate",
        "model": "m",
        "arm": "full",
        "labels": "agreement",
        **fields,
    }
    if value is None:
        keys["undefined"] = "nothing scored"
    return Estimate(value=value, low=low, high=high, **keys)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "estimate", "state"),
    [
        ("unsupported_rate[full].high>0.05", _rate(0.03, 0.01, 0.06), "fail"),
        ("unsupported_rate[full].high>0.05", _rate(0.03, 0.01, 0.05), "pass"),
        ("unsupported_rate[full].low>5%", _rate(0.03, 0.01, 0.06), "pass"),
        ("unsupported_rate[full]>0.05", _rate(0.08, 0.06, 0.1), "fail"),
        ("unsupported_rate[full]>0.05", _rate(0.05, 0.02, 0.08), "inconclusive"),
        ("unsupported_rate[full]>0.05", _rate(0.02, 0.01, 0.04), "pass"),
        ("unsupported_rate[full].high>0.05", _rate(None), "inconclusive"),
        ("unsupported_rate[full].high>0.05", _rate(0.03), "inconclusive"),
    ],
)
def test_states(text: str, estimate: Estimate, state: str) -> None:
    (outcome,) = judge_gate(parse_gate(text), [estimate])
    assert outcome.state == state


def test_phantoms_are_not_gated_unless_named() -> None:
    real, simulated = _rate(0.01, 0.0, 0.02), _rate(0.9, 0.8, 1.0, model="phantom/x", simulated=True)
    assert [
        o.state for o in judge_gate(parse_gate("unsupported_rate[full].high>0.05"), [real, simulated])
    ] == ["pass"]
    named = parse_gate("unsupported_rate[arm=full,model=phantom/x].high>0.05")
    assert [o.state for o in judge_gate(named, [real, simulated])] == ["fail"]


@pytest.mark.parametrize("text", ["", "rate", "rate[full]", "rate>>1", "Rate>1", "rate[a,b]>1", "rate.mid>1"])
def test_bad_forms_are_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="--fail-if"):
        parse_gate(text)


def test_a_name_that_matches_nothing_lists_the_arms() -> None:
    with pytest.raises(UsageError, match="arms of unsupported_rate: full"):
        judge_gate(parse_gate("unsupported_rate[fulll].high>0.05"), [_rate(0.1, 0.0, 0.2)])


def test_strata_and_other_label_sources_are_held_only_by_name() -> None:
    whole = _rate(0.01, 0.0, 0.02)
    hot = _rate(0.2, 0.1, 0.4, stratum="Hot")
    rules = _rate(0.3, 0.2, 0.4, labels="rule:strict")
    primary = _rate(0.9, 0.8, 1.0, name="hdi_pooled", primary=True)
    estimates = [hot, rules, whole, primary]
    states = {
        "unsupported_rate[full].high>0.05": ["pass"],
        "unsupported_rate[arm=full,stratum=Hot].high>0.05": ["fail"],
        "unsupported_rate[arm=full,labels=rule:strict].high>0.05": ["fail"],
    }
    for text, expected in states.items():
        assert [o.state for o in judge_gate(parse_gate(text), estimates)] == expected, text


def test_a_run_of_phantoms_alone_says_how_to_gate_them() -> None:
    simulated = _rate(0.9, 0.8, 1.0, model="phantom/x", simulated=True)
    with pytest.raises(UsageError, match=r"simulated models alone, which are gated only by name.*phantom/x"):
        judge_gate(parse_gate("unsupported_rate[full].high>0.05"), [simulated])


def test_a_limit_in_percent_is_a_hundredth_and_one_without_is_as_it_stands() -> None:
    assert parse_gate("unsupported_rate[full].high > 5%").limit == 0.05
    assert parse_gate("unsupported_rate[full].high > 0.05").limit == 0.05
    assert parse_gate("rmse.high > 2").limit == 2


def test_an_unknown_number_is_told_the_three_that_come_nearest() -> None:
    names = ["wrong_rate", "wrong_rat", "wrong_rates", "wrong_ratio", "hdi_pooled", "overlap_*"]
    require_names([parse_gate("overlap_x.high > 1")], names)
    require_names([parse_gate("anything.high > 1")], [])
    with pytest.raises(UsageError, match=r"did you mean \w+ or \w+ or \w+\?$"):
        require_names([parse_gate("wrong_rated.high > 1")], names)
    with pytest.raises(UsageError, match="it makes wrong_rate, wrong_rat, "):
        require_names([parse_gate("zzz.high > 1")], names)
