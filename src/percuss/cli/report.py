"""`percuss report RUN ..`: render runs; the network is never needed."""

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path())
@click.option("--html", type=click.Path(), help="Write one self-contained HTML file.")
@click.option(
    "--format", "form", type=click.Choice(["md", "csv", "latex", "junit"]), help="Print in this form instead."
)
@click.option(
    "--figures",
    type=click.Path(),
    metavar="DIR",
    help="Write the charts at 84 and 174 mm as SVG, PDF and PNG of 300 dpi (needs the plots extra).",
)
@click.option(
    "--no-text", is_flag=True, help="Aggregates only: no text of cases or models, no cells under 11."
)
@click.option("--scoring", help="Start of a scoring's id.  [default: the latest]")
@click.option("--full", is_flag=True, help="Print every table, not only the panel.")
@click.option(
    "--fail-if",
    multiple=True,
    metavar="CONDITION",
    help="Gate, e.g. 'unsupported_rate[full_multimodal].high>0.05'.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Estimates and what became of the answers as JSON on standard output, and nothing else there.",
)
def command(runs: tuple[str, ...], **how: Any) -> int:
    """Render one or more runs: terminal, HTML, Markdown, LaTeX, CSV, JUnit."""
    if how["html"] and len(runs) > 1:
        raise click.UsageError("--html takes one run; give one, or compare them with percuss compare")
    return max(_report(Path(run), how) for run in runs)


def _report(run: Path, how: dict[str, Any]) -> int:
    from percuss.api.report.reporting import open_report
    from percuss.cli.finish import hold_gates, print_json
    from percuss.measure.gates import judge_gate, parse_gate

    gates = [parse_gate(text) for text in how["fail_if"]]
    with open_report(run, how["scoring"]) as held:
        if how["as_json"]:
            print_json(held.estimates, held.answers)
        elif how["form"]:
            found = [outcome for gate in gates for outcome in judge_gate(gate, held.estimates)]
            tests = [{"text": o.gate.text, "state": o.state, "message": o.sentence} for o in found]
            click.echo(held.text(how["form"], no_text=how["no_text"], gates=tests), nl=False)
        else:
            held.terminal(full=how["full"], no_text=how["no_text"])
        if how["html"]:
            click.echo(f"report: {held.html(Path(how['html']), no_text=how['no_text'])}", err=True)
        if how["figures"]:
            from percuss.report import write_figures

            written = write_figures(held.sections(), Path(how["figures"]), no_text=how["no_text"])
            click.echo(f"figures: {len(written)} files in {how['figures']}", err=True)
        return hold_gates(gates, held.estimates)
