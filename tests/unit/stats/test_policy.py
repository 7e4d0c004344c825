"""The interval policy: which interval follows from what was seen, at its borders; p without a floor; sides of bounds."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats as scipy_stats

from percuss.stats import Judged, cohen_kappa, gate, ppi_difference, ppi_rate
from percuss.stats.clustered import degrees_of_freedom, effective_clusters, influence
from percuss.stats.contrasts import SAME, compared_hdis, compared_rates
from percuss.stats.intervals import clopper_pearson, p_of_interval
from percuss.stats.policy import hdi_macro, of_sums, rate, support
from percuss.stats.ratios import ratio
from percuss.stats.result import Result, StatsError

Floats = npt.NDArray[np.float64]


def some(cases: int, rate_: float, seed: int = 1, size: int = 5) -> tuple[Floats, Floats]:
    return np.random.default_rng(seed).binomial(size, rate_, cases).astype(float), np.full(cases, float(size))


def by_matrices(sizes: Floats) -> tuple[Floats, float]:
    """CR2's adjustments and Satterthwaite's df of an intercept, by the matrices of Pustejovsky and Tipton (2018)."""
    total = int(sizes.sum())
    owner = np.repeat(np.arange(len(sizes)), sizes.astype(int))
    x = np.ones((total, 1))
    keep = np.eye(total) - x @ x.T / total
    together = (owner[:, None] == owner[None, :]).astype(float)  # the working model: correlation 1
    columns = []
    for j in range(len(sizes)):
        own = owner == j
        a = np.eye(own.sum()) + ((1 - own.sum() / total) ** -0.5 - 1) * np.ones((own.sum(),) * 2) / own.sum()
        columns.append(keep[:, own] @ a @ x[own] / total)
    g = np.hstack(columns)
    inner = g.T @ together @ g
    return np.array([(1 - n / total) ** -0.5 for n in sizes]), float(np.trace(inner) ** 2 / (inner**2).sum())


@pytest.mark.parametrize("sizes", [[5] * 12, [1, 2, 3, 4, 5, 6, 40], [1, 1, 9, 2]])
def test_degrees_of_freedom_are_those_of_the_matrices(sizes: list[int]) -> None:
    n = np.array(sizes, dtype=float)
    a, df = by_matrices(n)
    assert float(degrees_of_freedom(n)) == pytest.approx(max(df, 1))
    k = np.minimum(n, np.arange(len(n)) % 3)
    residual = (k - k.sum() / n.sum() * n) / n.sum()
    assert influence(k, n) == pytest.approx(a * residual)


def test_equal_clusters_have_one_degree_less_than_there_are() -> None:
    assert float(degrees_of_freedom(np.full(9, 7.0))) == pytest.approx(8)
    assert float(effective_clusters(np.full(9, 7.0))) == pytest.approx(9)
    half = np.array([20.0] + [1.0] * 20)
    assert float(effective_clusters(half)) < 4
    assert float(degrees_of_freedom(half)) < 1.5


def test_the_way_follows_from_what_was_seen() -> None:
    n = np.full(60, 5.0)
    for cases, events, way in (
        (60, 10, "bootstrap"), (60, 9, "leverage"), (49, 12, "leverage"), (60, 3, "leverage"), (60, 2, "none"),
        (5, 3, "leverage"), (4, 3, "none"),
    ):  # fmt: skip
        k = np.where(np.arange(cases) < events, 2.0, 0.0)
        assert support(k, n[:cases]).way == way, (cases, events)
        assert support(n[:cases] - k, n[:cases]).way == way, (cases, events)


def test_a_rate_of_many_cases_is_a_bca_bootstrap_and_one_of_few_is_not() -> None:
    many, few = (rate(*some(cases, 0.3), seed=1, B=1_000) for cases in (60, 30))
    assert many.method == "cluster bootstrap, BCa, B = 1000 (policy 2)"
    assert few.method.startswith("Wilson, effective n = ")
    assert few.method.endswith("t on 29.0 df (policy 2)")


def test_one_case_that_holds_half_leaves_a_bound() -> None:
    k, n = some(40, 0.3)
    n[0], k[0] = 195.0, 60.0
    r = rate(k, n, seed=1)
    assert r.sided == "high"
    assert r.low is None
    assert "the largest holds 50%" in r.notes[0]


@pytest.mark.parametrize("events", [0, 1, 2])
def test_bounds_mirror(events: int) -> None:
    k, n = np.where(np.arange(40) < events, 1.0, 0.0), np.full(40, 5.0)
    most, least = rate(k, n, seed=1), rate(n - k, n, seed=1)
    assert (most.sided, least.sided) == ("high", "low")
    assert most.high is not None
    assert least.low == pytest.approx(1 - most.high)
    assert 0 < most.high < 1


def test_single_trials_get_clopper_pearson() -> None:
    r = rate(np.zeros(400), np.ones(400), seed=1)
    assert r.high == pytest.approx(clopper_pearson(0, 400).high, abs=5e-4)
    assert str(r).startswith("0.0000 at most 0.00")


def test_a_bound_says_its_side_or_is_refused() -> None:
    with pytest.raises(StatsError, match="sided is 'high'"):
        Result(value=0.1, low=0.0, high=0.2, level=0.95, method="m", n=1, sided="high")


def test_a_mean_that_is_no_proportion_has_a_t_interval_or_words() -> None:
    values = np.arange(12.0)
    r = rate(values, seed=1)
    ours, theirs = (
        (r.low, r.high),
        scipy_stats.t.interval(0.95, 11, values.mean(), values.std(ddof=1) / 12**0.5),
    )
    assert ours == pytest.approx(theirs)
    assert rate(values[:4], seed=1).undefined == "worth 4.0 equal cases, fewer than 5"


def test_any_function_of_sums_takes_the_same_way() -> None:
    k, n = some(60, 0.3)
    columns = np.stack([k, n], axis=1)
    assert "BCa" in of_sums(ratio, columns, seed=1, weights=n, B=1_000).method
    assert "jackknife" in of_sums(ratio, columns[:20], seed=1, weights=n[:20]).method
    assert of_sums(ratio, columns[:4], seed=1, weights=n[:4]).low is None


def test_forty_models_can_differ() -> None:
    """780 pairs: Holm's first step multiplies by 780, which a floor of 1/10,000 would never survive."""
    rng = np.random.default_rng(3)
    rates = np.linspace(0.1, 0.9, 40)
    num = np.stack([rng.binomial(5, p, 119) for p in rates]).astype(float)
    paired = compared_rates(num, np.full(num.shape, 5.0), seed=1)
    assert len(paired.differences) == 780
    assert sum(d.separates for d in paired.differences) > 500
    assert sum(b.separates for b in map(paired.between, range(39), range(1, 40))) <= 2


