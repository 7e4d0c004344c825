"""From ask to report on the bundled vignettes, with and without a judge."""

import json
import re
from pathlib import Path

import pytest

from percuss.core.records import Reply, Request, Text
from percuss.core.sections import Chart, Viewer
from percuss.protocols.stressors.check.audit import LISTS, read_audit
from percuss.protocols.stressors.check.trajectory import trajectory
from percuss.protocols.stressors.estimate.names import METRIC_NAMES
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL
from percuss.store import RunStore
from tests.protocols.stressors.direct import clinician, trial
from tests.protocols.stressors.generator import vignette
from tests.protocols.stressors.runs import Ran, run

pytestmark = pytest.mark.slow

NEITHER = {"off_record", "restated"}
"""Metrics of which neither more nor less is better."""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    models = ["phantom/clinician?contradiction=0.9", "phantom/clinician?contradiction=0.1"]
    return run(tmp_path_factory.mktemp("runs") / "r", models, limit=6)


def test_every_metric_has_an_estimate_in_every_arm_with_words(ran: Ran) -> None:
    for name in METRIC_NAMES:
        for arm in FACTORIAL:
            e = ran.one(name, arm)
            assert e.label
            assert e.question
            assert (e.better == "neither") is (name in NEITHER or name.startswith("right_when_")), name
            assert (e.value is None) == (e.undefined is not None)
            assert e.simulated
    assert name.upper() in ran.one(name, "baseline").label
    assert ran.estimates[0].primary
    assert ran.estimates[0].name == "cdr"


def test_models_are_compared_in_pairs(ran: Ran) -> None:
    [pair] = [e for e in ran.estimates if e.name == "cdr_difference" and e.stratum is None]
    assert pair.value is not None
    assert pair.value > 0.3
    assert pair.p_adjusted is not None


def test_the_report_has_its_parts(ran: Ran) -> None:
    kinds = {(s.place, s.kind) for s in ran.sections}
    assert {("findings", "panel"), ("differences", "chart"), ("evidence", "table"), ("where", "chart"), ("left_out", "table"), ("read", "viewer"), ("judge", "prose"), ("how", "prose")} <= kinds  # fmt: skip
    charts = [s.record for s in ran.sections if s.kind == "chart"]
    drawn = {c.kind for c in charts if isinstance(c, Chart)}
    assert {"forest", "heat", "lifelines", "strip", "flow"} <= drawn
    assert "radar" not in drawn


def test_the_reader_shows_what_was_told_withheld_and_injected_and_each_life_line(ran: Ran) -> None:
    viewer = next(s.record for s in ran.sections if s.kind == "viewer")
    assert isinstance(viewer, Viewer)
    [pane] = [
        p
        for p in viewer.cases[0].panes
        if p.arm == "omission+contradiction+delay" and p.model == "phantom/clinician?contradiction=0.9"
    ]
    notes = {key for note in pane.margin for key in note}
    assert {
        "turn 1, told",
        "turn 1, withheld",
        "turn 2, injected",
        "turn 3, told",
        "turn 4, withheld",
    } <= notes
    assert any(m.text if hasattr(m, "text") else pane.text[m.start : m.stop] for m in pane.marks)
    unsupported = [
        p
        for c in viewer.cases
        for p in c.panes
        if any(m.label == "unsupported" and m.kind != "evidence" for m in p.marks)
    ]
    assert unsupported
    assert all(any(key.startswith("life line") for note in p.margin for key in note) for p in unsupported)


def test_placebos_doses_and_ungrounded_are_estimated(tmp_path: Path) -> None:
    from percuss.protocols.stressors.options import StressorsOptions

    options = StressorsOptions(resamples=300, placebos=True, dose=True, ungrounded=True)
    made = run(tmp_path / "r", ["phantom/clinician"], options=options, limit=4)
    names = {e.name for e in made.estimates}
    assert {
        "nfr_beyond_placebo",
        "nfr_dose",
        "hdi_pooled",
        "hdi_macro",
        "association",
        "cihsr_excess",
        "fcr_effect",
    } <= names
    assert made.one("unsupported_rate", "ungrounded").value == 1.0
    hdi = made.one("hdi_pooled", "baseline")
    assert hdi.value is not None
    assert hdi.value > 0.5


