"""The command line: one small file a command, loaded when it is called."""

import errno
import sys
from importlib import import_module

import click

from percuss import __version__
from percuss.cli.streams import spell_out
from percuss.core.errors import PercussError

__all__ = ["COMMANDS", "cli", "main"]

# name -> (module, short help). The help stands here so that `percuss --help` imports no command.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "Show the report of a recorded real run: no model, no network."),
    "look": ("look", "Say what FILE is, what is missing in it, and which command would use it."),
    "read": ("read", "Say whether evidence supports one claim, and what that hangs on."),
    "run": ("run", "Ask models, check what they say, estimate, report."),
    "check": ("check", "Score a run again; the model under test is not asked."),
    "score": ("score", "Score answers made elsewhere; asks no model under test."),
    "report": ("report", "Render one or more runs: terminal, HTML, Markdown, LaTeX, CSV, JUnit."),
    "cache": ("cache", "Say what the cache of replies across runs holds, and clear it."),
    "runs": ("runs", "List runs, show one, drop a model from one, remove one."),
    "compare": ("compare", "Compare models over runs or Inspect logs, paired."),
    "reading": ("reading", "Hold the readers of a run against people's labels of its own text."),
    "judge": ("judge", "Validate judges against people."),
    "citations": ("citations", "Check the references of a document, or the code of an answer."),
    "textbook": ("textbook", "Read books into passages, make questions of them, hold a shared task."),
    "submission": ("submission", "Check a submission to a shared task."),
    "study": ("study", "Human studies: create, serve, follow, export."),
    "models": ("models", "List, fetch, add and test models."),
    "protocols": ("protocols", "List the protocols and what each needs."),
    "protocol": ("protocol", "Write a protocol of your own, and test one."),
    "selftest": (
        "selftest",
        "Plant known behaviour, measure it, compare; `study` plants raters of human studies.",
    ),
    "verify": ("verify", "Recompute a run's hashes and say what matches."),
    "import": ("import_", "Bring in claims tables, labels and logs of other tools."),
    "export": ("export", "Write a run as JSONL, CSV, Parquet, Inspect log or Label Studio JSON."),
}


_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used; a protocol's name leads to its own commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of a user's work."""
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            from percuss.cli.protocol_commands import protocol_group

            return super().get_command(ctx, cmd_name) or protocol_group(cmd_name)
        command: click.Command = import_module(f"percuss.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(__version__, prog_name="percuss")
def cli() -> None:
    """Ask whether a medical model reads the evidence or makes it up."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 failed, 2 bad usage, 3 gate failed, 4 gate inconclusive, 130 interrupted.

    Args:
        arguments: words after `percuss`; None takes them from the process.
    """
    spell_out()
    try:
        code = cli.main(arguments, prog_name="percuss", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        code = error.exit_code
    except click.ClickException as error:
        click.echo(f"percuss: {_sentence(error)}", err=True)
        code = error.exit_code
    except PercussError as error:
        click.echo(f"percuss: {error}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("percuss: interrupted", err=True)
        code = 130
    except BrokenPipeError:
        code = 0
    except ModuleNotFoundError as error:
        code = 2
        click.echo(f"percuss: {_missing(error)}", err=True)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        code = 1
        click.echo(f"percuss: {_unwritten(error)}", err=True)
    sys.exit(code if isinstance(code, int) else 0)


def _missing(error: ModuleNotFoundError) -> str:
    """Return which extra brings what could not be imported; a module that none brings is a fault of the installation."""
    from percuss.core.extras import extra_of

    extra = extra_of(error.name or "")
    if not extra:
        raise error
    return f"this needs {error.name}; install it by: pip install 'percuss[{extra}]'"


def _unwritten(error: OSError) -> str:
    """Return what the system refused: of a file by its name, else of standard output."""
    what = error.strerror or str(error)
    if error.filename is not None:
        return f"{error.filename}: {what}; nothing finished is lost, mend it and start the same command again"
    return f"the output could not be written: {what}; what a run finished is whole in its folder"


def _sentence(error: click.ClickException) -> str:
    """Return what click found wrong with the words as one sentence that says where help is."""
    said = error.format_message().rstrip(".?").replace(". Did you", "; did you")
    place: click.Context | None = getattr(error, "ctx", None)
    said = " ".join((said[:1].lower() + said[1:]).split())
    return said if place is None else f"{said}; see {place.command_path} --help"
