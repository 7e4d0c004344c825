"""`percuss textbook tables FILE`: the paper's tables and figures of what people said."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.exchange.rows import rows
from percuss.protocols.textbook.cost import prices, verification_cost
from percuss.protocols.textbook.items.item import TYPES
from percuss.protocols.textbook.people.figures import figures, grids
from percuss.protocols.textbook.people.minutes import minutes_of_rows
from percuss.protocols.textbook.people.models import bias, flag_rates, usefulness_by
from percuss.protocols.textbook.people.ranking import Placed, placed_of, table_2
from percuss.protocols.textbook.people.verification import Judged, Made, judged_of, table_1, yields
from percuss.protocols.textbook.people.written import Grid, grid_of, written
from percuss.stats.result import Result
from percuss.store import RunStore

__all__ = ["TablesOptions", "tables"]

YIELDS = ("plausibility", "answerability", "hallucination", "ideal_pair_yield")


class TablesOptions(Record):
    """Settings of `percuss textbook tables`."""

    file: Annotated[str, Meta(description="Export of a study (qa-verification or ranking), CSV or JSONL.")]
    run: Annotated[
        str,
        Meta(
            description="Run that the study was made of: how many questions were asked for; whose an answer is, where the export doesn't say."
        ),
    ] = ""
    out: Annotated[
        str,
        Meta(description="Folder of the tables as CSV and the figures as SVG (figures need percuss[plots])."),
    ] = ""
    least: Annotated[
        int, Meta(description="Judgements below which an annotator has no tau against the others.", ge=2)
    ] = 400


class _Run(NamedTuple):
    """What is taken from a run: whose each answer is, and how many questions were asked for and valid."""

    names: Mapping[str, str]
    made: Made | None


async def tables(options: TablesOptions, session: Session) -> CommandResult:
    """Print Table 1 and the yields, or Table 2, ranks, labels, bias and usefulness, of a study's export.

    Args:
        options: file, run, folder. session: its seed draws the bootstrap of tau; `dry_run` writes nothing.

    Raises:
        BadInput: the file is neither export. UsageError: figures without the extra `plots`.
    """
    held = await asyncio.to_thread(lambda: [row for _, row in rows(Path(options.file))])
    run = await asyncio.to_thread(_of_run, options.run)
    found: dict[str, Grid]
    placed: list[Placed] = []
    if any(row.get("relevance") or row.get("gp_relevance") for row in held):
        judged = judged_of(held)
        found = {
            "table_1": grid_of([msgspec.to_builtins(row) for row in table_1(judged)]),
            "yields": _by_type(judged),
        }
        lines = [*_all_printed(found), "", *_yields(msgspec.to_builtins(yields(judged, run.made)))]
    elif any(row.get("rank") for row in held):
        placed = placed_of(held, run.names)
        agreed = [msgspec.to_builtins(row) for row in table_2(placed, session.roles.seed)]
        found = {"table_2": grid_of(agreed), **grids(placed)}
        lines = [*_all_printed(found), *_told(placed, options.least)]
    else:
        raise BadInput(
            "has neither relevance nor rank; expected the export of qa-verification or ranking",
            source=options.file,
        )
    lines += _minutes(held)
    files: tuple[Path, ...] = ()
    if options.out and not session.dry_run:
        files = await asyncio.to_thread(written, Path(options.out), found, figures(placed))
    data = {
        name: [dict(zip(grid.heads, row, strict=True)) for row in grid.rows] for name, grid in found.items()
    }
    return CommandResult(text="\n".join(lines), files=files, data=data)


def _of_run(folder: str) -> _Run:
    if not folder:
        return _Run({}, None)
    with RunStore.open(Path(folder)) as store:
        made = store.manifest().get("protocol") == "textbook-generate"
        names = {} if made else {one.response.id: one.response.model for one in store.view("").assessed()}
    if not made:
        return _Run(names, None)
    from percuss.protocols.textbook.generate.taking import rows_of

    asked = list(rows_of(Path(folder)))
    return _Run({}, Made(len(asked), sum(not row.faults for row in asked)))


def _printed(grid: Grid) -> Iterator[str]:
    yield "  ".join(grid.heads)
    for row in grid.rows:
        yield "  ".join(row)


def _all_printed(found: Mapping[str, Grid]) -> Iterator[str]:
    for grid in found.values():
        if grid.title:
            yield f"\n{grid.title}"
        yield from _printed(grid)


def _by_type(judged: Sequence[Judged]) -> Grid:
    """Return the yields of each type."""
    kinds = [kind for kind in TYPES if any(one.type == kind for one in judged)]
    rows = []
    for kind in kinds:
        made = msgspec.to_builtins(yields([one for one in judged if one.type == kind]))
        shares = ("{:.3f} [{:.3f}, {:.3f}]".format(*made[name]) for name in YIELDS)
        rows.append((kind, str(made["n"]), *shares))
    return Grid(("type", "n", *YIELDS), tuple(rows), "Yields by type, Wilson limits")


def _yields(held: Mapping[str, Any]) -> Iterator[str]:
    for name in YIELDS:
        value, low, high = held[name]
        yield f"{name.replace('_', ' ')}: {value:.3f} [{low:.3f}, {high:.3f}] of {held['n']}"
    if held["ideal_of_generated"] is not None:
        value, low, high = held["ideal_of_generated"]
        yield f"ideal pair yield over all questions asked for: {value:.3f} [{low:.3f}, {high:.3f}]"
    both, plain, flagged, neither = held["table"]
    yield f"relevance 5: {both} flagged, {plain} not; other items: {flagged} flagged, {neither} not"
    if held["odds"] is None:
        yield "plausibility and hallucination: no odds ratio, every item has the same relevance"
    else:
        value, low, high, p = held["odds"]
        yield f"odds of a flag, plausible items over others: {value:.2f} [{low:.2f}, {high:.2f}], Fisher p {p:.3f}"


def _told(placed: Sequence[Placed], least: int) -> Iterator[str]:
    yield ""
    for rater, (favourite, tau) in bias(placed, least).items():
        said = f"fewer than {least} judgements, or all tied" if tau is None else f"{tau:.2f}"
        yield f"{rater}: favourite {favourite}; tau-b against the others {said}"
    for model, share in flag_rates(placed).items():
        yield f"{model}: answers with an unsupported claim {share.value:.3f} [{share.low:.3f}, {share.high:.3f}] of {share.n}"
    for name, rho in usefulness_by(placed).items():
        yield f"hallucination rate and usefulness, {name.replace('_', ' ')}, over {rho.n} models: {_rho(rho)}"


def _rho(rho: Result) -> str:
    if rho.value is None or rho.p is None:
        return f"rho undefined ({rho.undefined})"
    return f"rho {rho.value:.2f}, {rho.method.partition(', ')[2] or 'p'} {rho.p:.3f}"


def _minutes(held: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    took = minutes_of_rows(held)
    if took.n:
        cost = verification_cost(took.mean, prices().wage)
        yield (
            f"minutes per judgement, pauses cut: median {took.median:.2f}, mean {took.mean:.2f}, of {took.n}; "
            f"{cost:.2f} USD at {prices().wage:.0f} USD per hour"
        )
