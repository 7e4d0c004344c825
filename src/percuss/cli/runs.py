"""`percuss runs`: which runs are on this disk, what one holds, and the ways back."""

import asyncio
from pathlib import Path

import click
import msgspec

__all__ = ["command"]

_RUN = click.argument("run", type=click.Path(path_type=Path))


@click.group()
def command() -> None:
    """List runs, show one, drop a model from one, remove one."""


@command.command("list")
@click.argument("folder", type=click.Path(path_type=Path), default="runs")
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def list_runs(folder: Path, *, as_json: bool) -> int:
    """List the runs in FOLDER (without it, `runs`)."""
    from percuss.api.run.runs import runs_in

    found = list(runs_in(folder))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))
        return 0
    for facts in found:
        if facts.unread:
            click.echo(f"{facts.folder}: cannot be opened: {facts.unread}")
        else:
            models = ", ".join(facts.models) or "no answers yet"
            click.echo(
                f"{facts.folder}: {facts.protocol}, {facts.made_at[:16]}, {facts.cases:,} cases, {models}"
            )
    if not found:
        click.echo(f"no run in {folder}; percuss run PROTOCOL makes one")
    return 0


@command.command()
@_RUN
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def show(run: Path, *, as_json: bool) -> int:
    """Say what RUN holds: cases, answers per model and arm, scorings, what was paid."""
    from percuss.api.run.runs import facts_of

    facts = facts_of(run)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(facts), indent=2))
        return 0
    click.echo(f"{facts.folder}: {facts.protocol}, begun {facts.made_at[:16]}, {facts.cases:,} cases")
    for account in facts.answers:
        if account.asked:
            click.echo(
                f"  {account.model}, {account.arm}: {account.done:,} of {account.asked:,} answered, {account.usable:,} usable"
            )
    click.echo(f"  {len(facts.scorings)} scorings; {facts.calls:,} calls, {facts.usd:.4f} USD")
    return 0


@command.command()
@_RUN
@click.argument("model")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def drop(run: Path, model: str, *, yes: bool) -> int:
    """Take MODEL and its answers out of RUN and estimate anew; calls that were paid stay in the run's journal."""
    from percuss.api.run.runs import drop as drop_model

    if not yes:
        click.confirm(f"take {model} and its answers out of {run}?", abort=True, err=True)
    gone = asyncio.run(drop_model(run, model))
    click.echo(f"{gone:,} answers of {model} are gone from {run}; percuss report {run} shows the rest")
    return 0


@command.command("rm")
@_RUN
@click.option("--yes", is_flag=True, help="Do not ask first.")
def remove(run: Path, *, yes: bool) -> int:
    """Remove RUN: answers, journal, report. Files that percuss did not write stay."""
    from percuss.api.run.runs import facts_of
    from percuss.api.run.runs import remove as remove_run

    facts = facts_of(run)
    if not yes:
        what = f"{sum(facts.models.values()):,} answers, {facts.calls:,} calls, {facts.usd:.2f} USD paid"
        click.confirm(f"remove {run} ({what})?", abort=True, err=True)
    left = remove_run(run)
    click.echo(f"{run} is gone" if not left else f"the run in {run} is gone; left there: {', '.join(left)}")
    return 0
