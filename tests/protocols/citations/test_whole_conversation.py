"""Three turns in two arms, asked live, with planner, searches, pages and judge on the loopback: what each number comes to."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss.core.messages import Reply, Request, Text
from percuss.net.client import Client
from percuss.phantoms import phantom
from tests.citing import Hurried, Web, vancouver, work
from tests.citing_people import Reader
from tests.protocols.citations.conversations import Ran, ran, run
from tests.protocols.citations.test_judging import reaching

RIGHT, OTHER, PRINTED, GONE = work(4), work(5), work(3), work(6)
FALSE = msgspec.structs.replace(
    GONE.record,
    ids={"doi": "10.5555/nowhere.1"},
    title="Unheard remedies against melancholy among lighthouse keepers",
)
WRONG_DOSE = OTHER.facts[1].replace("0 mg", "1 mg").replace("5 mg", "6 mg")


def said(*pairs: tuple[str, str]) -> str:
    """Return an answer of cited statements."""
    body = " ".join(f"{text.removesuffix('.')} [{n}]." for n, (text, _) in enumerate(pairs, start=1))
    return (
        body + "\n\nReferences\n" + "\n".join(f"[{n}] {entry}" for n, (_, entry) in enumerate(pairs, start=1))
    )


TRUE_PAIR = (RIGHT.facts[1], vancouver(RIGHT.record))
PRINTED_PAIR = (PRINTED.facts[1], vancouver(PRINTED.record))
FALSE_PAIR = (GONE.facts[0], vancouver(FALSE))
DOSE_PAIR = (WRONG_DOSE, vancouver(OTHER.record))
CLOSED = (said(TRUE_PAIR, FALSE_PAIR), said(PRINTED_PAIR, FALSE_PAIR), said(TRUE_PAIR, DOSE_PAIR))
GROUNDED = (said(TRUE_PAIR), said(PRINTED_PAIR, TRUE_PAIR), said(TRUE_PAIR, DOSE_PAIR))


EXPECTED = {
    ("closed_book", "hallucination_turn_1"): 1 / 2,
    ("closed_book", "hallucination_turn_2"): 1 / 2,
    ("closed_book", "hallucination_turn_3"): 1 / 2,
    ("closed_book", "hallucination_pooled"): 3 / 6,
    ("closed_book", "reference_failure"): 2 / 6,
    ("closed_book", "content_failure_given_reference"): 1 / 4,
    ("closed_book", "propagation"): 1.0,
    ("closed_book", "survival_incorrect_2"): 1.0,
    ("closed_book", "survival_incorrect_3"): 0.0,
    ("closed_book", "survival_correct_2"): 0.0,
    ("closed_book", "survival_correct_3"): 1.0,
    ("grounded", "hallucination_turn_1"): 0.0,
    ("grounded", "hallucination_turn_2"): 0.0,
    ("grounded", "hallucination_turn_3"): 1 / 2,
    ("grounded", "hallucination_macro_turns"): (0 + 0 + 1 / 2) / 3,
    ("grounded", "hallucination_pooled"): 1 / 5,
    ("grounded", "reference_failure"): 0.0,
    ("grounded", "content_failure_given_reference"): 1 / 5,
}
"""Counted by hand from the answers above."""


def holds(request: Request) -> bool:
    """Say whether the document of the question stands in the system message."""
    return RIGHT.facts[2] in request.messages[0].text


class Talker:
    """Answers by arm and turn: a false reference that stays for a turn without the document, none with it."""

    simulated = True
    pin = ""

    def __init__(self) -> None:
        self.id = "scripted/talker"
        self.asked: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        self.asked.append(request)
        turn = sum(message.role == "assistant" for message in request.messages)
        return Reply(parts=(Text(text=(GROUNDED if holds(request) else CLOSED)[turn]),), finish="stop")


class User(Talker):
    """Asks what was not asked before."""

    def __init__(self) -> None:
        super().__init__()
        self.id = "scripted/user"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        self.asked.append(request)
        return Reply(parts=(Text(text=f"And what of group {len(self.asked)}?"),), finish="stop")


async def talked(
    folder: Path, planner: Reader, talker: Talker, user: User, **settings: Any
) -> tuple[Ran, list[str]]:
    """Return the run of one question in both arms, and what the servers were asked."""
    row = {"id": "alpha", "research_question": "What is known?", "domain": "research_questions",
           "title": RIGHT.record.title, "doi": RIGHT.record.ids["doi"], "abstract": " ".join(RIGHT.facts)}  # fmt: skip
    source = folder / "questions.jsonl"
    source.write_bytes(msgspec.json.encode(row))
    async with (
        Web([work(n) for n in range(12) if n != 6]) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        found = await ran(
            folder / "run", talker, source=str(source), arms=("closed_book", "grounded"), followups="live",
            roles={"user": user, "judge": Reader(), "planner": planner}, reach=reaching(server, client, pages),
            **settings,
        )  # fmt: skip
        return found, server.asked


async def test_three_turns_in_two_arms_with_the_full_pipeline(tmp_path: Path) -> None:
    planner, talker, user = Reader(name="scripted/planner"), Talker(), User()
    found, asked = await talked(tmp_path, planner, talker, user)
    reached = {path.split("/")[1] for path in asked}
    assert {"serper", "crossref", "page"} <= reached, "index, registries and pages were asked"
    assert planner.asked
    assert all("You decide what to look for" in each.messages[-1].text for each in planner.asked)
    assert len(user.asked) == 2, "the grounded arm says the same questions again"
    closed, grounded = (
        [[m.text for m in each.messages if m.role == "user"] for each in talker.asked if holds(each) is held]
        for held in (False, True)
    )
    assert sorted(closed) == sorted(grounded)
    assert [len(each) for each in sorted(closed, key=len)] == [1, 2, 3]
    for labels in ("rule:citations", "agreement"):
        for (arm, name), value in EXPECTED.items():
            assert found.one(name, arm, labels=labels).value == pytest.approx(value), (arm, name, labels)
        assert found.one("propagation", "grounded", labels=labels).value is None, (
            "no wrong reference to repeat"
        )
        hdi = [e.value for e in found.estimates if e.name == "hdi_pooled" and e.labels == labels]
        assert hdi == [pytest.approx((3 / 6 - 1 / 5) / (3 / 6))], labels
    assert found.one("unique_references", labels="rule:citations").value == 4


def test_a_mean_of_shares_has_limits_between_0_and_1(tmp_path: Path) -> None:
    """Eight conversations, mistakes in two of three turns: limits by t were -2.8% for a share."""
    writer = phantom("phantom/citer?wrong_content=0.1,0.2,0.3&nonexistent=0.1&wrong_field=0.1", seed=42)
    found = run(tmp_path / "run", writer, limit=8, arms=("closed_book", "grounded"))
    for arm in ("closed_book", "grounded"):
        mean = found.one("hallucination_macro_turns", arm, labels="rule:citations")
        assert mean.low is not None
        assert mean.high is not None
        assert mean.value is not None
        assert 0 <= mean.low <= mean.value <= mean.high <= 1
    cut = found.one("hallucination_macro_turns", "grounded", labels="rule:citations")
    assert (cut.low, cut.method.endswith("cut at 0 and 1")) == (0.0, True)