def test_p_and_interval_agree_where_limits_make_both() -> None:
    for seed in range(30):
        a, b = some(20, 0.3, seed), some(20, 0.5, seed + 100)
        d = compared_rates(np.stack([a[0], b[0]]), np.stack([a[1], b[1]]), seed=1).differences[0].result
        assert d.p is not None
        assert d.low is not None
        assert d.high is not None
        assert (d.p < 0.05) == (d.low > 0 or d.high < 0)


def test_p_falls_with_the_difference() -> None:
    found = [p_of_interval(v, v - 1, v + 1, 0.95, 11) for v in (0.0, 0.5, 1.0, 2.0, 8.0)]
    assert found[0] == 1
    assert found[2] == pytest.approx(0.05)
    assert all(a > b for a, b in pairwise(found))


def test_p_of_many_cases_agrees_with_its_interval_and_has_no_floor() -> None:
    for seed in range(20):
        a, b = some(80, 0.3, seed), some(80, 0.36, seed + 100)
        d = (
            compared_rates(np.stack([a[0], b[0]]), np.stack([a[1], b[1]]), seed=1, B=4_000)
            .differences[0]
            .result
        )
        assert "BCa" in d.method
        assert d.p is not None
        assert d.low is not None
        assert d.high is not None
        assert (d.p < 0.045) <= (d.low > 0 or d.high < 0) <= (d.p < 0.055)
    far = compared_rates(
        np.stack([some(80, 0.1)[0], some(80, 0.9)[0]]), np.full((2, 80), 5.0), seed=1, B=1_000
    )
    assert far.differences[0].result.p is not None
    assert 0 < far.differences[0].result.p < 1e-10


