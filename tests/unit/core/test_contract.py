"""The contract, version 2: what a protocol is refused for, and that what version 1 wrote keeps its bytes and ids."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss.api.catalog import load, protocols, require_api
from percuss.core.errors import UsageError
from percuss.core.ids import claim_id
from percuss.core.labels import Reason, failure_class, reason_head
from percuss.core.protocol import API, SIGNATURES, protocol
from percuss.core.records import AnnotationItem, Arm, Claim, Earlier, Response, Text, Turn
from percuss.kit.binding import WHERE
from tests.tiny import TINY

TOML = """
name = "toy"
title = "Toy"
question = "?"
asking = 1
reading = 3
[primary]
estimate = "rate"
labels = "rule:toy"
arms = ["with", "without"]
family = "rate_difference"
words = "rates"
"""


def parts() -> dict[str, Any]:
    return {name: getattr(TINY, name) for name in (*SIGNATURES, "options")}


def test_claim_ids_of_version_0_1_stay() -> None:
    assert claim_id("r", 2, 0, 5, "Fever") == "000a97b1b2e72922cd49fd90fe7da474"
    assert claim_id("r", 2, 0, 5, "Fever", "") == claim_id("r", 2, 0, 5, "Fever")


def test_a_key_tells_two_claims_of_one_span_apart() -> None:
    span: dict[str, Any] = {"turn": 0, "start": 0, "stop": 3, "text": "[1]", "extractor": "e"}
    one, two = (Claim.of("r", **span, key=key) for key in ("Miller 2015", "Miller 2016"))
    assert one.id != two.id
    assert one.key == "Miller 2015"
    assert Claim.of("r", **span).id == claim_id("r", 0, 0, 3, "[1]")


def test_a_turn_without_its_own_finish_has_the_bytes_of_version_0_1() -> None:
    old = b'{"index":1,"role":"assistant","parts":[{"type":"text","text":"x"}]}'
    turn = msgspec.json.decode(old, type=Turn)
    assert turn == Turn(index=1, role="assistant", parts=(Text(text="x"),))
    assert turn.finish is None
    assert msgspec.json.encode(turn) == old
    cut = msgspec.structs.replace(turn, finish="limit")
    assert msgspec.json.decode(msgspec.json.encode(cut), type=Turn) == cut


def test_undecided_is_a_reason_and_no_failure_of_transport() -> None:
    assert reason_head("undecided:no number in it") is Reason.UNDECIDED
    assert failure_class("undecided:no number in it") == "abstain"


def test_an_arm_may_follow_another() -> None:
    arm = Arm(name="again", after="first", needs="verdicts")
    assert msgspec.json.decode(msgspec.json.encode(arm), type=Arm) == arm
    assert Arm(name="first").after is None
    earlier = Earlier(response=Response(id="r", case_id="c", arm="first", model="m"))
    assert (earlier.claims, earlier.verdicts) == ((), ())


def test_an_item_shows_what_is_shown_and_content_and_nothing_typed() -> None:
    item = AnnotationItem(
        id="i",
        subject="s",
        response_id="r",
        model="acme/one",
        arm="with",
        kind="number",
        stratum={"tier": "sparse"},
        shown={"question": "?"},
        content={"claim": "x"},
    )
    assert item.fields == {"question": "?", "claim": "x"}
    assert item.strata == {"model": "acme/one", "arm": "with", "kind": "number", "tier": "sparse"}


def test_a_protocol_of_the_first_contract_is_refused_with_the_page_to_read() -> None:
    with pytest.raises(
        UsageError, match=r"old was made for contract 1, this percuss speaks 2: docs/protocols\.md"
    ):
        require_api(type("Old", (), {"api": 1})(), "old")
    assert all(each.api == API for each in protocols())


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_function_with_other_parameters_is_refused_with_those_expected(name: str, tmp_path: Path) -> None:
    (tmp_path / "protocol.toml").write_text(TOML, encoding="utf-8")
    assert protocol(tmp_path, **parts()).name == "toy"

    def other(run: object) -> None:
        del run

    with pytest.raises(UsageError, match=rf"{name} of the protocol toy takes \(run\); expected \("):
        protocol(tmp_path, **{**parts(), name: other})
    missing = parts()
    del missing[name]
    with pytest.raises(UsageError, match=rf"toy has no function {name}\("):
        protocol(tmp_path, **missing)


@pytest.mark.parametrize(
    ("lists", "files", "words"),
    [
        ("asking = ['ask']", ["ask", "planning"], "planning.md of the protocol toy is in neither list"),
        ("asking = ['ask']", ["ask", "brief/judge"], "judge.md of the protocol toy is in neither list"),
        ("asking = ['ask']\nchecking = ['judge']", ["ask"], "lists 'judge', but there is no judge.md"),
    ],
)
def test_a_prompt_file_in_neither_list_is_refused_on_load(
    lists: str, files: list[str], words: str, tmp_path: Path
) -> None:
    for name in files:
        path = tmp_path / "prompts" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("?", encoding="utf-8")
    (tmp_path / "protocol.toml").write_text(f"{TOML}[prompts]\n{lists}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        protocol(tmp_path, **parts())


def test_prompts_serve_what_their_list_says_whatever_they_are_called(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    for name in ("judge_me", "plan", "look", "both"):
        (tmp_path / "prompts" / f"{name}.md").write_text("?", encoding="utf-8")
    lists = "[prompts]\nasking = ['judge_me', 'plan', 'both']\nchecking = ['look', 'both']\n"
    (tmp_path / "protocol.toml").write_text(TOML + lists, encoding="utf-8")
    found = protocol(tmp_path, **parts())
    assert (found.asking, found.reading, found.version) == (1, 3, "1-3")
    assert [found.reads_with(name) for name in ("judge_me", "plan", "look", "both")] == [
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("line", ["", "asking = 0\n", "asking = '1'\n"])
def test_a_manifest_without_its_two_versions_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "protocol.toml").write_text(TOML.replace("asking = 1\n", line), encoding="utf-8")
    with pytest.raises(UsageError, match="expected two whole numbers from 1 on"):
        protocol(tmp_path, **parts())


def test_convention_has_a_place_for_every_function() -> None:
    assert set(WHERE) == {*SIGNATURES, "vetted"}


@pytest.mark.parametrize("name", ["grounding", "explanation", "stressors"])
def test_options_of_a_run_come_back_with_those_of_the_scoring(name: str) -> None:
    found = load(name)
    held = found.options(resamples=321, prompts={"ask": "x"})
    manifest = {"options": msgspec.to_builtins(held)}
    assert found.options_of(manifest) == held
    with pytest.raises(UsageError, match=f"a setting of {name} does not fit"):
        found.options_of({"options": {"resamples": "many"}})
