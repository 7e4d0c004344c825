"""`percuss reading label`: a passport of the readers on a run's own text."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from percuss.api.judge.own_reading import OwnReading

__all__ = ["command"]


@click.group()
def command() -> None:
    """Hold the readers of a run against people's labels of its own text."""


@command.command()
@click.argument("run", type=click.Path())
@click.option(
    "--n", "each", type=click.IntRange(1), default=60, show_default=True, help="Claims of each model and arm."
)
@click.option(
    "--out",
    type=click.Path(),
    default="reading.csv",
    show_default=True,
    help="Where the sample goes, .csv or .jsonl.",
)
@click.option(
    "--labels",
    type=click.Path(),
    help="The sample with `label` filled in: bring it in and show the passport.",
)
@click.option("--rater", help="Who filled it in, where its rows name nobody.")
@click.option(
    "--seed", type=click.IntRange(0), default=42, show_default=True, help="Of the draw and the order of rows."
)
@click.option(
    "--json", "as_json", is_flag=True, help="The passport as JSON on standard output, and nothing else there."
)
def label(
    run: str, each: int, out: str, labels: str | None, rater: str | None, seed: int, as_json: bool
) -> int:
    """Make a passport of a run's readers on its own text.

    The first call writes a blind sample: claims with their evidence, without model, arm or any label. Fill in `label` (supported,
    partial, unsupported, unknown), then call again with --labels: the labels are brought in, the run is estimated again, and each
    reader's errors are shown by model and by what people said, undecided counted. Labels that are in the run already are shown with
    --labels RUN.
    """
    if labels is None:
        from percuss.api.judge.adjudication import write_sample

        count = write_sample(Path(run), Path(out), per_bucket=each, seed=seed)
        click.echo(f"{count:,} claims in {out}")
        click.echo(
            f"next: fill in `label`, then `percuss reading label {run} --labels {out} --rater NAME`", err=True
        )
        return 0
    from percuss.api.judge.own_reading import own_readings

    if Path(labels) != Path(run):
        from percuss.api.judge.importing import import_labels

        count, _ = import_labels(Path(run), Path(labels), rater=rater)
        click.echo(f"{count:,} labels of people are in {run}; estimates were made again", err=True)
    found = own_readings(Path(run))
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))
    else:
        _show(found)
    return 0


def _show(found: "tuple[OwnReading, ...]") -> None:
    """Print one line per reader, model and true label."""
    from rich.table import Table

    from percuss.cli.show import console
    from percuss.measure.numbers import point

    grid = Table(box=None, pad_edge=False)
    for title, justify in (("reader", "left"), ("model", "left"), ("people say", "left"), ("n", "right"), ("read so", "right"), ("undecided", "right"), ("read otherwise", "left")):  # fmt: skip
        grid.add_column(title, justify=justify)  # type: ignore[arg-type]
    for one in found:
        wrong = ", ".join(f"{name} {k:,}" for name, k in one.wrong.items()) or "-"
        grid.add_row(
            one.reader,
            one.model,
            one.label,
            f"{one.n:,}",
            point(one.right / one.n),
            f"{one.undecided:,}",
            wrong,
        )
    console().print(grid)
