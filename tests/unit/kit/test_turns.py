"""Turns of conversations: how often each was asked, answered, cut and refused, and what a report says of it."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from percuss.core.messages import Finish, Text
from percuss.core.ports import ScoredResponse
from percuss.core.records import Turn
from percuss.core.sections import Section
from percuss.kit.report import sections
from percuss.kit.report.turns import Turns
from tests.unit.kit.views import ARMS, Held, answer, rate

CASES = 3


def talk(scored: ScoredResponse, *finishes: Finish | None, **fields: Any) -> ScoredResponse:
    """Return an answer of so many turns of the model, each after a question of the user."""
    (first,) = scored.response.turns or answer(0, "with").response.turns
    turns: list[Turn] = []
    for how in finishes:
        turns += [
            replace(first, index=len(turns), role="user", parts=(Text(text="And?"),)),
            replace(first, index=len(turns) + 1, finish=how),
        ]
    return replace(scored, response=replace(scored.response, turns=tuple(turns), **fields))


def counted(*answers: ScoredResponse) -> list[tuple[str, int, int, int, int, int]]:
    """Return (arm, turn, asked, answered, cut, refused) of each turn."""
    held = Turns()
    for each in answers:
        held.count(each.response)
    return [(a.arm, a.turn, a.asked, a.answered, a.cut, a.refused) for a in held.accounts(["m"])]


def test_a_turn_is_asked_where_the_conversation_came_so_far() -> None:
    broken = {"status": "failed", "reason": "error:no_more_calls"}
    held = [
        *(talk(answer(n, arm), "stop", "length", "stop") for n in (1, 2) for arm in ARMS),
        *(talk(answer(0, arm), "stop", "length", **broken) for arm in ARMS),
    ]
    wanted = [(0, 3, 3, 0, 0), (1, 3, 3, 3, 0), (2, 3, 2, 0, 0)]
    assert counted(*held) == [(arm, *row) for arm in ARMS for row in wanted]


def test_what_was_refused_was_asked_and_what_follows_a_failure_was_not() -> None:
    in_words = talk(answer(0, "with"), "stop", "refused")
    by_provider = answer(1, "with", reason="refused")
    never = answer(2, "with", reason="error:predecessor")
    foreign = answer(3, "with", model="other")
    assert counted(in_words, by_provider, never, foreign) == [
        ("with", 0, 2, 1, 0, 1), ("with", 1, 1, 1, 0, 1),
    ]  # fmt: skip
    old = talk(answer(0, "with"), None, None)
    assert counted(old) == [("with", 0, 1, 1, 0, 0), ("with", 1, 1, 1, 0, 0)]


def told(answers: Sequence[ScoredResponse]) -> list[Section]:
    """Return the report's sections on turns."""
    made = sections(Held(answers), [rate("m", arm) for arm in ARMS], None)
    return [s for s in made if s.title == "How far did conversations come?"]


def test_a_report_prints_asked_and_answered_of_each_turn_and_where_one_was_lost() -> None:
    whole = [talk(answer(n, arm), "stop", "stop") for n in range(CASES) for arm in ARMS]
    (section,) = told(whole)
    assert section.answer == "All of 12 turns were answered."
    assert [(r["turn"], r["asked"], r["answered"]) for r in section.body["rows"]] == [(1, 6, 6), (2, 6, 6)]
    lost = talk(answer(9, "with"), "length", status="failed", reason="error:timeout")
    (section,) = told([*whole, lost])
    assert section.answer == "13 of 14 turns that were asked were answered; 1 was cut."
    rows = [
        (r["model"], r["arm"], r["turn"], r["asked"], r["answered"], r["cut"]) for r in section.body["rows"]
    ]
    assert rows == [
        ("all models", "all conditions", 1, 7, 7, 1), ("all models", "all conditions", 2, 7, 6, 0),
        ("m", "with", 1, 4, 4, 1), ("m", "with", 2, 4, 3, 0),
    ]  # fmt: skip
    assert told([answer(n, arm) for n in range(CASES) for arm in ARMS]) == [], "one turn is no conversation"
    (first, *rest) = whole
    tool = replace(first.response.turns[0], role="tool")
    agent = replace(first, response=replace(first.response, turns=(*first.response.turns, tool)))
    assert told([agent, *rest]) == [], "nor are the steps of an agent"
