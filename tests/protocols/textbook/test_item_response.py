"""Item response: planted items and abilities come back, a short form beats random ones, few models are called exploratory."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from percuss.api.run.session import OwnSession
from percuss.core.ports import Roles
from percuss.protocols.textbook.response.command import ShortFormOptions, choose_short_form
from percuss.protocols.textbook.response.fit import ability_intervals, fit_items, information, probability
from percuss.protocols.textbook.response.short_form import quotas, random_form, short_form
from percuss.stats.ranks import kendall_tau_b
from percuss.stats.result import StatsError
from tests.protocols.textbook.runs import run

TYPES = [f"t{n % 7}" for n in range(400)]
Floats = NDArray[np.float64]


def planted(
    models: int, items: int, seed: int, width: float
) -> tuple[Floats, Floats, Floats, np.random.Generator]:
    draws = np.random.default_rng(seed)
    theta = np.linspace(-width, width, models)
    return theta, np.exp(draws.normal(0, 0.5, items)), draws.normal(0, 1.5, items), draws


def answers(theta: Floats, a: Floats, b: Floats, draws: np.random.Generator) -> Floats:
    made: Floats = (draws.random((len(theta), len(a))) < probability(theta, a, b)).astype(float)
    return made


def test_planted_difficulties_and_abilities_come_back() -> None:
    theta, a, b, draws = planted(60, 150, 1, 2.0)
    fit = fit_items(answers(theta, a, b, draws))
    assert np.corrcoef(fit.theta, theta)[0, 1] > 0.97
    assert np.corrcoef(fit.b, b)[0, 1] > 0.9
    assert np.corrcoef(np.log(fit.a), np.log(a))[0, 1] > 0.5


def test_partial_credit_is_cut_and_what_is_missing_is_left_out() -> None:
    theta, a, b, draws = planted(20, 40, 2, 2.0)
    scores = answers(theta, a, b, draws)
    soft = np.where(scores > 0, 0.6, 0.4)
    assert np.allclose(fit_items(soft).theta, fit_items(scores).theta)
    holes = scores.copy()
    holes[0, :20] = np.nan
    assert np.isfinite(fit_items(holes).theta).all()
    holes[:, 3] = np.nan
    with pytest.raises(StatsError, match="no scored answer"):
        fit_items(holes)
    with pytest.raises(StatsError, match="two models"):
        fit_items(scores[:1])


def test_intervals_hold_the_ability_and_information_peaks_at_the_difficulty() -> None:
    theta, a, b, draws = planted(30, 200, 3, 1.5)
    scores = answers(theta, a, b, draws)
    fit = fit_items(scores)
    low, high = ability_intervals(scores, fit, seed=1, B=100)
    assert (low <= fit.theta).mean() > 0.9
    assert (fit.theta <= high).mean() > 0.9
    grid = np.linspace(-3, 3, 601)
    peak = grid[information(grid, np.array([1.3]), np.array([0.7])).argmax(axis=0)]
    assert peak == pytest.approx([0.7])


def test_the_share_of_each_type_is_kept() -> None:
    assert (
        quotas(TYPES, 40) == {f"t{n}": 6 if n < 5 else 5 for n in range(7)}
        or sum(quotas(TYPES, 40).values()) == 40
    )
    exact = {kind: 40 * TYPES.count(kind) / 400 for kind in set(TYPES)}
    assert all(abs(n - exact[kind]) < 1 for kind, n in quotas(TYPES, 40).items())
    theta, a, b, draws = planted(8, 400, 4, 1.0)
    chosen = short_form(fit_items(answers(theta, a, b, draws)), TYPES, 40)
    assert len(set(chosen)) == 40
    counts = {kind: sum(TYPES[at] == kind for at in chosen) for kind in set(TYPES)}
    assert counts == quotas(TYPES, 40)


def _tau(theta: Floats, fresh: Floats, form: list[int]) -> float:
    made = kendall_tau_b(theta, fresh[:, form].mean(axis=1), seed=1, B=100)
    return float(made.value or 0.0)


@pytest.mark.slow
def test_a_short_form_ranks_better_than_random_forms_on_fresh_answers() -> None:
    """Definitions: one item in ten, abilities -1..1, 8 models, 25 seeds: mean tau-b above random forms by 0.04 and more."""
    gains = []
    for seed in range(25):
        theta, a, b, draws = planted(8, 400, 100 + seed, 1.0)
        fit = fit_items(answers(theta, a, b, draws))
        fresh = answers(theta, a, b, draws)
        chosen = _tau(theta, fresh, short_form(fit, TYPES, 40))
        others = [_tau(theta, fresh, random_form(TYPES, 40, draws)) for _ in range(10)]
        gains.append(chosen - float(np.mean(others)))
    assert float(np.mean(gains)) >= 0.04, gains


def test_below_thirty_models_it_is_called_exploratory(tmp_path: Path) -> None:
    for name, closed in (("a", 0.2), ("b", 0.7)):
        run(tmp_path / name, [f"phantom/student?closed={closed}"], limit=30)
    options = ShortFormOptions(
        runs=(str(tmp_path / "a"), str(tmp_path / "b")), out=str(tmp_path / "form.jsonl"), share=0.5
    )
    made = asyncio.run(choose_short_form(options, OwnSession(Roles({}, seed=1))))
    assert "exploratory: fewer than 30 models" in made.text
    assert made.data["exploratory"] is True
    rows = [json.loads(line) for line in (tmp_path / "form.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sum(row["chosen"] for row in rows) == round(len(rows) / 2)
    assert all(row["models"] == 2 for row in rows)
