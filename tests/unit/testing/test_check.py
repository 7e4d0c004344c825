"""Every law on every protocol, and echo broken in fifteen ways: each fails the law that it breaks, in one sentence."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace as with_parts
from itertools import count
from typing import Any

import msgspec
import pytest

from percuss.api.catalog import protocols
from percuss.core.messages import Tool, ToolCall
from percuss.core.ports import Roles, RunView
from percuss.core.protocol import Options, Protocol
from percuss.core.records import (
    AnnotationItem,
    Case,
    Cell,
    Claim,
    Estimate,
    Message,
    Posed,
    Request,
    Response,
    Transcript,
    Verdict,
)
from percuss.core.sections import Column, Figure, Panel, Section, Table
from percuss.kit import ask, claim_cells, items, with_tools
from percuss.testing import Checked, capabilities, check
from percuss.testing.laws import LAWS
from tests.chain import CHAIN
from tests.echoes import echo

RED: dict[tuple[str, str], str] = {}
"""(protocol, law) -> the drift that it stands for; strict, so that whoever mends it takes the line out."""

LONG = {
    *(("stressors", law) for law in ("majority and agreement", "simulated", "resume", "half refused")),
    *(("citations", law) for law in ("majority and agreement", "simulated", "resume", "half refused")),
    ("explanation", "majority and agreement"),
}
"""(protocol, law) that takes seconds: tried where slow tests are."""


def _all() -> list[Any]:
    rows = []
    for protocol in (*protocols(), echo(), CHAIN):
        for law in LAWS:
            why = RED.get((protocol.name, law))
            marks = [pytest.mark.xfail(reason=why, strict=True)] if why else []
            marks += [pytest.mark.slow] if (protocol.name, law) in LONG else []
            rows.append(pytest.param(protocol, law, id=f"{protocol.name}-{law}", marks=marks))
    return rows


@pytest.mark.parametrize(("protocol", "law"), _all())
def test_every_law_on_every_protocol(protocol: Protocol[Any], law: str) -> None:
    found = check(protocol, [law])
    assert found.passed, found.outcomes[0].line


def test_a_law_that_does_not_apply_says_for_want_of_what() -> None:
    found = check(echo(), ["majority and agreement", "followers", "tools"])
    assert [o.line for o in found.outcomes] == [
        "majority and agreement: does not apply: judge",
        "followers: does not apply: after",
        "tools: does not apply: tools",
    ]
    assert capabilities(CHAIN) >= {"after", "baseline"}


def test_a_capability_that_no_law_could_try_fails() -> None:
    judged = with_parts(echo(), roles={"model": "required", "judge": "optional"}, claims=_no_claims)
    (outcome,) = check(judged, ["majority and agreement"]).outcomes
    assert outcome.verdict == "fails"
    assert "it declares a judge, and" in outcome.words


async def _no_claims(case: Case, response: Response, roles: Roles, options: Any) -> tuple[Claim, ...]:
    return ()


def _cells_of_done_only(run: RunView, options: Options) -> Iterator[Cell]:
    for cell in echo().cells(run, options):
        if cell.den:
            yield msgspec.structs.replace(cell, excluded={})


def _estimates_of_nothing(cells: Sequence[Cell], options: Options, seed: int) -> Iterator[Estimate]:
    for e in echo().estimates(cells, options, seed):
        yield msgspec.structs.replace(e, value=0.0, undefined=None) if e.undefined else e


class _Whole:
    """A run in which nothing is cut or left out."""

    def __init__(self, run: RunView) -> None:
        self.run = run

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def assessed(self, **where: Any) -> Iterator[Any]:
        for one in self.run.assessed(**where):
            claims = tuple(msgspec.structs.replace(claim, payload={}) for claim in one.claims)
            yield msgspec.structs.replace(one, claims=claims)


def _cells_of_cut_claims(run: RunView, options: Options) -> Iterator[Cell]:
    yield from echo().cells(_Whole(run), options)


def _cells_of_unchecked(run: RunView, options: Options) -> Iterator[Cell]:
    for cell in echo().cells(run, options):
        lost = any(reason.startswith("error") for reason in cell.excluded)
        yield msgspec.structs.replace(cell, den=1.0, excluded={}) if lost else cell


def _cells_without_people(run: RunView, options: Options) -> Iterator[Cell]:
    yield from (cell for cell in echo().cells(run, options) if cell.labels != "human")


def _cells_by_unanimity(run: RunView, options: Options) -> Iterator[Cell]:
    strict = msgspec.structs.replace(options, judge_policy="agreement")
    for cell in claim_cells(run, strict, name="echo_rate", counts="unsupported"):
        label = options.judge_policy if cell.labels == "agreement" else cell.labels
        yield msgspec.structs.replace(cell, labels=label)


def _items_with_names(run: RunView, design: str, options: Options) -> Iterator[AnnotationItem]:
    for item in items(run, design, options):
        yield msgspec.structs.replace(item, shown={**item.shown, "writer": item.model})


async def _verdicts_by_arm(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: Options
) -> AsyncIterator[Verdict]:
    async for verdict in echo().verdicts(case, response, claims, roles, options):
        label = "unsupported" if response.arm == "hinted" else "supported"
        yield msgspec.structs.replace(verdict, label=label, unscored=None)


_NUMBERS = count()


async def _ask_by_chance(posed: Posed, roles: Roles, options: Options) -> Transcript:
    first = Message.of("user", f"{next(_NUMBERS)} {posed.messages[-1].text}")
    return await ask(msgspec.structs.replace(posed, messages=(first,)), roles, options)


async def _ask_nobody(posed: Posed, roles: Roles, options: Options) -> Transcript:
    if type(getattr(roles.models["model"], "model", None)).__name__ == "_Dry":
        return Transcript(turns=())
    reply = await roles.models["model"].generate(Request(messages=posed.messages))
    turn = (await ask(posed, roles, options)).turns[0]
    return Transcript(turns=(turn,), finish=reply.finish)


def _sections_of_hand(run: RunView, estimates: Sequence[Estimate], options: Options) -> Iterator[Section]:
    for section in echo().sections(run, estimates, options):
        record = section.record
        if isinstance(record, Panel):
            rows = tuple(
                msgspec.structs.replace(
                    row, figures={k: msgspec.structs.replace(f, value=0.123) for k, f in row.figures.items()}
                )
                for row in record.rows
            )
            yield Section.of(section.place, section.title, msgspec.structs.replace(record, rows=rows))
        else:
            yield section


def _sections_of_another_arm(
    run: RunView, estimates: Sequence[Estimate], options: Options
) -> Iterator[Section]:
    """Show in every row the number of the arm that was not meant: an estimate, but not this one."""
    for section in echo().sections(run, estimates, options):
        record = section.record
        if isinstance(record, Panel):
            other = next(e for e in estimates if e.name == "echo_rate" and e.arm == "plain")
            figure = Figure(value=other.value, low=other.low, high=other.high)
            rows = tuple(
                msgspec.structs.replace(
                    row,
                    figures={k: figure if k == "echo_rate[hinted]" else f for k, f in row.figures.items()},
                )
                for row in record.rows
            )
            yield Section.of(section.place, section.title, msgspec.structs.replace(record, rows=rows))
        else:
            yield section


def _sections_with_a_table(
    run: RunView, estimates: Sequence[Estimate], options: Options
) -> Iterator[Section]:
    yield from echo().sections(run, estimates, options)
    figure = {"value": 0.321, "low": 0.1, "high": 0.5, "unit": "share"}
    table = Table(columns=(Column(key="share", title="share"),), rows=({"share": figure},))
    yield Section.of("judge", "How sure?", table)


def _sections_of_every_model(
    run: RunView, estimates: Sequence[Estimate], options: Options
) -> Iterator[Section]:
    yield from echo().sections(run, estimates, options)
    rows = tuple({"model": model} for model in run.models)
    yield Section.of(
        "where", "Who took part?", Table(columns=(Column(key="model", title="model"),), rows=rows)
    )


def _judged(protocol: Protocol[Any]) -> Protocol[Any]:
    return with_parts(protocol, roles={"model": "required", "judge": "optional"})


def _unlisted(protocol: Protocol[Any]) -> Protocol[Any]:
    return with_parts(protocol, manifest={**protocol.manifest, "prompts": {"checking": ["ask"]}})


Broken = Callable[[Protocol[Any]], Protocol[Any]]
BROKEN: dict[str, tuple[str, Broken, str]] = {
    "failed answers vanish": (
        "half refused",
        lambda p: with_parts(p, cells=_cells_of_done_only),
        "6 answers in arm hinted were refused, and no cell counts them as left out",
    ),
    "nothing is zero": (
        "all refused",
        lambda p: with_parts(p, estimates=_estimates_of_nothing),
        "every answer was refused, and echo_rate is 0.0",
    ),
    "cut sentences count": (
        "cut",
        lambda p: with_parts(p, cells=_cells_of_cut_claims),
        "every answer was cut before its last sentence ended, and no cell leaves anything out for it",
    ),
    "an unchecked answer counts": (
        "failing check",
        lambda p: with_parts(p, cells=_cells_of_unchecked),
        "the check of case scurvy raised, and its cell echo_rate still counts",
    ),
    "people are not heard": (
        "people",
        lambda p: with_parts(p, cells=_cells_without_people),
        "and no estimate has the source human",
    ),
    "people see whose it is": (
        "people",
        lambda p: with_parts(p, items=_items_with_names),
        "shows its model, or does not say whose it is",
    ),
    "majority is unanimity": (
        "majority and agreement",
        lambda p: with_parts(_judged(p), cells=_cells_by_unanimity),
        "two passes of three say the same, and",
    ),
    "the label knows the arm": (
        "same text",
        lambda p: with_parts(p, verdicts=_verdicts_by_arm),
        "all arms have the same text, and echo_rate_effect of hinted (rule:echo) is 1.000",
    ),
    "chance in what is asked": (
        "resume",
        lambda p: with_parts(p, ask=_ask_by_chance),
        "a run that was stopped at half and taken up again has other estimates",
    ),
    "calls that a dry run does not see": (
        "dry run",
        lambda p: with_parts(p, ask=_ask_nobody),
        "a dry run counts no call",
    ),
    "numbers typed in": (
        "numbers",
        lambda p: with_parts(p, sections=_sections_of_hand),
        "the panel shows 0.123 under",
    ),
    "another arm's number": (
        "numbers",
        lambda p: with_parts(p, sections=_sections_of_another_arm),
        "under echo_rate[hinted], which is no estimate",
    ),
    "a number that stands in a table alone": (
        "numbers",
        lambda p: with_parts(p, sections=_sections_with_a_table),
        'the section "How sure?" shows 0.321 under share, which is no estimate',
    ),
    "a simulated model in a table of real ones": (
        "simulated",
        lambda p: with_parts(p, sections=_sections_of_every_model),
        'the section "Who took part?" shows a simulated model among real ones',
    ),
    "a prompt outside the identity": (
        "prompts",
        _unlisted,
        "the prompt ask.md changes what is asked, and its manifest lists it as checking only",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_echo_fails_in_one_sentence(name: str) -> None:
    law, broken, sentence = BROKEN[name]
    found: Checked = check(broken(echo()), [law])
    (outcome,) = found.failures
    assert sentence in outcome.words
    assert "\n" not in outcome.words


def _with_tool(case: Case, arm: Any, earlier: Any, options: Options, seed: int) -> Any:
    posed = echo().pose(case, arm, earlier, options, seed)
    tool = Tool(name="look", description="Look it up.", parameters={"type": "object"})
    return msgspec.structs.replace(posed, tools=(tool,))


async def _looked_up(call: ToolCall) -> str:
    return "nothing found"


async def _ask_with_tools(posed: Posed, roles: Roles, options: Options) -> Transcript:
    return await with_tools(posed, roles, options, _looked_up)


async def _ask_for_ever(posed: Posed, roles: Roles, options: Options) -> Transcript:
    transcript = await with_tools(posed, roles, options, _looked_up, rounds=60)
    return msgspec.structs.replace(transcript, finish="stop")


def test_tools_are_a_capability_and_their_limit_is_a_law() -> None:
    tooled = with_parts(echo(), pose=_with_tool, ask=_ask_with_tools)
    assert "tools" in capabilities(tooled)
    assert check(tooled, ["tools", "cut", "dry run"]).passed
    (outcome,) = check(with_parts(tooled, ask=_ask_for_ever), ["tools"]).failures
    assert "24 answers of a model that only calls tools took" in outcome.words
