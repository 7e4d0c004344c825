"""The rule raters against hand-written sentences: negation, side, hedges, distractors; CF, CA and CT levels."""

import pytest

from percuss.protocols.explanation.check.concepts import Lexicon, Reading
from percuss.protocols.explanation.check.rules import attribution, fidelity, tone
from percuss.protocols.explanation.knowledge import Cap, Entry, Term, bundled
from percuss.protocols.explanation.questions import BY_ID
from tests.protocols.explanation import fidelity_texts, sentences

LEXICON = Lexicon(bundled())


def test_there_are_enough() -> None:
    assert len(sentences.PLAIN) + len(sentences.UNHEDGED) >= 150
    assert len(fidelity_texts.TEXTS) >= 40


@pytest.mark.parametrize(("sentence", "wording", "side", "stated"), sentences.PLAIN)
def test_a_wording_is_found_where_it_is_stated(sentence: str, wording: str, side: str, stated: bool) -> None:
    hit = Reading(sentence, LEXICON).finds(Term(term=wording), side=side)  # type: ignore[arg-type]
    assert (hit is not None) == stated


@pytest.mark.parametrize(("sentence", "wording", "side", "stated"), sentences.UNHEDGED)
def test_a_hedged_wording_is_no_hallucination(sentence: str, wording: str, side: str, stated: bool) -> None:
    hit = Reading(sentence, LEXICON).finds(Term(term=wording), side=side, unhedged=True)  # type: ignore[arg-type]
    assert (hit is not None) == stated


@pytest.mark.parametrize(("question", "answer", "text", "score"), fidelity_texts.TEXTS)
def test_fidelity(question: str, answer: str, text: str, score: int) -> None:
    result = fidelity(text, bundled().entry(question, answer), LEXICON, side=BY_ID[question].side)
    assert result.score == score, result


@pytest.mark.parametrize(("text", "score"), fidelity_texts.ATTRIBUTION)
def test_attribution(text: str, score: int) -> None:
    assert attribution(text)[0] == score


@pytest.mark.parametrize(("text", "score"), fidelity_texts.TONE)
def test_tone(text: str, score: int) -> None:
    assert (tone(text) or (0, 0.0))[0] == score


def test_found_spans_hold_the_words() -> None:
    text = "Both sides: no effusion. The right costophrenic angle is blunted."
    hit = Reading(text, LEXICON).finds(Term(term="blunted costophrenic angle"), side="right")
    assert hit is not None
    assert text[hit.start : hit.stop] == "costophrenic angle is blunted"


def test_thresholds_of_coverage() -> None:
    terms = tuple(Term(term=word) for word in ("alphaword", "betaword", "gammaword", "deltaword"))
    entry = Entry(must_all=terms)
    scores = [
        fidelity(". ".join(t.term for t in terms[:n]) or "nothing", entry, LEXICON).score for n in range(5)
    ]
    assert scores == [1, 2, 3, 4, 5]


def test_forbidden_terms_cap_the_score() -> None:
    entry = Entry(
        must_all=(Term(term="alphaword"),), forbidden=(Term(term="betaword"), Term(term="gammaword"))
    )
    assert fidelity("Alphaword.", entry, LEXICON).score == 5
    assert fidelity("Alphaword. Betaword.", entry, LEXICON).score == 3
    assert fidelity("Alphaword. Betaword. Gammaword.", entry, LEXICON).score == 2
    assert fidelity("Betaword.", entry, LEXICON).score == 1


def test_caps_follow_the_flags_and_unknown_flags_are_recorded() -> None:
    cap = Cap(when="projection == AP and inspiration != full", max=4)
    entry = Entry(must_all=(Term(term="alphaword"),), caps=(cap,))
    flags = {"projection": "AP", "inspiration": "poor"}
    assert fidelity("Alphaword.", entry, LEXICON, flags=flags).score == 4
    assert fidelity("Alphaword.", entry, LEXICON, flags={**flags, "inspiration": "full"}).score == 5
    unknown = fidelity("Alphaword.", entry, LEXICON, flags={"projection": "AP"})
    assert unknown.score == 5
    assert "unknown flag" in unknown.notes[0]


def test_an_empty_entry_is_unscored() -> None:
    assert fidelity("Anything.", Entry(), LEXICON).unscored == "not_checkable:empty entry"
    assert fidelity("Anything.", None, LEXICON).unscored == "not_checkable:no entry"
