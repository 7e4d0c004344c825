"""Every public name has a docstring: one sentence first, ending in a period."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "src").rglob("*.py"))


def _public(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "__all__" for t in node.targets):
            return {str(e.value) for e in getattr(node.value, "elts", []) if isinstance(e, ast.Constant)}
    return {
        n.name
        for n in tree.body
        if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT / "src" / "percuss")))
def test_public_names_say_what_they_are(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), f"{path} has no module docstring"
    public = _public(tree)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    silent = [
        n.name for n in tree.body if isinstance(n, kinds) and n.name in public and not ast.get_docstring(n)
    ]
    assert not silent, f"no docstring: {silent}"
