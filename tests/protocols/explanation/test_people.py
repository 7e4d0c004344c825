"""People's scores count: brought back into a run they are a source of its estimates, and most of three passes is a score."""

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from percuss.core.messages import Request
from percuss.core.ports import Roles
from percuss.core.records import Estimate, Verdict
from percuss.engine import ask, check, estimate, identity_of
from percuss.models.scripted import Scripted
from percuss.phantoms import phantom
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.told import told_to_reader
from percuss.store import RunStore, survey
from tests.protocols.explanation.runs import SEED, run

ARM = "tb_rad:misleading"
NAMES = ("none", "sham_text", ARM)
READER = "reader?follow.tb_rad=1&noise=0"


def _people(store: RunStore, scoring: str, scores: int) -> list[Verdict]:
    """Scores of one person for the first so many answers in the cued arm: 2 and 5 by turns."""
    found = [one.response for one in store.view(scoring).assessed(arm=ARM) if one.response.status == "done"]
    assert len(found) >= scores
    return [
        Verdict(subject=r.id, response_id=r.id, aspect="ca", rater="human:ann", score=5.0 if n % 2 else 2.0)
        for n, r in enumerate(found[:scores])
    ]


@pytest.mark.slow
def test_180_scores_of_people_are_180_scores_in_the_estimates(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=6, resamples=200)
    ran = run(tmp_path / "run", [READER], options=options, arms=NAMES)
    assert not [e for e in ran.estimates if e.labels == "human"]

    async def again() -> tuple[Estimate, ...]:
        with RunStore.open(ran.folder, writable=True) as store:
            store.put_human(_people(store, ran.scoring, 180))
            return await estimate(store, PROTOCOL, options, scoring=ran.scoring, seed=SEED)

    found = asyncio.run(again())
    ca = next(e for e in found if (e.name, e.arm, e.labels) == ("ca", ARM, "human") and not e.versus)
    assert ca.n == 180
    assert ca.value == ((2 - 1) / 4 + (5 - 1) / 4) / 2
    silent = next(
        e for e in found if (e.name, e.arm, e.labels) == ("unacknowledged_influence_rate", ARM, "human")
    )
    assert silent.value is not None
    assert 0.4 < silent.value < 0.6
    right = next(e for e in found if (e.name, e.arm, e.labels) == ("ca", ARM, "corrected"))
    assert right.value is not None
    assert "labelled by people" in right.covers
    kept = {(e.name, e.model, e.arm, e.labels, e.stratum, e.versus): e for e in found if e.labels != "human"}
    assert [kept[e.name, e.model, e.arm, e.labels, e.stratum, e.versus].value for e in ran.estimates] == [
        e.value for e in ran.estimates
    ]


@pytest.mark.slow
def test_sixty_labels_of_people_correct_the_headline(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=6, resamples=200)
    ran = run(
        tmp_path / "run", ["reader?follow.tb_rad=0.6&disclose=0.5&noise=0.05"], options=options, arms=NAMES
    )
    alone = ran.estimates[0]
    assert alone.labels.startswith("rule:disclosure")

    async def again(start: int, stop: int) -> tuple[tuple[Estimate, ...], str]:
        with RunStore.open(ran.folder, writable=True) as store:
            heard = [
                v
                for one in store.view(ran.scoring).assessed(arm=ARM)
                for v in one.verdicts
                if v.aspect == "disclosure" and v.label and v.rater.startswith("rule:")
            ]
            store.put_human([replace(v, rater="human:ann") for v in heard[start:stop]])
            found = await estimate(store, PROTOCOL, options, scoring=ran.scoring, seed=SEED)
            return tuple(found), str(store.sections(ran.scoring))

    few, said = asyncio.run(again(0, 59))
    assert few[0].labels == alone.labels
    assert "by rule alone" in said
    found, said = asyncio.run(again(59, 150))
    first = found[0]
    assert (first.name, first.arm, first.labels, first.primary) == (alone.name, ARM, "corrected", True)
    assert first.value == pytest.approx(alone.value, abs=0.02), (
        "a reader that people agree with is corrected by next to nothing"
    )
    assert _width(first) > _width(alone), "its errors are known from 150 labels, no better"
    assert "150 explanations labelled by people" in first.covers
    assert "by rule alone" not in said
    assert "corrected by people's labels of 150 explanations" in said


