"""What `percuss demo` shows is what today's readers say of the recorded answers, not what an earlier version said."""

import asyncio
import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from percuss.api.report.demo import recorded_run
from percuss.api.run.recheck import Recheck, other_rules, recheck
from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim, Estimate
from percuss.judging.extract import is_truncated
from percuss.judging.passport import outside_of
from percuss.protocols.grounding.record import statement
from percuss.store import RunStore
from percuss.store.dropping import drop_scoring
from percuss.text.saying import saying

ROOT = Path(__file__).resolve().parents[3]
LABELS = [
    json.loads(line)
    for line in (ROOT / "tests" / "reading" / "demo" / "labels.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


class Told(NamedTuple):
    """The recorded run: its real models, their answers with labels, its estimates, its manifest."""

    real: tuple[str, ...]
    answers: tuple[ScoredResponse, ...]
    estimates: tuple[Estimate, ...]
    manifest: dict[str, Any]


@pytest.mark.slow
def test_the_recorded_labels_are_those_of_the_readers_of_today(tmp_path: Path) -> None:
    with recorded_run(tmp_path / "run") as folder:
        with RunStore.open(folder) as store:
            scoring = store.latest_scoring()
            kept = store.estimates(scoring.id)
        with sqlite3.connect(folder / "run.sqlite") as db:
            drop_scoring(db, scoring.id)
        db.close()
        rules = next(rater for rater in scoring.raters if rater.startswith("rule:")).removeprefix("rule:")
        made = asyncio.run(recheck(Recheck(run=str(folder), settings={"rules": rules})))
    assert made.scoring.id == scoring.id
    numbers = [
        (e.name, e.model, e.arm, e.labels, e.stratum, e.value, e.low, e.high, e.n) for e in made.estimates
    ]
    assert numbers == [
        (e.name, e.model, e.arm, e.labels, e.stratum, e.value, e.low, e.high, e.n) for e in kept
    ]


def test_a_check_says_when_it_reads_by_other_rules_than_the_latest_scoring(tmp_path: Path) -> None:
    with recorded_run(tmp_path / "run") as folder:
        assert other_rules(str(folder), {}) == ""
        with RunStore.open(folder, writable=True) as store:
            store.update_manifest({"options": {**store.manifest()["options"], "rules": "strict"}})
        said = other_rules(str(folder), {})
        assert said.startswith("Reads by strict, the rules that this run was made with")
        assert said.endswith("--rules support-2 reads like it.")
        assert other_rules(str(folder), {"rules": "paper"}) == ""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What the recorded run holds: its answers with their labels, and its estimates."""
    with recorded_run(tmp_path_factory.mktemp("recorded") / "run") as folder, RunStore.open(folder) as store:
        scoring = store.latest_scoring().id
        view = store.view(scoring)
        real = tuple(model for model in view.models if model not in view.simulated)
        answers = tuple(answer for model in real for answer in view.assessed(model=model))
        return Told(real, answers, store.estimates(scoring), store.manifest())


def _by_people(answer: ScoredResponse, claim: Claim) -> tuple[str | None, str | None]:
    """Speech act and label that people gave a claim: None where they gave none, `unclear` where they could not judge."""
    held = {v.aspect: v for v in answer.verdicts if v.subject == claim.id and v.rater.startswith("human:")}
    act, support = held.get("speech_act"), held.get("support")
    if support is None:
        return (None if act is None else act.label), None
    finer = [str(one["found"]) for one in support.evidence]
    return (None if act is None else act.label), finer[0] if finer else support.label or "unclear"


def test_every_whole_statement_of_the_recorded_run_has_the_label_that_its_own_words_were_given(
    told: Told,
) -> None:
    kept = {(row["case"], saying(row["text"])): (row["act"], row["label"]) for row in LABELS}
    assert len(kept) == len(LABELS)
    seen = set()
    for answer in told.answers:
        for claim in answer.claims:
            if is_truncated(claim):
                assert _by_people(answer, claim) == (None, None)
                continue
            key = (answer.case.id, saying(statement(claim)))
            assert _by_people(answer, claim) == kept[key], key
            seen.add(key)
    assert seen == set(kept)


def test_the_recorded_labels_cover_both_arms_of_both_models(told: Told) -> None:
    counts = Counter(
        (answer.response.model, answer.response.arm)
        for answer in told.answers for claim in answer.claims if not is_truncated(claim)
    )  # fmt: skip
    assert len(told.real) == 2
    for model in told.real:
        for arm in ("full_multimodal", "ungrounded"):
            assert counts[model, arm] >= 150
            assert sum(a.response.model == model and a.response.arm == arm for a in told.answers) >= 40


def test_the_recorded_headline_is_what_a_count_by_hand_of_the_labels_gives(told: Told) -> None:
    """No part of the estimators: labels file and answers alone, cases with a counted assertion in both arms."""
    kept = {(row["case"], saying(row["text"])): row for row in LABELS}
    for model in told.real:
        counts: dict[str, dict[str, tuple[int, int]]] = {"full_multimodal": {}, "ungrounded": {}}
        for answer in told.answers:
            if answer.response.model == model and answer.response.arm in counts:
                said = {saying(statement(c)) for c in answer.claims if not is_truncated(c)}
                rows = [kept[answer.case.id, one] for one in said]
                labels = [
                    row["label"] for row in rows if row["act"] == "assertion" and row["label"] != "unclear"
                ]
                both = labels.count("partial")
                bad = labels.count("contradicted") + labels.count("absent") + both
                if labels:
                    counts[answer.response.arm][answer.case.id] = bad, len(labels) + both
        paired = set(counts["full_multimodal"]) & set(counts["ungrounded"])
        rate = {
            arm: sum(held[case][0] for case in paired) / sum(held[case][1] for case in paired)
            for arm, held in counts.items()
        }
        found = {
            (e.name, e.arm): e.value for e in told.estimates
            if e.model == model and e.labels == "human" and e.stratum is None and e.versus is None
        }  # fmt: skip
        assert found["unsupported_rate", "full_multimodal"] == pytest.approx(rate["full_multimodal"])
        assert found["unsupported_rate", "ungrounded"] == pytest.approx(rate["ungrounded"])
        index = 1 - rate["full_multimodal"] / rate["ungrounded"]
        assert found["hdi_pooled", "full_multimodal"] == pytest.approx(index)
    primary = [e for e in told.estimates if e.primary]
    assert {e.model for e in primary if e.labels == "human"} == set(told.real)


def test_a_rate_by_rule_outside_what_people_say_takes_the_rules_headline_away(told: Told) -> None:
    """The jury of reading.md, section 8: the shipped list is what the recorded estimates say today."""
    found = {
        (e.model, e.arm, e.labels): e for e in told.estimates
        if e.name == "unsupported_rate" and e.stratum is None and e.versus is None
    }  # fmt: skip
    rule = next(labels for _, _, labels in found if labels.startswith("rule:"))
    expected = []
    for model in told.real:
        for arm, words in (("full_multimodal", "with evidence"), ("ungrounded", "without evidence")):
            ruled, people = found[model, arm, rule], found[model, arm, "human"].value
            assert ruled.low is not None
            assert ruled.high is not None
            assert people is not None
            if not ruled.low <= people <= ruled.high:
                expected.append(f"for {model} {words}")
    said = outside_of(rule)
    assert said.count(" by people for ") == len(expected) > 0
    assert all(one in said for one in expected)
    assert outside_of(rule, layout="text") == ""


def test_the_recorded_run_says_who_labelled_it_and_what_the_small_model_is_there_for(told: Told) -> None:
    said = " ".join(told.manifest["flags"])
    assert "one reader of the project, no clinician" in said
    assert "blind to arm and model" in said
    assert "135M" in said
    assert "/" not in "".join(str(start["out"] or "") for start in told.manifest["starts"])
