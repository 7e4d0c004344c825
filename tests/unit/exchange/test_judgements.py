"""Tables of judgements: a study's export, other tools' columns, runs."""

from pathlib import Path

import pytest

from percuss.core.records import Verdict
from percuss.exchange.judgements import outcome_of, read_judgements, run_judgements
from percuss.store import RunStore
from tests.unit.conftest import JUDGE, Judged


def test_a_study_export_names_aspects_reasons_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(
        "item,aspect,rater,label,score,unscored,stratum,cluster\n"
        "c1,support,human:r1,supported,,,m | full,p1\n"
        "c2,support,human:r1,,,abstained:cannot tell,m | full,p1\n"
        "c1,support,judge:openai/gpt#2,unsupported,,,m | full,p1\n"
        "c1,cf,human:r1,,4,,m | full,p1\n"
    )
    first, second, third, fourth = read_judgements(path)
    assert (first.metric, first.label, first.stratum, first.cluster) == (
        "support",
        "supported",
        "m | full",
        "p1",
    )
    assert (second.outcome, second.label) == ("abstain", None)
    assert (third.rater, third.run_pass, third.human) == ("judge:openai/gpt", 2, False)
    assert (fourth.metric, fourth.score) == ("cf", 4.0)


def test_people_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text("item\trater\tlabel\tsham\n1\tann\tyes\ttrue\n1\tgpt\tno\tsham_text\n2\tgpt\tno\t0\n")
    found = read_judgements(path, humans=["ann"])
    assert [one.rater for one in found] == ["human:ann", "gpt", "gpt"]
    assert [one.sham for one in found] == ["sham", "sham_text", ""]
    assert [one.cluster for one in found] == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("unscored", "outcome"),
    [
        (None, "ok"), ("abstained", "abstain"), ("not_checkable:rule undecided", "abstain"), ("invalid_quote", "evidence"),
        ("unparsable:parse", "parse"), ("unparsable:truncated", "parse"), ("unparsable:schema", "schema"),
        ("unparsable:label", "schema"), ("error", "transport"), ("refused", "transport"), ("truncated", None),
        ("not_applicable:no evidence", None),
    ],
)  # fmt: skip
def test_reasons_are_classes(unscored: str | None, outcome: str | None) -> None:
    label = "supported" if unscored is None else None
    verdict = Verdict(
        subject="c", response_id="r", aspect="support", rater="judge:j#1", label=label, unscored=unscored
    )
    assert outcome_of(verdict) == outcome


def test_a_run_gives_every_pass_in_its_patient_and_condition(judged: Judged) -> None:
    with RunStore.open(judged.run) as store:
        view = store.view(store.latest_scoring().id)
        assert not list(run_judgements(view))
        found = list(run_judgements(view, aspects=["support"]))
        claims = sum(len(assessed.claims) for assessed in view.assessed())
    mine = [one for one in found if one.rater == f"judge:{JUDGE}"]
    assert len(mine) == 2 * claims
    assert {one.run_pass for one in mine} == {1, 2}
    assert {one.stratum.partition(" / ")[2] for one in mine} == {"full_multimodal", "ungrounded"}
    assert len({one.cluster for one in mine}) == 25
