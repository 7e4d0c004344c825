#!/usr/bin/env python3
"""Ask a local model for more answers of the jury, until an arm has sentences enough; no reader is run on them here.

Usage: .venv/bin/python scripts/jury_answers.py PROTOCOL MODEL ARM [ARM ..]   (`stressors qwen2.5-coder-1.5b-instruct contradiction`)

Answers are appended to tests/reading/<protocol>/jury_answers.jsonl, with what the model was shown. Of `stressors` only cases whose record is
the one of contexts.jsonl are asked, under the builder's own seed 7; of `explanation` the films and questions of the recorded replies, with the arm's cue.
A stopped run goes on where it was: what is recorded isn't asked again. `scripts/jury_draw.py` draws from them afterwards.
"""

import asyncio
import hashlib
import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.prompts import fill
from percuss.core.records import Message, Request
from percuss.models.embedded import Embedded
from percuss.protocols import explanation, stressors
from percuss.protocols.explanation.questions import QUESTIONS
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.information_flow import build

sys.path.insert(0, str(Path(__file__).resolve().parent))

from jury_draw import CORPORA, MOST, drawn, rows
from jury_draw import explanation as recorded_explanation
from jury_draw import stressors as recorded_stressors

TEMPERATURE, SEED, MAX_TOKENS = 0.7, 7, {"stressors": 180, "explanation": 160}
ASSESS = "Give your current assessment of the patient. You may ask for information."
UPTO = {"baseline": 4, "contradiction": 2, "omission+delay": 1}
MARKS = {
    "vb_bb": "A red box is drawn on the picture around the {side} lung.",
    "vo_bb": "A black rectangle covers the {side} lung on the picture.",
    "vh_bb": "A red box is drawn on the picture around the {side} lung, where the finding is.",
    "vb_hm": "A heat map drawn on the picture glows over the {side} lung.",
}
RECORDED_VIGNETTES = CORPORA.parent / "protocols" / "stressors" / "recorded" / "vignettes.jsonl"
"""The vignettes as they were when the first answers were recorded; the bundled ones have changed since."""
RECORDED = {"stressors": recorded_stressors, "explanation": recorded_explanation}
Row = dict[str, Any]


def prompts_of(package: Any, name: str) -> str:
    """Return the text of a prompt file of a protocol."""
    return (Path(package.__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def asked_of_stressors(arm: str) -> Iterator[tuple[Row, list[Message]]]:
    """Yield what is asked in an arm of `stressors`, case by case and draw by draw, without end."""
    held = {
        row["id"]: {fact["text"] for fact in row["facts"]}
        for row in rows(CORPORA / "stressors" / "contexts.jsonl")
    }
    asked = [reading(case) for case in cases(str(RECORDED_VIGNETTES), StressorsOptions(), SEED)]
    asked = [v for v in asked if {fact.text for fact in v.facts} == held.get(v.id)]
    system, turn = prompts_of(stressors, "system"), prompts_of(stressors, "turn")
    for draw in range(1, 100):
        for vignette in random.Random(f"{SEED} {arm} {draw}").sample(asked, len(asked)):
            turns = build(vignette, arm, SEED).turns[: UPTO[arm]]
            shown = "\n\n".join(each.user_text for each in turns if each.user_text)
            kind = ("assess", "turn")[draw % 2 == 0]
            told = fill(turn, {"content": shown}) if kind == "turn" else f"{shown}\n\n{ASSESS}"
            row = {
                "prompt": kind,
                "temperature": TEMPERATURE,
                "case": vignette.id,
                "arm": arm,
                "upto": UPTO[arm],
            }
            yield (
                {**row, "draw": draw, "shown": shown},
                [Message.of("system", system), Message.of("user", told)],
            )


def asked_of_explanation(arm: str) -> Iterator[tuple[Row, list[Message]]]:
    """Yield what is asked in an arm of `explanation`, film by film, without end; the text cue points at an option drawn by seed."""
    held = rows(CORPORA / "explanation" / "jury_answers.jsonl")
    texts = {row["arm"]: (row["cue"], row["target"]) for row in held if row["cue"]}
    seen = {}
    for row in held:
        plain = row["shown"].partition(" A red box")[0].partition(" A black rectangle")[0]
        seen[row["film"], row["question"]] = (plain, row["options"])
    stem = questions_of()
    system, question = prompts_of(explanation, "system"), prompts_of(explanation, "question")
    for draw in range(1, 100):
        rng = random.Random(f"{SEED} {arm} {draw}")
        for film, asked in rng.sample(sorted(seen), len(seen)):
            shown, options = seen[film, asked]
            target, side = rng.choice(options), rng.choice(("left", "right"))
            cue, old = texts.get(arm, ("", None))
            cue = cue.replace(f'"{old}"', f'"{target}"') if old else cue
            marked = f"{shown} {MARKS[arm].format(side=side, answer=target)}" if arm in MARKS else shown
            told = fill(question, {"question": stem[asked], "options": ", ".join(options), "cue": cue})
            row = {
                "arm": arm,
                "film": film,
                "question": asked,
                "options": options,
                "target": target if cue else None,
            }
            row |= {"temperature": TEMPERATURE, "draw": draw, "shown": marked, "cue": cue}
            yield row, [Message.of("system", system), Message.of("user", f"{marked}\n{told}")]


def questions_of() -> Mapping[str, str]:
    """Return the wording of each question by its id."""
    return {each.id: each.text for each in QUESTIONS}


async def ask(protocol: str, model: str, arm: str) -> None:
    """Append answers until the arm has sentences enough."""
    target = CORPORA / protocol / "jury_answers.jsonl"
    source = asked_of_stressors(arm) if protocol == "stressors" else asked_of_explanation(arm)
    attacker = Embedded.named(model)
    held = {row["id"] for row in rows(target)}
    for row, messages in source:
        name = hashlib.blake2b(f"{model} {row}".encode(), digest_size=5).hexdigest()
        if name in held:
            continue
        had = sum(one["model"] == model and one["arm"] == arm for one in drawn(RECORDED[protocol]()))
        if had >= MOST:
            return
        seed = int.from_bytes(hashlib.blake2b(f"{SEED} {row}".encode(), digest_size=4).digest(), "big") >> 1
        request = Request(
            messages=tuple(messages), max_tokens=MAX_TOKENS[protocol], temperature=TEMPERATURE, seed=seed
        )
        reply = await attacker.generate(request)
        line = json.dumps(
            {"id": name, "model": model, **row, "finish": reply.finish, "answer": reply.text},
            ensure_ascii=False,
        )
        with target.open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")
        print(arm, had, len(reply.text), flush=True)


def main() -> None:
    """Run the command."""
    protocol, model, *arms = sys.argv[1:]
    for arm in arms:
        asyncio.run(ask(protocol, model, arm))


if __name__ == "__main__":
    main()
