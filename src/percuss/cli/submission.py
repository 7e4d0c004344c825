"""`percuss submission check FILE --gold GOLD`: a team's answers to a shared task, checked by line."""

import click

__all__ = ["command"]


class _OfTask(click.Group):
    """The commands of a shared task under the words that teams know."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names."""
        del ctx
        return ["check"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the textbook protocol's own command of this name."""
        from percuss.cli.protocol_commands import protocol_group

        del ctx
        found = protocol_group("textbook")
        own = None if found is None else found.commands.get(f"submission-{cmd_name}")
        if own is not None:
            own.name = cmd_name
        return own


@click.group(cls=_OfTask)
def command() -> None:
    """Check a submission to a shared task."""
