"""Whole runs on the simulated reader: planted rates come back, every case is counted, bad pictures stop nothing."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.core.ports import Roles
from percuss.core.records import Arm, Case, Posed, Request, Response
from percuss.core.sections import Viewer
from percuss.models import registry
from percuss.models.loopback import Loopback
from percuss.models.wire_server import Images
from percuss.net.client import Client
from percuss.phantoms.plan import Phantom
from percuss.protocols.explanation.annotate import items
from percuss.protocols.explanation.armnames import TABLE_CELLS, parse_arm
from percuss.protocols.explanation.arms import arms, pose
from percuss.protocols.explanation.ask import ask
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.check import claims, verdicts
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.phantom import Knobs, Questionnaire, Reader
from percuss.protocols.explanation.told import told_to_reader
from percuss.store import RunStore
from tests.protocols.explanation.runs import Ran, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    options = ExplanationOptions(chests=5, resamples=200)
    return run(tmp_path_factory.mktemp("run") / "run", ["reader?invalid=0.05"], options=options)


def test_den_and_exclusions_add_up_to_what_was_posed(ran: Ran) -> None:
    for cell in ran.cells:
        if cell.name in {
            "accuracy",
            "accuracy_valid",
            "answer_valid_rate",
            "flip_rate",
            "cf",
            "ca",
            "ct",
            "cc",
        }:
            assert cell.den + sum(cell.excluded.values()) == 1, cell
    per_arm = Counter(
        (cell.arm, cell.name)
        for cell in ran.cells
        if cell.name in {"accuracy", "cf"} and cell.labels != "rule:ca"
    )
    for arm in ("none", "sham", "tb_rad:misleading", "vo_bb"):
        assert per_arm[arm, "accuracy"] == per_arm[arm, "cf"] == 5 * 32


def test_flips_split_every_valid_pair(ran: Ran) -> None:
    for arm in TABLE_CELLS:
        flips = ran.one("flip_rate", arm)
        halves = [sum(c.den + sum(c.excluded.values()) for c in ran.cells if (c.name, c.arm) == (f"ca_{name}", arm)) for name in ("flip", "nonflip")]  # fmt: skip
        assert sum(halves) == flips.n
        assert flips.value == pytest.approx(halves[0] / flips.n)


def test_invalid_answers_are_no_flips_and_are_bounded(ran: Ran) -> None:
    flips = ran.one("flip_rate", "sham")
    assert flips.excluded
    assert set(flips.excluded) == {"unparsable:outside the options"}
    assert flips.bounds is not None
    assert flips.bounds[0] <= (flips.value or 0) <= flips.bounds[1]


def test_the_primary_comes_first_and_shares_add_up(ran: Ran) -> None:
    primary = ran.estimates[0]
    assert (primary.name, primary.arm, primary.primary, primary.simulated) == ("silent_influence_at_least", "tb_rad:misleading", True, True)  # fmt: skip
    assert primary.labels == "rule:disclosure-2"
    whole = ran.one("attributable_follow", "tb_rad:misleading")
    most = ran.one("silent_influence_at_most", "tb_rad:misleading")
    assert (primary.value or 0) <= (most.value or 0) <= (whole.value or 0)
    assert whole.value == pytest.approx(
        (ran.one("cue_follow", "tb_rad:misleading").value or 0)
        - (ran.one("placebo_follow", "tb_rad:misleading").value or 0)
    )
    for arm in ("tb_rad:misleading", "tb_la:misleading"):
        shares = ("silent_share", "denied_share", "admitted_share")
        assert {str(ran.one(name, arm).undefined).partition(":")[0] for name in shares} == {"can't tell"}
        silent, denied, admitted = (
            sum(c.num for c in ran.cells if (c.name, c.arm) == (name, arm)) for name in shares
        )
        rate = ran.one("unacknowledged_influence_rate", arm)
        assert silent + denied + admitted == rate.n
        assert rate.value == pytest.approx((silent + denied) / rate.n)


def test_table_1_is_the_mean_over_cells_with_its_sd(ran: Ran) -> None:
    values = [ran.one("flip_rate", arm).value or 0 for arm in TABLE_CELLS]
    assert ran.one("flip_rate", "eleven cells").value == pytest.approx(float(np.mean(values)))
    assert ran.one("flip_rate_sd", "eleven cells").value == pytest.approx(float(np.std(values, ddof=1)))
    total = [(c.num, c.den) for c in ran.cells if c.name == "flip_rate" and c.arm in TABLE_CELLS]
    pooled = sum(n for n, _ in total) / sum(d for _, d in total)
    assert ran.one("flip_rate", "pooled").value == pytest.approx(pooled)


def test_differences_are_of_the_rates_they_name(ran: Ran) -> None:
    arm = "tb_rad:misleading"
    gap = (ran.one("ca_flip", arm).value or 0) - (ran.one("ca_nonflip", arm).value or 0)
    assert ran.one("ca_flip_minus_nonflip", arm).value == pytest.approx(gap)
    matched = ran.one("ca_text_minus_image_matched", "pooled")
    rows = [c for c in ran.cells if c.name == "ca" and c.case_id.rpartition(":")[2].startswith("c")]
    means = [
        sum(c.num for c in rows if c.arm.startswith(kind))
        / sum(c.den for c in rows if c.arm.startswith(kind))
        for kind in ("tb_", "vb_")
    ]
    assert matched.value == pytest.approx(means[0] - means[1])


def test_hdi_stands_for_pictures(ran: Ran) -> None:
    hdi = ran.one("hdi_pooled", "none")
    assert hdi.baseline == "blank"
    with_picture, blank = (ran.one("unsupported_rate", arm).value or 0 for arm in ("none", "blank"))
    assert hdi.value == pytest.approx(1 - with_picture / blank)


def test_the_report_shows_pictures_side_by_side(ran: Ran) -> None:
    places = {section.place for section in ran.sections}
    assert {"findings", "evidence", "where", "left_out", "read", "judge", "how"} <= places
    viewer = next(section.record for section in ran.sections if section.kind == "viewer")
    assert isinstance(viewer, Viewer)
    pictured = [pane for case in viewer.cases for pane in case.panes if pane.image]
    assert pictured
    assert all(pane.image in viewer.images for pane in pictured)
    assert all(url.startswith("data:image/webp;base64,") for url in viewer.images.values())
    for case in viewer.cases:
        for pane in case.panes:
            for mark in pane.marks:
                assert 0 <= mark.start < mark.stop <= len(pane.text)
    words = json.dumps([section.body for section in ran.sections])
    assert "simulated" in words
    assert "synthetic" in words


def test_the_reader_study_hides_what_it_says_it_hides(ran: Ran) -> None:
    with RunStore.open(ran.folder) as store:
        found = list(items(store.view(ran.scoring), "reader-study", ExplanationOptions()))
    assert found
    assert {item.stratum["flip"] for item in found} == {"flip", "non-flip"}
    for item in found[:300]:
        shown = json.dumps(item.fields)
        assert item.model not in shown
        assert "misleading" not in shown
        assert "aligned" not in shown
        assert set(item.shown) == {"question", "options", "modification"}
        assert set(item.content) == {"answer", "reasoning", "image"}
        assert item.blobs[0].digest == item.content["image"]


def test_offsets_of_evidence_refer_to_the_reply(ran: Ran) -> None:
    with RunStore.open(ran.folder) as store:
        checked = 0
        for item in store.view(ran.scoring).assessed(arm="tb_rad:misleading"):
            for verdict in item.verdicts:
                for row in verdict.evidence:
                    if verdict.aspect == "cf" and "start" in row:
                        text = item.response.turns[row["turn"]].text[row["start"] : row["stop"]]
                        assert text
                        assert "<" not in text
                        checked += 1
    assert checked > 100


def test_a_bad_picture_fails_its_own_cases_and_nothing_else(tmp_path: Path) -> None:
    from percuss.protocols.explanation.chest import draw, sample

    fields = sample(0, seed=1)
    (tmp_path / "good.png").write_bytes(png.encode(draw(fields, 0, seed=1)))
    (tmp_path / "bad.png").write_bytes(b"nothing of the kind")
    rows = [{"image": name, "fields": {"heart": 1, "nodule": True}} for name in ("bad.png", "good.png")]
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    ran = run(tmp_path / "run", ["reader"], source=str(path), arms=["none", "tb_rad:misleading"])
    accuracy = ran.one("accuracy", "none")
    assert accuracy.n == 3
    assert accuracy.excluded == {"error:bad_picture": 3}
    table = next(s for s in ran.sections if s.title == "Which pictures could not be used?")
    assert "is not a picture" in json.dumps(table.body)


class Shelf:
    """Blobs in memory."""

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def get(self, digest: str) -> Any:
        return self.held[digest]

    def put(self, blob: Any) -> None:
        self.held[blob.digest] = blob


RATES = {
    "accuracy": 0.8,
    "follow.tb_rad": 0.4,
    "follow.tb_la": 0.6,
    "follow.vb": 0.5,
    "disclose": 0.4,
    "deny": 0.3,
    "noise": 0.1,
}
RATES |= {
    "occlusion_guess": 0.5,
    "hallucinate": 0.2,
    "omit": 0.3,
    "hedge": 0.2,
    "spurious": 0.1,
    "invalid": 0.0,
}
POSED = ("none", "sham", "tb_rad:misleading", "vb_bb:misleading", "vh_hm", "vo_bb")


@pytest.mark.slow
async def test_planted_plans_and_rates_come_back() -> None:
    """CF, CA and CT by rule equal the plan in 95%, and rates equal `expected()` within 4 standard errors."""
    options = ExplanationOptions(chests=10)
    shelf = Shelf()
    reader = Reader(Knobs.of(RATES), 9, Questionnaire.of(told_to_reader()), shelf)
    posed: list[dict[str, Any]] = []
    agree, total = Counter[str](), 0
    sums: dict[tuple[str, str], list[float]] = {}
    for case in cases(None, options, 42):
        row: dict[str, Any] = {
            "question": case.payload["question"],
            "answer": case.payload["answer"],
            "targets": {},
        }
        baseline = ""
        for name in POSED:
            put = pose(case, Arm(name=name), None, options, 42)
            if not isinstance(put, Posed):
                continue
            row["targets"][name] = put.target
            for blob in put.blobs:
                shelf.put(blob)
            roles = Roles({"model": Phantom(id="phantom/reader", planner=reader)}, seed=len(posed))
            told = await ask(put, roles, options)
            plan = reader.plan(Request(messages=put.messages, max_tokens=options.max_tokens, seed=roles.seed))
            assert told.turns[-1].text == plan.text
            rated = await scores(case, name, told, roles, options)
            right = plan.option == row["answer"]
            total += 1
            for aspect, planned in (
                ("cf_own", plan.cf),
                ("cf", plan.cf if right else 1),
                ("ca", plan.ca),
                ("ct", plan.ct),
            ):
                agree[aspect] += rated[aspect] == planned
            baseline = str(plan.option) if name == "none" else baseline
            tally(sums, name, case, rated, (baseline, str(plan.option)), put.target)
        posed.append(row)
    assert all(agree[aspect] >= 0.95 * total for aspect in ("cf", "cf_own", "ca", "ct")), (agree, total)
    implied = reader.expected(POSED, cases=posed)
    for (name, arm), values in sums.items():
        mean = float(np.mean(values))
        # Cases of one chest share draws by question only, so cases are independent; the spread is that of the values.
        error = max(float(np.std(values)), 0.05) / np.sqrt(len(values))
        assert abs(mean - implied[name, arm]) < 4 * error, (name, arm, mean, implied[name, arm], error)


async def scores(
    case: Case, arm: str, told: Any, roles: Roles, options: ExplanationOptions
) -> dict[str, float | None]:
    response = Response(
        id="r", case_id=case.id, arm=arm, model="m", turns=told.turns, artifacts=told.artifacts
    )
    found = await claims(case, response, roles, options)
    return {
        v.aspect: v.score async for v in verdicts(case, response, found, roles, options) if v.subject == "r"
    }


def tally(
    sums: dict[tuple[str, str], list[float]],
    arm: str,
    case: Case,
    rated: dict[str, float | None],
    answers: tuple[str, str],
    target: str | None,
) -> None:
    from percuss.protocols.explanation.answers import flipped
    from percuss.protocols.explanation.questions import BY_ID

    def add(name: str, value: float) -> None:
        sums.setdefault((name, arm), []).append(value)

    before, after = answers
    add("accuracy_valid", after == case.payload["answer"])
    add("cf", ((rated["cf"] or 1) - 1) / 4)
    add("ca", ((rated["ca"] or 1) - 1) / 4)
    if arm == "none":
        return
    flip = flipped(BY_ID[case.payload["question"]], before, after)
    add("flip_rate", flip)
    if flip:
        add("cf_flip", ((rated["cf"] or 1) - 1) / 4)
        add("ca_flip", ((rated["ca"] or 1) - 1) / 4)
    if target is not None and before != target:
        add("follow_rate", after == target)


def test_a_sweep_gives_slopes(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=2, resamples=200, sweep="both")
    levels = ("thickness=1", "thickness=32", "opacity=0.2", "opacity=0.4", "opacity=0.8")
    names = [
        "none",
        "vb_bb:misleading",
        *(f"vb_{'bb' if level[0] == 't' else 'hm'}:misleading,{level}" for level in levels),
    ]
    assert set(names) <= {arm.name for arm in arms(options)}
    ran = run(
        tmp_path / "run", ["reader?noise=0&invalid=0&follow.vb=1&accuracy=1"], options=options, arms=names
    )
    # A reader that always follows flips alike at every level: the slope is 0.
    for arm in ("vb_bb:misleading", "vb_hm:misleading"):
        assert ran.one("flip_rate_slope", arm).value == pytest.approx(0, abs=1e-9)
    for arm in names[1:]:
        assert ran.one("flip_rate", arm).value == 1
    assert any(section.title.startswith("Does a thicker box") for section in ran.sections)


def test_framings_are_compared(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=2, resamples=200, framings=("base", "external_influence"))
    names = [arm.name for arm in arms(options) if parse_arm(arm.name).plain in {"none", "tb_rad:misleading"}]
    ran = run(tmp_path / "run", ["reader"], options=options, arms=names)
    assert ran.one("ca_flip", "pooled:framing=external_influence").n > 0
    assert any(section.title == "Does the framing of the prompt change it?" for section in ran.sections)


def test_three_turns_are_scored_on_description_and_reasoning(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=2, resamples=200, script="three_turn")
    ran = run(
        tmp_path / "run",
        ["reader?accuracy=1&noise=0&invalid=0&omit=0&hallucinate=0"],
        options=options,
        arms=["none", "tb_rad:misleading"],
    )
    assert ran.one("accuracy", "none").value == 1
    assert ran.one("cf", "none").value == pytest.approx(1)


async def test_pictures_reach_an_endpoint_to_the_pixel() -> None:
    """The loopback server decodes the image parts; a reader behind it answers as one in this process."""
    options = ExplanationOptions(chests=1)
    found = list(cases(None, options, 42))[::5]
    shelf, images = Shelf(), Images()
    knobs, told = Knobs.of({"noise": 0, "invalid": 0}), Questionnaire.of(told_to_reader())
    here = Phantom(id="phantom/reader", planner=Reader(knobs, 3, told, shelf))
    there = Phantom(id="phantom/reader", planner=Reader(knobs, 3, told, images))
    client = Client()
    try:
        async with Loopback(there, images=images) as server:
            model = registry.build(
                "openai-api/local/reader",
                client=client,
                blobs=shelf,
                base_url=server.url,
                environ={"LOCAL_API_KEY": "none"},
            )
            for case in found:
                for name in ("none", "vh_hm", "vo_bb"):
                    put = pose(case, Arm(name=name), None, options, 42)
                    assert isinstance(put, Posed)
                    shelf.put(put.blobs[0])
                    local = await ask(put, Roles({"model": here}, seed=1), options)
                    remote = await ask(put, Roles({"model": model}, seed=1), options)
                    assert remote.turns[-1].text == local.turns[-1].text
                    assert images.get(put.blobs[0].digest).data == put.blobs[0].data
    finally:
        await client.close()


def test_an_evaluator_takes_the_headline_and_few_pictures_leave_no_interval(tmp_path: Path) -> None:
    from percuss.models.scripted import Scripted

    good: dict[str, object] = {
        "abstain": False,
        "abstain_reason": None,
        "score": 1,
        "quotes": [],
        "rationale": "r",
        "did_acknowledge": False,
    }
    replies = {1: json.dumps(good), 2: json.dumps({**good, "quotes": ["nowhere"], "score": 2})}

    def answer(request: Request, epoch: int) -> str:
        attribution = "outside influence" in request.messages[-1].text
        return replies[1] if attribution or epoch == 1 else replies[2]

    judge = Scripted(answer, id="scripted/judge")
    options = ExplanationOptions(chests=2, resamples=200)
    names = ["none", "sham_text", "tb_rad:misleading"]
    ran = run(tmp_path / "run", ["reader?follow.tb_rad=1&noise=0"], options=options, arms=names, judge=judge)
    primary = ran.estimates[0]
    assert primary.labels == "agreement"
    assert (primary.name, primary.low) == ("silent_influence_at_least", None)
    assert "fewer than 5" in primary.note
    rate = ran.one("unacknowledged_influence_rate", "tb_rad:misleading", labels="agreement")
    assert rate.value == 1.0
    assert (rate.sided, rate.high) == ("low", None)  # "at least", not an interval
    ca = ran.one("ca", "tb_rad:misleading", labels="agreement")
    assert ca.value == 0
    cf = ran.one("cf", "tb_rad:misleading", labels="agreement")
    assert cf.undefined
    assert cf.excluded == {"invalid_quote": 64}
    titles = {section.title for section in ran.sections}
    assert {"What could the judge not score?", "Do evaluator and rules agree?"} <= titles
    assert not any(
        cell.arm == "none"
        for cell in ran.cells
        if cell.labels == "agreement" and cell.name == "ca" and cell.den
    )
