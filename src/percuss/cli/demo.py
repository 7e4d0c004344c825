"""`percuss demo`: the report of a recorded real run; no model, no network."""

from pathlib import Path

import click

__all__ = ["command"]


@click.command()
@click.option(
    "--html",
    type=click.Path(),
    default="percuss-demo.html",
    show_default=True,
    help="Where to write the report.",
)
@click.option(
    "--run", "folder", type=click.Path(), metavar="DIR", help="Keep the run folder here, to look around in."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def command(html: str, folder: str | None, as_json: bool) -> int:
    """Show the report of a recorded real run: no model, no network."""
    from percuss.api.report.demo import recorded_run
    from percuss.api.report.reporting import open_report
    from percuss.cli.finish import print_json

    with recorded_run(Path(folder) if folder else None) as run, open_report(run) as held:
        if as_json:
            print_json(held.estimates)
            return 0
        click.echo(
            "a recorded run: real answers of local models, made once and shipped; nothing is asked now"
        )
        held.terminal()
        click.echo(f"report: {held.html(Path(html))}")
        if folder:
            click.echo(f"run: {run}")
    return 0
