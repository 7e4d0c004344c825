"""`--dry-run`: what would be asked, where data would go, what it costs, and what difference could be seen."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from percuss.api.run.answers import responses_of
from percuss.api.run.factory import canonical_id, plays_model
from percuss.api.run.guard import guard_cases
from percuss.api.run.prepare import Named, Prepared, read_cases
from percuss.core.ports import Roles
from percuss.core.records import Arm, NotApplicable, Record
from percuss.engine.plan import TYPICAL_SHARE, Plan, plan
from percuss.judging.passes import passes_of
from percuss.models.prices import Prices
from percuss.models.providers import FREE, provider_of
from percuss.store import RunStore

__all__ = ["Forecast", "JudgeForecast", "ModelForecast", "forecast"]

CHARACTERS_A_TOKEN = 4.0
"""English clinical text; the forecast says that it is one."""
LOW_SHARE = 0.15
"""Of max_tokens, what a short answer takes; measured answers to summary prompts lie between this and the typical share."""
SAMPLE = 200
"""Cases that are posed for the forecast; longer runs are scaled up from them."""
JUDGE_TOKENS_OUT = 80
PLANNED_RATE = 0.1
"""Share of unsupported claims that the detectable difference is told for."""
CLAIMS_A_RESPONSE = 7.5
"""Between the 5.4 and 11.1 sentences a summary of papers/0 Table 5; a protocol's own `[forecast]` wins."""


class ModelForecast(Record):
    """Calls, tokens and price of one model under test; prices are None where none is known."""

    model: str
    calls: int
    held: int
    tokens_in: int
    tokens_out: tuple[int, int, int]
    usd: tuple[float, float, float] | None


class JudgeForecast(Record):
    """Calls, tokens and price of the judge, were no two claims alike."""

    model: str
    calls: tuple[int, int, int]
    tokens_in: int
    usd: tuple[float, float, float] | None


class Forecast(Record):
    """What a run would do; (low, expected, high) wherever answers decide.

    `detectable` is a share of claims; `broken` counts conversations that end at a reply for show: theirs are counted as
    far as they went. `given` are answers made elsewhere.
    """

    cases: int
    arms: tuple[str, ...]
    models: tuple[ModelForecast, ...]
    judge: JudgeForecast | None
    usd: tuple[float, float, float] | None
    prices_of: str
    hosts: dict[str, tuple[str, ...]]
    folder: str
    detectable: float | None
    broken: int = 0
    given: int = 0


async def forecast(prepared: Prepared) -> Forecast:
    """Count and price a run without asking, writing or contacting anyone.

    Args:
        prepared: of `prepare`.

    Raises:
        UsageError: the run itself would be refused because guarded cases would leave this machine. A key is not needed
            for a forecast.
    """
    request = prepared.request
    guard_cases(prepared)
    prices = Prices.read(None if request.prices is None else Path(request.prices))
    store = RunStore.open(prepared.folder) if RunStore.exists(prepared.folder) else None
    try:
        plans = await _plans(prepared, store)
    finally:
        if store is not None:
            store.close()
    scale = max(1.0, prepared.n_cases / SAMPLE)
    models = tuple(_model(found, prices, scale) for found in plans)
    judge = _judge(prepared, plans, prices, scale)
    bills = [part.usd for part in (*models, judge) if part is not None]
    known = [bill for bill in bills if bill is not None]
    total = (sum(b[0] for b in known), sum(b[1] for b in known), sum(b[2] for b in known))
    return Forecast(
        cases=prepared.n_cases,
        arms=_applicable(prepared),
        models=models,
        judge=judge,
        usd=total if len(known) == len(bills) else None,
        prices_of=prices.date,
        hosts={host.host: host.roles for host in prepared.hosts},
        folder=str(prepared.folder),
        detectable=_detectable(prepared),
        broken=sum(found.broken for found in plans),
        given=sum(1 for _ in _answered(prepared)),
    )


def _applicable(prepared: Prepared) -> tuple[str, ...]:
    """Return the arms that apply to any of the first cases."""
    cases = list(itertools.islice(read_cases(prepared.protocol, prepared.request, prepared.options), 20))
    seed = prepared.request.seed

    def applies(arm: Arm) -> bool:
        if arm.after is not None:
            return True
        poses = (prepared.protocol.pose(case, arm, None, prepared.options, seed) for case in cases)
        return not all(isinstance(pose, NotApplicable) for pose in poses)

    return tuple(arm.name for arm in prepared.arms if applies(arm))


