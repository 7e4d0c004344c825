"""Blocks of documentation: what stands in them, whether they are run, and whether the commands in them exist."""

import os
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import click

from percuss.cli import cli
from percuss.core.errors import UsageError

__all__ = ["Block", "blocks", "environment", "strange"]

FENCE = re.compile(
    r"(?:^<!-- ((?:not )?run(?:: [^>]+?)?) -->\n)?^```(sh|console|python|yaml)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)

WRITTEN = {"echo"}
"""Protocols that a page writes with `percuss protocol new` before it uses them."""


class Block(NamedTuple):
    """A fenced block: its language, what the comment above it says of running it, and its text.

    `run`: as it stands, in an empty folder. `run: staged`: on the page's stage (tests/stages). `run: by FILE`: by that test.
    `not run: why`: it needs weights from a hub, an account or a server program.
    """

    language: str
    mark: str
    text: str

    def commands(self) -> list[str]:
        """Return the lines that call percuss, assignments before it left out."""
        if self.language == "python":
            return []
        lines = [re.sub(r"^(?:\$ )?(?:\w+=\S+ )*", "", line) for line in self.lines()]
        return [line for line in lines if line.startswith("percuss ")]

    def lines(self) -> list[str]:
        """Return the lines that a shell is given: all of them, or the steps of a job."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return (
            [line[7:] for line in lines if line.startswith("- run: ")] if self.language == "yaml" else lines
        )

    @property
    def runner(self) -> str:
        """The test that runs the block; "" where it is run with its page."""
        return self.mark.removeprefix("run: by ") if self.mark.startswith("run: by ") else ""

    def script(self) -> str:
        """Return what the shell is to run."""
        if self.language != "console":
            return self.text
        return "\n".join(line[2:] for line in self.text.splitlines() if line.startswith("$ "))

    def shown(self) -> str:
        """Return what a console block shows as printed."""
        return "\n".join(line for line in self.text.splitlines() if not line.startswith("$ "))


def blocks(text: str) -> list[Block]:
    """Return the blocks of a page that could be run, in order."""
    return [Block(language, mark or "", body) for mark, language, body in FENCE.findall(text)]


def environment() -> dict[str, str]:
    """Return the environment in which `percuss` is that of this Python."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}


def strange(line: str) -> str:
    """Say which command or option of a line does not exist; "" where all do."""
    words = [word for word in shlex.split(line, comments=True)[1:] if word != ".."]
    command: click.Command = cli
    context = click.Context(cli, info_name="percuss")
    while words and isinstance(command, click.Group):
        try:
            found = command.get_command(context, words[0])
        except UsageError as error:
            return "" if words[0] in WRITTEN else f"{line}: {error}"
        if found is None:
            break
        command, words = found, words[1:]
    if isinstance(command, click.Group) and words and not words[0].startswith("--"):
        return f"{line}: no command {words[:1]}"
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    wrong = [
        word for word in words if word.startswith("--") and word.partition("=")[0] not in {*known, "--help"}
    ]
    return f"{line}: no option {wrong}" if wrong else ""
