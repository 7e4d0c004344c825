"""The command line is documented to the letter, and starts without loading what it does not use."""

import subprocess
import sys
from pathlib import Path

import pytest

from percuss.cli import COMMANDS, cli

ROOT = Path(__file__).resolve().parents[2]


def test_docs_show_every_command_and_option() -> None:
    done = subprocess.run([sys.executable, "scripts/cli_docs", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "docs/cli.md is not what the commands say; run scripts/cli_docs"


def test_short_helps_are_the_commands_own() -> None:
    import click

    context = click.Context(cli)
    for name, (_, text) in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert (command.help or "").split("\n")[0] == text, name


def test_help_imports_no_heavy_library() -> None:
    code = "import sys; from percuss.cli import cli; cli.main(['--help'], standalone_mode=False); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(out.split())
    heavy = {
        "numpy",
        "scipy",
        "aiohttp",
        "rich",
        "jinja2",
        "rapidfuzz",
        "sqlite3",
        "asyncio",
        "stamina",
        "msgspec",
    }
    assert not heavy & loaded


@pytest.mark.parametrize(
    "words",
    [["run", "grounding", "--help"], ["run", "stressors", "--help"], ["score", "citations", "--help"]],
)
def test_the_help_of_a_run_loads_options_and_no_protocol(words: list[str]) -> None:
    """Seconds depend on the machine; what is imported doesn't."""
    code = f"import sys; from percuss.cli import cli; cli.main({words!r}, standalone_mode=False); print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(said.stdout.splitlines()[-1].split())
    heavy = {
        "numpy",
        "scipy",
        "aiohttp",
        "asyncio",
        "rich",
        "jinja2",
        "percuss.engine",
        "percuss.store",
        "percuss.kit",
        "percuss.report",
    }
    assert not loaded & heavy
    assert len({name for name in loaded if name.startswith("percuss.")}) <= 40
