"""A verifier as label source of a run: planted errors come back, equal text has no index, thresholds decide who leads."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.api.run.session import OwnSession
from percuss.core.errors import UsageError
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Roles
from percuss.core.verifying import Pair
from percuss.evidence.packet import Fact, Packet
from percuss.judging.verifiers.chat import ChatVerifier
from percuss.judging.verifiers.scripted import ScriptedVerifier
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.commands import CalibrateOptions
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.phantom import phrases
from percuss.protocols.grounding.premises import premises
from percuss.protocols.grounding.verifying import UNCALIBRATED, thresholds_of
from percuss.store import RunStore
from tests.crossencoder import write_encoder
from tests.protocols.grounding.runs import MAIN, run
from tests.protocols.grounding.test_counting import answering, by_case
from tests.protocols.grounding.test_real_models import Posing

ARM, BARE = MAIN
LEARNED = GroundingOptions(resamples=200, thresholds="0.9/0.9@a hundred cases")


def truth(pair: Pair) -> str:
    """What the phantoms say: a measure that no packet holds is invented, anything else is read or holds of all."""
    return "neither" if any(word in pair.claim for word in _INVENTED) else "supported"


_INVENTED = tuple(word for name in phrases._MEASURES for word in (name, f"{name[0].upper()}{name[1:]}"))


class Whole(ScriptedVerifier):
    """Reads a case's evidence in one window, as a chat model does, so that a claim meets one draw of its errors."""

    at_once = False


@pytest.mark.slow
def test_planted_errors_of_a_verifier_come_back(tmp_path: Path) -> None:
    fake = Whole(truth, miss=0.2, alarm=0.1, silent=0.2, seed=3)
    made = run(
        tmp_path / "run", ("confabulator?with=0.1&without=0.7",), limit=60, options=LEARNED, verifier=fake
    )
    model, source = "phantom/confabulator?with=0.1&without=0.7", f"verifier:{fake.id}"
    assert {e.labels for e in made.estimates if e.primary} == {source}
    for arm, planted in ((ARM, 0.1), (BARE, 0.7)):
        expected = planted * 0.8 + (1 - planted) * 0.1
        found = made.one("unsupported_rate", model, arm, labels=source)
        assert found.low is not None
        assert found.high is not None
        assert found.low - 0.03 <= expected <= found.high + 0.03
        assert made.one("decided_share", model, arm, labels=source).value == pytest.approx(0.8, abs=0.07)
    assert {e.labels for e in made.estimates if e.name == "unsupported_rate"} == {source, "rule:support-2"}


def test_equal_text_has_no_index_by_a_verifier_and_a_statement_is_read_once(tmp_path: Path) -> None:
    asked: list[Pair] = []

    def by_coin(pair: Pair) -> str:
        asked.append(pair)
        return "supported" if sum(pair.claim.encode()) % 2 else "neither"

    made = run(
        tmp_path / "run", (), limit=40, options=LEARNED, extra=(answering(by_case),), verifier=ScriptedVerifier(by_coin)
    )  # fmt: skip
    hdi = next(e for e in made.estimates if e.primary)
    assert hdi.labels.startswith("verifier:")
    assert hdi.value == pytest.approx(0)
    assert len(asked) == len(set(asked))
    for pair in asked:
        assert not any(
            word in " ".join((pair.claim, *pair.premises)) for word in (BARE, ARM, "TCGA-", "scripted")
        )


def test_without_thresholds_rules_lead_and_it_is_said_why(tmp_path: Path) -> None:
    made = run(tmp_path / "run", ("confabulator",), limit=4, verifier=ScriptedVerifier(truth))
    assert {e.labels for e in made.estimates if e.primary} == {"rule:support-2"}
    with RunStore.open(made.folder) as store:
        said = {v.unscored for a in store.view(made.scoring).assessed() for v in a.verdicts if v.rater.startswith("verifier:") and v.aspect == "support"}  # fmt: skip
    assert said == {UNCALIBRATED}
    with pytest.raises(UsageError, match="SUPPORTED/UNSUPPORTED@SOURCE"):
        thresholds_of("x", Packet(), GroundingOptions(thresholds="0.9"))


class YesNo:
    """A chat model that says yes to what its prompt asks at given probabilities."""

    id, pin, simulated = "fake/yes-no", "1", True

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        text = request.messages[-1].text
        yes = (
            "cannot be true" in text
            if "Troponin" in text or "Ferritin" in text
            else "cannot be true" not in text
        )
        top = [
            {"token": "yes", "logprob": -0.01 if yes else -5.0},
            {"token": "no", "logprob": -5.0 if yes else -0.01},
        ]
        return Reply(parts=(Text(text="yes" if yes else "no"),), finish="stop", logprobs=({"token": "yes", "logprob": -0.01, "top_logprobs": top},))  # fmt: skip