def test_equal_answers_have_no_interval_and_too_few_events_only_a_p() -> None:
    k, n = some(30, 0.3)
    same = compared_rates(np.stack([k, k]), np.stack([n, n]), seed=1).differences[0].result
    assert (same.value, same.low, same.undefined) == (0, None, SAME)
    d = compared_rates(np.stack([np.zeros(30), some(30, 0.8)[0]]), np.stack([n, n]), seed=1).differences[0]
    assert d.result.low is None
    assert d.result.undefined == "0 cases with an event, fewer than 3"
    assert d.separates


def hdi_of(u_g: Floats, u_b: Floats) -> Result:
    n = np.full(len(u_g), 5.0)
    return compared_hdis([(u_g, n, u_b, n)], seed=1, B=1_000).arms[0]


def test_hdi_follows_the_policy() -> None:
    assert "BCa" in hdi_of(some(60, 0.2)[0], some(60, 0.7, 2)[0]).method
    assert "MOVER" in hdi_of(some(30, 0.2)[0], some(30, 0.7, 2)[0]).method
    few = hdi_of(np.where(np.arange(60) < 2, 1.0, 0.0), some(60, 0.7)[0])
    assert few.low is None
    assert few.undefined == "2 cases have an unsupported claim with evidence, fewer than 3"
    # Where everything is unsupported without evidence the index is as well known as its numerator.
    assert hdi_of(some(60, 0.2)[0], np.full(60, 5.0)).low is not None
    assert hdi_of(some(30, 0.2)[0], np.zeros(30)).value is None


def test_a_rater_who_gives_one_label_has_no_kappa() -> None:
    assert cohen_kappa(["a", "b", "a"], ["a", "a", "a"]).undefined == "the second rater gave only 'a'"
    assert cohen_kappa(["b", "b", "b"], ["a", "b", "a"]).undefined == "the first rater gave only 'b'"


def test_kappa_of_few_clusters_has_a_t_interval_or_words() -> None:
    rng = np.random.default_rng(1)
    a = rng.choice(["x", "y"], 300)
    b = np.where(rng.random(300) < 0.8, a, "x")
    for clusters, method in ((60, "BCa"), (20, "jackknife"), (4, "jackknife")):
        r = cohen_kappa(
            list(a), list(b), interval="bootstrap", seed=1, clusters=np.arange(300) % clusters, B=1_000
        )
        assert method in r.method
        assert (r.low is None) == (clusters == 4)


def test_a_gate_is_assured_on_clusters() -> None:
    """400 items without a failure assure 1%; four hundred items of ten pictures do not."""
    assert gate(np.zeros(400), 0.01, seed=1, clusters=np.arange(400)).assured
    few = gate(np.zeros(400), 0.01, seed=1, clusters=np.arange(400) % 10)
    assert few.passed
    assert not few.assured


def labelled(cases: int, seed: int = 1) -> Judged:
    rng = np.random.default_rng(seed)
    truth = (rng.random(600) < 0.3).astype(float)
    judge = np.where(rng.random(600) < 0.9, truth, 1 - truth)
    case = np.arange(600) // 10
    return Judged(judge, np.where(case < cases, truth, np.nan), case)


