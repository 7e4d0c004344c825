"""Fences are found where models put them, and findings point at the right place of the answer."""

from pathlib import Path

import pytest

from percuss.core.errors import BadInput
from percuss.protocols.citations.code import IndexAnswer, StoredIndex, check_answer
from percuss.protocols.citations.code.blocks import blocks_of
from percuss.protocols.citations.code.versions import never_published


@pytest.mark.parametrize(
    ("answer", "language", "code"),
    [
        ("a\n```python\nx = 1\n```\nb", "python", "x = 1"),
        ("~~~py\nx\n~~~", "python", "x"),
        ("1. Do\n   ```python\n   if x:\n       y\n   ```", "python", "if x:\n    y"),
        ("> ```r\n> library(a)\n> ```", "r", "library(a)"),
        ("````markdown\n```python\nx\n```\n````", "markdown", "```python\nx\n```"),
        ("```{r setup, echo=FALSE}\nlibrary(a)\n```", "r", "library(a)"),
        ('```python title="a.py"\nx\n```', "python", "x"),
        ("```Elixir\nx\n```", "elixir", "x"),
        ("```python\nx = (", "python", "x = ("),
        ("```\nx\n```", "", "x"),
        ("- item\n\n  ```sh\n  pip install a\n  ```", "shell", "pip install a"),
    ],
)
def test_fences(answer: str, language: str, code: str) -> None:
    (block,) = blocks_of(answer)
    assert (block.language, block.code) == (language, code)
    assert answer[block.start :].startswith(code.split("\n", maxsplit=1)[0])


@pytest.mark.parametrize(
    ("answer", "file"),
    [
        ("`utils.py`:\n```python\nx\n```", "utils.py"),
        ("```python\n# app/models.py\nx\n```", "app/models.py"),
        ('```python title="a/b.py"\nx\n```', "a/b.py"),
        ("**requirements.txt**\n```\nflask\n```", "requirements.txt"),
        ("Some text.\n```python\nx\n```", None),
    ],
)
def test_file_names(answer: str, file: str | None) -> None:
    assert blocks_of(answer)[0].file == file


@pytest.mark.parametrize(
    "answer",
    [
        "Text\n\n```python\nimport json\n\nx = json.parse('1')\n```\nmore",
        "1. a\n   ```python\n   import json\n   json.parse('1')\n   ```",
        "> ```python\n> import json\n> json.parse('1')\n> ```",
        "```python\n>>> import json\n>>> json.parse('1')\n```",
        "Ω\U0001f600\n```python\nimport json\ny = 'Ω\U0001f600'; json.parse('1')\n```",
    ],
)
def test_findings_point_at_their_place(answer: str) -> None:
    (finding,) = [f for f in check_answer(answer).findings if f.status == "nonexistent"]
    assert answer[finding.start : finding.end] == "parse"


def test_names_of_earlier_turns_are_known_and_not_counted_again() -> None:
    first = "```python\nimport json\njson.parse('1')\n\ndef clean(x):\n    return x\n```"
    reading = check_answer("```python\nclean(1)\njson.read('a')\n```", earlier=[first])
    assert [(f.name, f.status) for f in reading.findings] == [("clean", "ok"), ("json.read", "nonexistent")]


@pytest.mark.parametrize(
    ("specifier", "never"),
    [
        ("==1.0", False),
        ("==1.0.0", False),
        ("==1.5", True),
        (">=2", True),
        (">=1,<2", False),
        ("~> 1.0", False),
        ("~=3.1", True),
        ("", False),
        ("==1.*", False),
        ("<9", False),
        ("==v1.1", False),
    ],
)
def test_versions(specifier: str, never: bool) -> None:
    assert never_published(specifier, ("0.9", "1.0", "1.1")) is never
    assert not never_published(specifier, ())


def test_the_index_is_a_file_of_dated_answers(tmp_path: Path) -> None:
    path = tmp_path / "index.jsonl"
    index = StoredIndex.read(path)
    index.add(IndexAnswer(ecosystem="pypi", name="Ruamel_Yaml", exists=True, date="2026-01-15"))
    index.add(IndexAnswer(ecosystem="pypi", name="ruamel.yaml", exists=True, date="2026-02-01"))
    index.write(path)
    answer = StoredIndex.read(path).look("pypi", "ruamel-yaml")
    assert answer is not None
    assert answer.date == "2026-02-01"
    assert path.read_text().count("\n") == 1
    path.write_text('{"ecosystem": "pypi"}\n')
    with pytest.raises(BadInput, match=r"index\.jsonl, line 1: this is no answer"):
        StoredIndex.read(path)
