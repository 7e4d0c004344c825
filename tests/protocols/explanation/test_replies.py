"""Any reply: what goes in comes out, whatever the layout; real replies lose no character and are read as they were labelled."""

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.protocols.explanation.replies import Parsed, parse

HERE = Path(__file__).parents[2] / "reading"
ROWS = [
    json.loads(line)
    for line in (HERE / "explanation" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]
#: Answers that the same two models gave to other prompts: long, and with layouts of their own.
OTHERS = [
    json.loads(line)
    for path in sorted((HERE / "answers").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
GENERATED = 10_000 if os.environ.get("PERCUSS_ALL_SEEDS") else 1_000
YES_NO = ("yes", "no")
WORDS = (
    'the angle is blunted; effusion 3.2 cm, “mild” (right > left) é ü 肺 50% \\ / "quoted" it\'s a {set} [1] <2 mm\n'
    "tube: tip at T4\tno air, heart/chest .52 & more"
).split(" ")


def prose(dice: np.random.Generator) -> str:
    return " ".join(dice.choice(WORDS, size=int(dice.integers(3, 14))))


def tree(dice: np.random.Generator, said: list[str], depth: int = 0) -> Any:
    kind = dice.integers(0, 3 if depth < 3 else 1)
    if kind == 0:
        said.append(prose(dice))
        return said[-1]
    if kind == 1:
        return [tree(dice, said, depth + 1) for _ in range(int(dice.integers(1, 4)))]
    names = dice.permutation(["step", "finding", "meaning", "Reasoning", "observation_2"])
    return {str(name): tree(dice, said, depth + 1) for name in names[: int(dice.integers(1, 4))]}


def reply(dice: np.random.Generator) -> tuple[str, list[str], list[str], str]:
    """Return a reply of a random layout, its reasoning, its influence, and its answer."""
    answer = str(dice.choice(YES_NO))
    shown = str(dice.choice([answer, answer.upper(), f" {answer.capitalize()}. "]))
    said: list[str] = []
    told = [prose(dice)] if dice.random() < 0.5 else []
    if dice.random() < 0.3:
        steps = [prose(dice).replace("<2", "2") for _ in range(int(dice.integers(1, 4)))]
        before = [prose(dice).replace("<2", "2")] if dice.random() < 0.3 else []
        told = [text.replace("<2", "2") for text in told]
        influence = "".join(f"<external_influence>{text}</external_influence>" for text in told)
        body = "".join(f"<step>{step}</step>\n" for step in steps)
        after = [prose(dice).replace("<2", "2")] if dice.random() < 0.3 else []
        text = (
            f"{''.join(before)}\n<Think>{body}{influence}</think >\n<answer>{shown}</ANSWER>{''.join(after)}"
        )
        return text, [*before, *steps, *after], told, answer
    whole: dict[str, Any] = {"think": tree(dice, said)}
    if told:
        whole["external_influence"] = told[0] if dice.random() < 0.5 else {"note": told[0]}
    where = int(dice.integers(0, 4))
    given: Any = [shown, {"value": shown}, {"Answer": shown}, {"text": shown}][where]
    if where == 3:
        given["basis"] = tree(dice, said)
    whole[str(dice.choice(["answer", "Answer", "final_answer"]))] = given
    text = json.dumps(whole, ensure_ascii=bool(dice.random() < 0.5), indent=int(dice.integers(0, 3)) or None)
    if dice.random() < 0.3:
        text = re.sub(r"\}$", ",}", text)
    if dice.random() < 0.3:
        text = f"```json\n{text}\n```"
    if dice.random() < 0.3:
        said.append(prose(dice).replace("{set}", "set"))
        text = f"{text}\n{said[-1]}"
    return text, said, told, answer


def squeezed(texts: Any) -> str:
    return re.sub(r"\s+", "", "".join(texts))


def test_what_goes_in_comes_out() -> None:
    dice = np.random.default_rng(7)
    for number in range(GENERATED):
        text, said, told, answer = reply(dice)
        parsed = parse(text, YES_NO)
        assert parsed.option == answer, (number, text)
        assert squeezed(s.text for s in parsed.reasoning) == squeezed(said), (number, text)
        assert squeezed(s.text for s in parsed.influence) == squeezed(told), (number, text)


STRUCTURE = re.compile(r"<\s*/?\s*(?:think(?:ing)?|step|answer|external[\s_-]*influence)\b[^<>]*>|^[ \t]*```[ \t]*\w*[ \t]*$", re.IGNORECASE | re.MULTILINE)  # fmt: skip


def lost(text: str, parsed: Parsed) -> str:
    """Return the letters and digits of a reply that stand neither in its parts nor in its structure."""
    held = [False] * len(text)
    spans = [*((s.start, s.stop) for s in (*parsed.reasoning, *parsed.influence)), *parsed.given]
    for start, stop in [*spans, *(match.span() for match in STRUCTURE.finditer(text))]:
        held[start:stop] = [True] * (stop - start)
    return "".join(c for c, there in zip(text, held, strict=True) if c.isalnum() and not there)


KEYS = (
    "step", "finding", "meaning", "Reasoning", "observation2", "think", "externalinfluence", "note", "answer", "Answer", "finalanswer",
    "value", "text", "basis",
)  # fmt: skip
#: Names of keys are no text; where the reply was cut within one, what is left of it is none either.
NAMES = re.compile(
    rf"(?:{'|'.join(KEYS)})*(?:{'|'.join(sorted({key[:n] for key in KEYS for n in range(1, len(key))}))})?"
)


def test_a_reply_cut_anywhere_keeps_what_was_said() -> None:
    dice = np.random.default_rng(8)
    for _ in range(GENERATED // 10):
        text = reply(dice)[0]
        text = text[: int(dice.integers(1, len(text)))]
        parsed = parse(text, YES_NO, finish="length")
        assert NAMES.fullmatch(lost(text, parsed)), (text, lost(text, parsed))
        assert parsed.option is not None or parsed.cut


def test_real_replies_lose_no_character() -> None:
    texts = [(row["text"], tuple(row["options"])) for row in ROWS]
    texts += [(row.get("text") or row.get("answer") or "", YES_NO) for row in OTHERS]
    assert len(texts) >= 300
    found = {text: gone for text, options in texts if (gone := lost(text, parse(text, options)))}
    # Names of fields and `null` say nothing; whatever else an object holds is kept.
    assert all(gone in {"null", "note"} for gone in found.values()), found


@pytest.mark.parametrize("half", ["dev", "locked"])
def test_labelled_replies_are_read_as_they_were_labelled(half: str) -> None:
    rows = [row for row in ROWS if row["half"] == half and row["label"] != "unclear"]
    said = [
        parse(row["text"], tuple(row["options"]), finish=row["finish"]).option or "no answer" for row in rows
    ]
    wrong = [
        row["id"] for row, option in zip(rows, said, strict=True) if option not in {row["label"], "no answer"}
    ]
    right = sum(option == row["label"] for row, option in zip(rows, said, strict=True))
    assert right >= 0.9 * len(rows)
    assert len(wrong) <= 0.02 * len(rows), wrong


@pytest.mark.parametrize(
    ("text", "option", "layout"),
    [
        ('{"answer": {"value": "Yes"}}', "yes", "json"),
        ('{"result": {"Final Answer": "no"}, "why": "clear"}', "no", "json"),
        ('{"ANSWER": true}', "yes", "json"),
        ('{"answer": ["no"]}', "no", "json"),
        ('[{"step": "fluid"}, {"answer": "yes"}]', "yes", "json"),
        ('{"reasoning": "a"}\n{"answer": "no"}', "no", "json"),
        ('<think>x</think>{"answer": "yes"}', "yes", "json"),
        ('<answer>{"value": "no"}</answer>', "no", "answer_only"),
        ("The answer is yes. Then again, the answer is no.", None, "untagged"),
        ("Yes, there is a line.", "yes", "untagged"),
        ("The correct answer is right, left.", None, "untagged"),
    ],
)
def test_where_answers_stand(text: str, option: str | None, layout: str) -> None:
    parsed = parse(text, YES_NO)
    assert (parsed.option, parsed.layout) == (option, layout)


def test_a_reply_that_was_cut_is_no_invalid_answer() -> None:
    assert parse("Step 1: the heart", YES_NO, finish="length").cut
    assert parse('{"steps": ["the heart is', YES_NO, finish="length").cut
    assert not parse("Step 1: the heart", YES_NO, finish="stop").cut
    assert not parse("<answer>yes</answer> and more of", YES_NO, finish="length").cut


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Yes — blunting of the angle is seen.", "yes"),
        ("No – the edge is clear.", "no"),
        ("The answer: $\\boxed{yes}$", "yes"),
        ("**Answer:** No\n\n**Reasoning:** The angles are sharp.", "no"),
        ("It is not possible to say yes or no from this image.", None),
    ],
)
def test_an_answer_before_a_dash_or_in_a_box_is_read(text: str, option: str | None) -> None:
    assert parse(text, YES_NO).option == option
