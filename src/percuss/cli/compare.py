"""`percuss compare`: paired differences over runs or Inspect logs."""

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path())
@click.option(
    "--estimate", "name", metavar="NAME", help="Which number of the runs.  [default: the primary estimate]"
)
@click.option("--arm", metavar="ARM", help="Which condition.  [default: the primary's]")
@click.option("--labels", metavar="SOURCE", help="Whose labels.  [default: the primary's]")
@click.option("--scorer", metavar="NAME", help="Which scorer of Inspect logs, where they have several.")
@click.option(
    "--baseline", metavar="MODEL|SOURCE", help="Model, run folder or log that the others are compared with."
)
@click.option(
    "--equivalence",
    "margin",
    type=float,
    metavar="M",
    help="Largest difference without importance, e.g. 0.02.",
)
@click.option("--seed", type=click.IntRange(0), default=42, show_default=True, help="Root of every draw.")
@click.option(
    "--resamples", type=click.IntRange(100), default=10_000, show_default=True, help="Bootstrap resamples."
)
@click.option("--html", type=click.Path(), help="Write one self-contained HTML file.")
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def command(sources: tuple[str, ...], **how: Any) -> int:
    """Compare models over runs or Inspect logs, paired.

    SOURCES are run folders over the same cases, or Inspect logs (.eval) of the same samples. Each pair of models is told
    apart with Holm's correction, or said not to be separable, with the difference that the data could have shown.
    """
    from percuss.api.report.comparing import compare, headline, sections_of
    from percuss.cli.finish import print_json

    keys = ("name", "arm", "labels", "scorer", "baseline", "margin", "seed", "resamples")
    found = compare(sources, **{key: how[key] for key in keys})
    estimates = [*found.singles, *(pair.difference for pair in found.pairs)]
    if how["as_json"]:
        print_json(estimates)
    else:
        _show(found, headline(found, sources[0]))
    if how["html"]:
        from percuss import __version__
        from percuss.report import render_html

        manifest = {
            "protocol": "compare",
            "percuss": __version__,
            "seed": how["seed"],
            "question": "Which models differ?",
            "facts": {"sources": ", ".join(Path(source).name for source in sources), "labels": found.labels},
        }
        render_html("Comparison", manifest, estimates, sections_of(found), out=Path(how["html"]))
        click.echo(f"report: {how['html']}", err=True)
    return 0


def _show(found: Any, words: str) -> None:
    from rich.table import Table

    from percuss.cli.show import console

    out = console()
    out.print(words)
    table = Table(box=None, pad_edge=False)
    for title in ("rank", "model", "value", "ties share a letter"):
        table.add_column(title)
    singles = {single.model: single for single in found.singles}
    for row in found.ranks:
        rank = str(row.best) if row.best == row.worst else f"{row.best}-{row.worst}"
        table.add_row(rank, row.model, _value(singles[row.model]), row.letters)
    out.print(table)
    for pair in found.pairs:
        out.print(pair.words)


def _value(estimate: Any) -> str:
    from percuss.measure.numbers import written

    left = sum(estimate.excluded.values())
    return written(estimate) + (f", {left} left out" if left and estimate.value is not None else "")
