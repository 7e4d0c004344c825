"""`percuss selftest PROTOCOL`: plant, measure, compare."""

import asyncio
from pathlib import Path
from typing import Any

import click

from percuss.core.errors import UsageError

__all__ = ["command", "make_folder"]


@click.command()
@click.argument("protocol", default="grounding")
@click.option("--seed", type=click.IntRange(0), default=42, show_default=True, help="Root of every draw.")
@click.option(
    "--datasets",
    type=click.IntRange(20),
    default=200,
    show_default=True,
    help="Simulated data sets a setting.",
)
@click.option(
    "--settings",
    type=click.IntRange(1),
    help="Only so many settings of the simulation on counts.  [default: all]",
)
@click.option("--no-counts", is_flag=True, help="Only the runs on phantoms.")
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="With `study`: so many seeds from --seed on.",
)
@click.option(
    "--out", type=click.Path(), metavar="DIR", help="Write the table (Markdown) and the figure (SVG) here."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def command(protocol: str, **how: Any) -> int:
    """Plant known behaviour, measure it, compare; `study` plants raters of human studies."""
    if how["out"]:
        make_folder(Path(how["out"]))  # before minutes are spent on what could not be written
    if protocol == "study":
        return _studies(how)
    import msgspec

    from percuss.api.run.selftest_pages import write_pages
    from percuss.api.run.selftesting import selftest
    from percuss.cli.progress import counting, watching

    quiet = how["as_json"]
    with (
        counting(quiet=quiet) as on_counts,
        watching(quiet=quiet) as on_runs,
        counting(quiet=quiet, words="setting traps") as on_traps,
    ):
        found = asyncio.run(
            selftest(
                protocol,
                seed=how["seed"],
                datasets=how["datasets"],
                settings=how["settings"],
                counts=not how["no_counts"],
                on_counts=on_counts,
                on_runs=on_runs,
                on_traps=on_traps,
            )
        )
    if how["out"]:
        for path in write_pages(found, Path(how["out"])):
            click.echo(f"wrote {path}", err=True)
    if how["as_json"]:
        click.echo(msgspec.json.encode(found))
    else:
        _show(found)
    return 0 if found.passed else 1


def _show(found: Any) -> None:
    from percuss.cli.show import console

    out = console()
    out.print(
        f"self-test of {found.protocol} {found.version}, seed {found.seed}; every number here is simulated"
    )
    if found.counts is not None:
        lowest = found.counts.lowest
        out.print(
            f"counts: {len(found.counts.settings)} settings; where the rate without evidence is .10 or more, "
            f"{100 * found.counts.pooled:.1f}% of 95% intervals hold the planted HDI (held to 93-97%)"
        )
        out.print(
            f"  lowest {100 * lowest.share:.1f}% at {lowest.u_b:g} without, {lowest.u_g:g} with, {lowest.patients} patients "
            f"(held to 87%); largest bias {found.counts.largest_bias:.4f} (held to .02)"
        )
    out.print(
        f"runs: {found.misses} of {found.intervals} intervals miss the planted value (chance allows {found.allowed})"
    )
    for row in found.rows:
        if row.holds is False:
            out.print(
                f"  {row.model} {row.estimate}[{row.arm}]: planted {row.planted:.3f}, "
                f"measured {row.measured:.3f} [{row.low:.3f}, {row.high:.3f}]"
            )
    if found.traps:
        caught = sum(trap.caught for trap in found.traps)
        out.print(f"what games the measure: {caught} of {len(found.traps)} caught")
    for trap in found.traps:
        if not trap.caught:
            out.print(f"  {trap.name} {trap.does}: must say {trap.must}; says {trap.says}")
    out.print("passed" if found.passed else "FAILED")


def make_folder(path: Path) -> None:
    """Make the folder of the pages, and those above it.

    Raises:
        UsageError: it can't be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"can't write into {path}: {error.strerror}; give another --out") from None


def _studies(how: dict[str, Any]) -> int:
    """Run the planted human studies and show what was found."""
    from percuss.study.selftest.run import as_json, run_studies, study_page

    seeds = range(how["seed"], how["seed"] + how["seeds"])
    found = run_studies(seeds, say=lambda words: click.echo(words, err=True))
    page = study_page(found, seeds)
    if how["out"]:
        path = Path(how["out"]) / "selftest-study.md"
        path.write_text(page, encoding="utf-8")
        click.echo(f"wrote {path}", err=True)
    click.echo(as_json(found) if how["as_json"] else page)
    return 0 if found.passed else 1