async def _plans(prepared: Prepared, store: RunStore | None) -> tuple[Plan, ...]:
    request = prepared.request
    names = [canonical_id(text) for text in prepared.models]
    cases = itertools.islice(
        read_cases(prepared.protocol, request, prepared.options), min(SAMPLE, prepared.n_cases)
    )
    stand_ins = [Named(name) for name in names]
    roles = _dry_cast(prepared)
    return await plan(
        prepared.protocol,
        prepared.options,
        cases=cases,
        roles=roles,
        models=stand_ins,
        store=store,
        arms=prepared.arms,
        epochs=request.epochs,
        answered=_answered(prepared),
    )


def _answered(prepared: Prepared) -> Iterator[tuple[str, str, str, int]]:
    """Yield what answers made elsewhere would fill."""
    if prepared.request.responses:
        for answer in responses_of(prepared):
            yield answer.model, answer.case_id, answer.arm, answer.epoch


def _dry_cast(prepared: Prepared) -> Roles:
    roles = {
        role: Named(canonical_id(text)) for role, text in prepared.roles.items() if plays_model(role, text)
    }
    return Roles(roles, seed=prepared.request.seed)


def _model(found: Plan, prices: Prices, scale: float) -> ModelForecast:
    tokens_in = round(found.characters_in / CHARACTERS_A_TOKEN * scale)
    most = found.tokens_out * scale
    out = (round(most * LOW_SHARE), round(most * TYPICAL_SHARE), round(most))
    return ModelForecast(
        model=found.model,
        calls=round(found.calls * scale),
        held=round(found.held * scale),
        tokens_in=tokens_in,
        tokens_out=out,
        usd=_bill(prices, found.model, tokens_in, out),
    )


def _bill(
    prices: Prices, model: str, tokens_in: float, out: tuple[int, int, int]
) -> tuple[float, float, float] | None:
    if provider_of(model) in FREE:
        return (0.0, 0.0, 0.0)
    price = prices.of(model)
    if price is None:
        return None
    low, expected, high = (price.of(tokens_in, tokens) for tokens in out)
    return (low, expected, high)


def _judge(prepared: Prepared, plans: tuple[Plan, ...], prices: Prices, scale: float) -> JudgeForecast | None:
    text = prepared.roles.get("judge")
    if text is None:
        return None
    hint = prepared.protocol.manifest.get("forecast", {})
    # A protocol whose judge rates whole responses says how often; else it is asked about each claim.
    fixed = hint.get("judge_calls_a_response")
    a_response = float(fixed or hint.get("claims_a_response", CLAIMS_A_RESPONSE))
    shares = (0.9, 1.0, 1.2) if fixed else (0.6, 1.0, 1.6)
    passes = passes_of(prepared.options.judge_policy)
    responses = sum(found.missing + found.held for found in plans) * scale
    calls = tuple(round(responses * a_response * share * passes) for share in shares)
    prompts = prepared.options.prompts
    drafts = (
        [prompts["judge"]] if "judge" in prompts else [prompts[n] for n in prompts if n.startswith("judge_")]
    )
    prompt = sum(map(len, drafts)) / max(1, len(drafts)) + 200
    posed = sum(found.characters_in for found in plans) / max(1, sum(found.calls for found in plans))
    tokens_each = (prompt + posed) / CHARACTERS_A_TOKEN
    name = canonical_id(text)
    bills = [_bill(prices, name, count * tokens_each, (count * JUDGE_TOKENS_OUT,) * 3) for count in calls]
    usd = None if bills[0] is None else tuple(bill[1] for bill in bills if bill is not None)
    return JudgeForecast(model=name, calls=calls, tokens_in=round(calls[1] * tokens_each), usd=usd)  # type: ignore[arg-type]


def _detectable(prepared: Prepared) -> float | None:
    """Return the difference in shares of claims that this many cases could show with power 0.8 at level 0.95.

    Two rates of 10% with the claims a response of the protocol's hint, all claims independent: an optimistic floor, said
    as "at best". `percuss.stats.power_rates` is for planning once there is a pilot.
    """
    from percuss.stats import detectable_rates

    if prepared.n_cases == 0:
        return None
    hint = prepared.protocol.manifest.get("forecast", {})
    a_case = float(hint.get("claims_a_response", CLAIMS_A_RESPONSE)) * prepared.request.epochs
    return detectable_rates(prepared.n_cases, PLANNED_RATE, per_cluster=a_case).difference
