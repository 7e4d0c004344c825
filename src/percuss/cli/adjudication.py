"""`percuss judge sample` and `percuss judge agreement`: claims out to people, and how far all raters agree."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from percuss.core.sections import Table

__all__ = ["agreement", "sample"]


@click.command()
@click.argument("run", type=click.Path())
@click.option(
    "--out",
    type=click.Path(),
    default="adjudication.csv",
    show_default=True,
    help="The file, .csv or .jsonl.",
)
@click.option(
    "--per-bucket",
    type=click.IntRange(1),
    default=60,
    show_default=True,
    help="Claims of each model and arm.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=42, show_default=True, help="Of the draw and the order of rows."
)
@click.option("--scoring", help="Start of a scoring's id.  [default: the latest]")
def sample(run: str, out: str, per_bucket: int, seed: int, scoring: str | None) -> int:
    """Write a blind sample of claims for people to label.

    Where a judge audited whole answers (stressors), its items come along, each put as a claim about the answers. A row
    has the claim and its evidence, and names neither model nor arm nor any label. People fill `label` with
    supported, partial, unsupported or unknown; `percuss import labels RUN FILE --rater NAME` brings them in, one file a
    person, and the settled ones as `--rater consensus`.
    """
    from percuss.api.judge.adjudication import write_sample

    count = write_sample(Path(run), Path(out), per_bucket=per_bucket, seed=seed, scoring=scoring)
    click.echo(f"{count:,} claims in {out}")
    click.echo(f"next: `percuss import labels {run} {out} --rater NAME` when `label` is filled in", err=True)
    return 0


@click.command()
@click.argument("run", type=click.Path())
@click.option("--scoring", help="Start of a scoring's id.  [default: the latest]")
@click.option(
    "--json", "as_json", is_flag=True, help="Tables as JSON on standard output, and nothing else there."
)
def agreement(run: str, scoring: str | None, as_json: bool) -> int:
    """Print how far people, rules and judge agree on a run's claims, and on each model and arm."""
    import msgspec

    from percuss.api.judge.adjudication import agreement_tables
    from percuss.cli.show import console

    found = list(agreement_tables(Path(run), scoring=scoring))
    if as_json:
        shown = [{"title": title, "rows": table.rows, "note": table.note} for title, table in found]
        click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=2))
        return 0
    out = console()
    for title, table in found:
        out.print(title)
        out.print(_written(table))
        out.print(table.note)
    return 0


def _written(table: "Table") -> "Grid":
    """Return a table of a report as one of the terminal."""
    from rich.table import Table as Grid

    from percuss.report.grid import cell_text

    grid = Grid(box=None, pad_edge=False)
    for column in table.columns:
        grid.add_column(column.title, justify=column.align)
    for row in table.rows:
        grid.add_row(*(cell_text(row.get(column.key), column.unit) for column in table.columns))
    return grid
