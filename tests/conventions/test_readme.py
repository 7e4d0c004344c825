"""The README is true: its commands exist, its outputs are what the commands print, its Python runs."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from percuss.cli import cli

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, flags=re.DOTALL)
PLACES = {"percuss demo": ROOT, "--dry-run": ROOT / "examples"}


def _commands() -> list[str]:
    inline = re.findall(r"`(percuss [^`]+)`", README)
    fenced = re.findall(r"^(?:\$ |scripts/uv run .*?)(percuss .+)$", README, flags=re.MULTILINE)
    return sorted({*inline, *fenced})


@pytest.mark.parametrize("line", _commands())
def test_every_command_and_option_exists(line: str) -> None:
    words = [word for word in shlex.split(line)[1:] if word != ".."]
    command: click.Command = cli
    context = click.Context(cli, info_name="percuss")
    while words and isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        if found is None:
            break
        command, words = found, words[1:]
    assert not isinstance(command, click.Group) or not words, f"{line}: no command {words[:1]}"
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    strange = [word for word in words if word.startswith("--") and word not in known]
    assert not strange, f"{line}: no option {strange}"


def test_set_up_is_two_commands_near_the_top() -> None:
    block = re.search(r"```sh\n(.*?)```", README, flags=re.DOTALL)
    assert block is not None
    assert block.group(1).splitlines() == [
        "scripts/uv run --extra embedded percuss run grounding",
        "scripts/test",
    ]
    assert README[: block.start()].count("\n") < 25
    for name in ("scripts/uv", "scripts/test", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK), f"{name} cannot be executed"


@pytest.mark.parametrize(("line", "shown"), BLOCKS, ids=[line for line, _ in BLOCKS])
def test_outputs_are_what_the_commands_print(line: str, shown: str, tmp_path: Path) -> None:
    assert shown.strip(), f"{line} is shown without its output; run scripts/readme_outputs"
    place = next((folder for mark, folder in PLACES.items() if mark in line), None)
    if place is None:
        # The main job asks a real model for minutes; CI runs it in a first clone. Its panel is checked for form.
        assert "primary: HDI" in shown
        assert "simulated" in shown
        return
    words = [sys.executable, "-m", *shlex.split(line)]
    if "demo" in words:
        words += ["--html", str(tmp_path / "percuss-demo.html")]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert _plain(done.stdout) == _plain(shown)


def _plain(text: str) -> list[str]:
    lines = (line.rstrip() for line in text.strip().splitlines())
    return [re.sub(r"^report: .*", "report: percuss-demo.html", line) for line in lines]


def test_the_python_runs(tmp_path: Path) -> None:
    block = re.search(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert block is not None
    done = subprocess.run(
        [sys.executable, "-c", block.group(1)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "hdi_pooled" in done.stdout


def test_pictures_and_links_are_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", README):
        name = target[0] or target[1]
        assert (ROOT / name).exists(), f"{name} is named in the README and is not there"
