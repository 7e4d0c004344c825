"""Labels by people: the source `human`, corrected rates, items to judge; and a record outside the evidence."""

import asyncio
import json
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from percuss.core.messages import Request
from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Verdict
from percuss.engine import ask, check, estimate, identity_of
from percuss.models.scripted import Scripted
from percuss.phantoms import phantom
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.annotate import items
from percuss.protocols.grounding.check import reference
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import evidence_json
from percuss.store import RunStore, survey
from tests.protocols.grounding.runs import MAIN, run

OPTIONS = GroundingOptions(resamples=200)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("people") / "run"
    run(made, ("confabulator?with=0.2&without=0.6",), options=OPTIONS, limit=40)
    return made


def test_items_are_blinded(folder: Path) -> None:
    with RunStore.open(folder) as store:
        found = list(items(store.view(store.latest_scoring().id), "adjudication", OPTIONS))
    assert len(found) > 300
    assert len({item.id for item in found}) == len(found)
    for item in found:
        shown = json.dumps(item.fields)
        assert "phantom" not in shown
        assert item.arm not in shown
        assert "label" not in item.fields
        assert item.model.startswith("phantom/")
        assert item.hidden["labels"]["rule:strict"] in {"supported", "unsupported", "partial", "unknown"}


def test_corrected_rates_allow_for_the_errors_of_the_labeller(folder: Path) -> None:
    """People look at half of the claims and call one in ten of those that the rule supports unsupported."""
    rng = np.random.default_rng(5)
    identity_options = OPTIONS
    cases = list(PROTOCOL.cases(None, identity_options, 42))
    identity = identity_of(PROTOCOL, identity_options, survey(iter(cases)), seed=42, roles={})
    with RunStore.create(folder, identity) as store:
        scoring = store.latest_scoring().id
        labels = []
        for assessed in store.view(scoring).assessed():
            for verdict in assessed.verdicts:
                if rng.random() < 0.5 and verdict.rater == "rule:strict":
                    flips = verdict.label == "supported" and rng.random() < 0.1
                    labels.append(
                        Verdict(
                            subject=verdict.subject, response_id=verdict.response_id, aspect="support", rater="human:consensus",
                            label="unsupported" if flips else verdict.label,
                        )
                    )  # fmt: skip
        store.put_human(labels)
        found = asyncio.run(estimate(store, PROTOCOL, identity_options, scoring=scoring, seed=42))
    by = {(e.name, e.arm, e.labels): e for e in found if e.stratum is None}
    rule = by["unsupported_rate", "full_multimodal", "rule:strict"]
    corrected = by["unsupported_rate", "full_multimodal", "corrected"]
    assert rule.value is not None
    assert corrected.value is not None
    assert corrected.value == pytest.approx(rule.value + 0.1 * (1 - rule.value), abs=0.06)
    assert "labelled by people" in corrected.covers
    assert by["hdi_pooled", "full_multimodal", "corrected"].value is not None
    human = by["unsupported_rate", "full_multimodal", "human"]
    assert human.excluded["not_checkable:not labelled by people"] > 0
    # A case counts in either arm only if people labelled a part of both answers.
    assert human.n <= rule.n - sum(human.excluded.values())
    assert "cases answered and scored on every side" in human.note


