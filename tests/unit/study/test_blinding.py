"""Masking: what is masked, what is medicine and stays, and that it can be undone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.study.blinding import MASK, mask_text, mask_value, names_of, opaque, original_offset, unmask_text


@pytest.mark.parametrize(
    "text",
    [
        "As GPT-4o-mini I think so.",
        "I am ChatGPT, trained by OpenAI.",
        "Claude 3.5 Sonnet by Anthropic",
        "gemini-2.5-flash says",
        "Gemini 2.5 Pro",
        "Llama 3.3 70B Instruct",
        "Meta AI's LLaMA",
        "Qwen2.5-7B-Instruct",
        "Phi-4 base",
        "MedGemma-4b-it",
        "DeepSeek R1",
        "o3-mini",
        "Falcon 3 10B Instruct",
    ],
)
def test_names_of_models_and_makers_are_masked_and_come_back(text: str) -> None:
    masked, masks = mask_text(text)
    assert MASK in masked
    assert masks
    assert not any(
        word in masked.lower() for word in ("gpt", "claude", "gemini", "llama", "qwen", "openai", "phi-4")
    )
    assert unmask_text(masked, masks) == text


@pytest.mark.parametrize(
    "text",
    [
        "Claude's syndrome of the midbrain",
        "Claude Bernard-Horner syndrome",
        "a meta-analysis of 12 trials",
        "the phi coefficient",
        "Bardet-Biedl syndrome",
        "the falx and the falcon",
        "o3 saturation",
        "the gemini of the pelvis",
        "MISTAKES of grok",
    ],
)
def test_medicine_stays(text: str) -> None:
    assert mask_text(text) == (text, ())


def test_names_of_the_study_are_masked_as_whole_words() -> None:
    masked, masks = mask_text("Quillfin-9 and quillfinder", ("quillfin-9",))
    assert masked == "[model] and quillfinder"
    assert [mask.original for mask in masks] == ["Quillfin-9"]


def test_an_id_gives_its_names_and_simulated_models_none() -> None:
    assert names_of("vllm/acme/Quillfin-9?x=1") == ("Quillfin-9", "acme")
    assert names_of("phantom/reader?accuracy=1") == ()


@given(st.text(alphabet="abc GPT-4o[model]é\n.", max_size=80))
def test_masking_can_always_be_undone(text: str) -> None:
    masked, masks = mask_text(text, ("abc",))
    assert unmask_text(masked, masks) == text
    for offset in range(len(text) + 1):
        if offset <= (masks[0].start if masks else len(text)):
            assert original_offset(offset, masks) == offset
    assert original_offset(len(masked), masks) == len(text)


def test_offsets_after_a_mask_point_at_the_same_words() -> None:
    text = "As GPT-4o-mini I see stage IB."
    masked, masks = mask_text(text)
    start = masked.index("stage")
    assert text[original_offset(start, masks) :] == "stage IB."


def test_values_are_masked_inside_lists_and_objects() -> None:
    value, masks = mask_value([{"text": "by OpenAI", "n": 3}, "fine"], (), "answers")
    assert value == [{"text": "by [model]", "n": 3}, "fine"]
    assert masks[0].path == "answers.0.text"


def test_opaque_ids_need_the_secret() -> None:
    assert opaque(b"one", "slot", "r1", 3) == opaque(b"one", "slot", "r1", 3)
    assert (
        len({opaque(secret, "slot", rater, 3) for secret in (b"one", b"two") for rater in ("r1", "r2")}) == 4
    )