def test_prediction_powered_limits_take_their_df_from_the_labelled_clusters() -> None:
    many, few, none = (ppi_rate(labelled(n)) for n in (60, 8, 4))
    assert "t on 59.0 df" in many.notes[0]
    assert "t on 7.0 df" in few.notes[0]
    assert none.value is None
    assert none.undefined == "people's labels lie in cases worth 4.0 equal ones, fewer than 5"
    d = ppi_difference(labelled(8, 1), labelled(8, 2))
    assert d.p is not None
    assert d.low is not None
    assert d.high is not None
    assert (d.p < 0.05) == (d.low > 0 or d.high < 0)


def uneven(seed: int) -> tuple[Floats, Floats, np.random.Generator]:
    """Counts of cases of very uneven sizes, nearly all or nearly none of them events: worth next to nothing."""
    g = np.random.default_rng(seed)
    cases = int(g.choice([6, 12, 40, 60]))
    n = np.maximum(1.0, np.rint(5 * np.exp(1.4 * g.standard_normal(cases))))
    p = g.choice([0.03, 0.5, 0.97])
    return g.binomial(n.astype(int), g.beta(1.5 * p, 1.5 * (1 - p), cases)).astype(float), n, g


def test_no_limit_is_0_or_1_where_something_else_was_seen() -> None:
    """Of 400 such data sets 4 had a limit of a rate at exactly 1, 9 a corrected one at 0 or 1: rounding, and clipping."""
    for seed in range(400):
        k, n, g = uneven(seed)
        if not 0 < k.sum() < n.sum():
            continue
        found = [rate(k, n, seed=1, B=500), rate(k / 3, n / 3, seed=1, B=500)]
        found.append(compared_hdis([(np.floor(k / 2), n, k, n)], seed=1, B=500).arms[0])
        case = np.repeat(np.arange(len(n)), n.astype(int))
        human = (g.random(len(case)) < np.repeat(k / n, n.astype(int))).astype(float)
        machine, seen = np.where(g.random(len(case)) < 0.85, human, 1 - human), g.random(len(case)) < 0.4
        if 0 < human[seen].sum() < seen.sum():
            found.append(ppi_rate(Judged(machine, np.where(seen, human, np.nan), case)))
        for r in found:
            for end in (r.low, r.high):
                assert end is None or end not in {0.0, 1.0}, (seed, r)


def test_nothing_else_seen_is_a_limit_of_0_or_1_and_a_bound_on_the_other_side() -> None:
    none, every = (
        rate(np.zeros(40), np.full(40, 5.0), seed=1),
        rate(np.full(40, 5.0), np.full(40, 5.0), seed=1),
    )
    assert (none.low, none.sided, every.high, every.sided) == (None, "high", None, "low")


def test_a_mean_of_indices_has_no_limit_above_1() -> None:
    """It was 1.07: no index is above 1, so that its lower limit stands alone."""
    u_b = np.array([2.0, 3.0, 1.0, 2.0, 4.0, 2.0])
    found = hdi_macro((np.array([0.0, 0, 0, 1, 0, 0]), np.full(6, 5.0), u_b, np.full(6, 5.0)), seed=1)
    assert (found.high, found.sided) == (None, "low")
    assert found.low is not None
    assert found.low < (found.value or 0) < 1


@pytest.mark.parametrize("b", [list("abbb"), list("abab")], ids=["some differ", "all alike"])
def test_kappa_of_fewer_than_5_items_has_no_interval(b: list[str]) -> None:
    """Four items had one, from the large-sample error, and up to 1.0000 though a label differed."""
    r = cohen_kappa(list("abab"), b)
    assert r.value is not None
    assert (r.low, r.high, r.undefined) == (None, None, "4 cases, fewer than 5")
    assert cohen_kappa(list("ababab"), list("ababab")).low is not None
