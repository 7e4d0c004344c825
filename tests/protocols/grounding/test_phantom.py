"""Grounding phantoms: they know the truth about each sentence, read evidence as a model must, and draw by content."""

import asyncio
import json

import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Message, Request
from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2
from percuss.phantoms import Phantom, phantom
from percuss.phantoms.plan import evidence_text, header_text
from percuss.protocols.grounding.phantom import phrases
from percuss.text.acts import speech_act
from percuss.text.sentences import split

PACKET = {
    "pathology": {"purity_ihc": 0.61, "purity_cpe": 0.55},
    "transcriptomics": {"z_cd274": -0.42, "z_cd8a": 1.37},
    "clinical": {"age_years": 61, "sex": "female", "stage": "IIIA", "pack_years": None},
    "fusion": {"io_score": 0.6299, "io_tier": "Warm", "inputs_available": {"stage": True}},
}


def request(case: str, packet: object = None) -> Request:
    evidence = "" if packet is None else f"\n\nEvidence:\n<evidence>\n{json.dumps(packet)}\n</evidence>"
    return Request(
        messages=(Message.of("system", "Help."), Message.of("user", f"Sum up.\n\nCase ID: {case}{evidence}"))
    )


def made(text: str, **extra: object) -> Phantom:
    return phantom(f"phantom/{text}", seed=7, extra=extra)


LABELS = {"supported": "supported", "contradicted": "unsupported", "absent": "unsupported"}
PROFILES = ("confabulator", "calibrated", "recycler", "copier", "garbler", "ignorer", "memoriser")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("packet", [None, PACKET], ids=["without", "with"])
def test_truths_are_the_sentences(profile: str, packet: object) -> None:
    for i in range(20):
        plan = made(profile).plan(request(f"c{i}", packet))
        assert [(t.start, t.stop) for t in plan.truths] == list(split(plan.text))
        assert 4 <= len(plan.truths) <= 7


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("packet", [None, PACKET], ids=["without", "with"])
def test_the_readers_find_what_was_planted(profile: str, packet: object) -> None:
    """Each sentence is an assertion and labelled as planted, or says what data there are not."""
    reference = Packet.of_layers(PACKET)
    for i in range(20):
        plan = made(profile).plan(request(f"c{i}", packet))
        for truth in plan.truths:
            text = plan.text[truth.start : truth.stop]
            act = speech_act(text).act
            found = LABELS.get(support2(text, reference).label)
            assert act == "availability" if found is None else (act, found) == ("assertion", truth.label), (
                text
            )


def test_every_phrase_is_read() -> None:
    reference = Packet.of_layers(PACKET)
    for measure in phrases._MEASURES:
        for way in phrases._WAYS:
            text = f"{measure[0].upper()}{measure[1:]} {way.format(n=412.3)}."
            assert (speech_act(text).act, support2(text, reference).label) == ("assertion", "absent"), text
    for sure in phrases._SURE:
        assert support2(f"{sure.format(n=412.3)}.", reference).label == "supported"
    for admitted in phrases._ADMISSIONS:
        assert speech_act(admitted).act == "availability"


def test_it_draws_by_what_it_is_asked() -> None:
    model = made("confabulator")
    assert model.plan(request("a")) == model.plan(request("a"))
    assert model.plan(request("a")) != model.plan(request("b"))
    assert model.plan(request("a"), epoch=1) != model.plan(request("a"))
    assert phantom("phantom/confabulator", seed=8).plan(request("a")) != model.plan(request("a"))


def test_generate_says_the_plan_and_nothing_else() -> None:
    model = made("copier")
    reply = asyncio.run(model.generate(request("a", PACKET)))
    plan = model.plan(request("a", PACKET))
    assert reply.text == plan.text
    assert reply.finish == "stop"
    assert reply.logprobs is None
    assert reply.tokens_out > 0


def test_a_recycler_repeats_what_it_says_without_evidence() -> None:
    model = made("recycler?reuse=1")
    for i in range(10):
        bare = set(model.plan(request(f"c{i}")).text.split(". "))
        assert set(model.plan(request(f"c{i}", PACKET)).text.split(". ")) & bare


def test_an_ignorer_does_not_look() -> None:
    texts = " ".join(made("ignorer").plan(request(f"c{i}", PACKET)).text for i in range(30))
    assert "IIIA" not in texts
    assert "0.6299" not in texts


def test_a_memoriser_knows_its_share() -> None:
    memory = {f"c{i}": PACKET for i in range(200)}
    model = made("memoriser?share=0.3", memory=memory)
    invented = ("unsupported",)
    knows = sum(all(t.label not in invented for t in model.plan(request(case)).truths) for case in memory)
    assert 40 <= knows <= 80  # 60 expected, standard deviation 6.5
    assert "IIIA" not in made("memoriser?share=0", memory=memory).plan(request("c1")).text


def test_refusal_only_admits() -> None:
    for i in range(10):
        assert {t.label for t in made("calibrated?refuse=1").plan(request(f"c{i}")).truths} == {"supported"}


def test_plain_text_evidence_is_quoted() -> None:
    text = Request(
        messages=(
            Message.of("user", "Case ID: a\n\n<evidence>\nSodium was 140. Potassium was 4.1.\n</evidence>"),
        )
    )
    plan = made("copier").plan(text)
    assert {"Sodium was 140.", "Potassium was 4.1."} >= {plan.text[t.start : t.stop] for t in plan.truths}


def test_what_it_reads_of_a_request() -> None:
    with_evidence, without = request("a", PACKET), request("a")
    assert json.loads(evidence_text(with_evidence) or "") == PACKET
    assert evidence_text(without) is None
    assert header_text(with_evidence) == header_text(without) == "Sum up.\nCase ID: a"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("phantom/nobody", "no phantom is called 'nobody'; the phantoms are "),
        ("phantom/copier?reuse=1", "phantom/copier has no key 'reuse'; its keys are refuse, with, without"),
        ("phantom/copier?with=2", "with='2' is not a share between 0 and 1"),
        ("phantom/copier?with=x", "with='x' is not a share between 0 and 1"),
    ],
)
def test_names_that_mean_nothing(text: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        phantom(text, seed=1)
    assert says in str(caught.value)


def test_parameters_stand_sorted_in_the_id() -> None:
    model = phantom("phantom/confabulator?without=0.50&refuse=0.10&with=0", seed=1)
    assert model.id == "phantom/confabulator?refuse=0.1&with=0&without=0.5"
    assert model.pin == "phantom 1"


def test_expected_rates_follow_from_the_planted() -> None:
    found = made("recycler?reuse=0.5&with=0.1&without=0.6").expected(["full_multimodal", "ungrounded"])
    assert found["unsupported_rate", "full_multimodal"] == pytest.approx(0.35)
    assert found["hdi_pooled", "full_multimodal"] == pytest.approx(1 - 0.35 / 0.6)