def test_an_answer_can_be_wrong_here_and_right_outside(tmp_path: Path) -> None:
    """A memoriser says what stands in the external record, and the packet says otherwise."""
    packet = {"clinical": {"age_years": 61, "stage": "IIIA"}, "pathology": {"purity_ihc": 0.61}}
    record = {"clinical": {"age_years": 47, "stage": "IA"}, "pathology": {"purity_ihc": 0.25}}
    file = tmp_path / "cases.jsonl"
    file.write_text(
        "\n".join(json.dumps({"id": f"case-{i}", "evidence": packet, "reference": record}) for i in range(6)),
        encoding="utf-8",
    )
    cases = list(PROTOCOL.cases(str(file), OPTIONS, 42))
    memory = {case.id: record for case in cases}
    model = phantom("phantom/memoriser?share=1&with=0", seed=1, extra={"memory": memory})

    async def go(folder: Path) -> dict[tuple[str, str], float | None]:
        identity = identity_of(PROTOCOL, OPTIONS, survey(iter(cases)), seed=42, roles={})
        arms = [arm for arm in PROTOCOL.arms(OPTIONS) if arm.name in MAIN]
        roles = Roles({}, seed=42)
        with RunStore.create(folder, identity) as store:
            store.add_cases(iter(cases))
            await ask(store, PROTOCOL, OPTIONS, roles=roles, models=[model], arms=arms)
            scoring = await check(store, PROTOCOL, OPTIONS, roles=roles)
            made = await estimate(store, PROTOCOL, OPTIONS, scoring=scoring.id, seed=42)
        return {(e.name, e.arm): e.value for e in made if e.stratum is None}

    found = asyncio.run(go(tmp_path / "run"))
    assert found["unsupported_rate", "ungrounded"] == 1
    assert found["record_match", "ungrounded"] == 1
    assert found["record_contradiction", "full_multimodal"] == 1


def judged(request: Request, epoch: int) -> str:
    """A judge by keyword: of answers whether they abstain, of claims that all are partial."""
    text = request.messages[-1].text
    if "<answer>" in text:
        label = (
            "commits"
            if any(mark.isdigit() for mark in text.split("<answer>")[1].split("</answer>")[0])
            else "abstains"
        )
    else:
        label = "partial"
    return json.dumps({"rationale": f"pass {epoch}", "label": label})


def test_the_judge_may_say_whether_an_answer_abstains(tmp_path: Path) -> None:
    options = GroundingOptions(resamples=200, judge_abstention=True)
    judge = Scripted(judged, id="scripted/judge")
    ran = run(tmp_path / "run", ("calibrated?refuse=0.5",), options=options, limit=20, judge=judge)
    by_judge = ran.one("abstention", "phantom/calibrated?refuse=0.5", "ungrounded", labels="agreement")
    by_rule = ran.one("abstention", "phantom/calibrated?refuse=0.5", "ungrounded", labels="rule:strict")
    assert by_judge.value == by_rule.value
    with_evidence = ran.one("abstention", "phantom/calibrated?refuse=0.5", labels="agreement")
    assert with_evidence.value is not None
    assert with_evidence.value < 0.1
    agreement = ran.one("judge_agreement", "phantom/calibrated?refuse=0.5")
    assert agreement.value == 1
    texts = [request.messages[-1].text for request in judge.requests]
    claims = [text for text in texts if "<claim>" in text]
    assert all(text.index("<evidence>") < text.index("<claim>") for text in claims)
    assert not any("TCGA" in text or "phantom" in text for text in texts)


@pytest.mark.parametrize("kind", ["full", "given"])
def test_people_judge_and_rule_see_one_reference(folder: Path, kind: Literal["full", "given"]) -> None:
    options = GroundingOptions(reference=kind)
    asked: list[str] = []

    def answer(request: Request, _epoch: int) -> str:
        asked.append(request.messages[-1].text)
        return '{"rationale": "r", "label": "supported"}'

    roles = Roles({"judge": Scripted(answer, id="scripted/judge")}, seed=1)

    async def rated(one: ScoredResponse) -> None:
        async for _ in PROTOCOL.verdicts(one.case, one.response, one.claims[:1], roles, options):
            pass

    with RunStore.open(folder) as store:
        view = store.view(store.latest_scoring().id)
        shown = {item.subject: item.shown["evidence"] for item in items(view, "adjudication", options)}
        bare = [one for one in view.assessed(arm="ungrounded") if one.claims][:5]
    for one in bare:
        asked.clear()
        asyncio.run(rated(one))
        evidence = shown[one.claims[0].id]
        packet, _ = reference(one.case, "ungrounded", options)
        assert evidence == evidence_json(packet, packet.layers)
        assert all((evidence or "(none)") in text for text in asked)
        assert len(asked) == 2
        assert bool(packet.facts) == (kind == "full")
