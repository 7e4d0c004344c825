"""A comparison with a baseline for pipelines: a Markdown summary for a job's page, and JUnit."""

from collections.abc import Sequence

from percuss.measure.compared import Comparison
from percuss.measure.gates import Outcome
from percuss.measure.numbers import point
from percuss.measure.turned import Turned
from percuss.report.flat import render_junit
from percuss.report.markdown import escaped

__all__ = ["case_lines", "regression_junit", "regression_markdown", "turned_line", "verdict"]

MOST = 50
"""Cases of the list on a job's page."""
_WORDS = {"pass": "passed", "fail": "failed", "inconclusive": "inconclusive"}


def verdict(outcomes: Sequence[Outcome]) -> str:
    """Return one word for all gates: failed, inconclusive, passed; nothing was held where there are none.

    Args:
        outcomes: of the gates.
    """
    states = {outcome.state for outcome in outcomes}
    worst = next((state for state in ("fail", "inconclusive", "pass") if state in states), None)
    return "nothing was held" if worst is None else _WORDS[worst]


def turned_line(found: Comparison) -> str:
    """Return how many cases turned, and in which direction.

    Args:
        found: a comparison with a baseline.
    """
    ways = [each.way for each in found.turned]
    said = {
        "worse": ways.count("worse"),
        "better": ways.count("better"),
        "in another way": ways.count("other"),
    }
    parts = [f"{count:,} {way}" for way, count in said.items() if count]
    return f"cases that turned: {', '.join(parts) or 'none'}"


def case_lines(found: Comparison, most: int) -> list[str]:
    """Return the first cases that turned, one line each: case, model, old and new value.

    Args:
        found: a comparison with a baseline. most: lines at the most.
    """
    unit = found.quantity.unit
    lines = [
        f"{each.way}: {each.case}, {each.model}: {point(each.old, unit)} -> {point(each.new, unit)}"
        for each in found.turned[:most]
    ]
    left = len(found.turned) - len(lines)
    return [*lines, f".. and {left:,} more"] if left > 0 else lines


def regression_markdown(headline: str, found: Comparison, outcomes: Sequence[Outcome]) -> str:
    """Return a summary for a job's page.

    Args:
        headline: what was compared. found: the comparison. outcomes: what the gates found.
    """
    blocks = [f"## percuss compare: {verdict(outcomes)}", escaped(headline)]
    if outcomes:
        rows = [f"| {_WORDS[o.state]} | {escaped(o.gate.text)} | {escaped(o.sentence)} |" for o in outcomes]
        blocks.append("\n".join(["| outcome | gate | |", "|---|---|---|", *rows]))
    blocks += [escaped(pair.words) for pair in found.pairs]
    blocks.append(escaped(turned_line(found)))
    shown = found.turned[:MOST]
    if shown:
        head = ["| case | model | baseline | now | |", "|---|---|---:|---:|---|"]
        blocks.append("\n".join([*head, *(_row(each, found.quantity.unit) for each in shown)]))
    if len(found.turned) > MOST:
        blocks.append(f"The first {MOST} of {len(found.turned):,} are shown.")
    return "\n\n".join(blocks) + "\n"


def _row(each: Turned, unit: str) -> str:
    cells = [each.case, each.model, point(each.old, unit), point(each.new, unit), each.way]
    return f"| {' | '.join(map(escaped, cells))} |"


def regression_junit(headline: str, found: Comparison, outcomes: Sequence[Outcome]) -> str:
    """Return a JUnit file: one test a gate, one a number, one a case that turned, whose direction is its output.

    Args:
        headline: what was compared. found: the comparison. outcomes: what the gates found.
    """
    gates = [{"text": o.gate.text, "state": o.state, "message": o.sentence} for o in outcomes]
    estimates = [*found.singles, *(pair.difference for pair in found.pairs)]
    cases = {
        f"{each.case} ({each.model})": line
        for each, line in zip(found.turned, case_lines(found, len(found.turned)), strict=True)
    }
    return render_junit(f"percuss compare: {headline}", {}, estimates, gates, cases)
