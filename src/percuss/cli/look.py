"""`percuss look FILE`: what a file is, what is missing in it, and the command that would use it."""

from pathlib import Path

import click

__all__ = ["command"]


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--map",
    "mapped",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Columns by name, and how a table is written (delimiter=, encoding=, sheet=).",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def command(file: str, mapped: tuple[str, ...], *, as_json: bool) -> int:
    """Say what FILE is, what is missing in it, and which command would use it."""
    import msgspec

    from percuss.cli.streams import file_of
    from percuss.exchange.evaluation_sets import mapping_of
    from percuss.exchange.looking import look, rows_of

    with file_of(file) as held:
        found = look(Path(held or file), mapping_of(mapped))
    if as_json:
        click.echo(msgspec.json.encode(found))
        return 0
    for name, text in rows_of(found):
        click.echo(f"{name:<10} {text}")
    return 0
