"""A protocol of the smallest size that has every part, for tests of the store and the engine."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

from percuss.core.ports import Model, Roles, RunView
from percuss.core.protocol import Options, Primary, Protocol
from percuss.core.records import (
    AnnotationItem,
    Arm,
    Blob,
    Case,
    Cell,
    Claim,
    Earlier,
    Estimate,
    Image,
    Message,
    NotApplicable,
    Posed,
    Reply,
    Request,
    Response,
    Text,
    Transcript,
    Turn,
    Verdict,
)
from percuss.core.sections import Prose, Section
from percuss.engine import Journal, Journaled, Limited, Retrying, ask, check, estimate, identity_of
from percuss.store import RunStore, survey

SEED = 42


class TinyOptions(Options):
    turns: int = 1
    judged: bool = False
    images: bool = False


def cases(source: str | None, options: TinyOptions, seed: int) -> Iterator[Case]:
    for number in range(int(source or 10)):
        blobs = (Blob.of(f"pixels {number}".encode(), "image/png"),) if options.images else ()
        yield Case(
            id=f"c{number}", cluster=f"k{number % 3}", payload={"text": f"Patient {number}."}, blobs=blobs
        )


def arms(options: TinyOptions) -> tuple[Arm, ...]:
    return (Arm(name="with"), Arm(name="without", baseline=True))


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: TinyOptions, seed: int
) -> Posed | NotApplicable:
    if case.payload.get("skip") == arm.name:
        return NotApplicable(reason="no such evidence")
    if case.payload.get("broken"):
        raise KeyError("evidence")
    text = f"Describe. {case.payload['text'] if arm.name == 'with' else ''} [{case.id}/{arm.name}]"
    images = tuple(Image(digest=blob.digest, media_type=blob.media_type) for blob in case.blobs)
    return Posed(messages=(Message(role="user", parts=(Text(text=text), *images)),), blobs=case.blobs)


async def tiny_ask(posed: Posed, roles: Roles, options: TinyOptions) -> Transcript:
    messages = list(posed.messages)
    turns: list[Turn] = []
    for _ in range(options.turns):
        request = Request(
            messages=tuple(messages),
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            seed=roles.seed,
        )
        reply = await roles.models["model"].generate(request)
        turns.append(Turn(index=len(turns), role="assistant", parts=reply.parts))
        messages += [Message(role="assistant", parts=reply.parts), Message.of("user", "Go on.")]
    return Transcript(turns=tuple(turns), finish=reply.finish)


async def claims(case: Case, response: Response, roles: Roles, options: TinyOptions) -> tuple[Claim, ...]:
    if "unreadable" in response.text:
        raise ValueError("cannot be split")
    found = []
    for turn in response.turns:
        start = 0
        for sentence in turn.text.split(". "):
            stop = start + len(sentence)
            if sentence:
                found.append(
                    Claim.of(
                        response.id, turn=turn.index, start=start, stop=stop, text=sentence, extractor="tiny"
                    )
                )
            start = stop + 2
    return tuple(found)


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: TinyOptions
) -> AsyncIterator[Verdict]:
    for claim in claims:
        if "unjudgeable" in claim.text:
            raise RuntimeError("rule broke")
        label = "supported" if sum(claim.text.encode()) % 2 else "unsupported"
        yield Verdict(
            subject=claim.id, response_id=response.id, aspect="support", rater="rule:strict", label=label
        )
        judge = roles.models.get("judge")
        if options.judged and judge is not None:
            request = Request(messages=(Message.of("user", f"Judge: {claim.text}"),))
            for k in range(1, roles.judge_passes + 1):
                reply = await judge.generate(request, epoch=k)
                yield Verdict(
                    subject=claim.id,
                    response_id=response.id,
                    aspect="support",
                    rater=f"judge:{judge.id}#{k}",
                    label=reply.text,
                )


def items(run: RunView, design: str, options: TinyOptions) -> Iterator[AnnotationItem]:
    yield from ()


def cells(run: RunView, options: TinyOptions) -> Iterator[Cell]:
    for one in run.assessed():
        labels = [v.label for v in one.verdicts if v.rater == "rule:strict"]
        excluded = {} if one.left_out is None else {one.left_out: max(1, len(one.claims))}
        yield Cell(
            name="unsupported",
            model=one.response.model,
            arm=one.response.arm,
            labels="rule:strict",
            case_id=one.case.id,
            cluster=one.case.cluster,
            epoch=one.response.epoch,
            num=float(labels.count("unsupported")),
            den=float(len(labels)),
            excluded=excluded,
        )


def estimates(cells: Sequence[Cell], options: TinyOptions, seed: int) -> Iterator[Estimate]:
    for model, arm in dict.fromkeys((cell.model, cell.arm) for cell in cells):
        ours = [cell for cell in cells if (cell.model, cell.arm) == (model, arm)]
        n = sum(cell.den for cell in ours)
        value = sum(cell.num for cell in ours) / n if n else None
        excluded: dict[str, int] = {}
        for cell in ours:
            for reason, count in cell.excluded.items():
                excluded[reason] = excluded.get(reason, 0) + count
        yield Estimate(
            name="unsupported_rate",
            model=model,
            arm=arm,
            labels="rule:strict",
            value=value,
            undefined=None if n else "no claims",
            n=int(n),
            excluded=excluded,
        )


def sections(run: RunView, estimates: Sequence[Estimate], options: TinyOptions) -> Iterator[Section]:
    yield Section.of("findings", "What?", Prose(markdown=f"{len(estimates)} estimates"))


def raters(options: TinyOptions) -> tuple[str, ...]:
    return ("rule:strict",)


TINY: Protocol[TinyOptions] = Protocol(
    name="tiny",
    aliases=(),
    title="Tiny",
    question="?",
    version="1-0",
    primary=Primary(
        estimate="unsupported_rate", labels="rule:strict", arms=("with", "without"), family="f", words="w"
    ),
    roles={"model": "required"},
    folder=Path(__file__).parent,
    options=TinyOptions,
    cases=cases,
    arms=arms,
    pose=pose,
    ask=tiny_ask,
    claims=claims,
    verdicts=verdicts,
    items=items,
    cells=cells,
    estimates=estimates,
    sections=sections,
    raters=raters,
)


def create(
    folder: Path, options: TinyOptions | None = None, *, source: str = "10", seed: int = SEED
) -> RunStore:
    """Start or extend a tiny run with all of its cases."""
    options = options or TinyOptions()
    identity = identity_of(TINY, options, survey(cases(source, options, seed)), seed=seed)
    store = RunStore.create(folder, identity)
    store.add_cases(cases(source, options, seed))
    return store


async def whole(store: RunStore, models: Sequence[Model], options: TinyOptions, **ask_settings: Any) -> None:
    """Ask, check and estimate."""
    roles = Roles({}, seed=SEED)
    await ask(store, TINY, options, roles=roles, models=models, **ask_settings)
    scoring = await check(store, TINY, options, roles=roles)
    await estimate(store, TINY, options, scoring=scoring.id, seed=SEED)


class Echo:
    """Answers with sentences made of the request; counts what it was asked, and can fail."""

    def __init__(self, id: str = "test/echo", *, failures: Sequence[Exception] = (), says: str = "") -> None:  # noqa: A002
        self.id = id
        self.pin = "1"
        self.asked: list[tuple[Request, int]] = []
        self.failures = list(failures)
        self.says = says

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        await asyncio.sleep(0)
        self.asked.append((request, epoch))
        if self.failures:
            raise self.failures.pop(0)
        text = (
            self.says
            or f"It is good. It is {len(request.messages)}. {request.messages[0].text} {request.seed}"
        )
        return Reply(parts=(Text(text=text),), finish="stop", tokens_in=10, tokens_out=5)


async def _through(folder: Path, url: str, source: str, concurrency: int) -> None:
    from percuss.models.endpoints import endpoint  # of the child process only
    from percuss.models.openai_compatible import OpenAICompatible
    from percuss.net.client import Client

    options = TinyOptions()
    async with Client() as client:
        there = endpoint("vllm", {}, base_url=url)
        bare = OpenAICompatible(id="vllm/any", name="any", endpoint=there, client=client)
        with create(folder, options, source=source) as store:
            limited = Limited(bare, asyncio.Semaphore(concurrency))
            model = Journaled(Retrying(limited, wait_s=0.01), Journal(store))
            await whole(store, [model], options, concurrency=concurrency)


def run_in_child(folder: Path, url: str, source: str, concurrency: int) -> None:
    """Run everything against a server; the target of a process that may be killed."""
    asyncio.run(_through(folder, url, source, concurrency))
