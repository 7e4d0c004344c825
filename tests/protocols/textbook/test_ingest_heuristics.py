"""The four heuristics and duplicates, each against its formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.textbook.ingest.density import entity_density, mentions
from percuss.protocols.textbook.ingest.duplicates import NEAR, duplicates, jaccard, shingles
from percuss.protocols.textbook.ingest.heuristics import coherence_variance, semantic_entropy
from percuss.protocols.textbook.ingest.passage import Paragraph
from percuss.protocols.textbook.ingest.structure import noise
from percuss.protocols.textbook.ingest.tokens import TOKEN, tokens
from tests.protocols.textbook.books import PROSE


def said(text: str) -> list[str]:
    found = list(TOKEN.finditer(text))
    return [token[0] for token, is_one in zip(found, mentions(text, found), strict=True) if is_one]


def test_a_mention_is_what_the_definition_lists() -> None:
    text = "Today the patient takes 40 mg of furosemide for COPD and sees Henle, 3 friends and a pancreatitis of the liver."
    assert said(text) == ["40", "furosemide", "COPD", "Henle", "pancreatitis", "liver"]
    assert entity_density(text) == pytest.approx(6 / len(tokens(text)))
    assert entity_density("") == 0


def test_a_capital_that_opens_a_sentence_is_no_mention() -> None:
    assert said("Nobody came. Everybody left. Then Pasteur spoke.") == ["Pasteur"]


@given(st.integers(2, 9), st.integers(0, 10_000))
def test_coherence_is_the_variance_of_unit_vectors_standardised(k: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(k, 5))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = rows.astype(np.float32)
    value = coherence_variance(vectors)
    assert -1e-5 <= value <= 1.5 + 1e-5
    if k == 4:  # all pairs are at most three apart: 1 - |mean|^2 exactly
        assert value == pytest.approx(1 - float(np.linalg.norm(rows.mean(axis=0)) ** 2), abs=1e-5)
    assert coherence_variance(np.repeat(vectors[:1], k, axis=0)) == pytest.approx(0, abs=1e-5)


def test_entropy_by_hand() -> None:
    def unit(degrees: float) -> list[float]:
        return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]

    chain = np.array([unit(0), unit(60), unit(120), unit(270)], dtype=np.float32)
    shares = np.array([0.75, 0.25])  # single linkage joins the chain of 60 degrees, the last stands alone
    assert semantic_entropy(chain, 0.3) == pytest.approx(
        float(-(shares * np.log(shares)).sum() / math.log(4))
    )
    assert semantic_entropy(chain, 0.9) == pytest.approx(1.0)


@given(st.integers(2, 8), st.integers(0, 10_000))
def test_entropy_lies_between_none_and_one_and_does_not_know_order(k: int, seed: int) -> None:
    draws = np.random.default_rng(seed)
    rows = draws.normal(size=(k, 4))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    value = semantic_entropy(rows)
    assert 0 <= value <= 1 + 1e-9
    assert semantic_entropy(rows[draws.permutation(k)]) == pytest.approx(value)


def test_duplicates_exact_near_and_none() -> None:
    words = " ".join(f"word{n} of sentence" for n in range(40))
    near = words.replace("word39", "other39")
    texts = [PROSE[0], words, PROSE[0].upper(), near, PROSE[1], words.replace("sentence", "phrase")]
    assert jaccard(shingles(words), shingles(near)) >= NEAR
    assert duplicates(texts) == {2: (0, "exact"), 3: (1, "near")}


@given(st.lists(st.sampled_from(PROSE), max_size=8))
def test_of_equal_texts_the_first_stays(texts: list[str]) -> None:
    again = duplicates(texts)
    kept = [text for at, text in enumerate(texts) if at not in again]
    assert kept == list(dict.fromkeys(texts))


@pytest.mark.parametrize(
    ("text", "section", "reason"),
    [
        (PROSE[0], "Loop diuretics", None),
        (PROSE[0], "Preface", "front_matter"),
        (PROSE[0], "Review Questions", "exercise"),
        (PROSE[0], "References", "bibliography"),
        ("ISBN 978-0. All rights reserved. Nothing may be copied.", "", "front_matter"),
        ("What is the dose of furosemide? Choose one. a. 10 mg b. 20 mg c. 40 mg", "", "exercise"),
        (
            "By the end of this section, you will be able to list diuretics. You will know them.",
            "",
            "outline",
        ),
        ("This chapter discussed loop diuretics. It covered their doses.", "", "outline"),
        (
            "Maikawa, C. L., Smith, A. A., & Zou, L. (2019). A trial of insulin. Journal, 3(2), 1-9.",
            "",
            "bibliography",
        ),
        ("Next: the kidney › the tubule › the loop. It goes on.", "", "navigation"),
        ("Table 4.1 Doses of diuretics. They are given by mouth.", "", "caption"),
        ("is a drug prototype table for antacids. It lists class and dosage.", "", "caption"),
        (r"The clearance is \frac{UV}{P} of it. It is measured.", "", "formula"),
        ("It costs $1 billion to make and over $2 billion to sell. That is much.", "", None),
        (
            "Outcomes are asked for. Is it life, or can the client work? Both count for nurses and payers.",
            "",
            None,
        ),
        ("Na 140 136 145 K 3.5 5.0 4.1 Cl 98 106 100 HCO3 22 29", "", "table"),
    ],
)
def test_structural_noise(text: str, section: str, reason: str | None) -> None:
    paragraph = Paragraph(text, "b", section, None, 0, len(text), "", "b.txt", 1, "prose", "")
    assert noise(paragraph) == reason
