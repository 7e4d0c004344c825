"""Laws of the readers of speech acts and abstention, on real sentences of the half that authors see."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.text.acts import abstains, speech_act

READING = Path(__file__).resolve().parents[3] / "reading"
PADDING = ("I hope this helps.", "Let me know if you need anything else.", "**Summary:**")
MANY = 200


def dev(corpus: str) -> list[dict[str, Any]]:
    lines = (READING / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == "dev"]


def asserted() -> list[dict[str, Any]]:
    rows = [
        row
        for row in (*dev("speech_act"), *dev("support"))
        if speech_act(row["text"], row["question"] or "").act == "assertion" and row["text"][:1].isupper()
    ]
    assert len(rows) >= MANY
    return rows


@pytest.mark.parametrize("adverb", ["Possibly", "Probably,", "Perhaps"])
def test_a_hedge_before_an_assertion_makes_it_hedged_and_nothing_else(adverb: str) -> None:
    for row in asserted():
        text = row["text"]
        hedged = f"{adverb} {text[0].lower()}{text[1:]}" if text[1:2].islower() else f"{adverb} {text}"
        assert speech_act(hedged, row["question"] or "").act == "hedged", hedged


@pytest.mark.parametrize("form", ["upper", "no stop", "spaces", "quotes"])
def test_case_and_punctuation_lose_no_assertion(form: str) -> None:
    forms = {
        "upper": str.upper,
        "no stop": lambda text: text.rstrip("."),
        "spaces": lambda text: f"  {text} ",
        "quotes": lambda text: f"“{text}”",
    }
    lost = [
        row["text"]
        for row in asserted()
        if speech_act(forms[form](row["text"]), row["question"] or "").act in {"general", "none", "heading"}
    ]
    assert len(lost) <= len(asserted()) * 0.01, lost


def test_padding_changes_no_abstention() -> None:
    rows = dev("abstention")
    for row in rows:
        whole = abstains(row["text"], row["question"] or "").label
        for padding in PADDING:
            padded = abstains(f"{padding}\n{row['text']}\n{PADDING[0]}", row["question"] or "").label
            assert padded == whole, (padding, row["text"])


def test_order_of_sentences_changes_no_abstention() -> None:
    rows = [row for row in dev("abstention") if "\n" in row["text"]]
    for row in rows:
        turned = "\n".join(reversed(row["text"].split("\n")))
        assert (
            abstains(turned, row["question"] or "").label
            == abstains(row["text"], row["question"] or "").label
        ), row["text"]


def test_padding_is_never_a_claim() -> None:
    assert [speech_act(text).act for text in PADDING] == ["none", "none", "heading"]


def test_the_order_of_reading_changes_nothing() -> None:
    rows = dev("speech_act")
    forward = [speech_act(row["text"], row["question"] or "") for row in rows]
    speech_act.cache_clear()
    backward = [speech_act(row["text"], row["question"] or "") for row in reversed(rows)]
    assert forward == backward[::-1]
    assert len(rows) >= MANY
