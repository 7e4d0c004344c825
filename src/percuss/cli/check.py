"""`percuss check RUN`: score again; the model under test is not asked."""

import asyncio
from functools import partial
from typing import Any

import click

from percuss.cli.finish import FAIL_ON_ERROR
from percuss.cli.words import LIMIT

__all__ = ["command"]


@click.command()
@click.argument("run", type=click.Path())
@click.option("--judge", help="Model that labels claims.")
@click.option("--embedder", help="Turns claims into vectors.")
@click.option("--fallback-judge", "fallback", help="Model that decides what the judge could not.")
@click.option("--search", metavar="A,B,..", help="Where sources are looked for.")
@click.option(
    "--refetch",
    type=click.Choice(["failed", "all"]),
    help="Ask again for pages and searches that the run holds: those that failed, or all.",
)
@click.option(
    "--role", "roles", multiple=True, metavar="NAME=MODEL", help="Who plays another role of checking."
)
@click.option("--rules", help="Rule set, as the protocol names them.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another setting of the protocol's checking.",
)
@click.option("--prompts", help="Named prompt set, or a folder, for the prompts of checking.")
@click.option(
    "--concurrency", type=click.IntRange(1, 10_000), default=10, show_default=True, help="Calls at a time."
)
@click.option("--max-cost", type=LIMIT, metavar="USD", help="Stop before this start spends more.")
@click.option("--offline", is_flag=True, help="No connection but to this machine and the hosts allowed.")
@click.option(
    "--allow-host", "allow_hosts", multiple=True, metavar="HOST[:PORT]", help="Host that --offline allows."
)
@click.option(
    "--allow-remote",
    is_flag=True,
    help="Let cases from FHIR or DICOM go to a host that is not this machine.",
)
@click.option(
    "--cache",
    is_flag=False,
    flag_value="auto",
    metavar="[FILE]",
    help="Keep replies for other runs, and take them from there; without FILE the usual one, off for none.",
)
@click.option("--allow-self-judge", is_flag=True, help="Let a model under test be the judge.")
@click.option(
    "--certify",
    is_flag=True,
    help="Try the readers on seeded statements whose truth is known, per model and arm; a reader that fails carries no headline.",
)
@click.option("--fail-if", multiple=True, metavar="CONDITION", help="Gate on the new estimates.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Estimates and what became of the answers as JSON on standard output, and nothing else there.",
)
def command(run: str, **how: Any) -> int:
    """Score a run again; the model under test is not asked."""
    from percuss.api.run.recheck import Recheck, other_rules, protocol_of, recheck
    from percuss.cli.finish import finish
    from percuss.cli.progress import watching
    from percuss.cli.words import pairs, processes_for
    from percuss.measure.gates import parse_gate, require_names

    gates = [parse_gate(text) for text in how["fail_if"]]
    require_names(gates, protocol_of(run).estimate_names if gates else ())
    settings = pairs(how["settings"], "--set")
    if how["rules"]:
        settings["rules"] = how["rules"]
    if said := other_rules(run, settings):
        click.echo(said, err=True)
    asked = Recheck(
        run=run,
        judge=how["judge"],
        embedder=how["embedder"],
        fallback=how["fallback"],
        search=how["search"],
        refetch=how["refetch"] or "no",
        processes=processes_for(how["concurrency"]),
        roles=pairs(how["roles"], "--role"),
        settings=settings,
        prompts=how["prompts"],
        concurrency=how["concurrency"],
        max_usd=how["max_cost"],
        allow_remote=how["allow_remote"],
        offline=how["offline"],
        allow_hosts=tuple(how["allow_hosts"]),
        allow_self_judge=how["allow_self_judge"],
        certify=how["certify"],
        cache=how["cache"],
    )
    with watching(quiet=how["as_json"]) as watcher:
        finished = asyncio.run(recheck(asked, watcher=watcher, tell=partial(click.echo, err=True)))
    share = how["fail_on_error"]
    return finish(finished, gates, as_json=how["as_json"], report=True, fail_on_error=share)


command.params.insert(-1, FAIL_ON_ERROR)