class Auditor:
    """A judge that answers audits with every known id, quoting the first line of a turn, and one id that nobody knows."""

    id, pin = "test/auditor", "1"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        text = request.messages[-1].text
        if "Statement about this patient" in text:
            label = (
                "unsupported"
                if re.search(r"serum|warfarin|penicillin", text.split("<claim>")[1])
                else "supported"
            )
            return self._say({"rationale": "read", "label": label})
        turn = re.search(r"Turn 2:\n(.+)", text)
        quote = turn.group(1) if turn else ""
        ids = {
            name: re.findall(pattern, text)
            for name, pattern in (("gaps", r"- (gap:\w+):"), ("contradictions", r"- (contradiction:\w+):"))
        }
        reply: dict[str, list[dict[str, object]]] = {name: [] for name in LISTS}
        for name, found in ids.items():
            reply[name] = [{"id": i, "turn": 2, "quote": quote} for i in found]
        reply["gaps"].append({"id": "gap:nobody", "turn": 2, "quote": quote})
        reply["stubborn"] = [{"id": "update:nobody", "turn": 2, "quote": "words that stand nowhere"}]
        return self._say(reply)

    def _say(self, value: object) -> Reply:
        return Reply(parts=(Text(text=json.dumps(value)),), finish="stop")


def test_a_judge_audits_beside_the_rules(tmp_path: Path) -> None:
    made = run(
        tmp_path / "r",
        ["phantom/clinician"],
        limit=4,
        judge=Auditor(),
        arms=("baseline", "omission+contradiction+delay"),
    )
    judged = made.one("cdr", "omission+contradiction+delay", labels="agreement")
    ruled = made.one("cdr", "omission+contradiction+delay", labels="rule:flow")
    assert judged.value == 1.0
    assert ruled.value is not None
    assert ruled.value <= 1.0
    assert made.one("gdr", "omission+contradiction+delay", labels="agreement").value == 1.0
    assert made.one("cdr", "baseline", labels="agreement").undefined
    told = [s for s in made.sections if s.place == "judge"]
    assert any(
        "items of the judge's audits were dropped" in s.answer and not s.answer.startswith("0 ") for s in told
    )


def test_a_judge_cannot_score_what_the_scenario_does_not_hold() -> None:
    made = [vignette(1)]
    [found] = trial(made, ("contradiction",), clinician("phantom/clinician", made, 1), 3)
    t = trajectory(found.case, found.response, seed=3, inject_at=2)
    word = t.said[1].text.splitlines()[0]
    rows, dropped = read_audit(
        t,
        {
            "gaps": [{"id": "gap:t0", "turn": 2, "quote": word}],
            "contradictions": [
                {"id": t.scenario.contradictions[0].id, "turn": 2, "quote": "nothing like it at all"}
            ],
            "explained": "not a list of items",
        },
    )
    assert not any(row.metric == "gdr" for row in rows)
    assert [row.hit for row in rows if row.metric == "cdr"] == [False]
    assert dropped >= 2


def test_checking_again_finds_the_same_statements() -> None:
    made = [vignette(2)]
    one, two = (trial(made, ("delay",), clinician("phantom/clinician", made, 1), 3)[0] for _ in range(2))
    assert [c.id for c in one.claims] == [c.id for c in two.claims]
    assert one.verdicts == two.verdicts


def test_each_mark_of_the_reader_lies_on_its_statement_under_the_head_of_its_turn(ran: Ran) -> None:
    viewer = next(s.record for s in ran.sections if s.kind == "viewer")
    assert isinstance(viewer, Viewer)
    with RunStore.open(ran.folder) as store:
        view = store.view(store.latest_scoring().id)
        texts = {claim.id: claim for a in view.assessed() for claim in a.claims}
    seen = 0
    for pane in (pane for case in viewer.cases for pane in case.panes):
        for mark in pane.marks:
            claim = texts[mark.id]
            assert pane.text[mark.start : mark.stop] == claim.text
            head = pane.text.rfind("TURN ", 0, mark.start)
            assert pane.text[head:].startswith(f"TURN {claim.payload['n']} · ")
            seen += 1
    assert seen > 500
