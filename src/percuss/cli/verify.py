"""`percuss verify RUN`: recompute a run's hashes."""

from pathlib import Path

import click

__all__ = ["command"]


@click.command()
@click.argument("run", type=click.Path())
@click.option(
    "--json", "as_json", is_flag=True, help="What matches as JSON on standard output, and nothing else there."
)
def command(run: str, as_json: bool) -> int:
    """Recompute a run's hashes and say what matches."""
    import msgspec

    from percuss.store.verify import verify

    rows = verify(Path(run))
    bad = [row for row in rows if not row.ok]
    if as_json:
        click.echo(msgspec.json.encode(rows))
        return 1 if bad else 0
    for row in rows:
        state = (
            "matches" if row.ok else f"DOES NOT MATCH in {row.checked - row.matching}: {', '.join(row.wrong)}"
        )
        click.echo(f"{row.what:<12} {row.checked:>9,}  {row.claim}: {state}")
    click.echo(
        "every hash matches" if not bad else f"{len(bad)} kinds of rows were changed after they were written"
    )
    return 1 if bad else 0
