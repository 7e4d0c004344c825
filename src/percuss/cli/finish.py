"""What a run says when it is done: the panel, where the report is, and what the gates found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from percuss.measure.gates import Gate, judge_gate

if TYPE_CHECKING:
    from percuss.api.run.run import Finished
    from percuss.core.records import Estimate

__all__ = ["finish", "hold_gates", "print_json"]


def finish(finished: "Finished", gates: Sequence[Gate], *, as_json: bool, report: bool) -> int:
    """Show a finished run and return the exit code.

    Args:
        finished: the run.
        gates: of `--fail-if`.
        as_json: estimates as JSON and nothing else on standard output.
        report: write report.html.
    """
    from percuss.api.report.reporting import open_report

    with open_report(finished.folder, finished.scoring.id) as held:
        if as_json:
            print_json(held.estimates)
        else:
            held.terminal()
        if report:
            path = held.html(finished.folder / "report.html")
            click.echo(f"report: {path}", err=as_json)
    return hold_gates(gates, finished.estimates)


def print_json(estimates: Sequence["Estimate"]) -> None:
    """Print estimates as a JSON list, the primary ones first."""
    ordered = sorted(estimates, key=lambda estimate: not estimate.primary)
    click.echo(msgspec.json.format(msgspec.json.encode(ordered), indent=2))


def hold_gates(gates: Sequence[Gate], estimates: Sequence["Estimate"]) -> int:
    """Say on standard error what each gate found; return 0, 3 where one failed, 4 where one cannot tell."""
    states = set()
    for gate in gates:
        for outcome in judge_gate(gate, estimates):
            states.add(outcome.state)
            click.echo(f"gate {outcome.state}: {outcome.sentence}", err=True)
    return 3 if "fail" in states else 4 if "inconclusive" in states else 0