def test_a_chat_model_by_its_probabilities_labels_a_run(tmp_path: Path) -> None:
    made = run(
        tmp_path / "run", (), limit=8, options=LEARNED, extra=(answering(by_case),), verifier=ChatVerifier(YesNo(), seed=1)
    )  # fmt: skip
    with RunStore.open(made.folder) as store:
        labels = {
            (c.text, v.label, next(e["found"] for e in v.evidence if e["kind"] == "reference"))
            for a in store.view(made.scoring).assessed()
            for c in a.claims
            for v in a.verdicts
            if v.subject == c.id and v.rater == "verifier:fake/yes-no" and v.aspect == "support"
        }
    assert all(
        (label == "unsupported") == (text.startswith(("Troponin", "Ferritin"))) for text, label, _ in labels
    )
    assert {kind for _, label, kind in labels if label == "unsupported"} == {"contradicted"}


def test_a_cross_encoder_by_path_labels_a_run(tmp_path: Path) -> None:
    from percuss.judging.verifiers.onnx import CrossEncoder

    encoder = CrossEncoder(write_encoder(tmp_path, {"male": 9}))
    made = run(tmp_path / "run", (), limit=6, options=LEARNED, extra=(answering(by_case),), verifier=encoder)
    found = made.one("unsupported_rate", "scripted/fixed", BARE, labels=f"verifier:{encoder.id}")
    assert found.n + sum(found.excluded.values()) == 12


def test_premises_of_records_as_people_hold_them_say_whose_each_part_is() -> None:
    """The trap: "Labs: 0 test is Hb.", "Labs: 0 result is 7.9.", "Labs: 0 unit is g/dL." were three premises without a tie."""
    record = {
        "labs": [{"test": "Hb", "result": 7.9, "unit": "g/dL"}, {"test": "CRP", "result": 12, "unit": "mg/L"}],
        "vitals": {"pulse": {"value": 88, "unit": "/min"}},
        "family_history": [{"condition": "stroke", "relation": "father"}, {"condition": "asthma", "relation": "sister"}],
    }  # fmt: skip
    assert premises(Packet.of_layers(record)) == (
        "Observations hb is 7.9 g/dL.",
        "Observations crp is 12 mg/L.",
        "Vitals: pulse is 88 /min.",
        "Family history: father is stroke in the father.",
        "Family history: sister is asthma in the sister.",
    )


def test_premises_say_value_unit_and_date() -> None:
    packet = Packet(
        facts=(
            Fact(path="labs.potassium", value=4.1, unit="mmol/L", date="2024-03-01"),
            Fact(path="clinical.pack_years"),
            Fact(path="smoker", value=True),
        ),
        texts=("One. Two.",),
        layers=("clinical",),
    )
    assert premises(packet) == (
        "Labs potassium is 4.1 mmol/L on 2024-03-01.",
        "Clinical: pack years is not recorded.",
        "Smoker is yes.",
        "One.",
        "Two.",
    )


async def test_thresholds_are_learned_on_labelled_claims(tmp_path: Path) -> None:
    lines = [
        {
            "case": f"c{n}",
            "claim": f"claim {n} {k}",
            "evidence": "text",
            "label": "supported" if k else "absent",
        }
        for n in range(300)
        for k in range(2)
    ]
    file = tmp_path / "ward.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    fake = ScriptedVerifier(lambda pair: "supported" if pair.claim.endswith("1") else "neither")
    command: Any = PROTOCOL.commands["calibrate"]
    result = await command.run(
        CalibrateOptions(source=str(file), risk=0.04), OwnSession(Roles({}, seed=1, verifier=fake))
    )
    assert result.data["counts"] == {
        "supported": 300, "unsupported": 300, "supported right": 300, "unsupported right": 300,
    }  # fmt: skip
    given = result.text.partition("thresholds='")[2].rstrip("'")
    learned = thresholds_of("x", Packet(), GroundingOptions(thresholds=given))
    assert learned.source == "ward"
    assert 0.03 < (learned.supported or 0) <= 0.97
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(map(json.dumps, lines[:40])), encoding="utf-8")
    refused = await command.run(
        CalibrateOptions(source=str(few)), OwnSession(Roles({}, seed=1, verifier=fake))
    )
    assert "its word is no label" in refused.text
    with pytest.raises(UsageError, match="--role verifier"):
        await command.run(CalibrateOptions(source=str(file)), OwnSession(Roles({}, seed=1)))


def test_thresholds_that_were_typed_in_lead_nothing_before_they_were_tried(tmp_path: Path) -> None:
    posing = Posing("bold", "confabulator")
    made = run(
        tmp_path / "run", (), limit=24, options=LEARNED, extra=(posing,), verifier=Whole(truth, seed=3)
    )
    panel = next(s for s in made.sections if s.kind == "panel")
    assert "were typed in (a hundred cases) and held against no floors" in str(panel.body)
    assert "No index" in str(panel.body)
