"""percuss study agreement: how far people agree, with each other, themselves and the machines."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from percuss.cli.study_life import folder_of

if TYPE_CHECKING:
    from percuss.study.figures import Figure, QuestionAgreement, Report

__all__ = ["SOURCE", "agreement"]

SOURCE = (
    "Whose labels stand for people: persons (each of them, all items; the default), first (before any revision), "
    "unanimous, adjudicated, mean_z (scales)."
)


@click.command()
@click.argument("name")
@click.option(
    "--resamples",
    "-B",
    "resamples",
    type=click.IntRange(100),
    default=1000,
    show_default=True,
    help="Bootstrap resamples.",
)
@click.option("--source", default="persons", show_default=True, help=SOURCE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def agreement(name: str, resamples: int, source: str, as_json: bool) -> None:
    """Print kappa before consensus, agreement with machines, ceiling, intra-rater agreement, time an item."""
    import msgspec

    from percuss.study.agreement import agreement as compute
    from percuss.study.reference import source_of
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        report = compute(study, B=resamples, source=source_of(source))
    click.echo(msgspec.json.encode(report) if as_json else "\n".join(_lines(report)))


def _figure(figure: "Figure") -> str:
    from percuss.core.sections import Figure as Shown
    from percuss.measure.numbers import show

    said = show(
        Shown(value=figure.value, low=figure.low, high=figure.high, unit="ratio", undefined=figure.undefined)
    )
    return said if figure.value is None else f"{said}  n {figure.n}  {figure.method}"


def _further(question: "QuestionAgreement") -> Iterable[str]:
    """What some designs need beside kappa."""
    if question.icc is not None:
        yield f"  mean of all raters     {_figure(question.icc)}"
    if question.fleiss is not None:
        yield f"  Fleiss' kappa          {_figure(question.fleiss)}"
    for rater, figure in question.bias.items():
        yield f"  {rater} against the others: {_figure(figure)} (steps of the scale)"
    for pair, figure in question.contrasts.items():
        yield f"  {pair}: {_figure(figure)}"


def _lines(report: "Report") -> Iterable[str]:
    yield f"{report.study} ({report.design}): {', '.join(report.raters) or 'nobody'} on {report.items} items"
    yield f"{report.several} items judged by everybody asked, {report.settled} settled, {report.repeats} hidden repeats"
    yield f"agreement between people is on first labels; {report.revisions} were revised afterwards"
    yield from (f"! {note}" for note in report.notes)
    for question in report.questions:
        yield f"\n{question.ask}  ({question.name})"
        yield f"  before consensus       {_figure(question.between)}"
        yield f"  same answer            {_figure(question.raw)}"
        if len(question.pairs) > 1:
            yield from (f"  kappa {pair:16} {_figure(figure)}" for pair, figure in question.pairs.items())
        yield f"  ceiling for a machine  {_figure(question.ceiling)}"
        yield from _further(question)
        for rater, figure in question.machines.items():
            on = question.machine_items.get(rater, 0)
            yield f"  people and {rater} ({report.source}, {on} items): {_figure(figure)}"
            for stratum, part in question.by_stratum.get(rater, {}).items():
                yield f"    {stratum}: {_figure(part)}"
        yield f"  repeats, same answer   {_figure(question.repeats)}"
        yield f"  repeats, beyond chance {_figure(question.repeats_kappa)}"
        if question.open:
            yield f"  {question.open} items have no settled or unanimous label (open, or nobody could judge them); `--source persons` uses them all"
        for note in sorted({n for f in (question.between, *question.machines.values()) for n in f.notes}):
            yield f"  note: {note}"
    timing = report.timing
    yield f"\ntime an item: median {timing.median_s:.1f} s, mean {timing.mean_s:.1f} s over {timing.labels} answers (gaps over 2 min not counted)"
    yield from (f"  {rater}: median {seconds:.1f} s" for rater, seconds in timing.by_rater.items())
