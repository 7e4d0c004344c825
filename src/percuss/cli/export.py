"""`percuss export RUN`: flat tables and other tools' formats."""

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]

_FORMS = ["jsonl", "csv", "parquet", "inspect", "labelstudio"]


@click.command()
@click.argument("run", type=click.Path())
@click.option(
    "--table",
    type=click.Choice(["responses", "claims", "estimates", "calls", "models"]),
    default="claims",
    show_default=True,
    help="What to write, one row each.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    default="jsonl",
    show_default=True,
    help="Form of the file.",
)
@click.option("--out", type=click.Path(), help="The file.  [default: RUN/TABLE.FORMAT]")
@click.option("--scoring", help="Start of a scoring's id.  [default: the latest]")
@click.option("--no-text", is_flag=True, help="Leave the words of cases and models out.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def command(run: str, table: str, form: str, **how: Any) -> int:
    """Write a run as JSONL, CSV, Parquet, Inspect log or Label Studio JSON."""
    import msgspec

    from percuss.api.report.exporting import export

    target = Path(how["out"]) if how["out"] else None
    written = export(Path(run), table, form, target, scoring=how["scoring"], text=not how["no_text"])
    if how["as_json"]:
        click.echo(msgspec.json.encode({"file": str(written.file), "rows": written.rows}))
    else:
        click.echo(f"{written.rows:,} rows in {written.file}")
    return 0
