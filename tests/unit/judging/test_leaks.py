"""The leak test: planted leaks are found in every seed, clean sets are left alone, what only tells the case is no leak."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from percuss.judging.leaks import Shown, leak_sentence, leaks_of_items
from percuss.stats.leakage import leaks

SEEDS, SETS, MOST = 100, 1_000, 5
"""reading.md, section 3: planted leaks are found in 100 of 100 seeds, at most 5 of 1,000 clean sets are refused (1 of them was)."""

Plant = Callable[[np.random.Generator, str, int], dict[str, Any]]


def items(plant: Plant, *, seed: int, cases: int = 40, mixed: bool = True) -> list[Shown]:
    """Items of cases in two arms by two models; what `plant` gives stands beside fields that tell nothing."""
    rng = np.random.default_rng(seed)
    found = []
    for case in range(cases):
        arms = ("with", "without") if mixed else (("with", "without")[case % 2],)
        facts = {"age": int(rng.integers(30, 90)), "stage": "I" * int(rng.integers(1, 4))}
        for arm in arms:
            for model in ("a", "b"):
                fields = {
                    "evidence": facts,
                    "question": f"Case {case}?",
                    "claim": "x" * int(rng.integers(1, 99)) + arm,
                }
                found.append(
                    Shown(
                        fields=fields | plant(rng, arm, case),
                        arm=arm,
                        model=model,
                        case=str(case),
                        stratum="s",
                    )
                )
    order = rng.permutation(len(found))
    return [found[n] for n in order]


PLANTS: dict[str, Plant] = {
    "presence": lambda _r, arm, _c: {"layers_shown": ["rna"]} if arm == "with" else {},
    "type": lambda _r, arm, _c: {"note": "x" if arm == "with" else 1},
    "keys": lambda _r, arm, _c: {"about": {"p": 1, "q": 2} if arm == "with" else {"p": 1, "r": 2}},
    "count": lambda _r, arm, _c: {"neighbours": ["n"] * (3 if arm == "with" else 4)},
    "length": lambda r, arm, _c: {
        "evidence_text": "w" * int(r.integers(100, 150) + (60 if arm == "with" else 0))
    },
    "size": lambda r, arm, _c: {"seconds": float(r.normal(3.0 if arm == "with" else 5.0, 0.8))},
    "category": lambda r, arm, _c: {
        "kind": "numeric" if r.random() < (0.85 if arm == "with" else 0.15) else "other"
    },
    "order of keys": lambda _r, arm, _c: {"p": 1, "q": 2} if arm == "with" else {"q": 2, "p": 1},
    "nested": lambda _r, arm, _c: {"meta": {"inner": {"flag": arm == "with"}}},
}


@pytest.mark.parametrize("name", PLANTS)
def test_planted_leaks_are_found(name: str) -> None:
    for seed in range(3):
        hidden, leak = leaks_of_items(items(PLANTS[name], seed=seed), seed=seed)[0]
        assert leak.refused, (name, seed)
        assert hidden == "arm"
        assert "tells the arm" in leak_sentence(hidden, leak)


@pytest.mark.parametrize("form", ["presence", "type", "keys", "count", "length", "size", "category"])
def test_a_leak_is_named_by_the_form_that_tells(form: str) -> None:
    """A person mends a field, so each form is said beside what else it shows in."""
    found = leaks_of_items(items(PLANTS[form], seed=1), seed=1)
    assert any(leak.refused and leak.feature.endswith(f" ({form})") for _, leak in found)


def test_arms_in_cases_of_their_own_are_tested_too() -> None:
    assert leaks_of_items(items(PLANTS["presence"], seed=1, mixed=False), seed=1)[0][1].refused
    assert not leaks_of_items(items(lambda *_: {}, seed=1, mixed=False), seed=1)[0][1].refused


def test_what_only_tells_the_case_is_no_leak() -> None:
    """A field that names the case depends on nothing else: arms are mixed within each case."""
    found = leaks_of_items(
        items(lambda _r, _a, case: {"place": f"ward {case % 5}", "n": case}, seed=3), seed=3
    )
    assert not any(leak.refused for _, leak in found)


@pytest.mark.slow
def test_clean_sets_are_left_alone() -> None:
    """Sets of features are drawn at random."""
    refused = 0
    for seed in range(SETS):
        rng = np.random.default_rng(seed)
        features = {f"f{k}": rng.integers(0, int(rng.integers(2, 12)), 120).tolist() for k in range(12)}
        told = leaks(features, ["a", "b"] * 60, cases=[n // 2 for n in range(120)], seed=seed)
        refused += any(leak.refused for leak in told)
    assert refused <= MOST, f"{refused} of {SETS:,} clean sets refused; at most {MOST}"


@pytest.mark.slow
def test_a_planted_leak_is_found_in_every_seed() -> None:
    """Every form of leak in turn."""
    plants = list(PLANTS.values())
    found = sum(
        leaks_of_items(items(plants[seed % len(plants)], seed=seed, cases=60), seed=seed)[0][1].refused
        for seed in range(SEEDS)
    )
    assert found == SEEDS, f"{found} of {SEEDS} planted leaks found"


def test_content_is_exempt_and_form_beside_it_is_not() -> None:
    found = leaks_of_items(items(lambda _r, arm, _c: {"answer": arm * 9, "picture": arm}, seed=5), seed=5)
    assert not any(leak.refused for _, leak in found)
    assert not any(leak.feature.startswith(("answer", "picture", "claim")) for _, leak in found)


def test_nothing_to_tell() -> None:
    assert leaks_of_items([], seed=1) == ()
    assert all(leak.p == 1.0 for leak in leaks({"f": [1, 1]}, ["a", "b"], cases=[0, 0], seed=1))
    with pytest.raises(ValueError, match="lengths differ"):
        leaks({"f": [1]}, ["a", "b"], cases=[0, 0], seed=1)
