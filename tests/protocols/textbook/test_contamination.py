"""The probe: a passage said on word for word is known by heart, one in other words is not, and chance runs don't count."""

import pytest

from percuss.protocols.textbook.contamination import beginning_of, containment, longest_run, probed, rest_of
from percuss.protocols.textbook.corpus import bundled

PASSAGES = [passage.text for passage in bundled().passages]
RESTS = [rest for text in PASSAGES if (rest := rest_of(text))]


def test_beginning_and_rest_make_the_passage_and_a_short_one_has_none() -> None:
    for text in PASSAGES:
        if beginning_of(text):
            assert f"{beginning_of(text)} {rest_of(text)}" == text
    assert (
        beginning_of("A short passage. It says little."),
        rest_of("A short passage. It says little."),
    ) == ("", "")


def test_a_passage_said_on_is_known_by_heart() -> None:
    made = probed(RESTS[0], RESTS[1:21], RESTS[0])
    assert made.memorised
    assert made.containment == 1
    assert made.run_excess > made.run / 2  # the longest run beyond what other rests of the book share with it
    assert made.excess == pytest.approx(1)


@pytest.mark.parametrize("said", ["", "It goes on with other matters and says nothing of that.", RESTS[5]])
def test_other_words_and_another_passage_are_not(said: str) -> None:
    made = probed(RESTS[0], RESTS[1:21], said)
    assert not made.memorised
    assert made.containment == 0


def test_runs_and_grams_by_hand() -> None:
    rest = "a b c d e f g h i j"
    assert containment(rest, "x a b c d e f g h y") == pytest.approx(1 / 3)  # one of three runs of eight
    assert longest_run(rest, "x c d e y h i") == 3
    assert probed(rest, ["c d e"], "c d e").run_excess == 0
