"""Prompt files: a protocol's own, a named set over them, a folder of the user's."""

from dataclasses import replace
from pathlib import Path

import pytest

from percuss.core.errors import UsageError
from percuss.core.ids import digest
from percuss.core.ports import Roles
from percuss.engine import identity_of, load_prompts, prompt_digests, prompt_sets, scoring_of
from percuss.engine.identity import reading_of
from percuss.store.cases import CaseSource
from tests.tiny import TINY, Echo, TinyOptions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "ask": "Ask.",
        "judge": "Judge.",
        "paper/ask": "As printed.",
        "mine/judge": "My judge.",
    }.items():
        path = tmp_path / "prompts" / f"{name}.md" if "mine" not in name else tmp_path / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "prompts" / "empty").mkdir()
    return tmp_path


def test_sets_lie_over_the_default(folder: Path) -> None:
    assert prompt_sets(folder) == ("default", "paper")
    assert load_prompts(folder) == {"ask": "Ask.", "judge": "Judge."}
    assert load_prompts(folder, "paper") == {"ask": "As printed.", "judge": "Judge."}
    assert load_prompts(folder, str(folder / "mine")) == {"ask": "Ask.", "judge": "My judge."}
    assert prompt_digests({"b": "y", "a": "x"}) == {"a": digest(b"x"), "b": digest(b"y")}


def test_unknown_names_are_one_sentence(folder: Path) -> None:
    with pytest.raises(
        UsageError, match="no prompt set or folder 'papr'; expected default, paper or a folder"
    ):
        load_prompts(folder, "papr")
    (folder / "mine" / "askk.md").write_text("typo")
    with pytest.raises(
        UsageError, match=r"askk.md, which is no prompt of this protocol; expected ask, judge"
    ):
        load_prompts(folder, str(folder / "mine"))
    (folder / "nothing").mkdir()
    with pytest.raises(UsageError, match="holds no prompt"):
        load_prompts(folder, str(folder / "nothing"))
    (folder / "prompts" / "paper" / "ask.md").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="cannot be read"):
        load_prompts(folder, "paper")


def test_prompts_of_asking_are_of_the_run_and_those_of_checking_of_the_scoring() -> None:
    source = CaseSource(digest="c", n=1)
    plain = TinyOptions(prompts={"ask": "a", "judge": "j"})
    judged = TinyOptions(prompts={"ask": "a", "judge": "other"}, judged=True)
    asked = TinyOptions(prompts={"ask": "other", "judge": "j"})
    tiny = replace(TINY, manifest={"prompts": {"asking": ["ask"], "checking": ["judge"]}})
    identities = [identity_of(tiny, options, source, seed=1) for options in (plain, judged, asked)]
    assert identities[0] == identities[1] != identities[2]
    roles = Roles({"judge": Echo("test/judge")}, seed=1)
    scorings = [scoring_of(tiny, options, roles).id for options in (plain, judged, asked)]
    assert scorings[0] == scorings[2] != scorings[1]


def test_a_protocol_names_what_else_is_of_asking_or_checking() -> None:
    source = CaseSource(digest="c", n=1)
    named = replace(TINY, manifest={"identity": {"options": ["turns"]}, "prompts": {"checking": ["grade"]}})
    one = identity_of(named, TinyOptions(turns=1), source, seed=1)
    assert one.differences(identity_of(named, TinyOptions(turns=2), source, seed=1)) == ["turns (1, now 2)"]
    assert identity_of(named, TinyOptions(turns=1, prompts={"grade": "g"}), source, seed=1) == one
    roles = Roles({}, seed=1)
    ids = [scoring_of(named, TinyOptions(turns=turns), roles).id for turns in (1, 2)]
    assert ids[0] == ids[1]


def test_asking_is_of_the_run_and_reading_of_the_scoring() -> None:
    source, roles, options = CaseSource(digest="c", n=1), Roles({}, seed=1), TinyOptions()
    asked, read = replace(TINY, asking=2), replace(TINY, reading=2)
    plain = identity_of(TINY, options, source, seed=1)
    assert identity_of(read, options, source, seed=1) == plain
    assert plain.differences(identity_of(asked, options, source, seed=1)) == ["protocol (tiny 1, now tiny 2)"]
    scorings = [scoring_of(each, options, roles) for each in (TINY, asked, read)]
    assert scorings[0].id == scorings[1].id != scorings[2].id
    assert [reading_of(scoring) for scoring in scorings] == [1, 1, 2]


def test_a_counterpart_is_of_the_run_and_a_judge_of_the_scoring() -> None:
    source, options = CaseSource(digest="c", n=1), TinyOptions()
    plain = identity_of(TINY, options, source, seed=1)
    assert (
        identity_of(TINY, options, source, seed=1, roles={"model": "m", "judge": "j", "embedder": "e"})
        == plain
    )
    talking = identity_of(TINY, options, source, seed=1, roles={"user": "u"})
    assert plain.differences(talking) == ["role user (None, now 'u')"]
    one = scoring_of(TINY, options, Roles({"user": Echo("test/user")}, seed=1))
    assert one.id == scoring_of(TINY, options, Roles({}, seed=1)).id
    assert one.id != scoring_of(TINY, options, Roles({"judge": Echo("test/judge")}, seed=1)).id
    assert one.id != scoring_of(TINY, options, Roles({}, seed=2)).id
