"""A page reads only what came since the last one, and shows what the tables hold; a hundred people cost no 4,950 kappas."""

from itertools import combinations
from pathlib import Path

import pytest

from percuss.study.agreement import MOST_LISTED, agreement
from percuss.study.answers import Given
from percuss.study.store import work
from percuss.study.study import Study
from tests.studies import answer_all, make
from tests.unit.study.test_agreement import LABELS, claim_study
from tests.unit.study.test_lifecycle import drafted, move


def both(study: Study) -> tuple[tuple[work.Labelled, ...], tuple[work.Labelled, ...]]:
    """Return the labels as a page has them, and as the tables hold them."""
    with study.database.read() as connection:
        return study.labels(connection), work.labelled(connection)


def test_labels_that_came_changed_or_were_set_aside_are_seen(folder: Path, database: str) -> None:
    with drafted(folder, database) as study:
        move(study, "pilot")
        assert both(study) == ((), ())
        answer_all(study, "r1", lambda n, again: {"support": LABELS[n % 3]})
        kept, held = both(study)
        assert kept == held
        assert len(held) > 1
        changed = Given(answer={"support": "unknown"}, active_ms=9_000)
        study.database.write(
            lambda c: work.save_label(c, "r1", held[1].token, changed, reason="a second look")
        )
        kept, held = both(study)
        assert kept == held
        assert [label.revision for label in kept].count(2) == 1
        move(study, "open")
        assert both(study) == ((), ())
        answer_all(study, "r2", lambda n, again: {"support": LABELS[n % 3]})
        kept, held = both(study)
        assert kept == held != ()


def test_one_person_s_labels_are_those_of_all_that_are_hers(folder: Path, database: str) -> None:
    with claim_study(folder, database, 6) as study, study.database.read() as connection:
        mine = [label for label in work.labelled(connection) if label.rater == "r2"]
        assert list(work.labelled(connection, rater="r2")) == mine != []


@pytest.mark.parametrize("people", [3, MOST_LISTED, MOST_LISTED + 1])
def test_equal_answers_are_counted_over_all_pairs_and_kappas_listed_for_twelve_people(
    tmp_path: Path, people: int
) -> None:
    with make(tmp_path / "study", count=4, raters=people, depth=people, repeats=0.0) as study:
        said = {f"r{n + 1}": [LABELS[(n * item) % 3] for item in range(9)] for n in range(people)}
        for rater, answers in said.items():
            answer_all(study, rater, lambda item, again, answers=answers: {"support": answers[item]})
        (question, *_) = agreement(study, B=50).questions
        with study.database.read() as connection:
            numbers = sorted({label.item for label in work.labelled(connection)})
    same = [said[a][n] == said[b][n] for n in numbers for a, b in combinations(said, 2)]
    assert question.raw.value == pytest.approx(sum(same) / len(same))
    assert len(question.pairs) == (people * (people - 1) // 2 if people <= MOST_LISTED else 0)
    assert question.between.value is not None