@pytest.mark.slow
@pytest.mark.parametrize("agree", [True, False])
def test_a_scale_below_peoples_own_range_is_descriptive_and_heads_nothing(
    tmp_path: Path, agree: bool
) -> None:
    options = ExplanationOptions(chests=6, resamples=200)
    ran = run(
        tmp_path / "run", ["reader?follow.tb_rad=0.6&omit=0.5&hallucinate=0.3"], options=options, arms=NAMES
    )

    def turned(score: float | None) -> float:
        assert score is not None
        return score if agree else 6 - score

    async def again() -> tuple[str, str]:
        with RunStore.open(ran.folder, writable=True) as store:
            rules = [
                v for one in store.view(ran.scoring).assessed(arm=ARM) for v in one.verdicts
                if v.aspect == "cf" and v.score is not None and v.rater == "rule:cf"
            ][:60]  # fmt: skip
            assert len({v.score for v in rules}) > 1
            for name in ("ann", "bob", "cam"):
                slips = 5 if name == "cam" else 0  # people differ a little from one another
                said = [replace(v, rater=f"human:{name}", score=turned(v.score)) for v in rules]
                said = [replace(v, score=3.0) if n < slips else v for n, v in enumerate(said)]
                store.put_human(said)
            await estimate(store, PROTOCOL, options, scoring=ran.scoring, seed=SEED)
            found = store.sections(ran.scoring)
            return str(found), str(
                next(one for one in found if one.title == "Do scales rank answers as people do?")
            )

    whole, table = asyncio.run(again())
    assert ("Descriptive, and at the head of nothing: rules cf on cf." in table) == (not agree), table
    assert ("Every scale ranks answers as people do." in table) == agree
    assert ("descriptive: it ranks answers less as people do" in whole) == (not agree)


def _width(e: Estimate) -> float:
    assert e.low is not None
    assert e.high is not None
    return e.high - e.low


def _four_four_three(request: Request, epoch: int) -> str:
    reasoning = request.messages[-1].text.rpartition("<reasoning>\n")[2].partition("\n")[0]
    reply = {"abstain": False, "abstain_reason": None, "score": 3 if epoch == 3 else 4, "rationale": "r"}
    return json.dumps({**reply, "quotes": [reasoning], "did_acknowledge": True})


@pytest.mark.slow
async def test_two_passes_of_three_make_a_score_under_majority(tmp_path: Path) -> None:
    judge = Scripted(_four_four_three, id="scripted/judge")
    options = ExplanationOptions(chests=2, resamples=200, judge_policy="majority")
    cases = tuple(PROTOCOL.cases(None, options, SEED))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    roles = Roles({"judge": judge}, seed=SEED, judge_passes=3)
    with RunStore.create(tmp_path / "run", identity) as store:
        store.add_cases(iter(cases))
        extra = {"questionnaire": told_to_reader(), "blobs": store.blobs}
        arms = [arm for arm in PROTOCOL.arms(options) if arm.name in NAMES]
        models = [phantom(f"phantom/{READER}", seed=SEED, extra=extra)]
        await ask(store, PROTOCOL, options, roles=roles, models=models, arms=arms)
        scoring = await check(store, PROTOCOL, options, roles=roles)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
    ca = next(e for e in found if (e.name, e.arm, e.labels) == ("ca", ARM, "majority"))
    assert ca.value == (4 - 1) / 4
    assert ca.excluded == {}
    assert found[0].labels == "majority"
    assert not [e for e in found if e.labels == "agreement"]
