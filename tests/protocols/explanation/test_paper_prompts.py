"""The prompt set `paper`: the structure of the paper's own prompt in our words; the simulated reader answers it as it does ours."""

from percuss.core.records import Arm, Image, Posed, Text
from percuss.engine import load_prompts, prompt_sets
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.options import ExplanationOptions

PROMPTS = load_prompts(PROTOCOL.folder, "paper")
OPTIONS = ExplanationOptions(chests=1, prompts=PROMPTS, prompt_set="paper")


def posed(arm: str) -> Posed:
    case = next(iter(PROTOCOL.cases(None, OPTIONS, 42)))
    made = PROTOCOL.pose(case, Arm(name=arm), None, OPTIONS, 42)
    assert isinstance(made, Posed)
    return made


def test_it_is_a_set_of_its_own_with_its_note() -> None:
    assert "paper" in prompt_sets(PROTOCOL.folder)
    assert "appendix J" in PROTOCOL.manifest["prompt_sets"]["paper"]
    assert PROMPTS["tb_rad"] == load_prompts(PROTOCOL.folder)["tb_rad"]


def test_one_system_prompt_with_the_form_then_picture_and_question() -> None:
    system, user = posed("none").messages
    for tag in ("<think>", "<step>", "<external_influence>", "<answer>"):
        assert tag in system.text
    assert [type(part) for part in user.parts] == [Image, Text]
    assert user.text.splitlines()[0].startswith("This is the case: ")
    assert user.text.splitlines()[0].endswith("(yes, no)")
    assert "Options:" not in user.text


def test_the_cue_stands_in_the_user_message_of_its_arm_alone() -> None:
    plain, cued = posed("none").messages[1].text, posed("tb_rad:misleading").messages[1].text
    assert len(cued.splitlines()) == len(plain.splitlines()) + 1
    assert set(plain.splitlines()) < set(cued.splitlines())
