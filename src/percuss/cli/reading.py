"""`percuss reading label`: a passport of the readers on a run's own text."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from percuss.api.judge.own_reading import OwnReading
    from percuss.core.records import Estimate

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
@click.option(
    "--all-arms",
    is_flag=True,
    help="Sample every arm.  [default: the two that the index compares, where the run holds both]",
)
@click.option("--rater", help="Who filled it in, where its rows name nobody.")
@click.option(
    "--seed", type=click.IntRange(0), default=42, show_default=True, help="Of the draw and the order of rows."
)
@click.option(
    "--json", "as_json", is_flag=True, help="The passport as JSON on standard output, and nothing else there."
)
def label(
    run: str,
    each: int,
    out: str,
    labels: str | None,
    all_arms: bool,
    rater: str | None,
    seed: int,
    as_json: bool,
) -> int:
    """Make a passport of a run's readers on its own text.

    The first call writes a blind sample: claims with their evidence, without model, arm or any label. Fill in `label` (supported,
    partial, unsupported, unknown), then call again with --labels: the labels are brought in, the run is estimated again, and each
    reader's errors are shown by model and by what people said, undecided counted. Labels that are in the run already are shown with
    --labels RUN.
    """
    if labels is None:
        from percuss.api.judge.adjudication import write_sample

        count = write_sample(Path(run), Path(out), per_bucket=each, seed=seed, indexed=not all_arms)
        click.echo(f"{count:,} claims in {out}")
        click.echo(
            f"next: fill in `label`, then `percuss reading label {run} --labels {out} --rater NAME`", err=True
        )
        return 0
    from percuss.api.judge.own_reading import own_readings

    if Path(labels) != Path(run):
        from percuss.api.judge.importing import import_labels

        count, finished = import_labels(Path(run), Path(labels), rater=rater)
        click.echo(f"{count:,} labels of people are in {run}; estimates were made again", err=True)
        click.echo(_leading(finished.estimates), err=True)
        click.echo(f"next: `percuss report {run}`", err=True)
    found = own_readings(Path(run))
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))
    else:
        _show(found)
    return 0


def _leading(estimates: "Sequence[Estimate]") -> str:
    """Say whose labels the headline is by, and where it isn't people's, what is lacking."""
    from percuss.core.labels import PEOPLE
    from percuss.measure.wording import source_words

    first = next((e for e in estimates if e.primary), None)
    if first is None:
        return "there is no headline"
    said = f"the headline is by {source_words(first.labels)}"
    if first.labels in PEOPLE:
        return said
    return f"{said}: people's labels lead where they are of a random part, at least 60 assertions of each model in each of the two arms (or all)"


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
