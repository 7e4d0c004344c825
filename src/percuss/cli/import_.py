"""`percuss import`: other tools' results."""

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]


@click.group()
def command() -> None:
    """Bring in claims tables, labels and logs of other tools."""


@command.command()
@click.argument("file", type=click.Path())
@click.option(
    "--map",
    "mapping",
    metavar="FIELD=COLUMN,..",
    help="Columns under other names: case, arm, label, model, cluster, epoch.",
)
@click.option(
    "--with", "with_arm", default="full_multimodal", show_default=True, help="Name of the arm with evidence."
)
@click.option(
    "--without",
    "without_arm",
    default="ungrounded",
    show_default=True,
    help="Name of the arm without evidence.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Root of every draw.")
@click.option(
    "--resamples", type=click.IntRange(100), default=2_000, show_default=True, help="Bootstrap resamples."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def claims(file: str, **how: Any) -> int:
    """Compute rates and HDI of a table of labelled claims (CSV or JSONL) that was not made here."""
    from percuss.cli.finish import print_json
    from percuss.cli.show import console
    from percuss.cli.words import many, pairs
    from percuss.compose.importing import estimate_claims

    found = estimate_claims(
        Path(file),
        mapping=pairs(many(how["mapping"]), "--map"),
        with_arm=how["with_arm"],
        without_arm=how["without_arm"],
        seed=how["seed"],
        resamples=how["resamples"],
    )
    if how["as_json"]:
        print_json(found)
        return 0
    out = console()
    for estimate in found:
        versus = f" against {estimate.versus}" if estimate.versus else ""
        out.print(
            f"{estimate.model}{versus}, {estimate.arm}: {estimate.label} {words_of(estimate)} (n {estimate.n:,})"
        )
    return 0


def words_of(estimate: Any) -> str:
    """Return an estimate's figure with its interval."""
    if estimate.value is None:
        return f"undefined ({estimate.undefined})"
    span = "" if estimate.low is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f}{span}"


@command.command()
@click.argument("run", type=click.Path())
@click.argument("file", type=click.Path())
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def labels(run: str, file: str, as_json: bool) -> int:
    """Bring people's labels into a run: Label Studio JSON, or CSV/JSONL of claim, rater, label; then estimate again."""
    from percuss.cli.finish import print_json
    from percuss.compose.importing import import_labels

    count, finished = import_labels(Path(run), Path(file))
    if as_json:
        print_json(finished.estimates)
    else:
        click.echo(f"{count:,} labels of people are in {run}; estimates were made again")
    return 0
