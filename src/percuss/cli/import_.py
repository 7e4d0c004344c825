"""`percuss import`: other tools' results."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from percuss.core.records import Estimate

__all__ = ["command"]


@click.group()
def command() -> None:
    """Bring in claims tables, labels and logs of other tools."""


@command.command()
@click.argument("files", metavar="FILE..", type=click.Path(), nargs=-1, required=True)
@click.option(
    "--map",
    "mapping",
    metavar="FIELD=COLUMN,..",
    help="Columns under other names: case, arm, label, model, cluster, epoch.",
)
@click.option(
    "--label",
    "words",
    metavar="WORD=LABEL,..",
    help="The table's words for supported, partial, unsupported, unknown, irrelevant.",
)
@click.option("--with", "with_arm", metavar="ARM", help="The arm with evidence.  [default: full_multimodal]")
@click.option(
    "--without", "without_arm", metavar="ARM", help="The arm without evidence.  [default: ungrounded]"
)
@click.option("--seed", type=click.IntRange(0), default=42, show_default=True, help="Root of every draw.")
@click.option(
    "--resamples", type=click.IntRange(100), default=2_000, show_default=True, help="Bootstrap resamples."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def claims(files: tuple[str, ...], **how: Any) -> int:
    """Compute rates and HDI of a table of labelled claims that was not made here.

    FILE has one row a claim with the columns case and label, and where it has them arm, model, cluster and epoch (CSV,
    TSV, JSONL, JSON, Parquet); FActScore's annotated answers are read as they are: the mean over responses with and
    without irrelevant facts, and the share that responded. Several files are several models. With one arm there is no HDI.
    """
    from percuss.api.judge.importing import estimate_claims
    from percuss.cli.finish import print_json
    from percuss.cli.show import console
    from percuss.cli.words import many, pairs

    found = estimate_claims(
        *map(Path, files),
        mapping=pairs(many(how["mapping"]), "--map", "FIELD=COLUMN"),
        words=pairs(many(how["words"]), "--label", "WORD=LABEL"),
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
        out.print(_line(estimate))
    return 0


def _line(estimate: "Estimate") -> str:
    from percuss.measure.numbers import figure_of, show

    versus = f" against {estimate.versus}" if estimate.versus else ""
    stratum = f" ({estimate.stratum})" if estimate.stratum else ""
    left = sum(estimate.excluded.values())
    out = f"; {left:,} left out" if left else ""
    where = f"{estimate.model}{versus}, {estimate.arm}"
    return f"{where}: {estimate.label}{stratum} {show(figure_of(estimate))} (n {estimate.n:,}{out})"


@command.command()
@click.argument("run", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("--rater", metavar="NAME", help="Who labelled the rows that name nobody; `consensus` settles.")
@click.option(
    "--about", default="", help="One sentence on who labelled and how; it stands above every result."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def labels(run: str, file: str, rater: str | None, about: str, as_json: bool) -> int:
    """Bring people's labels into a run, and estimate it again.

    FILE is a Label Studio export (.json) of the tasks that `percuss export RUN --format labelstudio` wrote, or a table
    with the columns claim_id (or case and claim: every claim about that case in those words), rater, label (supported,
    partial, unsupported, unknown; empty where a person could not judge), and optionally aspect and notes. `contradicted` and `absent` are unsupported, told apart. With the aspect
    `speech_act` a label says what the sentence does (assertion, hedged, availability, general, heading, none, given).
    `percuss judge sample RUN` writes such a table, blind and stratified.
    """
    from percuss.api.judge.importing import import_labels
    from percuss.cli.finish import print_json

    count, finished = import_labels(Path(run), Path(file), rater=rater, about=about)
    if as_json:
        print_json(finished.estimates)
    else:
        click.echo(f"{count:,} labels of people are in {run}; estimates were made again")
        click.echo(f"next: `percuss judge validate {run}`, then `percuss report {run}`", err=True)
    return 0
