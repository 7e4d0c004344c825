"""What a run says when it is done: the panel, where the report is, what failed, and what the gates found."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from percuss.core.accounting import AnswerAccount, account_lines, no_answer, worst_share
from percuss.core.errors import PercussError, UsageError
from percuss.measure.gates import Gate, Outcome, judge_gate

if TYPE_CHECKING:
    from percuss.api.run.prepare import Prepared
    from percuss.api.run.run import Finished
    from percuss.core.records import Estimate

__all__ = ["FAIL_ON_ERROR", "exit_code", "finish", "hold_gates", "print_json", "stopping"]

FAIL_ON_ERROR = click.Option(
    ["--fail-on-error"],
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    metavar="SHARE",
    help="Exit with 1 where this share of a model's answers in an arm failed.",
)


def finish(
    finished: "Finished",
    gates: Sequence[Gate],
    *,
    as_json: bool,
    report: bool,
    fail_on_error: float = 1.0,
    no_text: bool = False,
) -> int:
    """Show a finished run and return the exit code.

    Args:
        finished: the run.
        gates: of `--fail-if`.
        as_json: estimates and accounts of answers as JSON and nothing else on standard output.
        report: write report.html.
        fail_on_error: failed share of a model in an arm from which on the exit code is 1.
        no_text: show aggregates only.

    Returns:
        1 where a model or arm has no usable answer or too many failed, no gate being judged then; else what
        `hold_gates` returns.
    """
    from percuss.api.report.reporting import open_report

    with open_report(finished.folder, finished.scoring.id) as held:
        if as_json:
            print_json(held.estimates, held.answers)
        else:
            held.terminal(no_text=no_text)
        if report:
            path = held.html(finished.folder / "report.html", no_text=no_text)
            click.echo(f"report: {path}", err=as_json)
        lacking = _too_few(held.answers, fail_on_error)
    if lacking:
        click.echo(f"percuss: {lacking}", err=True)
        return 1
    return hold_gates(gates, finished.estimates)


def _too_few(answers: Sequence[AnswerAccount], share: float) -> str:
    """Say which model has no usable answer in an arm, or that too many answers failed; "" where all is well."""
    empty = no_answer(answers)
    if empty:
        (first, *_), lines = empty, account_lines(empty)
        where = f"{first.model} has no usable answer in arm {first.arm}"
        rest = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        return f"{where}{rest}: {lines[1] if len(lines) > 1 else 'none was asked'}"
    worst = worst_share(answers)
    if worst >= share:
        (first,) = [account for account in answers if account.failed_share == worst][:1]
        return f"{account_lines([first])[1]}; --fail-on-error is {share:g}"
    return ""


def stopping(prepared: "Prepared", work: Callable[[], int], *, resume: str, report: bool) -> int:
    """Do the work of a run; where it stops before its end, write the report of what there is and return the exit code.

    Args:
        prepared: the run.
        work: asks, checks and shows.
        resume: the command that goes on.
        report: whether a report is wanted.

    Raises:
        UsageError: nothing was written.
    """
    import asyncio

    try:
        return work()
    except UsageError:
        raise
    except PercussError as error:
        click.echo(f"percuss: {error}\nresume with: {resume}", err=True)
        code = 1
    except (KeyboardInterrupt, asyncio.CancelledError):
        click.echo(f"percuss: interrupted; nothing finished is lost. Resume with: {resume}", err=True)
        code = 130
    if report:
        _report_so_far(prepared)
    return code


def _report_so_far(prepared: "Prepared") -> None:
    import asyncio

    from percuss.api.report.reporting import open_report
    from percuss.api.run.run import so_far

    try:
        finished = asyncio.run(so_far(prepared))
        if finished is not None:
            with open_report(finished.folder, finished.scoring.id) as held:
                click.echo(f"report of what there is: {held.html(finished.folder / 'report.html')}", err=True)
    except PercussError as error:
        click.echo(f"percuss: no report could be written: {error}", err=True)


def print_json(estimates: Sequence["Estimate"], answers: Sequence[AnswerAccount] | None = None) -> None:
    """Print estimates as a JSON list, the primary ones first; with accounts of answers an object of both.

    Args:
        estimates: of a scoring or a table.
        answers: per model and arm; None where nobody was asked.
    """
    ordered = sorted(estimates, key=lambda estimate: not estimate.primary)
    said: Any = ordered if answers is None else {"answers": answers, "estimates": ordered}
    click.echo(msgspec.json.format(msgspec.json.encode(said), indent=2))


def hold_gates(gates: Sequence[Gate], estimates: Sequence["Estimate"]) -> int:
    """Say on standard error what each gate found; return 0, 3 where one failed, 4 where one cannot tell."""
    return exit_code([outcome for gate in gates for outcome in judge_gate(gate, estimates)])


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """Say on standard error what gates found; return 0, 3 where one failed, 4 where one cannot tell.

    Args:
        outcomes: of the gates.
    """
    for outcome in outcomes:
        click.echo(f"gate {outcome.state}: {outcome.sentence}", err=True)
    states = {outcome.state for outcome in outcomes}
    return 3 if "fail" in states else 4 if "inconclusive" in states else 0
