"""`percuss score PROTOCOL --cases GOLD --responses FILE`: score answers made elsewhere; of a shared task, many teams' at once."""

from collections.abc import Mapping
from typing import Any

import click

from percuss.cli.run import Protocols
from percuss.core.errors import UsageError

__all__ = ["command"]

TASKS = "textbook"
"""The protocol that has shared tasks: `percuss score textbook --gold GOLD --responses teams/*` ranks them."""


class _Scored(Protocols):
    """The protocols; that of shared tasks takes the files of many teams."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of a protocol that scores answers."""
        made = super().get_command(ctx, cmd_name)
        return _of_teams(made) if made is not None and made.name == TASKS else made


def _of_teams(scored: click.Command) -> click.Command:
    """Return the command with `--gold`, which ranks the teams whose files follow `--responses`."""

    def callback(teams: tuple[str, ...], gold: str | None, **values: Any) -> int:
        if gold:
            return _ranked(tuple(name for name in (values["responses"], *teams) if name), gold, values)
        if teams:
            raise UsageError(
                f"got {1 + len(teams)} files of answers; expected one, or --gold GOLD to rank the teams of a shared task"
            )
        assert scored.callback is not None
        return int(scored.callback(**values) or 0)

    own: list[click.Parameter] = [
        click.Argument(["teams"], nargs=-1, metavar="[TEAM]..", required=False),
        click.Option(["--gold"], metavar="GOLD", help="Gold of a shared task: ranks the teams whose files stand after --responses."),
    ]  # fmt: skip
    return click.Command(
        scored.name, callback=callback, params=[*own, *scored.params], help=scored.help, short_help=scored.short_help
    )  # fmt: skip


def _ranked(files: tuple[str, ...], gold: str, values: Mapping[str, Any]) -> int:
    from percuss.cli.protocol_commands import protocol_group

    if not files:
        raise UsageError("got no answers; expected --responses TEAM.. with the teams' files")
    group = protocol_group(TASKS)
    assert group is not None
    rank, context = group.commands["rank"], click.get_current_context()
    assert rank.callback is not None
    given = {option.name: values.get(str(option.name), option.get_default(context)) for option in rank.params}
    judge = (f"judge={values['judge']}",) if values["judge"] else ()
    ours = {"files": files, "gold": gold, "out": values["out"] or "standings", "roles": (*values["roles"], *judge)}  # fmt: skip
    return int(rank.callback(**{**given, **ours}) or 0)


@click.group(cls=_Scored, score_only=True)
def command() -> None:
    """Score answers made elsewhere; asks no model under test."""
