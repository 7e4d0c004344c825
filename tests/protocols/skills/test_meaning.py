"""Key points in other words: a near clause says a point, unless number, denial, side or direction speak against it."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from percuss.protocols.skills.scorers.meaning import by_meaning
from percuss.protocols.skills.scorers.points import NAME, KeyPoint, clauses_of, differs, recall


class Close:
    """An embedder to which all texts are one, or none is like another."""

    id = "test/close"

    def __init__(self, *, near: bool) -> None:
        self.near, self.asked = near, 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += 1
        return np.eye(len(texts), dtype=np.float32)[[0 if self.near else at for at in range(len(texts))]]


@pytest.mark.parametrize(
    ("clause", "point", "why"),
    [
        ("His partners need treatment, too.", KeyPoint(says="partners are treated"), ""),
        ("His partners need no treatment.", KeyPoint(says="partners are treated"), "denied"),
        ("Tighter ranges suit chosen patients alone.", KeyPoint(says="lower ranges only for chosen patients"), ""),
        ("Tighter ranges suit patients.", KeyPoint(says="lower ranges only for chosen patients"), "not denied"),
        ("Begin with two tablets of 40 mg.", KeyPoint(says="start with 20 mg"), "without its number"),
        ("Begin with one tablet of 20 mg.", KeyPoint(says="start with 20 mg"), ""),
        ("The right kidney was hurt.", KeyPoint(says="injury of the left kidney"), "other side"),
        ("Admissions became more frequent.", KeyPoint(says="admissions fell"), "other direction"),
        ("Azithromycin is dropped without a substitute.", KeyPoint(says="azithromycin goes", denied=True), ""),
        ("Azithromycin is added.", KeyPoint(says="azithromycin goes", denied=True), "not denied"),
    ],
)  # fmt: skip
def test_what_speaks_against_a_near_clause(clause: str, point: KeyPoint, why: str) -> None:
    assert differs(clause, point) == why


def test_a_point_that_the_rule_leaves_open_is_found_in_other_words_and_says_by_whom() -> None:
    points = (KeyPoint(says="partners are treated"), KeyPoint(says="ceftriaxone", any=("ceftriaxone",)))
    text = "One shot of ceftriaxone. His sexual contacts get it, too."
    made = recall(text, points)
    assert made.value is None
    found = asyncio.run(by_meaning(made, text, points, Close(near=True)))
    assert found.value == 100
    assert [one["by"] for one in found.found["points"]] == ["test/close", NAME]
    far = asyncio.run(by_meaning(made, text, points, Close(near=False)))
    assert (far.value, far.reason) == (None, "undecided:1 of 2 key points")


def test_nothing_is_embedded_where_the_rule_decides_all() -> None:
    points = (KeyPoint(says="ceftriaxone", any=("ceftriaxone",)),)
    embedder = Close(near=True)
    made = recall("Ceftriaxone.", points)
    assert asyncio.run(by_meaning(made, "Ceftriaxone.", points, embedder)) == made
    assert embedder.asked == 0
    assert clauses_of("It isn't so. It is.") == ["It is not so.", "It is."]
