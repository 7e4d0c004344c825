"""Size budgets: a module says one thing, a function does one."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for path in (ROOT / "src").rglob("*.py") if "_vendor" not in path.parts)
MODULE_LINES = 400
FUNCTION_LINES = 40


def _body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function, its docstring left out: contracts may be as long as they need."""
    total = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        total -= (first.end_lineno or first.lineno) - first.lineno + 1
    return total


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT / "src" / "percuss")))
def test_module_and_its_functions_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < MODULE_LINES, f"{path.name} has {text.count(chr(10))} lines"
    long = {
        node.name: _body_lines(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _body_lines(node) >= FUNCTION_LINES
    }
    assert not long, f"functions of {FUNCTION_LINES} lines or more: {long}"


def test_no_room_is_called_utils() -> None:
    assert not [path for path in MODULES if path.stem in {"utils", "helpers", "common", "misc"}]
