"""No HTML, CSS or colour in protocols: `report` alone decides how a number looks."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROTOCOLS = ROOT / "src" / "percuss" / "protocols"
FILES = sorted(PROTOCOLS.rglob("*.py"))
TAG = re.compile(
    r"</?(?:div|span|p|b|i|em|strong|table|tr|td|th|thead|tbody|ul|ol|li|h[1-6]|svg|style|script|mark|br|img|a)\b[^<>]*>",
    re.IGNORECASE,
)
COLOUR = re.compile(r"(?<![\w&])#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?![\w])|\brgba?\(|\bhsla?\(")
STYLE = re.compile(r"\b(?:font-size|font-weight|background-color|text-align|border-color)\s*:")
# Protocols that read pages of others or draw test images know tags and pixels, not the look of a report.
READS_PAGES = {"citations", "skills"}


def strings(path: Path) -> str:
    """Return the text of every string of a file that isn't a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bodies = [
        node.body
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    docstrings = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    return "\n".join(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    )


def test_there_are_protocols_to_look_at() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PROTOCOLS)))
def test_no_look_in_a_protocol(path: Path) -> None:
    text = strings(path)
    assert not COLOUR.search(text)
    assert not STYLE.search(text)
    if path.relative_to(PROTOCOLS).parts[0] not in READS_PAGES:
        assert not TAG.search(text)


def test_the_patterns_find_what_they_look_for() -> None:
    assert TAG.search("<b>bold</b>")
    assert TAG.search("<td class='x'>")
    assert not TAG.search("<evidence>, n < 10 and p > 3, <answer>")
    assert COLOUR.search("fill: #D55E00")
    assert COLOUR.search("rgb(1, 2, 3)")
    assert not COLOUR.search("judge:model#1, PMC#123456789")
    assert STYLE.search("font-size: 3px")


def test_no_style_sheet_or_template_lies_in_a_protocol() -> None:
    assert not [
        path for path in PROTOCOLS.rglob("*") if path.suffix in {".html", ".css", ".j2", ".svg", ".js"}
    ]
