"""`percuss citations strategies RUN`: what each way of judging took, and how far it agrees with people.

Time and USD of a citation are those of the model calls that it took, as the journal holds them (papers/2 Figure 5); agreement
is on the people's consensus and with each person (Tables 2 and 12).
"""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import RunView, ScoredResponse, Session
from percuss.core.protocol import CommandResult
from percuss.core.records import Claim, Scoring, Verdict
from percuss.core.strict import Record
from percuss.judging.sources import HUMAN, SETTLED, is_judged
from percuss.kit.counting import labels_of
from percuss.protocols.citations.aspects import SUPPORT
from percuss.stats.kappa import cohen_kappa
from percuss.store import RunStore
from percuss.store.calls import Call, find_call

__all__ = ["StrategiesOptions", "Strategy", "strategies", "strategies_of"]


class StrategiesOptions(Record):
    """Settings of `percuss citations strategies`."""

    run: Annotated[str, Meta(description="A run that was checked once for each strategy or judge.")]


class Agreement(Record):
    """How far a judge agrees with somebody: citations that both labelled, those labelled alike, Cohen's kappa or why none."""

    who: str
    n: int
    same: int
    kappa: float | None = None
    undefined: str = ""


class Strategy(Record):
    """One scoring with a judge.

    Args:
        strategy, judge, scoring: how, by whom, and the scoring's id. policy: how passes become a label.
        claims: citations put to the judge. decided: those with a label.
        seconds, usd: of the model calls that a citation took, mean over citations; None where the run holds no such call.
        calls, tokens, searches, pages: a citation, mean.
        agreement: with people's consensus first, then with each person.
    """

    strategy: str
    judge: str
    scoring: str
    policy: str
    claims: int
    decided: int
    calls: float
    tokens: float
    searches: float
    pages: float
    seconds: float | None = None
    usd: float | None = None
    agreement: tuple[Agreement, ...] = ()


class _Judged(Record):
    """One citation of a scoring: its label by the judge and by people, and what its passes took."""

    label: str | None
    people: dict[str, str]
    notes: tuple[dict[str, Any], ...]


async def strategies(options: StrategiesOptions, session: Session) -> CommandResult:
    """Say for each scoring of a run with a judge what a citation took and how far the judge agrees with people.

    Args:
        options: the run. session: not used; nobody is asked.
    """
    del session
    found = await asyncio.to_thread(strategies_of, Path(options.run))
    return CommandResult(text="\n".join(_lines(found)), data={"strategies": [_row(each) for each in found]})


def strategies_of(folder: Path) -> tuple[Strategy, ...]:
    """Return what each scoring with a judge took and how far it agrees with people, in the order in which they were made.

    Args:
        folder: of the run.

    Raises:
        UsageError: no judge has judged a citation of this run.
    """
    with RunStore.open(folder) as store:
        made = [_of_scoring(store, each) for each in store.scorings() if each.id != HUMAN]
    found = tuple(each for each in made if each is not None)
    if not found:
        raise UsageError(
            f"no judge has judged a citation in {folder}; expected percuss check RUN --judge MODEL --strategy full_text, then snippet"
        )
    return found


def _of_scoring(store: RunStore, scoring: Scoring) -> Strategy | None:
    policy = str(scoring.config.get("judge_policy", "agreement"))
    rows = list(_judged(store.view(scoring.id), policy))
    if not rows:
        return None
    notes = [note for row in rows for note in row.notes]
    calls = {key: store.read(find_call, key) for note in notes for key in note.get("calls", ())}
    held = [call for call in calls.values() if call is not None]
    n = len(rows)
    took = {key: {k for note in row.notes for k in note.get("calls", ())} for key, row in enumerate(rows)}
    return Strategy(
        strategy=str(notes[0]["strategy"]), judge=str(notes[0]["judge"]), scoring=scoring.id, policy=policy, claims=n,
        decided=sum(row.label is not None for row in rows),
        calls=sum(map(len, took.values())) / n, tokens=sum(note["tokens"] for note in notes) / n,
        searches=sum(len(row.notes[0]["queries"]) for row in rows) / n, pages=sum(len(row.notes[0]["read"]) for row in rows) / n,
        seconds=_mean(took.values(), calls, "latency_s") if held else None, usd=_mean(took.values(), calls, "cost_usd") if held else None,
        agreement=tuple(_agreements(rows)),
    )  # fmt: skip


def _mean(took: Any, calls: dict[str, Call | None], field: str) -> float:
    sums = [sum(getattr(calls[key], field) for key in keys if calls[key] is not None) for keys in took]
    return float(sum(sums) / len(sums))


def _judged(run: RunView, policy: str) -> Iterator[_Judged]:
    for scored in run.assessed():
        if scored.left_out is None:
            yield from (row for claim in scored.claims if (row := _row_of(scored, claim, policy)) is not None)


def _row_of(scored: ScoredResponse, claim: Claim, policy: str) -> _Judged | None:
    own = [v for v in scored.verdicts if v.subject == claim.id and v.aspect == SUPPORT]
    passes = sorted((v for v in own if v.rater.startswith("judge:")), key=lambda v: v.rater)
    notes = tuple({**note, "judge": v.rater.removeprefix("judge:").partition("#")[0]} for v in passes for note in v.evidence if "strategy" in note)  # fmt: skip
    if not notes:
        return None
    said = labels_of(scored, claim, policy, SUPPORT)
    judged = next((each.label for source, each in said.items() if is_judged(source)), None)
    return _Judged(label=judged, people=_people(own, said.get(HUMAN)), notes=notes)


def _people(verdicts: Sequence[Verdict], together: Any) -> dict[str, str]:
    people = {v.rater: v.label for v in verdicts if v.rater.startswith("human:") and v.rater not in SETTLED and v.label}  # fmt: skip
    if together is not None and together.label is not None:
        people = {HUMAN: together.label, **people}
    return people


def _agreements(rows: Sequence[_Judged]) -> Iterator[Agreement]:
    for who in dict.fromkeys(name for row in rows for name in row.people):
        pairs = [(row.label, row.people[who]) for row in rows if row.label is not None and who in row.people]
        if not pairs:
            continue
        kappa = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs])
        yield Agreement(
            who="people together" if who == HUMAN else who.removeprefix("human:"), n=len(pairs), same=sum(a == b for a, b in pairs),
            kappa=kappa.value, undefined=kappa.undefined or "",
        )  # fmt: skip


def _lines(found: Sequence[Strategy]) -> Iterator[str]:
    for each in found:
        seconds = "time not held" if each.seconds is None else f"{each.seconds:.2f} s of model calls"
        usd = "cost not held" if each.usd is None else f"{each.usd:.5f} USD"
        yield (
            f"{each.strategy} by {each.judge} ({each.policy}): {each.claims} citations, {each.decided} decided; a citation took {seconds}, {usd}, "
            f"{each.calls:.1f} calls, {each.tokens:.0f} tokens, {each.searches:.1f} searches, {each.pages:.1f} pages"
        )
        for one in each.agreement:
            kappa = f"kappa {one.kappa:.2f}" if one.kappa is not None else f"no kappa ({one.undefined})"
            yield f"  agrees with {one.who} on {one.same} of {one.n}, {kappa}"
        if not each.agreement:
            yield "  nobody has labelled these citations: percuss study (design source-grounding)"


def _row(each: Strategy) -> dict[str, Any]:
    import msgspec

    made: dict[str, Any] = msgspec.to_builtins(each)
    return made
