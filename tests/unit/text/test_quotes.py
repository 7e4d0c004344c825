"""Quotes: every one-character difference is found, with exact offsets."""

import numpy as np
from rapidfuzz.distance import Levenshtein

from percuss.text.quotes import edits_allowed, locate, located

TEXT = (
    "Cells died in the areole first. The lattice of veins stayed whole; mitochondria moved in four stages, and the last "
    "stage had no membrane potential at all. Staining with a red dye showed it, and so did the assay of cut DNA."
)


def test_every_one_character_difference_is_found() -> None:
    """All substitutions, insertions and deletions at every place of windows over the text."""
    for start in range(0, len(TEXT) - 60, 7):
        quote = TEXT[start : start + 50].strip()
        for place in range(0, len(quote), 3):
            for changed in (
                quote[:place] + "#" + quote[place + 1 :],
                quote[:place] + "#" + quote[place:],
                quote[:place] + quote[place + 1 :],
            ):
                found = locate(changed, TEXT)
                assert found is not None, changed
                assert found.edits <= 1
                inside = TEXT[found.start : found.stop].replace(" ", "").lower()
                assert Levenshtein.distance(inside, changed.replace(" ", "").strip(". ").lower()) <= 1


def test_case_marks_and_white_space_do_not_count() -> None:
    """Typographic quotes, dashes, line breaks."""
    assert locate("“the LATTICE  of\nveins”", TEXT) == (32, 52, 0)


def test_more_than_two_percent_is_not_a_quote() -> None:
    """Five wrong letters in fifty are another sentence."""
    rng = np.random.default_rng(20260101)
    quote = list(TEXT[:50])
    for place in rng.choice([i for i in range(50) if quote[i] != " "], size=5, replace=False):
        quote[place] = "#"
    assert locate("".join(quote), TEXT) is None
    assert locate("".join(quote), TEXT, edits=5) is not None


def test_the_allowance_is_two_percent_and_at_least_one() -> None:
    """Rounded up."""
    assert [edits_allowed(n) for n in (5, 50, 51, 200)] == [1, 1, 2, 4]


def test_the_text_with_fewest_edits_wins() -> None:
    """Several texts."""
    found = located("veins stayed whole", ["the veins stayed whol", "veins stayed whole"])
    assert found == (1, (0, 18, 0))
    assert located("nothing of the kind", [TEXT]) is None
    assert locate("", TEXT) is None
