"""The splitter of statements: what it cuts, what it leaves, and that nothing is lost."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.text import sentences
from percuss.text.atoms import atoms, pieces, split

READING = Path(__file__).resolve().parents[2] / "reading"
JOINS = re.compile(r"[\s,;]*(?:and|but|while|whereas)?\s*(?:also|then|and|but)?\s*", re.IGNORECASE)
WORDS = "she he the patient has had and , ; but diabetes takes metformin aspirin or no fever 5.9 potassium was which ( ) . é\n".split(
    " "
)


def dev_texts() -> list[str]:
    rows = [
        json.loads(line)
        for name in ("speech_act", "support")
        for line in (READING / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return [row["text"] for row in rows if row["half"] == "dev"]


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Potassium was 5.9.", ["Potassium was 5.9."]),
        ("She has diabetes and takes metformin.", ["She has diabetes", "She takes metformin."]),
        (
            "Their HbA1c is 8.4%, creatinine is 1.6 mg/dL, and potassium is 5.6 mmol/L.",
            ["Their HbA1c is 8.4%", "creatinine is 1.6 mg/dL", "potassium is 5.6 mmol/L."],
        ),
        ("The tier is hot; purity was 0.61.", ["The tier is hot", "purity was 0.61."]),
        ("He smoked, but his lungs are clear.", ["He smoked", "his lungs are clear."]),
        (
            "They are taking metformin, linagliptin, and lisinopril.",
            ["They are taking metformin", "They are taking linagliptin", "They are taking lisinopril"],
        ),
        ("He has no fever or cough.", ["He has no fever", "He has no cough"]),
        (
            "Possibly she has pneumonia and needs oxygen.",
            ["Possibly she has pneumonia", "Possibly she needs oxygen."],
        ),
        (
            "Sodium and potassium were 138 and 4.1 respectively.",
            ["Sodium and potassium were 138 and 4.1 respectively."],
        ),
        ("If she has fever and takes aspirin, stop it.", ["If she has fever and takes aspirin, stop it."]),
    ],
)
def test_what_is_cut(sentence: str, said: list[str]) -> None:
    assert [atom.text for atom in atoms(sentence)] == said


@pytest.mark.parametrize(
    "sentence",
    [
        "Sodium and potassium were 138 and 4.1 respectively.",
        "She has asthma, which is severe, and takes salbutamol.",
        "Either the liver or the spleen is enlarged.",
    ],
)
def test_what_grammar_cannot_cut_is_marked(sentence: str) -> None:
    (only,) = atoms(sentence)
    assert only.uncut


def holds(sentence: str) -> None:
    cut = pieces(sentence)
    for (_, stop), (start, _) in pairwise(cut):
        assert JOINS.fullmatch(sentence[stop:start]), sentence[stop:start]
    assert cut[0][0] == 0
    assert cut[-1][1] == len(sentence)
    for atom in atoms(sentence):
        assert atom.text == " ".join(sentence[start:stop].strip() for start, stop in atom.spans)
    kept = {place for atom in atoms(sentence) for start, stop in atom.spans for place in range(start, stop)}
    lost = "".join(c if n not in kept else "\0" for n, c in enumerate(sentence))
    for rest in filter(None, lost.split("\0")):
        assert re.fullmatch(
            r"[\s,;.!?]*(?:(?:and|or|but|while|whereas|also|then)[\s,;.!?]*)*", rest, re.IGNORECASE
        ), rest


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_no_character_is_lost(sentence: str) -> None:
    if re.search(r"\w", sentence):
        holds(sentence)


def test_no_character_of_real_sentences_is_lost() -> None:
    texts = dev_texts()
    assert len(texts) >= 1000
    cut = 0
    for text in texts:
        holds(text)
        cut += len(atoms(text)) > 1
    assert cut >= 50


def test_no_word_no_statement() -> None:
    assert atoms(" .. ") == ()


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
@settings(max_examples=50, deadline=None)
def test_places_are_those_of_the_text(text: str) -> None:
    """What `split` gives are the words of the text at these places, sentence by sentence, and no statement overlaps another's own piece."""
    got = split(text)
    for atom in got:
        assert atom.text.split() == " ".join(text[slice(*span)] for span in atom.spans).split()
    for one, other in pairwise(got):
        assert one.own[1] <= other.own[0]
    assert len(got) >= sum(bool(re.search(r"\w", text[low:high])) for low, high in sentences.split(text))
