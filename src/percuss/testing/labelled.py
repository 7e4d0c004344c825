"""Laws about whose labels count: a judge's passes, and people."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace as with_parts
from typing import Any

from msgspec.structs import replace

from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Estimate, Response, Verdict
from percuss.testing.saying import NotReached, require, strangers
from percuss.testing.trial import Ran, Trial

__all__ = ["passes", "people"]


async def passes(trial: Trial) -> None:
    """Under `majority` two passes of three are the label, as if all three had said it; under `agreement` they are none."""
    if trial.protocol.roles.get("judge") is None:
        return
    two, three = await _judged(trial, "majority", differ=True), await _judged(trial, "majority", differ=False)
    found = _of(two.estimates, "majority")
    if not found:
        raise NotReached("it declares a judge, and no estimate rests on the passes of one")
    whole = _of(three.estimates, "majority")
    wrong = next((key for key, value in found.items() if whole.get(key) != value), None)
    require(
        wrong is None,
        f"two passes of three say the same, and {wrong} is {found.get(wrong or ())} where three would make it {whole.get(wrong or ())}",
    )
    unknown = next(strangers(two), None)
    require(unknown is None, f"with a judge, {unknown}")
    split = await _judged(trial, "agreement", differ=True)
    conflicts = sum(
        n
        for cell in split.cells
        for reason, n in cell.excluded.items()
        if cell.labels == "agreement" and reason == "conflict"
    )
    require(
        conflicts > 0,
        "passes of the judge differ under --judge-policy agreement, and nothing is left out as a conflict",
    )


def _of(estimates: Iterable[Estimate], labels: str) -> dict[Any, Any]:
    return {
        (e.name, e.arm, e.versus, e.stratum, e.baseline): (e.value, e.undefined)
        for e in estimates
        if e.labels == labels
    }


async def _judged(trial: Trial, policy: str, *, differ: bool) -> Ran:
    """Run with passes that a judge might have made: copies of what the rules said, the last one different."""
    number = 3 if policy == "majority" else 2

    async def verdicts(
        case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: Any
    ) -> AsyncIterator[Verdict]:
        async for verdict in trial.protocol.verdicts(case, response, claims, roles, options):
            yield verdict
            if verdict.rater.startswith("rule:"):
                for k in range(1, number + 1):
                    said = _other(verdict) if differ and k == number else verdict
                    yield replace(said, rater=f"judge:test/judge#{k}")

    with trial.asked(judge_policy=policy) as (store, protocol, options, model):
        return await trial.through(store, with_parts(protocol, verdicts=verdicts), options, model)


def _other(verdict: Verdict) -> Verdict:
    if verdict.score is not None:
        return replace(verdict, score=verdict.score - 1 if verdict.score > 1 else verdict.score + 1)
    if verdict.label in {"supported", "unsupported"}:
        return replace(verdict, label="unsupported" if verdict.label == "supported" else "supported")
    return verdict


async def people(trial: Trial) -> None:
    """What people see names no model, and what they say becomes estimates."""
    with trial.asked() as (store, protocol, options, model):
        ran = await trial.through(store, protocol, options, model)
        view = store.view(ran.scoring.id)
        items = list(protocol.items(view, "claim-adjudication", options))
        if not items:
            raise NotReached("it has items for people, and this run made none")
        named = next((i for i in items if i.model in str(i.fields) or not i.model or not i.arm), None)
        require(
            named is None, f"item {named.id if named else ''} shows its model, or does not say whose it is"
        )
        machine = {(v.subject, v.aspect): v for one in view.assessed() for v in one.verdicts}
        subjects = {item.subject: item.response_id for item in items}
        said = [
            replace(_other(v), rater="human:ann", response_id=subjects[v.subject], call=None, evidence=())
            for (subject, _), v in machine.items()
            if subject in subjects and _other(v) != v
        ]
        if not said:
            raise NotReached("it has items for people, and no rule says anything of them")
        store.put_human([replace(v, scoring="") for v in said])
        after = await trial.estimated(store, protocol, options, ran.scoring)
    require(
        any(e.labels == "human" and e.value is not None for e in after.estimates),
        f"people labelled {len(said)} items, and no estimate has the source human",
    )
    unknown = next(strangers(after), None)
    require(unknown is None, f"with people, {unknown}")
