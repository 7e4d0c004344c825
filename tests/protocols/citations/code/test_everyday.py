"""Everyday snippets that were labelled before the checker saw them (`everyday.py`), and what they taught it."""

from pathlib import Path

import pytest

from percuss.protocols.citations.code import Finding, check_answer
from percuss.protocols.citations.code.python.check import PythonSurfaces
from tests.loading import loaded

EVERYDAY = loaded(Path(__file__).with_name("everyday.py"))


def missing(code: str, surfaces: PythonSurfaces | None = None) -> list[Finding]:
    """Return what is called nonexistent in a snippet."""
    fenced = code if "```" in code else f"```python\n{code}\n```"
    reading = check_answer(fenced, surfaces=surfaces)
    return [finding for finding in reading.findings if finding.status == "nonexistent"]


@pytest.mark.slow
def test_no_sound_snippet_is_accused_and_every_invention_that_can_be_known_is_found() -> None:
    assert (len(EVERYDAY.SOUND), len(EVERYDAY.INVENTED)) == (30, 30)
    false = [finding.name for code in EVERYDAY.SOUND for finding in missing(code)]
    found, missed = set[str](), set[str]()
    for snippet in EVERYDAY.INVENTED:
        named = missing(snippet.code)
        right = any(snippet.item in finding.name + finding.reason for finding in named)
        (found if right else missed).add(snippet.item)
        if snippet.item != "backoff":  # which stands beside another invention
            false += [f.name for f in named if snippet.item not in f.name + f.reason]
    print(f"everyday snippets: {len(found)} found, missed {sorted(missed)}, {len(false)} false")
    assert not false
    assert missed == {snippet.item for snippet in EVERYDAY.INVENTED if not snippet.known}


def test_every_invented_argument_of_a_call_is_reported() -> None:
    code = "import subprocess\nsubprocess.run(['ls'], check=True, retries=2, backoff=1.5)"
    assert [finding.name for finding in missing(code)] == [
        "subprocess.run(retries=)",
        "subprocess.run(backoff=)",
    ]
    overloads = "print(max([1], key=len, ordering=1), open('a', nonsense=1, charset='x'))"
    names = [finding.name for finding in missing(overloads)]
    assert names == ["max(ordering=)", "open(nonsense=)", "open(charset=)"]


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("async def f():\n    text = await read()\n    text.shout()", ["text.shout"]),
        ("async def f():\n    text = read()\n    text.shout()", []),
        ("async def f():\n    async with Door() as door:\n        door.slam()", ["door.slam"]),
        ("with Gate() as gate:\n    gate.open()\n    gate.slam()", ["gate.slam"]),
        ("made = Gate.made()\nmade.slam()", ["made.slam"]),
        ("Maker().set_fit_request()\nMaker().plain\nMaker().set_fit()", ["set_fit"]),
        ("Maker().written\nLoose().anything\nLoop().anything", []),
    ],
)
def test_what_stands_in_a_package_is_followed(tmp_path: Path, code: str, wrong: list[str]) -> None:
    package = tmp_path / "gates"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from typing import Type, TypeVar\n"
        "T = TypeVar('T', bound='Gate')\n"
        "class Word:\n    def say(self) -> None: ...\n"
        "async def read() -> Word: ...\n"
        "class Gate:\n    def __enter__(self: T) -> T: ...\n    def open(self) -> None: ...\n"
        "    @classmethod\n    def made(cls: Type[T]) -> 'T': ...\n"
        "class Door:\n    async def __aenter__(self: 'T') -> 'T': ...\n"
        "class Maker:\n    def __init__(self):\n        setattr(self, 'written', 1)\n        self.plain = 1\n"
        "    def make(self, kind):\n        name = f'set_{kind}_request'\n        setattr(self, name, 1)\n"
        "class Loose:\n    def put(self, name):\n        setattr(self, name, 1)\n"
        "class Loop:\n    def put(self, names):\n        for name in names:\n            setattr(self, name, 1)\n",
        encoding="utf-8",
    )
    surfaces = PythonSurfaces([tmp_path])
    named = [finding.name for finding in missing(f"from gates import *\n{code}", surfaces)]
    assert [name.rpartition(".")[2] for name in named] == [name.rpartition(".")[2] for name in wrong]


def test_a_class_of_the_standard_library_without_a_constructor_takes_no_arguments() -> None:
    code = "import asyncio\nasyncio.TaskGroup(max_concurrency=4)\nasyncio.TaskGroup()"
    assert [finding.name for finding in missing(code)] == ["asyncio.TaskGroup(max_concurrency=)"]
