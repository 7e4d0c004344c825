"""`percuss textbook generate DIR --model M`: questions from passages, a run whose items stand beside it; and the protocol's own commands."""

from pathlib import Path

import click

__all__ = ["command"]


class _WithOwn(click.Group):
    """The group with the protocol's own commands beside `generate`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return generate, then the protocol's own."""
        return [*super().list_commands(ctx), *self._own().commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return generate without loading the protocol."""
        return super().get_command(ctx, cmd_name) or self._own().commands.get(cmd_name)

    def _own(self) -> click.Group:
        from percuss.cli.protocol_commands import protocol_group

        return protocol_group("textbook") or click.Group()


@click.group(cls=_WithOwn)
def command() -> None:
    """Read books into passages, make questions of them, hold a shared task."""


@command.command("generate", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("folder", metavar="DIR", type=click.Path(exists=True))
@click.pass_context
def generate(ctx: click.Context, folder: str) -> int:
    """Make questions of the passages in DIR: the run in DIR/generation, its items in DIR/items.jsonl.

    Takes every option of `percuss run textbook-generate`, such as --model, --judge, --types, --paired, --limit.
    """
    from percuss.cli.run import command as run
    from percuss.protocols.textbook.cases import ITEMS
    from percuss.protocols.textbook.generate.taking import written

    place = Path(folder)
    out = place / "generation"
    words = ["textbook-generate", "--cases", str(place), "--out", str(out), *ctx.args]
    code = run.main(words, prog_name="percuss run", standalone_mode=False)
    if not (out / "run.sqlite").is_file():
        return int(code or 0)
    valid, invalid = written(out, place / ITEMS)
    click.echo(
        f"{valid} valid items, {invalid} invalid or repeated ones kept with their reasons: {place / ITEMS}"
    )
    return int(code or 0)
