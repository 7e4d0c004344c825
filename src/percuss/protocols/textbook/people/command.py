"""`percuss textbook tables FILE..`: the paper's tables and figures of what people said."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.exchange.rows import rows
from percuss.protocols.textbook.people.ranking import (
    Placed,
    bias,
    flag_rates,
    means,
    placed_of,
    table_2,
    usefulness,
)
from percuss.protocols.textbook.people.verification import judged_of, table_1, yields
from percuss.store import RunStore

__all__ = ["TablesOptions", "tables"]


class TablesOptions(Record):
    """Settings of `percuss textbook tables`."""

    file: Annotated[str, Meta(description="Export of a study (qa-verification or ranking), CSV or JSONL.")]
    run: Annotated[
        str, Meta(description="Run whose answers were ranked, where the export names answers by their id.")
    ] = ""
    least: Annotated[
        int, Meta(description="Judgements below which an annotator has no tau against the others.", ge=2)
    ] = 400


async def tables(options: TablesOptions, session: Session) -> CommandResult:
    """Print Table 1 and the yields, or Table 2, mean ranks, bias and usefulness, of a study's export.

    Args:
        options: file, run. session: not used.

    Raises:
        BadInput: the file is neither export.
    """
    del session
    held = await asyncio.to_thread(lambda: [row for _, row in rows(Path(options.file))])
    names = await asyncio.to_thread(_names, options.run)
    if any(row.get("relevance") or row.get("gp_relevance") for row in held):
        judged = judged_of(held)
        lines = [
            *_grid([msgspec.to_builtins(row) for row in table_1(judged)]),
            *_yields(msgspec.to_builtins(yields(judged))),
        ]
    elif any(row.get("rank") for row in held):
        lines = list(_ranked(placed_of(held, names), options.least))
    else:
        raise BadInput(
            "has neither relevance nor rank; expected the export of qa-verification or ranking",
            source=options.file,
        )
    return CommandResult(text="\n".join(lines))


def _names(run: str) -> Mapping[str, str]:
    if not run:
        return {}
    with RunStore.open(Path(run)) as store:
        return {one.response.id: one.response.model for one in store.view("").assessed()}


def _grid(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    heads = [key for key in found[0] if key != "why"]
    yield "  ".join(heads)
    for row in found:
        yield "  ".join(_cell(row[key]) for key in heads)


def _cell(value: Any) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, float):
        return f"{value:.3f}"
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _yields(held: Mapping[str, Any]) -> Iterator[str]:
    for name in ("plausibility", "answerability", "hallucination", "ideal_pair_yield"):
        value, low, high = held[name]
        yield f"{name.replace('_', ' ')}: {value:.3f} [{low:.3f}, {high:.3f}] of {held['n']}"
    if held["odds"] is None:
        yield "plausibility and hallucination: no odds ratio, every item has the same relevance"
    else:
        value, low, high, p = held["odds"]
        yield f"odds of a flag, plausible items over others: {value:.2f} [{low:.2f}, {high:.2f}], Fisher p {p:.3f}"


def _ranked(placed: Sequence[Placed], least: int) -> Iterator[str]:
    yield from _grid([msgspec.to_builtins(row) for row in table_2(placed)])
    yield "mean rank and mean label (0 bad, 2 good), n:"
    ranks, grades = (means(placed, of, lambda p: p.type) for of in (lambda p: p.rank, lambda p: p.quality))
    for (kind, model), (value, n) in sorted(ranks.items()):
        grade = grades.get((kind, model))
        yield f"  {kind}  {model}  {value:.2f}  {'not said' if grade is None else f'{grade[0]:.2f}'}  {n}"
    for rater, (favourite, tau) in bias(placed, least).items():
        yield f"{rater}: favourite {favourite}; tau-b against the others {'fewer than ' + str(least) + ' judgements' if tau is None else f'{tau:.2f}'}"
    for model, share in flag_rates(placed).items():
        yield f"{model}: answers with an unsupported claim {share.value:.3f} [{share.low:.3f}, {share.high:.3f}] of {share.n}"
    rho = usefulness(placed)
    told = (
        f"{rho.value:.2f}, p {rho.p:.3f}"
        if rho.value is not None and rho.p is not None
        else f"undefined ({rho.undefined})"
    )
    yield f"hallucination rate and usefulness over {rho.n} models: rho {told}"
