"""Laws that hold for every protocol, each on a small run: what is left out is said, and no number comes from nowhere."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace as with_parts
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core.accounting import account_lines
from percuss.core.errors import Refused, Transient, UsageError
from percuss.core.messages import Reply, Request, Text, ToolCall
from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Estimate, Response, Verdict
from percuss.core.sections import Section
from percuss.engine.plan import plan
from percuss.measure.answered import RUN
from percuss.measure.tally import OUTCOMES
from percuss.store import RunStore
from percuss.store.manifest import put_manifest
from percuss.study.design import load_design
from percuss.study.runs import items_of_run
from percuss.testing.labelled import passes, people
from percuss.testing.saying import Broken, Law, require, run_of, strangers, words_of
from percuss.testing.trial import CASES, SEED, Trial, Where

__all__ = ["LAWS"]


async def all_refused(trial: Trial) -> None:
    """Where every answer is refused, nothing is estimated, and the report says that they were refused."""

    def answer(where: Where, request: Request, reply: Reply) -> Reply:
        raise Refused("the provider declined")

    ran = await run_of(trial, answer)
    given = next(
        (e for e in ran.estimates if e.value is not None and e.labels != RUN and e.name not in OUTCOMES),
        None,
    )
    require(
        given is None,
        f"every answer was refused, and {given.name if given else ''} is {given.value if given else ''}",
    )
    require("refused" in words_of(ran), "every answer was refused, and the report says so nowhere")


async def half_refused(trial: Trial) -> None:
    """Where half the answers of one arm are refused, the panel says how many, and their cases leave the pairs."""
    arm, half = trial.arms[0], CASES // 2

    def answer(where: Where, request: Request, reply: Reply) -> Reply:
        if where.arm == arm and where.number < half:
            raise Refused("the provider declined")
        return reply

    ran = await run_of(trial, answer)
    out = sum(cell.excluded.get("refused", 0) > 0 for cell in ran.cells if cell.arm == arm)
    require(out > 0, f"{half} answers in arm {arm} were refused, and no cell counts them as left out")
    first = next(iter(account_lines(ran.accounts)), "")
    require(
        "refused" in first, f"{half} answers in arm {arm} were refused, and the first line does not say so"
    )
    whole = await run_of(trial)
    for e, full in zip(_effects(ran.estimates, arm), _effects(whole.estimates, arm), strict=False):
        require(
            e.n < full.n or e.undefined is not None or full.n == 0,
            f"{half} answers in arm {arm} were refused, and {e.name} of {e.arm} still counts as many ({e.n})",
        )


def _effects(estimates: Iterable[Estimate], arm: str) -> list[Estimate]:
    return sorted(
        (
            e
            for e in estimates
            if arm in {e.arm, e.baseline}
            and e.baseline
            and e.labels != RUN
            and not (e.versus or e.stratum)
            and e.name not in OUTCOMES
        ),
        key=lambda e: (e.name, e.arm, e.labels),
    )


async def cut(trial: Trial) -> None:
    """Answers cut at the limit of tokens are counted, and the report says that there were some."""

    def answer(where: Where, request: Request, reply: Reply) -> Reply:
        text = reply.text[: max(1, 2 * len(reply.text) // 3)].rstrip(". ")
        return replace(reply, parts=(Text(text=text),), finish="length")

    ran = await run_of(trial, answer)
    done, were_cut = (sum(getattr(a, name) for a in ran.accounts) for name in ("done", "cut"))
    require(done == were_cut, f"{done} answers were cut, and the account of the run counts {were_cut}")
    out = {reason for cell in ran.cells for reason in cell.excluded}
    named = {reason for reason in out if reason.startswith(("truncated", "unparsable"))}
    require(
        bool(named),
        "every answer was cut before its last sentence ended, and no cell leaves anything out for it",
    )


async def failing_check(trial: Trial) -> None:
    """A response whose check raises is left out by that reason; the others count."""
    with trial.asked() as (store, protocol, options, model):
        lost = trial.held[0].id

        async def verdicts(
            case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: Any
        ) -> AsyncIterator[Verdict]:
            if case.id == lost:
                raise RuntimeError("a rule broke")
            async for verdict in trial.protocol.verdicts(case, response, claims, roles, options):
                yield verdict

        ran = await trial.through(store, with_parts(protocol, verdicts=verdicts), options, model)
    cells = [cell for cell in ran.cells if cell.case_id == lost]
    counted = next((cell for cell in cells if cell.den and cell.name not in OUTCOMES), None)
    require(
        counted is None,
        f"the check of case {lost} raised, and its cell {counted.name if counted else ''} still counts",
    )
    named = any(reason.startswith("error") for cell in cells for reason in cell.excluded)
    require(named, f"the check of case {lost} raised, and no cell says that it is left out by an error")


async def simulated(trial: Trial) -> None:
    """Numbers of a model whose provider says that it is simulated are marked, and stand in no table or chart of a real one."""
    for flag in (True, False):
        with trial.asked(name="scripted/one") as (store, protocol, options, model):
            ran = await trial.through(store, protocol, options, _Flagged(model, simulated=flag))
            if not flag:
                planted = _Flagged(model, simulated=True, name=PLANTED)
                beside = await trial.through(store, protocol, options, planted)
        wrong = next((e for e in ran.estimates if e.simulated != flag), None)
        is_marked = "is not" if flag else "is"
        require(
            wrong is None,
            f"the model {'is' if flag else 'is not'} simulated, and {wrong.name if wrong else ''} {is_marked} marked so",
        )
    among = next(
        (s.title for s in beside.sections if s.place not in _OF_SIMULATED and _names_planted(s)), None
    )
    require(among is None, f'the section "{among}" shows a simulated model among real ones')


PLANTED = "test/planted"
_OF_SIMULATED = {"instrument", "read"}
"""Places of a report where simulated models stand beside real ones: whether the instrument is in order, and the answers."""


def _names_planted(section: Section) -> bool:
    """Whether a row is of the simulated model; a panel says a sentence of it under its rows."""
    return any(PLANTED in row.values() for row in section.body.get("rows", ()) if isinstance(row, dict))


class _Flagged:
    """A model whose provider says whether it is simulated."""

    def __init__(self, model: Any, *, simulated: bool, name: str = "") -> None:
        self.id, self.pin, self.simulated, self.model = name or model.id, model.pin, simulated, model

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        reply: Reply = await self.model.generate(request, epoch=epoch)
        return reply


async def options_reach(trial: Trial) -> None:
    """Settings of a run reach cells, estimates, sections and the items of a study as they are."""
    heard: dict[str, Any] = {}

    def listening(name: str) -> Callable[..., Any]:
        def heard_by(*given: Any) -> Any:
            heard[name] = given[1] if name == "estimates" else given[-1]
            return getattr(trial.protocol, name)(*given)

        return heard_by

    names = ("cells", "estimates", "sections", "items")
    parts: dict[str, Any] = {name: listening(name) for name in names}
    with trial.asked(temperature=0.25) as (store, protocol, options, model):
        spied = with_parts(protocol, **parts)
        await trial.through(store, spied, options, model)
        store.write_now(put_manifest, {"options": msgspec.to_builtins(options)})
        with suppress(UsageError):  # a protocol may have nothing for this design
            items_of_run(store.folder, load_design("claim-adjudication"), lambda _: spied)
    for name in names:
        require(heard.get(name) == options, f"{name} did not get the settings of the run")


async def prompts(trial: Trial) -> None:
    """A prompt that shapes what is asked is part of the run's identity; every prompt is part of something."""
    options = trial.options()
    for name, text in trial.prompts().items():
        changed = replace(options, prompts={**options.prompts, name: text + "\nPlease."})
        require(
            _posed(trial, options) == _posed(trial, changed) or not trial.protocol.reads_with(name),
            f"the prompt {name}.md changes what is asked, and its manifest lists it as checking only",
        )


