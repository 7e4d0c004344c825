"""Surface files of griffe stand in for packages that are not at hand."""

import sys
from pathlib import Path

import pytest

from percuss.core.errors import BadInput
from percuss.protocols.citations.code import PythonSurfaces, check_answer
from percuss.protocols.citations.code.python.dumps import SurfaceFile, write_surface

SOURCES = {
    "__init__.py": "from cohort.load import read, Reader as R\nfrom cohort.stats import *\nVERSION = '1'\n",
    "load.py": (
        "class Base:\n    def close(self): ...\n\n\nclass Reader(Base):\n"
        "    def __init__(self, path, /, *, strict=False):\n        self.path = path\n\n"
        "    @property\n    def size(self) -> int: ...\n\n    @staticmethod\n    def of(a, b=1, *rest, c, **more): ...\n\n\n"
        "def read(path, *, strict=False) -> Reader: ...\n"
    ),
    "stats/__init__.py": "from cohort.stats.rates import rate\n",
    "stats/rates.py": "def rate(num, den, level=0.95): ...\n",
}


@pytest.fixture
def surface(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        path = tmp_path / "packages" / "cohort" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    write_surface("cohort", tmp_path / "cohort.json", folders=(tmp_path / "packages",))
    return tmp_path / "cohort.json"


def test_a_surface_file_reads_like_the_package(surface: Path) -> None:
    code = """import cohort
from cohort import R, VERSION, rate
from cohort.stats.rates import rate as same
r = cohort.read('a', strict=True)
r.close()
r.open()
R('a', strict=True)
R(path='a')
R.of(1, 2, 3, c=4, d=5)
rate(1, 2, level=0.9)
rate(1, 2, alpha=0.1)
cohort.write('a')
import cohort.survival
"""
    answer = f"```python\n{code}```"
    found = {}
    for place in (surface, surface.parent / "packages"):
        reading = check_answer(answer, surfaces=PythonSurfaces([place], installed=False))
        found[place.name] = [(f.name, f.status) for f in reading.findings]
    assert found["cohort.json"] == found["packages"]
    wrong = [name for name, status in found["packages"] if status == "nonexistent"]
    assert wrong == ["r.open", "R(path=)", "rate(alpha=)", "cohort.write", "cohort.survival"]
    assert "cohort" not in sys.modules


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "function"}', "[" * 100_000])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"x\.json: this is no surface file"):
        SurfaceFile(path)


def test_a_package_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere can't be read"):
        write_surface("nowhere", tmp_path / "x.json", folders=(tmp_path,))
