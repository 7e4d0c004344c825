"""`percuss judge validate`: judges against people."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from percuss.cli.adjudication import agreement, sample
from percuss.cli.words import many

if TYPE_CHECKING:
    from rich.console import Console

    from percuss.api.judge.validating import Validated, Validation
    from percuss.judging.card import Card, MetricCard, Number
    from percuss.judging.readers import ReaderTable

__all__ = ["command"]

MANY_STRATA = 12
"""More strata than this stand in the report only."""


@click.group()
def command() -> None:
    """Validate judges against people."""


command.add_command(sample)
command.add_command(agreement)


@command.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path())
@click.option("--judges", metavar="A,B,..", help="Raters to validate.  [default: all that are no people]")
@click.option(
    "--humans", metavar="A,B,..", help="Raters that are people, where their names do not begin with human:."
)
@click.option(
    "--select",
    "choose",
    is_flag=True,
    help="Split the items, choose a judge on one half, report on the other.",
)
@click.option(
    "--gates",
    type=click.Choice(["binding", "report"]),
    default="binding",
    show_default=True,
    help="Whether a failed gate rules a judge out of the choice.",
)
@click.option(
    "--positive",
    default="unsupported",
    show_default=True,
    metavar="LABEL",
    help="Label whose sensitivity and specificity are told.",
)
@click.option(
    "--scale",
    metavar="LOW,..,HIGH",
    help="Labels in order, so that kappa is weighted.  [default: no order, or that of whole numbers]",
)
@click.option(
    "--double-count-abstain",
    is_flag=True,
    help="Count abstentions as schema failures too, as one published table did.",
)
@click.option(
    "--sham",
    "shams",
    metavar="FILE",
    multiple=True,
    type=click.Path(),
    help="Recorded outputs on sham answers, whatever the file is called; may be given again.",
)
@click.option("--revalidate", is_flag=True, help="Check quotes of recorded evaluator outputs again.")
@click.option(
    "--seed", type=click.IntRange(0), default=42, show_default=True, help="Of the split and the bootstraps."
)
@click.option(
    "--resamples", type=click.IntRange(100), default=10_000, show_default=True, help="Bootstrap resamples."
)
@click.option("--card", type=click.Path(), help="Write the cards as JSON.")
@click.option("--html", type=click.Path(), help="Write the cards as one self-contained HTML file.")
@click.option(
    "--json", "as_json", is_flag=True, help="Cards as JSON on standard output, and nothing else there."
)
def validate(sources: tuple[str, ...], **how: Any) -> int:
    """Compare judges with people: agreement, ceiling, bias, gates, choice.

    SOURCES are joined by item: tables (CSV or JSONL with the columns item, rater, and label or score), a run folder with
    people's labels, study exports, Inspect logs, recorded evaluator outputs and reader-study ratings. A run folder
    keeps the cards, and its report shows them. Where people alone judged, their agreement and the ceiling are shown.
    """
    import msgspec

    from percuss.api.judge.validating import Validation, validate_judges

    keys = ("choose", "gates", "positive", "double_count_abstain", "revalidate", "seed", "resamples")
    asked = Validation(
        sources=sources,
        judges=many(how["judges"]),
        humans=many(how["humans"]),
        shams=tuple(how["shams"]),
        scale=many(how["scale"]),
        **{key: how[key] for key in keys},
    )
    found = validate_judges(asked)
    encoded = msgspec.json.format(msgspec.json.encode(found), indent=2)
    if how["card"]:
        _write(Path(how["card"]), encoded)
    if how["html"]:
        _html(found, Path(how["html"]), asked)
    if how["as_json"]:
        click.echo(encoded)
    else:
        _show(found)
    for folder in found.kept:
        click.echo(f"the cards are in {folder}; `percuss report {folder}` shows them", err=True)
    return 0


def _write(path: Path, encoded: bytes) -> None:
    from percuss.core.errors import RunError

    try:
        path.write_bytes(encoded)
    except OSError as error:
        raise RunError(f"{path} could not be written: {error.strerror}; choose another place") from error


def _html(found: "Validated", out: Path, asked: "Validation") -> None:
    from percuss import __version__
    from percuss.api.judge.card_sections import card_sections
    from percuss.api.judge.reader_sections import reader_sections
    from percuss.report import render_html

    manifest = {
        "protocol": "judge card",
        "question": "Can the judge be trusted?",
        "percuss": __version__,
        "seed": asked.seed,
        "facts": {
            "made": found.cards[0].made_at if found.cards else "",
            "labels": ", ".join(Path(source).name for source in asked.sources),
            "people": f"{len(found.cards[0].people if found.cards else found.readers[0].raters)}",
            "resamples": f"{asked.resamples:,}",
        },
    }
    parts = card_sections(found.cards, found.selection) if found.cards else reader_sections(found.readers)
    render_html("Judge card" if found.cards else "Readers", manifest, [], parts, out=out)
    click.echo(f"report: {out}", err=True)


def _show(found: "Validated") -> None:
    from percuss.api.judge.card_sections import card_words
    from percuss.cli.show import console

    out = console()
    for table in found.readers:
        _readers(out, table)
    for card in found.cards:
        out.print(card_words(card))
        for metric in card.metrics:
            _metric(out, metric)
        _rest(out, card)
    if found.selection is not None:
        chosen = found.selection
        out.print(f"chosen: {chosen.chosen or 'none'} - {chosen.why}")
        if chosen.ahead is not None:
            out.print(f"  on test, against {chosen.ahead_of}: {_number(chosen.ahead)}")


def _readers(out: "Console", table: "ReaderTable") -> None:
    """Print what people alone say of one metric."""
    out.print(f"{table.metric}: {len(table.raters)} people, {table.items:,} items; no judge among the labels")
    out.print(f"  among people {_number(table.people)}; human ceiling {_number(table.ceiling)}")
    for pair in table.pairs:
        names = " and ".join(name.removeprefix("human:") for name in (pair.first, pair.second))
        out.print(f"  {names}: {_number(pair.agreement)}, n {pair.n:,}")


def _metric(out: "Console", metric: "MetricCard") -> None:
    from percuss.api.judge.card_sections import ALTERNATIVES, coefficient_name, second_lines, stars

    out.print(f"  {metric.metric}, n {metric.n:,}")
    name = coefficient_name(metric)
    out.print(
        f"    {name} with people {_number(metric.coefficient)}; human ceiling {_number(metric.ceiling)}"
    )
    if metric.coefficient.note:
        out.print(f"    note: {metric.coefficient.note}")
    beside = {
        "raw agreement": metric.raw,
        **{ALTERNATIVES[key]: found for key, found in metric.alternatives.items()},
        "among people": metric.people,
        "with itself": metric.passes,
    }
    for title, found in beside.items():
        if found is not None:
            out.print(f"    {title} {_number(found)}")
    if metric.sensitivity is not None:
        rates = f"sensitivity {_number(metric.sensitivity)}, specificity {_number(metric.specificity)}"
        out.print(f"    {rates} for {metric.positive!r}")
        for said in second_lines(metric):
            out.print(f"    {said}")
    for person, found in metric.raters.items():
        mark = f" {stars(found.p)}" if found.p is not None else ""
        out.print(f"    with {person.removeprefix('human:')}: {_number(found)}{mark}, n {found.n:,}")
    if metric.no_consensus:
        out.print(f"    {metric.no_consensus:,} items left out: people were split evenly")
    for line in metric.strata[:MANY_STRATA]:
        out.print(f"    in {line.stratum}: {_number(line.coefficient)}, n {line.n:,}")


def _rest(out: "Console", card: "Card") -> None:
    from percuss.api.judge.card_sections import gate_words
    from percuss.measure.numbers import point

    shares = {"coverage": card.coverage, "validity": card.validity}
    words = (f"{name} {point(one)}" for name, one in shares.items())
    out.print(f"  {', '.join(words)}")
    for line in card.gates:
        if line.metric and line.passed and not line.name.startswith("fpr_"):
            continue
        verdict, sure = gate_words(line)
        where = f" of {line.metric}" if line.metric else ""
        out.print(
            f"  gate {line.name}{where} <= {line.threshold:g}: {verdict} ({sure}), {_number(line.rate)}"
        )


def _number(found: "Number | None") -> str:
    from percuss.core.sections import Figure
    from percuss.measure.numbers import show

    if found is None:
        return "not measured"
    return show(
        Figure(value=found.value, low=found.low, high=found.high, unit="ratio", undefined=found.undefined)
    )