def _posed(trial: Trial, options: Any) -> list[Any]:
    arms = [arm for arm in trial.chosen(options) if arm.after is None]
    return [trial.protocol.pose(case, arm, None, options, SEED) for case in trial.held[:2] for arm in arms]


async def resume(trial: Trial) -> None:
    """A run that was stopped and taken up again holds the same answers, and asks nothing twice."""
    whole = await run_of(trial)
    with trial.asked() as (store, protocol, options, model):
        await trial.through(store, protocol, options, model, limit=CASES // 2)
        taken_up = await trial.through(store, protocol, options, model)
        again = await trial.through(store, protocol, options, model)
    require(
        again.calls == taken_up.calls, f"a finished run was asked again: {again.calls - taken_up.calls} calls"
    )
    require(
        taken_up.estimates == whole.estimates,
        "a run that was stopped at half and taken up again has other estimates than one in a go",
    )


async def dry_run(trial: Trial) -> None:
    """A dry run counts what would be asked, whatever `ask` does with a made reply."""
    with trial.asked() as (store, protocol, options, model):
        arms = trial.chosen(options)
        try:
            (counted,) = await plan(
                protocol, options, cases=trial.held, roles=Roles({}, seed=SEED), models=[model], arms=arms
            )
        except Exception as error:
            raise Broken(f"a dry run raises {type(error).__name__}: {error}") from error
        ran = await trial.through(store, protocol, options, model)
        asked = sum(
            1 for one in store.view(ran.scoring.id).assessed() if one.response.status != "not_applicable"
        )
    require(counted.missing == asked, f"a dry run counts {counted.missing} answers, and {asked} were made")
    require(counted.calls > 0, "a dry run counts no call")


_OF_EFFECTS = {"points", "ratio"}


async def same_text(trial: Trial) -> None:
    """The same text in all arms gives no effect; but in numbers that the manifest says to rest on what an arm showed."""
    shown = trial.protocol.manifest.get("laws", {}).get("by_what_was_shown", ())
    texts: dict[str, str] = {}

    def answer(where: Where, request: Request, reply: Reply) -> Reply:
        return replace(reply, parts=(Text(text=texts.setdefault(where.case, reply.text)),))

    ran = await run_of(trial, answer)
    for e in ran.estimates:
        if e.baseline is None or e.value is None or e.versus is not None or e.unit not in _OF_EFFECTS:
            continue
        if e.name in shown:
            continue
        none = e.value == 0 or (e.low is not None and e.high is not None and e.low <= 0 <= e.high)
        require(none, f"all arms have the same text, and {e.name} of {e.arm} ({e.labels}) is {e.value:.3f}")


async def numbers(trial: Trial) -> None:
    """Every number with an interval, in panel, tables and charts, is an estimate; a second estimation gives the same."""
    with trial.asked() as (store, protocol, options, model):
        ran = await trial.through(store, protocol, options, model)
        again = await trial.estimated(store, protocol, options, ran.scoring)
    require(ran.sections == again.sections, "the same rows, estimated twice, give other sections")
    unknown = next(strangers(ran), None)
    require(unknown is None, unknown or "")
    require(any(section.kind == "panel" for section in ran.sections), "the report has no panel")


async def followers(trial: Trial) -> None:
    """An arm that follows another is posed with its answer; where that failed it fails with it, and is asked with it again."""
    every = {arm.name: arm for arm in trial.protocol.arms(trial.options())}
    chain = tuple(name for name, arm in every.items() if arm.after is not None)
    wide = Trial(trial.protocol, arms=chain)
    first = {arm.name for arm in wide.chosen(wide.options()) if arm.after is None}
    down = True

    def answer(where: Where, request: Request, reply: Reply) -> Reply:
        if down and where.number == 0 and where.arm in first:
            raise Transient("the server is down")
        return reply

    with wide.asked(answer) as (store, protocol, options, model):
        await wide.through(store, protocol, options, model)
        lost = _status(store, wide.held[0].id, chain)
        down = False
        await wide.through(store, protocol, options, model)
        mended = _status(store, wide.held[0].id, chain)
    wrong = next((arm for arm in chain if lost.get(arm) != ("failed", "error:predecessor")), None)
    require(wrong is None, f"the answer before {wrong} failed, and its own is {lost.get(wrong or '')}")
    wrong = next((arm for arm in chain if mended.get(arm) != ("done", None)), None)
    require(
        wrong is None,
        f"the answer before {wrong} failed and then came, and its own is {mended.get(wrong or '')}",
    )


def _status(store: RunStore, case: str, arms: Sequence[str]) -> dict[str, tuple[str, str | None]]:
    found = (one.response for one in store.view("").assessed())
    return {r.arm: (r.status, r.reason) for r in found if r.case_id == case and r.arm in arms}


MOST_CALLS = 50
"""Calls of one answer by a model that never stops calling tools; more is a loop without an end."""


async def tools(trial: Trial) -> None:
    """A model that calls tools for ever is stopped, and its answers say that they met a limit."""

    def answer(where: Where, request: Request, reply: Reply) -> Reply:
        if not request.tools:
            return reply
        call = ToolCall(id="1", name=request.tools[0].name, arguments="{}")
        return replace(reply, parts=(call,), finish="tool")

    with trial.asked(answer) as (store, protocol, options, model):
        ran = await trial.through(store, protocol, options, model)
        found = [one.response for one in store.view(ran.scoring.id).assessed()]
    asked = [r for r in found if r.status != "not_applicable"]
    require(
        ran.calls <= MOST_CALLS * len(asked),
        f"{len(asked)} answers of a model that only calls tools took {ran.calls} calls",
    )
    whole = next((r for r in asked if r.status == "done" and r.finish not in {"limit", "tool"}), None)
    require(
        whole is None,
        f"the model only called tools, and its answer to {whole.case_id if whole else ''} ended by itself",
    )


LAWS: Mapping[str, tuple[Law, str]] = {
    "all refused": (all_refused, ""),
    "half refused": (half_refused, "baseline"),
    "cut": (cut, ""),
    "failing check": (failing_check, ""),
    "simulated": (simulated, ""),
    "majority and agreement": (passes, "judge"),
    "people": (people, "people"),
    "options": (options_reach, ""),
    "prompts": (prompts, ""),
    "resume": (resume, ""),
    "dry run": (dry_run, ""),
    "same text": (same_text, "baseline"),
    "numbers": (numbers, ""),
    "followers": (followers, "after"),
    "tools": (tools, "tools"),
}
"""Law -> (what tries it, the capability that it is about; "" applies to all)."""
