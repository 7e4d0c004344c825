"""Commands of a protocol's own: `percuss PROTOCOL COMMAND`."""

import asyncio
from typing import Any

import click

from percuss.cli.words import pairs, setting_options

__all__ = ["protocol_group"]

_MODELS = (
    click.Option(
        ["--role", "roles"],
        multiple=True,
        metavar="NAME=MODEL",
        help="Who plays a role, e.g. builder=openai/gpt-4o-mini.",
    ),
    click.Option(["--base-url"], help="Address of the endpoint of the models."),
    click.Option(
        ["--concurrency"], type=click.IntRange(1), default=10, show_default=True, help="Calls at a time."
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
    required = [setting for setting in settings if setting.required]
    optional = [setting for setting in settings if not setting.required]
    arguments = [click.Argument([setting.name], metavar=setting.name.upper()) for setting in required]

    def callback(**values: Any) -> int:
        from percuss.api.run.own import run_own

        roles = pairs(values.pop("roles"), "--role")
        base_url, concurrency = values.pop("base_url"), values.pop("concurrency")
        seed = int(values.get("seed") or 42)
        result = asyncio.run(
            run_own(
                protocol, name, values, roles=roles, seed=seed, base_url=base_url, concurrency=concurrency
            )
        )
        click.echo(result.text)
        return result.exit_code

    params: list[click.Parameter] = [
        *arguments,
        *setting_options(optional, ("roles", "base_url", "concurrency")),
        *_MODELS,
    ]
    return click.Command(name, callback=callback, params=params, help=own.help)
