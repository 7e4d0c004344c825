"""Commands of a protocol's own: `percuss PROTOCOL COMMAND`."""

import asyncio
from collections.abc import Mapping
from typing import Any

import click
import msgspec

from percuss.cli.words import LIMIT, pairs, setting_options

__all__ = ["protocol_group"]

_SHARED = (
    click.Option(
        ["--role", "roles"],
        multiple=True,
        metavar="NAME=MODEL",
        help="Who plays a role, e.g. builder=openai/gpt-4o-mini.",
    ),
    click.Option(["--base-url"], help="Address of the endpoint of the models."),
    click.Option(
        ["--seed"], type=click.IntRange(0), default=42, show_default=True, help="Root of every draw."
    ),
    click.Option(["--max-cost"], type=LIMIT, metavar="USD", help="Stop before this start spends more."),
    click.Option(["--max-calls"], type=click.IntRange(1), help="Stop after so many calls of this start."),
    click.Option(["--prices"], type=click.Path(), help="Price table in place of the shipped one."),
    click.Option(
        ["--concurrency"], type=click.IntRange(1), default=10, show_default=True, help="Calls at a time."
    ),
    click.Option(["--dry-run"], is_flag=True, help="Say what would be done; write and spend nothing."),
    click.Option(
        ["--offline"], is_flag=True, help="No connection but to this machine and the hosts allowed."
    ),
    click.Option(
        ["--allow-host", "allow_hosts"],
        multiple=True,
        metavar="HOST[:PORT]",
        help="Host that --offline allows.",
    ),
    click.Option(
        ["--json", "as_json"],
        is_flag=True,
        help="What was done as JSON, and nothing else on standard output.",
    ),
)


def protocol_group(name: str) -> click.Group | None:
    """Return the group of a protocol's own commands; None where there is no such protocol or it has none."""
    from percuss.api.catalog import protocols

    found = next((i for i in protocols() if name in {i.name, *i.aliases} and i.commands), None)
    if found is None:
        return None
    group = click.Group(found.name, help=f"Commands of the protocol {found.name}.")
    for own, command in found.commands.items():
        group.add_command(_command(found.name, own, command))
    return group


def _command(protocol: str, name: str, own: Any) -> click.Command:
    from percuss.api.run.settings import settings_of

    settings = list(settings_of(own.options))
    ours = {setting.name for setting in settings}
    shared = [option for option in _SHARED if option.name not in ours]
    required = [setting for setting in settings if setting.required]
    optional = [setting for setting in settings if not setting.required]
    arguments = [
        click.Argument(
            [setting.name], metavar=_metavar(setting), nargs=-1 if setting.many else 1, required=True
        )
        for setting in required
    ]

    def callback(**values: Any) -> int:
        return _run(protocol, name, {key: values[key] for key in ours}, values)

    params: list[click.Parameter] = [*arguments, *setting_options(optional, ()), *shared]
    return click.Command(name, callback=callback, params=params, help=own.help)


def _metavar(setting: Any) -> str:
    name = str(setting.name).upper()
    return f"{name.removesuffix('S')}.." if setting.many else name


def _run(protocol: str, command: str, options: dict[str, Any], values: Mapping[str, Any]) -> int:
    from percuss.api.run.protocol_commands import CommandRequest, run_command
    from percuss.api.run.request import Limits
    from percuss.cli.progress import watching
    from percuss.cli.run import resume_words
    from percuss.core.errors import OverBudget

    seed = values.get("seed")
    request = CommandRequest(
        protocol=protocol,
        command=command,
        options=options,
        roles=pairs(values["roles"], "--role"),
        seed=42 if seed is None else int(seed),
        base_url=values["base_url"],
        limits=Limits(usd=values["max_cost"], calls=values["max_calls"]),
        prices=values["prices"],
        concurrency=values["concurrency"],
        offline=values["offline"],
        allow_hosts=tuple(values["allow_hosts"]),
        dry_run=values["dry_run"],
    )
    try:
        with watching(quiet=values["as_json"]) as watcher:
            result = asyncio.run(run_command(request, watcher=watcher))
    except OverBudget as error:
        click.echo(f"percuss: {error}\nresume with: {resume_words()}", err=True)
        return 1
    if values["as_json"]:
        said = {"text": result.text, "files": list(map(str, result.files)), "data": result.data}
        click.echo(msgspec.json.encode(result.listed or said))
    else:
        click.echo(result.text)
    return result.exit_code
