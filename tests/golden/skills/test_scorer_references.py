"""The scorers against references of others (scikit-learn in references.json, made by generate.py; trec_eval in rankings.json, made by generate_rankings.py)."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.protocols.skills.scorers.accuracy import multi
from percuss.protocols.skills.scorers.edit import edit_similarity, squeezed
from percuss.protocols.skills.scorers.labels import Counts, labelled, micro_f1
from percuss.protocols.skills.scorers.ranking import average_precision, ranked

HELD: dict[str, Any] = json.loads((Path(__file__).parent / "references.json").read_text(encoding="utf-8"))
RANKINGS: dict[str, Any] = json.loads((Path(__file__).parent / "rankings.json").read_text(encoding="utf-8"))
NAMES = ("rotation", "motion blur", "foreign object", "clipped apex", "low contrast")


def _named(row: list[int]) -> list[str]:
    return [name for name, is_there in zip(NAMES, row, strict=True) if is_there]


def test_the_references_say_who_made_them() -> None:
    assert set(HELD["by"]) == {"scikit-learn", "rapidfuzz"}
    assert (len(HELD["labels"]), len(HELD["rankings"]), len(HELD["texts"])) == (4, 3, 6)


@pytest.mark.parametrize("at", range(4))
def test_micro_f1_and_exact_sets_are_those_of_scikit_learn(at: int) -> None:
    held = HELD["labels"][at]
    pairs = [(_named(said), _named(true)) for said, true in zip(held["said"], held["true"], strict=True)]
    counts = [labelled(", ".join(said) or "none", NAMES, true) for said, true in pairs]
    assert micro_f1([one for one in counts if isinstance(one, Counts)]).value == pytest.approx(
        100 * held["micro_f1"]
    )
    assert all(isinstance(one, Counts) for one in counts)
    scored = [multi(", ".join(said) or "none", NAMES, true) for said, true in pairs if true]
    empty = [said for said, true in pairs if not true]
    exact = sum(one.value == 100 for one in scored) + sum(not said for said in empty)
    shared = sum(one.parts["partial"] for one in scored) / 100 + sum(not said for said in empty)
    assert exact / len(pairs) == pytest.approx(held["exact"])
    assert shared / len(pairs) == pytest.approx(held["jaccard"])


@pytest.mark.parametrize("at", range(3))
def test_average_precision_is_scikit_learns_where_everything_is_ranked_and_less_where_it_is_not(
    at: int,
) -> None:
    held = HELD["rankings"][at]
    order = ranked({f"d{n:03}": score for n, score in enumerate(held["scores"])})
    relevant = {f"d{n:03}" for n, is_relevant in enumerate(held["relevant"]) if is_relevant}
    assert average_precision(order, relevant).value == pytest.approx(100 * held["ap"])
    shared = average_precision(order, {*relevant, "never retrieved"}).value
    assert shared == pytest.approx(100 * held["ap"] * len(relevant) / (len(relevant) + 1))


@pytest.mark.parametrize("held", RANKINGS["rankings"], ids=lambda held: str(len(held["scores"])))
def test_average_precision_is_trec_evals_where_relevant_documents_are_missed(held: dict[str, Any]) -> None:
    assert set(RANKINGS["by"]) == {"pytrec-eval-terrier"}
    made = average_precision(ranked(held["scores"]), held["relevant"])
    assert made.value == pytest.approx(100 * held["map"])


@pytest.mark.parametrize("at", range(6))
def test_edit_distances_are_those_stored(at: int) -> None:
    held = HELD["texts"][at]
    if held["one"].strip():
        made = edit_similarity(held["one"], held["other"])
        longest = max(len(squeezed(held["one"])), len(squeezed(held["other"])))
        assert made.parts["distance"] == held["distance"]
        assert made.value == pytest.approx(100 * (1 - held["distance"] / longest))
