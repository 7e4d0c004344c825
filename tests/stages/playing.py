"""Blocks played line by line on a stage: words that stand for something, what people do between two lines, exit codes."""

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

from tests.documented import Block, environment

__all__ = ["HANGS", "Stage", "play", "shell"]

HANGS = 300
"""Seconds after which a line hangs."""
WRITES = re.compile(r"--(?:html|fix|card|sarif|junit|markdown|to|out) ([\w./-]+)")
LINK = re.compile(r"https?://\S+/join#\S+")


def _as_written(text: str, folder: Path) -> None:
    """Run Python as it stands."""
    _ran([sys.executable, "-c", text], folder, environment(), "python")


@dataclass(frozen=True)
class Stage:
    """What a page needs that isn't on it.

    Args:
        words: of the page -> what stands for them here. environment: variables, those of servers among them.
        before: start of a line -> what people do before it. ends: start of a line -> its exit code, where not 0.
        python: what becomes of a block of Python; it is run unless told otherwise.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)
    ends: Mapping[str, int] = field(default_factory=dict)
    python: Callable[[str, Path], None] = _as_written

    def said(self, line: str) -> str:
        """Return a line with its words replaced, each as a whole."""
        for word, stand_in in self.words.items():
            plain = stand_in.replace("\\", r"\\")
            line = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain, line)
        return line


def play(block: Block, stage: Stage, folder: Path) -> None:
    """Play a block in a folder, each line by itself; what it exports holds for the lines after it."""
    if block.language == "python":
        stage.python(block.text, folder)
        return
    exports: list[str] = []
    for line in block.lines():
        said = stage.said(line)
        if said.startswith("export "):
            exports.append(said)
        elif said.startswith("percuss study serve "):
            _asked_once(said, stage, folder)
        elif said.strip():
            _played(line, "\n".join([*exports, said]), stage, folder)


def _played(line: str, script: str, stage: Stage, folder: Path) -> None:
    for start, do in stage.before.items():
        if line.startswith(start):
            do(folder)
    wanted = next((code for start, code in stage.ends.items() if line.startswith(start)), 0)
    _ran(["bash", "-euc", script], folder, _environment(stage), script, wanted)
    for name in WRITES.findall(script.partition(" #")[0]):
        assert (folder / name).exists(), f"{line}: wrote no {name}"


def shell(line: str, folder: Path, variables: Mapping[str, str]) -> None:
    """Run a line in a folder, as a page does."""
    _ran(["bash", "-euc", line], folder, {**environment(), **variables}, line)


def _ran(words: list[str], folder: Path, room: dict[str, str], said: str, wanted: int = 0) -> None:
    done = subprocess.run(
        words,
        cwd=folder,
        env=room,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )
    assert done.returncode == wanted, f"{said}\nended with {done.returncode}\n{done.stdout}\n{done.stderr}"


def _environment(stage: Stage) -> dict[str, str]:
    return {**environment(), **stage.environment}


def _started(line: str, stage: Stage, folder: Path) -> subprocess.Popen[str]:
    """Start a line that goes on until it is interrupted; it ends by itself after `HANGS` seconds."""
    return subprocess.Popen(
        ["bash", "-euc", f"exec {line}"],
        cwd=folder,
        env=_environment(stage),
        stdout=subprocess.PIPE,
        text=True,
    )


def _asked_once(line: str, stage: Stage, folder: Path) -> None:
    """Serve a study, open the first invitation where it leads to this machine, and stop it with Ctrl+C."""
    process = _started(line, stage, folder)
    late = Timer(HANGS, process.kill)
    late.start()
    assert process.stdout is not None
    try:
        links = []
        for said in process.stdout:
            links += LINK.findall(said)
            if said.startswith("Stop with Ctrl+C"):
                break
        assert links, f"{line}: printed no invitation"
        if "127.0.0.1" in links[0]:
            with urllib.request.urlopen(links[0], timeout=60) as page:
                assert b"<h1" in page.read()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        late.cancel()
        process.stdout.close()
    assert process.returncode in {0, 130, -signal.SIGINT}, process.returncode
