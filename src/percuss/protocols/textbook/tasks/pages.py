"""What a team is given: its own numbers, never the gold nor another team's answers."""

from collections.abc import Iterator, Sequence

from percuss.measure.numbers import written
from percuss.protocols.textbook.estimate.names import RATE, SCORE
from percuss.protocols.textbook.tasks.standings import Standings
from percuss.protocols.textbook.tasks.submission import Submission

__all__ = ["standings_text", "team_page"]


def team_page(standings: Standings, submission: Submission, kinds: Sequence[str]) -> str:
    """Return a team's page in Markdown.

    Args:
        standings: of all teams. submission: its own. kinds: types of the gold.
    """
    return "\n".join(_page(standings, submission, kinds)) + "\n"


def _page(standings: Standings, submission: Submission, kinds: Sequence[str]) -> Iterator[str]:
    team = submission.team
    row = next(each for each in standings.rows if each.model == team)
    yield f"# {team}\n"
    yield f"Rank {_ranks(row.best, row.worst)} of {len(standings.rows)}; teams that share a letter ({row.letters}) can't be told apart.\n"
    yield "| | |\n|---|---|"
    for name in (SCORE, RATE):
        found = standings.of(team, name.name)
        yield f"| {name.label} | {'not scored' if found is None else written(found)} |"
    for kind in kinds:
        found = standings.of(team, SCORE.name, kind)
        yield f"| {kind.replace('_', ' ')} | {'not scored' if found is None else written(found)} |"
    yield f"\n{len(submission.answers)} answers; {len(submission.faults)} faults, {len(submission.warnings)} warnings."
    yield from (f"- {fault.text}" for fault in (*submission.faults, *submission.warnings)[:50])
    yield f"\nLabels: {standings.labels}. A missing or unreadable answer counts 0. Intervals resample passages."


def _ranks(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best} to {worst}"


def standings_text(standings: Standings) -> str:
    """Return the table of teams as text, best first."""
    rows = [("rank", "team", "score", "ties")]
    for each in standings.rows:
        found = standings.of(each.model, SCORE.name)
        rows.append(
            (
                _ranks(each.best, each.worst),
                each.model,
                "not scored" if found is None else written(found),
                each.letters,
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
