"""A safety run leaves no trace: HOME, TMPDIR and the working folder are as they were, nothing dials out, no process is left."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CHILD = """
import asyncio, json, os, socket, sys
from pathlib import Path

sys.path.insert(0, {root!r})
from tests.protocols.skills.desk import SEED, TASKS, looped
from percuss.net import offline
from percuss.protocols.skills.worlds.safety import WORLD

run, fault = Path(sys.argv[1]), sys.argv[2]
seen = []
NOTED = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.bind")
STARTED = ("subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system")

def note(event, details):
    if event in NOTED or event in STARTED:
        seen.append(event)
    if event == "open" and isinstance(details[1], str) and set(details[1]) & set("wax+"):
        if not str(details[0]).startswith(str(run)):
            seen.append(f"write {{details[0]}}")

async def main():
    (run / "scratch").mkdir(parents=True)
    for task in TASKS[:48]:
        for agent in WORLD.agents(task, SEED).values():
            await looped(task, agent, run / "scratch")

loop = asyncio.new_event_loop()
offline.enable([])
sys.addaudithook(note)
loop.run_until_complete(main())
if fault == "writes":
    (Path.home() / "left.txt").write_text("trace")
if fault == "dials":
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    except Exception as error:
        seen.append(type(error).__name__)
if fault == "starts":
    os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "60")
print(json.dumps(seen))
"""


def digest(*folders: Path) -> str:
    """Return a recursive hash of names, kinds and contents."""
    lines = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
            lines.append(f"{path.relative_to(folder)} {path.is_symlink()} {content}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def made(tmp_path: Path) -> dict[str, Path]:
    """Make a home, a place for temporary files and a working folder, each with a file; `run` is not made."""
    places = {name: tmp_path / name for name in ("home", "tmp", "cwd", "run")}
    for name in ("home", "tmp", "cwd"):
        places[name].mkdir()
        (places[name] / "was_here.txt").write_text("before")
    return places


def environment(places: dict[str, Path]) -> dict[str, str]:
    """Return what a process of its own is told."""
    env = {"PATH": os.environ["PATH"], "HOME": str(places["home"]), "TMPDIR": str(places["tmp"])}
    return env | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT / "src")}


def ran(tmp_path: Path, fault: str) -> tuple[list[str], bool, bool]:
    """Play 48 tasks with every agent in a process of its own; return what it did, whether a trace or a process is left."""
    places = made(tmp_path)
    watched = [places[name] for name in ("home", "tmp", "cwd")]
    before = digest(*watched)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(root=str(ROOT)), str(places["run"]), fault],
        cwd=places["cwd"],
        env=environment(places),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    line = child.stdout.readline()
    assert child.wait(timeout=300) == 0
    child.stdout.close()
    left = alive(child.pid)
    if left:
        os.killpg(child.pid, 9)
    return json.loads(line), digest(*watched) != before, left


def test_a_run_leaves_no_trace_and_dials_nobody(tmp_path: Path) -> None:
    assert ran(tmp_path, "") == ([], False, False)


@pytest.mark.parametrize(
    ("fault", "event"), [("writes", "write "), ("dials", "HostRefused"), ("starts", "os.")]
)
def test_a_trace_a_socket_and_a_process_are_noticed(fault: str, event: str, tmp_path: Path) -> None:
    seen, trace, left = ran(tmp_path, fault)
    assert any(one.startswith(event) for one in seen)
    assert (trace, left) == (fault == "writes", fault == "starts")


def test_the_whole_command_leaves_its_run_folder_and_nothing_else(tmp_path: Path) -> None:
    places = made(tmp_path)
    watched = [places[name] for name in ("home", "tmp", "cwd")]
    before = digest(*watched)
    command = [
        "run",
        "skills",
        "--env",
        "safety",
        "--tasks",
        "4",
        "--judge",
        "phantom/judge",
        "--out",
        str(places["run"]),
    ]
    models = ("gold", "nothing", "random", "liar")
    child = subprocess.Popen(
        [sys.executable, "-m", "percuss", *command, *(f"--model=phantom/agent-{name}" for name in models)],
        cwd=places["cwd"], env=environment(places), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    said = child.communicate(timeout=600)[0]
    left = alive(child.pid)
    if left:
        os.killpg(child.pid, 9)
    assert child.returncode == 0, said
    assert (digest(*watched) == before, left) == (True, False)
    assert (places["run"] / "report.html").is_file()
