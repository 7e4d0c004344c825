"""Agreement: published worked examples, other libraries, self-checks, refusals."""

import math
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from percuss.stats import (
    Result,
    StatsError,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
    raw_agreement,
)

#: Twelve units by four raters: Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C; also
#: Gwet's cac.raw4raters, whose coefficients and standard errors irrCAC 1.0 prints.
FOUR_RATERS: list[list[int | None]] = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, None, 3, None],
]
#: Ten items, 14 raters, 5 categories: the textbook table of Fleiss' kappa, 0.210.
FLEISS_TABLE = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
#: Cohen (1960), Educ Psychol Meas 20:37, two psychologists, 200 patients, kappa 0.492.
COHEN_TABLE = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
RNG = np.random.default_rng(8)
X = RNG.integers(1, 6, 80)
Y = np.clip(X + RNG.integers(-1, 2, 80), 1, 5)


def spread(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """Label pairs of a confusion table."""
    cells = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [i for i, _ in cells], [j for _, j in cells]


def by_item(counts: list[list[int]]) -> list[list[int]]:
    """Ratings of a table of counts per category."""
    return [[c for c, n in enumerate(row) for _ in range(n)] for row in counts]


def test_cohens_own_table() -> None:
    assert cohen_kappa(*spread(COHEN_TABLE)).value == pytest.approx(0.492, abs=5e-4)
    assert confusion(*spread(COHEN_TABLE)).table.tolist() == COHEN_TABLE


@pytest.mark.parametrize("weights", ["nominal", "linear", "quadratic"])
def test_sklearn_and_statsmodels_agree_on_kappa(weights: Any) -> None:
    r = cohen_kappa(X, Y, weights=weights)
    assert r.value == pytest.approx(
        cohen_kappa_score(X, Y, weights=None if weights == "nominal" else weights)
    )
    theirs = inter_rater.cohens_kappa(confusion(X, Y).table, wt=None if weights == "nominal" else weights)
    assert (r.low, r.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp))


@pytest.mark.parametrize("weights", ["nominal", "quadratic"])
def test_bootstrap_of_kappa_is_near_its_large_sample_interval(weights: Any) -> None:
    x, y = np.tile(X, 5), np.tile(Y, 5)
    a = cohen_kappa(x, y, weights=weights)
    b = cohen_kappa(x, y, weights=weights, interval="bootstrap", seed=1, B=4_000)
    assert [b.low, b.high] == pytest.approx([a.low, a.high], abs=0.01)


def test_clusters_widen_the_interval_of_repeated_items() -> None:
    x, y, clusters = np.repeat(X, 4), np.repeat(Y, 4), np.repeat(np.arange(80), 4)
    naive = cohen_kappa(x, y, interval="bootstrap", seed=1, B=1_000).width
    honest = cohen_kappa(x, y, interval="bootstrap", seed=1, B=1_000, clusters=clusters).width
    assert naive is not None
    assert honest is not None
    assert honest / naive == pytest.approx(2, rel=0.15)


def test_perfect_agreement_has_width() -> None:
    r = cohen_kappa(["a", "b"] * 10, ["a", "b"] * 10)
    assert r.value == r.high == 1
    assert r.low is not None
    # Wilson's lower limit of 20/20 is 0.8389; at chance 0.5 kappa is 2 x 0.8389 - 1.
    assert r.low == pytest.approx(0.6778, abs=1e-4)


def test_one_label_throughout_is_undefined() -> None:
    r = cohen_kappa(["ok"] * 5, ["ok"] * 5)
    assert r.undefined == "both raters gave only 'ok': chance agreement is 1"
    assert (
        str(r) == "undefined (both raters gave only 'ok': chance agreement is 1); Cohen kappa, nominal, n = 5"
    )
    assert fleiss_kappa([["ok", "ok"]] * 3).undefined == "all labels are equal: chance agreement is 1"
    assert (
        krippendorff_alpha([["ok", "ok"]] * 3).undefined
        == "all labels are equal: no disagreement could be seen"
    )
    assert gwet_ac([["ok", "ok"]] * 3).undefined == "only one category is known; pass the whole scale=[..]"
    assert icc([[1, 1], [1, 1]]).undefined == "all scores are equal"


def test_one_label_throughout_agrees_on_a_known_scale() -> None:
    assert gwet_ac([["ok", "ok"]] * 3, scale=["ok", "bad"]).value == 1


@pytest.mark.parametrize(
    ("kind", "pairs", "differing", "printed"), [("tf", 367, 15, -0.015), ("mc", 345, 9, -0.009)]
)
def test_the_kappa_paradox_of_paper_4(kind: str, pairs: int, differing: int, printed: float) -> None:
    """papers/4, Table 1: from #P and #Dis Fleiss' kappa follows; a quadratic kappa of .93 to .95 can't.

    Disagreements beside the top score 5 spread over scores 1 to 4 in unknown ways: the two extremes bracket the
    printed value, and no spread brings the quadratic kappa of the same table above 0.
    """
    for others in ([4] * differing, [1 + i % 4 for i in range(differing)]):
        rows = [[5, 5]] * (pairs - differing) + [[5, o] if i % 2 else [o, 5] for i, o in enumerate(others)]
        fleiss = fleiss_kappa(rows, scale=[1, 2, 3, 4, 5])
        quadratic = cohen_kappa(*zip(*rows, strict=True), weights="quadratic", scale=[1, 2, 3, 4, 5])
        assert fleiss.value == pytest.approx(printed, abs=0.0065)
        assert fleiss.notes[0].startswith("kappa paradox: raw agreement 0.9")
        assert quadratic.value is not None
        assert quadratic.value < 0.01
        assert quadratic.notes
        ac = gwet_ac(rows, scale=[1, 2, 3, 4, 5])
        assert ac.value is not None
        assert ac.value > 0.95


