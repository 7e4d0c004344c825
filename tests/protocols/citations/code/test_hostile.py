"""Code meant to break the reader: bounded in time and memory, never run, never imported."""

import sys
import time
import zipfile
from pathlib import Path

import pytest

from percuss.protocols.citations.code import PythonSurfaces, check_answer
from percuss.protocols.citations.code.blocks import LONGEST_ANSWER, blocks_of


def fenced(code: str, language: str = "python") -> str:
    return f"```{language}\n{code}\n```"


@pytest.mark.parametrize(
    ("name", "code", "unread"),
    [
        ("null byte", "import json\0\njson.read()", "null byte"),
        ("brackets", "(" * 5_000 + ")" * 5_000, "nested"),
        ("lists", "[" * 100 + "]" * 100, "nested"),
        ("minus signs", "x = " + "-" * 15_000 + "1", ""),
        ("long attribute chain", "a" + ".b" * 9_000, ""),
        ("long sum", "x = " + "+".join(["1"] * 9_000), ""),
        ("chained calls", "x = f" + "()" * 9_000, ""),
        ("long line", "x = '" + "a" * 50_000 + "'", "line of more than"),
        ("large block", "x = 1\n" * 60_000, "characters"),
        ("deep indentation", "\n".join(" " * n + "if x:" for n in range(150)), "parse"),
        (
            "nested functions",
            "\n".join(" " * n + f"def f{n}():" for n in range(90)) + "\n" + " " * 90 + "pass",
            "",
        ),
        ("prose", "This is not code at all, it is a sentence.", "parse"),
        ("huge number", "x = " + "9" * 10_000, ""),
        ("half a surrogate", "x = '\ud800'\nimport json", ""),
        ("form feeds", "\f\v\x1c import json", ""),
    ],
)
def test_it_says_so_and_goes_on(name: str, code: str, unread: str) -> None:
    begun = time.process_time()
    reading = check_answer(fenced(code) + "\n" + fenced("import math\nmath.cube(2)"))
    assert time.process_time() - begun < 90, name
    assert [f.name for f in reading.findings if f.status == "nonexistent"] == ["math.cube"]
    if unread:
        assert any(unread in reason for reason in reading.unread)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["r", "scala", "elixir", "bash", ""])
@pytest.mark.parametrize(
    "code",
    [
        "library(" * 20_000,
        "import " + "a." * 50_000,
        "{:a, " * 30_000,
        "pip install " + "x " * 50_000,
        '"' * 40_000,
        "`" * 2 + "\n" * 90_000,
        "#" * 99_999,
    ],
)
def test_other_languages_are_bounded_too(language: str, code: str) -> None:
    begun = time.process_time()
    check_answer(fenced(code, language))
    assert time.process_time() - begun < 90


def test_a_huge_answer_is_read_up_to_a_limit() -> None:
    begun = time.process_time()
    answer = ("text `a` " * 50 + "\n") * 10_000
    assert len(answer) > LONGEST_ANSWER
    assert check_answer(answer).verdict == "no_code"
    assert len(blocks_of("```\nx\n```\n" * 100_000)) == 500
    assert time.process_time() - begun < 90


def test_nothing_is_imported_or_run(tmp_path: Path) -> None:
    package = tmp_path / "trapped"
    package.mkdir()
    mark = tmp_path / "mark"
    (package / "__init__.py").write_text(f"open({str(mark)!r}, 'w').close()\ndef f(a): ...\n")
    surfaces = PythonSurfaces([tmp_path], installed=False)
    reading = check_answer(
        fenced(f"import trapped\nopen({str(mark)!r}, 'w').close()\ntrapped.f(b=1)"), surfaces=surfaces
    )
    assert not mark.exists()
    assert "trapped" not in sys.modules
    assert [f.name for f in reading.findings if f.status == "nonexistent"] == ["trapped.f(b=)"]


def test_packages_that_go_in_circles(tmp_path: Path) -> None:
    package = tmp_path / "circle"
    package.mkdir()
    (package / "__init__.py").write_text("from circle.a import *\nfrom circle.a import x\ny = y\nz = z.z()\n")
    (package / "a.py").write_text(
        "from circle import *\nfrom circle import x\nclass A(A): ...\nclass B(C): ...\nclass C(B): ...\n"
    )
    code = "import circle\ncircle.x()\ncircle.y()\ncircle.z()\ncircle.nowhere()\nfrom circle.a import A, B\nA().f()\nB().g()"
    reading = check_answer(fenced(code), surfaces=PythonSurfaces([tmp_path], installed=False))
    assert all(f.kind != "call" or f.status == "not_checkable" for f in reading.findings)


def test_a_wheel_is_read_without_installing_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "cohorts-1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("cohorts/__init__.py", "from cohorts.load import read\n")
        wheel.writestr("cohorts/load.py", "def read(path, *, strict=False): ...\n")
        wheel.writestr("cohorts-1.2.dist-info/METADATA", "Name: cohorts\n")
    code = "import cohorts\ncohorts.read('a', strict=True)\ncohorts.read('a', loose=True)\ncohorts.write('a')\nimport cohorts.save"
    reading = check_answer(fenced(code), surfaces=PythonSurfaces([tmp_path], installed=False))
    wrong = [f.name for f in reading.findings if f.status == "nonexistent"]
    assert wrong == ["cohorts.read(loose=)", "cohorts.write", "cohorts.save"]


def test_a_bomb_or_a_broken_file_in_a_wheel_is_left_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb-1-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("bomb/__init__.py", "#" * 30_000_000)
    (tmp_path / "broken-1-py3-none-any.whl").write_bytes(b"PK\x03\x04 this is no zip")
    reading = check_answer(
        fenced("import bomb\nbomb.f()\nimport broken"), surfaces=PythonSurfaces([tmp_path], installed=False)
    )
    assert {f.status for f in reading.findings} == {"not_checkable"}
