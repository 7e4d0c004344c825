"""`percuss judge validate`: judges against people."""

from pathlib import Path
from typing import Any

import click

from percuss.cli.words import many

__all__ = ["command"]


@click.group()
def command() -> None:
    """Validate judges against people."""


@command.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path())
@click.option("--judges", metavar="A,B,..", help="Raters to validate.  [default: all that are no people]")
@click.option(
    "--humans", metavar="A,B,..", help="Raters that are people, where their names do not begin with human:."
)
@click.option(
    "--select", "choose", is_flag=True, help="Split the items, choose on one half, report on the other."
)
@click.option(
    "--gates",
    type=click.Choice(["binding", "report"]),
    default="binding",
    show_default=True,
    help="Whether a failed gate rules a judge out.",
)
@click.option(
    "--positive",
    default="unsupported",
    show_default=True,
    help="Label whose sensitivity and specificity are told.",
)
@click.option(
    "--double-count-abstain",
    is_flag=True,
    help="Count abstentions as schema failures too, as one published table did.",
)
@click.option("--revalidate", is_flag=True, help="Check quotes of recorded evaluator outputs again.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the split and the bootstraps.")
@click.option(
    "--resamples", type=click.IntRange(100), default=10_000, show_default=True, help="Bootstrap resamples."
)
@click.option("--card", type=click.Path(), help="Write the cards as JSON.")
@click.option("--html", type=click.Path(), help="Write the cards as one self-contained HTML file.")
@click.option(
    "--json", "as_json", is_flag=True, help="Cards as JSON on standard output, and nothing else there."
)
def validate(sources: tuple[str, ...], **how: Any) -> int:
    """Compare judges with people: agreement, ceiling, bias, gates, choice."""
    import msgspec

    from percuss.compose.card_sections import card_sections
    from percuss.compose.validating import Validation, validate_judges

    keys = ("choose", "gates", "positive", "double_count_abstain", "revalidate", "seed", "resamples")
    asked = Validation(
        sources=sources,
        judges=many(how["judges"]),
        humans=many(how["humans"]),
        **{key: how[key] for key in keys},
    )
    found = validate_judges(asked)
    encoded = msgspec.json.format(msgspec.json.encode(found), indent=2)
    if how["card"]:
        Path(how["card"]).write_bytes(encoded)
    if how["html"]:
        from percuss.report import render_html

        manifest = {"protocol": "judge card", "question": "Can the judge be trusted?", "seed": asked.seed}
        sections = card_sections(found.cards, found.selection)
        render_html("Judge card", manifest, [], sections, out=Path(how["html"]))
        click.echo(f"report: {how['html']}", err=True)
    if how["as_json"]:
        click.echo(encoded)
    else:
        _show(found)
    return 0


def _show(found: Any) -> None:
    from percuss.cli.show import console
    from percuss.compose.card_sections import card_words

    out = console()
    for card in found.cards:
        out.print(card_words(card))
        for metric in card.metrics:
            out.print(
                f"  {metric.metric}: {_number(metric.coefficient)}; ceiling {_number(metric.ceiling)}; n {metric.n:,}"
            )
            if metric.sensitivity is not None:
                out.print(
                    f"    sensitivity {_number(metric.sensitivity)}, specificity {_number(metric.specificity)}"
                )
            if metric.no_consensus:
                out.print(f"    {metric.no_consensus:,} items left out: people were split evenly")
        coverage = "undefined" if card.coverage is None else f"{card.coverage:.3f}"
        validity = "undefined" if card.validity is None else f"{card.validity:.3f}"
        out.print(f"  coverage {coverage}, validity {validity}")
        for line in card.gates:
            verdict = "undefined" if line.passed is None else "pass" if line.passed else "fail"
            sure = (
                "assured"
                if line.assured
                else "no n assures it"
                if line.needs is None
                else f"needs n >= {line.needs:,}"
            )
            out.print(f"  gate {line.name} <= {line.threshold:g}: {verdict} ({sure}), {_number(line.rate)}")
    if found.selection is not None:
        out.print(f"chosen: {found.selection.chosen or 'none'} - {found.selection.why}")


def _number(found: Any) -> str:
    if found is None:
        return "not measured"
    if found.value is None:
        return f"undefined ({found.undefined})"
    span = "" if found.low is None or found.high is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.value:.3f}{span}"