def test_fleiss_textbook_table() -> None:
    r = fleiss_kappa(by_item(FLEISS_TABLE))
    assert r.value == pytest.approx(0.20993, abs=1e-5)
    assert r.value == pytest.approx(inter_rater.fleiss_kappa(np.array(FLEISS_TABLE)))


def test_gwets_worked_example_with_missing_ratings() -> None:
    ac, fleiss = gwet_ac(FOUR_RATERS), fleiss_kappa(FOUR_RATERS)
    assert [ac.value, ac.low, ac.high] == pytest.approx([0.77544, 0.46081, 1], abs=1e-5)
    assert [fleiss.value, fleiss.low, fleiss.high] == pytest.approx([0.76117, 0.42438, 1], abs=1e-5)


@pytest.mark.parametrize(("metric", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_worked_example(metric: Any, value: float) -> None:
    r = krippendorff_alpha(FOUR_RATERS, metric=metric)
    assert r.value == pytest.approx(value, abs=5e-4)
    assert (r.n, r.n_undefined) == (11, 1)
    data = np.array([[np.nan if v is None else v for v in row] for row in FOUR_RATERS]).T
    theirs = krippendorff.alpha(
        reliability_data=data, level_of_measurement=metric, value_domain=[1, 2, 3, 4, 5]
    )
    assert r.value == pytest.approx(theirs)


def test_alpha_jackknife_is_near_the_linearised_error_of_irrcac() -> None:
    """irrCAC prints a standard error of 0.14557 for this table; the jackknife of 11 units comes within a fifth."""
    r = krippendorff_alpha(FOUR_RATERS)
    assert r.low is not None
    assert r.value is not None
    assert (r.value - r.low) / 2.228 == pytest.approx(0.1456, rel=0.2)


def test_alpha_bootstrap_over_clusters() -> None:
    rows = np.column_stack([X, Y, X]).tolist()
    r = krippendorff_alpha(
        rows, metric="ordinal", interval="bootstrap", seed=1, B=300, clusters=np.arange(80) // 2
    )
    assert r.low is not None
    assert r.high is not None
    assert r.value is not None
    assert r.low < r.value < r.high


@pytest.mark.parametrize("coefficient", [fleiss_kappa, gwet_ac])
def test_linearised_and_bootstrap_intervals_are_near(coefficient: Callable[..., Result]) -> None:
    rows = np.column_stack([np.tile(X, 4), np.tile(Y, 4)]).tolist()
    a, b = coefficient(rows), coefficient(rows, interval="bootstrap", seed=1, B=2_000)
    assert [a.low, a.high] == pytest.approx([b.low, b.high], abs=0.012)


def test_raw_agreement_is_a_proportion() -> None:
    r = raw_agreement(["a", "b", "a", "c"], ["a", "b", "b", "c"])
    assert (r.value, r.method) == (0.75, "raw agreement, Wilson")
    c = raw_agreement(X, Y, clusters=np.arange(80) // 4, seed=1, B=200)
    assert "cluster bootstrap" in c.method


def test_icc_of_constant_shifts_is_consistent_but_has_no_error_variance() -> None:
    r = icc([[1, 2], [2, 3], [5, 6]], form="C,1")
    assert (r.value, r.low) == (1.0, None)
    absolute = icc([[1, 2], [2, 3], [5, 6]])
    assert absolute.value is not None
    assert absolute.value < 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: cohen_kappa([1, 2], [1]),
            "2 labels of one rater and 1 of the other; the same items were expected",
        ),
        (
            lambda: cohen_kappa(["a"], ["maybe"], scale=["a", "b"]),
            "b holds 'maybe' at position 0; one of a, b was expected",
        ),
        (
            lambda: cohen_kappa([1.0, math.nan], [1.0, 2.0]),
            "a has no label at position 1; drop the item or use krippendorff_alpha",
        ),
        (
            lambda: cohen_kappa([1, 2], [2, 1], interval="bootstrap"),
            "the bootstrap of kappa draws at random and has no seed; pass seed=<int>",
        ),
        (
            lambda: cohen_kappa(["a", 1], ["a", 1]),
            "labels mix types that can't be ordered; pass scale=[..] in order",
        ),
        (
            lambda: cohen_kappa([1, 2], [2, 1], weights="cubic"),  # type: ignore[arg-type]
            "weights is 'cubic'; nominal, linear or quadratic was expected",
        ),
        (lambda: fleiss_kappa([[1], [2]]), "one rater came; agreement needs at least two"),
        (
            lambda: fleiss_kappa([[1, 2], [2]]),
            "items with 1 to 2 ratings came; write None where a rater gave none",
        ),
        (
            lambda: krippendorff_alpha([["a", "b"], ["b", "b"]], metric="interval"),
            "categories ['a', 'b'] are no numbers; the interval metric needs numbers",
        ),
        (lambda: icc([[1.0], [2.0]]), "2 items by 1 raters came; at least 2 by 2 were expected"),
        (
            lambda: icc([[1.0, math.nan], [2.0, 1.0]]),
            "scores holds nan at position 1; finite numbers were expected",
        ),
    ],
)
def test_bad_input_is_one_sentence(call: Callable[[], Result], sentence: str) -> None:
    with pytest.raises(StatsError) as error:
        call()
    assert str(error.value) == sentence


@pytest.mark.parametrize("coefficient", [fleiss_kappa, gwet_ac, krippendorff_alpha])
def test_no_item_with_two_ratings_is_undefined(coefficient: Callable[..., Result]) -> None:
    assert coefficient([["a", None], [None, "b"]]).undefined == "no item has two ratings"
