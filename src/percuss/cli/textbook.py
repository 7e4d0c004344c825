"""`percuss textbook generate DIR --model M`: questions from passages, a run whose items stand beside it; and the protocol's own commands."""

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]

HELP = "Make questions of the passages in DIR: a run of textbook-generate in DIR/generation, its items in DIR/items.jsonl."


class _WithOwn(click.Group):
    """The group with `generate`, then the protocol's own commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return generate, then the protocol's own."""
        del ctx
        return ["generate", *self._own().commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return generate with every option of `percuss run textbook-generate`, or a command of the protocol's own."""
        return _generate(ctx) if cmd_name == "generate" else self._own().commands.get(cmd_name)

    def _own(self) -> click.Group:
        from percuss.cli.protocol_commands import protocol_group

        return protocol_group("textbook") or click.Group()


@click.group(cls=_WithOwn)
def command() -> None:
    """Read books into passages, make questions of them, hold a shared task."""


def _generate(ctx: click.Context) -> click.Command:
    from percuss.cli.run import command as run

    asking = run.get_command(ctx, "textbook-generate")
    assert asking is not None
    assert asking.callback is not None
    work = asking.callback

    def callback(folder: str, **values: Any) -> int:
        place = Path(folder)
        _default(values)
        code = int(work(**values, cases=str(place), out=str(place / "generation")) or 0)
        return _taken(place, code)

    params = [parameter for parameter in asking.params if parameter.name not in {"cases", "out"}]
    first = click.Argument(["folder"], metavar="DIR", type=click.Path(exists=True))
    return click.Command("generate", callback=callback, params=[first, *params], help=HELP)


def _default(values: dict[str, Any]) -> None:
    """Fill in the local model of the manifest's default where no model is named: its passages and tokens, and say so."""
    from percuss.protocols.textbook.generate import PROTOCOL

    if values.get("models") or values.get("responses"):
        return
    default = PROTOCOL.manifest["default"]
    values["models"] = tuple(name for name in default["models"] if name.startswith("embedded/"))
    for name, value in {"limit": default["limit"], **default["settings"]}.items():
        values[name] = value if values.get(name) is None else values[name]
    click.echo(f"no model was named: {values['models'][0]} takes the first {values['limit']} passages")


def _taken(place: Path, code: int) -> int:
    """Write the items of the run beside it; none where nothing was asked (a dry run)."""
    from percuss.protocols.textbook.cases import ITEMS
    from percuss.protocols.textbook.generate.taking import written

    if (place / "generation" / "run.sqlite").is_file():
        valid, invalid = written(place / "generation", place / ITEMS)
        click.echo(
            f"{valid} valid items, {invalid} invalid or repeated ones kept with their reasons: {place / ITEMS}"
        )
    return code
