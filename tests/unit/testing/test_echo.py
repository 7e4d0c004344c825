"""Echo is what the page says: as short, the same text, installable, with a number on the screen and a passing self-test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from percuss.core.errors import UsageError
from percuss.testing.new import TEMPLATE, write_protocol

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "protocols.md"
EXAMPLE = ROOT / "examples" / "echo"
LINES = 60


def _texts(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def test_the_example_is_what_the_command_writes(tmp_path: Path) -> None:
    write_protocol("echo", tmp_path / "new")
    assert _texts(tmp_path / "new") == _texts(EXAMPLE)


def test_all_of_its_python_fits_a_page() -> None:
    python = [text for name, text in _texts(EXAMPLE).items() if name.endswith(".py")]
    assert sum(text.count("\n") for text in python) <= LINES


def test_every_block_of_the_page_stands_in_the_example() -> None:
    texts = _texts(EXAMPLE)
    blocks = re.findall(r"```(python|toml)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    for kind, block in blocks:
        file = "percuss_echo/__init__.py" if kind == "python" else "percuss_echo/protocol.toml"
        assert block in texts[file], block
    walk = PAGE.read_text(encoding="utf-8").partition("## The functions")[0]
    prose = re.sub(r"```.*?```", "", walk, flags=re.DOTALL)
    assert sum(1 for line in prose.splitlines() if line.strip()) <= 40


def test_another_name_is_written_throughout(tmp_path: Path) -> None:
    files = write_protocol("parity", tmp_path / "parity")
    assert {path.name for path in files} >= {"__init__.py", "protocol.toml", "pyproject.toml", "cases.jsonl"}
    for name, text in _texts(tmp_path / "parity").items():
        assert not re.search(r"\becho\b|percuss[_-]echo|echo_rate", name + text), name
    with pytest.raises(UsageError, match="is not empty"):
        write_protocol("parity", tmp_path / "parity")
    with pytest.raises(UsageError, match="lower case letters"):
        write_protocol("No-Name", tmp_path / "other")
    assert (TEMPLATE / "package" / "__init__.py.txt").is_file()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example beside percuss, without the network: its build backend is the one that built percuss."""
    folder = tmp_path_factory.mktemp("site")
    told = ["pip", "install", "--quiet", "--offline", "--no-deps", "--target", str(folder), str(EXAMPLE)]
    done = subprocess.run([str(ROOT / "scripts" / "uv"), *told], capture_output=True, text=True, check=False)
    if done.returncode and "hatchling" in done.stderr:
        pytest.skip("the build backend is not in the cache of packages; scripts/uv sync puts it there")
    assert done.returncode == 0, done.stderr
    return folder


def _percuss(site: Path, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "percuss", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), "COLUMNS": "160"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_installed_it_shows_its_first_number_panel_forest_flow_and_reader(site: Path, tmp_path: Path) -> None:
    said = _percuss(site, tmp_path, "run", "echo", "--offline")
    assert "answers with the wrong" in said
    assert re.search(r"phantom/parrot \(simulated\)\s+66\.7%", said)
    page = next(tmp_path.glob("runs/*/report.html")).read_text(encoding="utf-8")
    for part in ("What did we find?", "How far apart", "Where did", "Read it yourself"):
        assert part in page, part


@pytest.mark.slow
def test_installed_it_passes_its_self_test_and_every_law(site: Path, tmp_path: Path) -> None:
    assert "passed" in _percuss(site, tmp_path, "selftest", "echo", "--no-counts")
    said = _percuss(site, tmp_path, "protocol", "test", "echo")
    assert "12 of 12 laws hold" in said
