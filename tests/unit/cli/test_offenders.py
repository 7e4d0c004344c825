"""The mishaps of the first hour: one sentence with what to do, the right exit code, nothing left behind."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.offenders import CASES, OFFENDERS, Offender
from tests.serving import SERVERS, serving

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", OFFENDERS)
def test_offender(name: str, tmp_path: Path) -> None:
    mishap = OFFENDERS[name]
    for file, content in {"cases.jsonl": CASES, **mishap.files}.items():
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with ExitStack() as stack:
        url = stack.enter_context(serving(SERVERS[mishap.server])) if mishap.server else ""
        for words in mishap.before:
            assert _called(Offender(words, 0, ()), url, tmp_path)[0] == 0
        code, said = _called(mishap, url, tmp_path)
    assert "Traceback" not in said, said
    for piece in mishap.says:
        assert piece in " ".join(said.split()), said
    assert code == mishap.code, said
    if mishap.code in {1, 2}:
        assert sum(line.startswith("percuss: ") for line in said.splitlines()) == 1, said
    assert (tmp_path / "run").exists() == mishap.remains, sorted(tmp_path.iterdir())


def _called(mishap: Offender, url: str, folder: Path) -> tuple[int, str]:
    """Run a command as a process of its own, and return its exit code and both streams."""
    block = f"import sys; sys.modules[{mishap.blocked!r}] = None; " if mishap.blocked else ""
    words = [word.format(url=url) for word in mishap.words]
    code = f"{block}from percuss.cli import main; main({words!r})"
    environment = {
        **os.environ, "WARD_API_KEY": "none", "JUDGES_API_KEY": "none", "JUDGES_BASE_URL": url, "OPENAI_API_KEY": "none",
        **({"PYTHONIOENCODING": mishap.encoding} if mishap.encoding else {}),
    }  # fmt: skip
    stdin = mishap.stdin.encode() if isinstance(mishap.stdin, str) else mishap.stdin
    with ExitStack() as stack:
        out = stack.enter_context(Path(mishap.to).open("wb")) if mishap.to else subprocess.PIPE
        done = subprocess.run(
            [sys.executable, "-c", code], input=stdin, stdout=out, stderr=subprocess.PIPE, cwd=folder, env=environment, check=False
        )  # fmt: skip
    return done.returncode, f"{(done.stdout or b'').decode()}\n{done.stderr.decode()}"
