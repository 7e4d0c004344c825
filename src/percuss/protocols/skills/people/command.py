"""`percuss skills reliability FILE`: how far people agree on answers, and scores with people (paper, section 3.6)."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from percuss.core.errors import BadInput
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.exchange.rows import rows
from percuss.protocols.skills.scorers.likert import LEVELS, Reliability, reliability
from percuss.stats.result import Result

__all__ = ["Rated", "ReliabilityOptions", "rated_of", "reliability_table"]

SCORE = "hidden.score"
"""Column of the score, which nobody who rated has seen."""
FEW = 3
"""Answers below which nothing is said."""


class ReliabilityOptions(Record):
    """Settings of `percuss skills reliability`."""

    file: Annotated[str, Meta(description="Export of a study with the design likert5, CSV or JSONL.")]


class Rated(NamedTuple):
    """Answers that everybody rated and that have a score.

    Args:
        scores: one an answer, 0 to 100. ratings: one row an answer, one column a person. people: their names.
        left_out: answers that somebody did not rate, or that have no score.
    """

    scores: tuple[float, ...]
    ratings: tuple[tuple[int, ...], ...]
    people: tuple[str, ...]
    left_out: int


async def reliability_table(options: ReliabilityOptions, session: Session) -> CommandResult:
    """Print ICC(A,k) of people, Spearman of scores with their means, and quadratic kappa of five levels.

    Args:
        options: file. session: its seed draws the bootstrap.

    Raises:
        BadInput: the file is no such export, or has too few answers that everybody rated.
    """
    held = await asyncio.to_thread(lambda: [row for _, row in rows(Path(options.file))])
    rated = rated_of(held, options.file)
    made = reliability(rated.scores, rated.ratings, seed=session.roles.seed)
    data = {name: found.value for name, found in made._asdict().items()}
    return CommandResult(text="\n".join(_lines(rated, made)), data=data)


def rated_of(held: Sequence[Mapping[str, Any]], source: str) -> Rated:
    """Return what an export says: the ratings of every answer that all people rated and that has a score.

    Args:
        held: rows of the export: `item`, `rater`, `consistency`, `hidden.score`; repeats are passed over. source: the file.

    Raises:
        BadInput: a column is missing, there is one person alone, or fewer than three answers are left.
    """
    missing = [
        name for name in ("item", "rater", "consistency", SCORE) if not any(name in row for row in held)
    ]
    if missing:
        raise BadInput(
            f"has no column {missing[0]}; expected the export of a study with the design likert5, made from a run of skills",
            source=source,
        )
    given: dict[str, dict[str, int]] = {}
    scores: dict[str, float] = {}
    for row in held:
        level, score = str(row.get("consistency") or ""), str(row.get(SCORE) or "")
        if str(row.get("repeat", "")).lower() in {"true", "1"} or level not in map(str, LEVELS):
            continue
        given.setdefault(str(row["item"]), {})[str(row["rater"])] = int(level)
        if score:
            scores[str(row["item"])] = float(score)
    people = tuple(sorted({name for one in given.values() for name in one}))
    whole = [item for item, one in given.items() if len(one) == len(people) and item in scores]
    if len(people) < 2 or len(whole) < FEW:
        raise BadInput(
            f"has {len(people)} people and {len(whole)} answers that all of them rated and that have a score; "
            f"expected two people and {FEW} answers at least",
            source=source,
        )
    ratings = tuple(tuple(given[item][name] for name in people) for item in whole)
    return Rated(tuple(scores[item] for item in whole), ratings, people, len(given) - len(whole))


def _lines(rated: Rated, made: Reliability) -> Iterator[str]:
    yield f"{len(rated.scores)} answers rated by {len(rated.people)} people; {rated.left_out} left out (not rated by all, or no score)"
    yield f"people among themselves, ICC(A,k): {_said(made.icc)}"
    yield f"scores with people's means, Spearman: {_said(made.spearman)}"
    yield f"five levels of scores with people's rounded means, quadratic kappa: {_said(made.kappa)}"


def _said(found: Result) -> str:
    if found.value is None:
        return f"undefined ({found.undefined})"
    interval = (
        "no interval" if found.low is None or found.high is None else f"[{found.low:.2f}, {found.high:.2f}]"
    )
    return f"{found.value:.2f} {interval}"
