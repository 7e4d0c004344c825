"""`percuss compare`: paired differences over runs or Inspect logs."""

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]

SHOWN = 10
"""Cases that turned, as far as a terminal lists them; `--markdown` and `--junit` list more."""


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
@click.option(
    "--fail-if",
    multiple=True,
    metavar="CONDITION",
    help="Gate on a number of the comparison, e.g. 'unsupported_rate_difference.low>0'.",
)
@click.option(
    "--non-inferior",
    type=float,
    metavar="M",
    help="Fail unless the others are at most M worse than --baseline, e.g. 0.02.",
)
@click.option("--seed", type=click.IntRange(0), default=42, show_default=True, help="Root of every draw.")
@click.option(
    "--resamples", type=click.IntRange(100), default=10_000, show_default=True, help="Bootstrap resamples."
)
@click.option("--html", type=click.Path(), help="Write one self-contained HTML file.")
@click.option("--markdown", type=click.Path(), help="Write a summary for a job's page.")
@click.option("--junit", type=click.Path(), help="Write gates, numbers and cases that turned as JUnit XML.")
@click.option(
    "--json", "as_json", is_flag=True, help="Estimates as JSON on standard output, and nothing else there."
)
def command(sources: tuple[str, ...], **how: Any) -> int:
    """Compare models over runs or Inspect logs, paired.

    SOURCES are run folders over the same cases, or Inspect logs (.eval) of the same samples. Each pair of models is told
    apart with Holm's correction, or said not to be separable, with the difference that the data could have shown. With
    --baseline OLD only pairs with OLD are shown, and the cases that turned; gates end with 3 (failed) or 4 (inconclusive).
    """
    from percuss.api.report.comparing import compare, headline, sections_of
    from percuss.cli.finish import exit_code, print_json
    from percuss.measure.regression import held_against

    if how["non_inferior"] is not None and how["baseline"] is None:
        raise click.UsageError("--non-inferior needs the old one to hold against; name it with --baseline")
    keys = ("name", "arm", "labels", "scorer", "baseline", "margin", "seed", "resamples")
    found = compare(sources, **{key: how[key] for key in keys})
    estimates = [*found.singles, *(pair.difference for pair in found.pairs)]
    words = headline(found, sources[0])
    outcomes = held_against(found, how["fail_if"], how["non_inferior"])
    if how["as_json"]:
        print_json(estimates)
    else:
        _show(found, words, turned=how["baseline"] is not None)
    _write(found, words, outcomes, how)
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
    return exit_code(outcomes)


def _write(found: Any, words: str, outcomes: Any, how: dict[str, Any]) -> None:
    from percuss.report.regression import regression_junit, regression_markdown

    for name, render in (("markdown", regression_markdown), ("junit", regression_junit)):
        if how[name]:
            Path(how[name]).write_text(render(words, found, outcomes), encoding="utf-8")
            click.echo(f"{name}: {how[name]}", err=True)


def _show(found: Any, words: str, *, turned: bool) -> None:
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
    if turned:
        from percuss.report.regression import case_lines, turned_line

        out.print(turned_line(found))
        for line in case_lines(found, SHOWN):
            out.print(f"  {line}", markup=False, highlight=False)


def _value(estimate: Any) -> str:
    from percuss.measure.numbers import written

    left = sum(estimate.excluded.values())
    return written(estimate) + (f", {left} left out" if left and estimate.value is not None else "")
