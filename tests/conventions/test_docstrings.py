"""Docstrings have one layout, and it is read: what stands under Args is what the signature has, both ways."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "src" / "percuss").rglob("*.py"))
HANDLES = {"db", "connection"}
"""The first parameter of everything that reads or writes rows; its room says what it is."""
HEADINGS = ("Args", "Returns", "Raises", "Attributes", "Yields")
_SECTION = re.compile(r"^(\w+):\n((?:[ ]{4}.*\n?|\n)*)", re.MULTILINE)
_NAMED = re.compile(r"^ {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*): ", re.MULTILINE)

Described = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def parameters(node: Described) -> tuple[set[str], bool]:
    """Return what a function takes, or a class is made with, and whether the code alone says all of it."""
    if isinstance(node, ast.ClassDef):
        init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        if init is not None:
            return parameters(init)
        fields = {
            n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
        }
        return fields, {getattr(base, "id", "") for base in node.bases} <= {"Record", "NamedTuple"}
    a = node.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x)]
    return {x.arg for x in every} - {"self", "cls"}, True


def faults(text: str) -> Iterator[str]:
    """Yield what a module's docstrings promise and its code does not keep."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, Described | ast.Module):
            continue
        said = ast.get_docstring(node)
        if said is None:
            continue
        name = getattr(node, "name", "the module")
        if not re.search(r"\w", said):
            yield f"{name}: the docstring says nothing"
        sections = {head: body for head, body in _SECTION.findall(said + "\n") if head in HEADINGS}
        if isinstance(node, ast.Module) or "Args" not in sections:
            continue
        yield from (f"{name}: {fault}" for fault in _against_signature(node, said, sections["Args"]))


def _against_signature(node: Described, said: str, block: str) -> Iterator[str]:
    known, whole = parameters(node)
    listed = {name.strip(" *") for names in _NAMED.findall(block) for name in names.split(",")}
    if whole:
        yield from (f"Args names {name}, which it does not take" for name in sorted(listed - known))
    if isinstance(node, ast.ClassDef) or node.name.startswith("_"):
        return
    for name in sorted(known - HANDLES):
        if not re.search(rf"\b{name}\b", said):
            yield f"it takes {name}, of which the docstring has no word"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT / "src" / "percuss")))
def test_docstrings_keep_what_they_promise(path: Path) -> None:
    found = list(faults(path.read_text(encoding="utf-8")))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('"""."""\n', "the module: the docstring says nothing"),
        (
            'def f(a):\n    """Do a.\n\n    Args:\n        b: x.\n    """\n',
            "f: Args names b, which it does not take",
        ),
        (
            'def f(a, c):\n    """Do.\n\n    Args:\n        a: x.\n    """\n',
            "f: it takes c, of which the docstring has no word",
        ),
        (
            'class R(Record):\n    """Is.\n\n    Args:\n        b: x.\n    """\n\n    a: int\n',
            "R: Args names b, which it does not take",
        ),
        ('def f(a, c):\n    """Do.\n\n    Args:\n        a: x. c: y.\n    """\n', None),
        ('def _f(a, c):\n    """Do.\n\n    Args:\n        a: x.\n    """\n', None),
    ],
)
def test_the_convention_can_fail(text: str, fault: str | None) -> None:
    assert list(faults(text)) == ([] if fault is None else [fault])
