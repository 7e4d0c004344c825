"""Teams ranked: scores with intervals over passages, ranks that no separated pair contradicts, letters shared by ties."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from percuss.core.ids import response_id
from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Case, Cell, Estimate, Response, Text, Turn
from percuss.measure.ranks import Ranked, ranked
from percuss.protocols.textbook.arms import CLOSED
from percuss.protocols.textbook.case import Task, case_of
from percuss.protocols.textbook.check import claims as claims_of
from percuss.protocols.textbook.check import verdicts as verdicts_of
from percuss.protocols.textbook.estimate.counting import cells as count
from percuss.protocols.textbook.estimate.estimating import estimates as estimate
from percuss.protocols.textbook.estimate.names import RATE, SCORE
from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.options import TextbookOptions
from percuss.protocols.textbook.scoring.parsing import BOTH, SEVERAL
from percuss.protocols.textbook.tasks.submission import Submission

__all__ = ["Standings", "checked", "scores_of", "stand"]


@dataclass(frozen=True)
class Standings:
    """What teams came to.

    Args:
        rows: teams in order, with rank interval and letters. estimates: all numbers. labels: the source that leads.
    """

    rows: tuple[Ranked, ...]
    estimates: tuple[Estimate, ...]
    labels: str

    def of(self, team: str, name: str, stratum: str | None = None) -> Estimate | None:
        """Return a team's number under the labels that lead, else under whatever labels it has."""
        found = [
            e for e in self.estimates if (e.model, e.name, e.stratum, e.versus) == (team, name, stratum, None) and e.arm == CLOSED
        ]  # fmt: skip
        return next((e for e in found if e.labels == self.labels), next(iter(found), None))


async def checked(item: Item, team: str, text: str, roles: Roles, options: TextbookOptions) -> ScoredResponse:
    """Score one answer as a run does.

    Args:
        item: of the gold. team: whose answer. text: "" where there is none. roles: `models["judge"]`, for open questions.
        options: prompts and policy.
    """
    case = case_of(Task(item=item))
    turn = Turn(index=0, role="assistant", parts=(Text(text=text),))
    made = Response(
        id=response_id(team, case.id, CLOSED, 0), case_id=case.id, arm=CLOSED, model=team, turns=(turn,)
    )
    found = await claims_of(case, made, roles, options)
    said = [verdict async for verdict in verdicts_of(case, made, found, roles, options)]
    return ScoredResponse(case=case, response=made, claims=found, verdicts=tuple(said))


class _Held:
    """What counting reads of a run: the answers."""

    def __init__(self, answers: Sequence[ScoredResponse]) -> None:
        self._answers = answers

    def assessed(self, *, model: str | None = None, arm: str | None = None) -> Iterator[ScoredResponse]:
        del model, arm
        return iter(self._answers)


def stand(answers: Sequence[ScoredResponse], options: TextbookOptions, seed: int) -> Standings:
    """Rank teams by mean score over the questions that could be scored.

    Args:
        answers: of all teams, as `checked` returns them. options: `resamples`, policy. seed: of the draws.

    A missing or unreadable answer counts 0, so that nobody gains by silence; a question that needs a judge where there is
    none is left out for all.
    """
    cells = [_unforgiving(cell) for cell in count(_Held(answers), options)]  # type: ignore[arg-type]
    found = tuple(estimate(cells, options, seed))
    labels = next(e.labels for e in found if e.primary)
    singles = [
        e for e in found if (e.name, e.arm, e.labels, e.stratum, e.versus) == (SCORE.name, CLOSED, labels, None, None)
    ]  # fmt: skip
    pairs = [
        e for e in found if e.name == f"{SCORE.name}_difference" and e.labels == labels and e.stratum is None
    ]
    return Standings(ranked(singles, pairs, higher_first=True), found, labels)


def _unforgiving(cell: Cell) -> Cell:
    own = any(reason.startswith("unparsable") or reason in {BOTH, SEVERAL} for reason in cell.excluded)
    if (
        cell.den
        or not own
        or cell.name not in {SCORE.name, RATE.name, "list_f1", "list_precision", "list_recall", "step_score"}
    ):
        return cell
    wrong = 1.0 if cell.name == RATE.name else 0.0
    return msgspec.structs.replace(cell, num=wrong, den=1.0, excluded={})


def scores_of(
    standings: Standings, team: str, submission: Submission, kinds: Sequence[str]
) -> dict[str, float]:
    """Return a team's numbers as a flat object of numbers, as Codabench reads scores.json.

    Args:
        standings: of all teams. team: whose. submission: for coverage. kinds: types of the gold.
    """
    out: dict[str, float] = {}
    for name in (SCORE.name, RATE.name, "list_f1", "step_score"):
        found = standings.of(team, name)
        if found is not None and found.value is not None:
            out[name] = round(found.value, 6)
    for kind in kinds:
        found = standings.of(team, SCORE.name, kind)
        if found is not None and found.value is not None:
            out[f"{kind}_score"] = round(found.value, 6)
    row = next(each for each in standings.rows if each.model == team)
    return {**out, "rank_best": row.best, "rank_worst": row.worst, "answered": len(submission.answers)}


def cases_of(items: Sequence[Item]) -> list[Case]:
    """Return the gold's items as cases."""
    return [case_of(Task(item=item)) for item in items]
