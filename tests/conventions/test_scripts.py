"""The scripts that watch the house can fail: two shapes alike are found, and a mutant is another program."""

import ast
import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
BODY = "\n".join(f"    line_{n} = [each for each in given if each > {n}]" for n in range(13))


def loaded(name: str) -> ModuleType:
    loader = importlib.machinery.SourceFileLoader(f"script_{name}", str(ROOT / "scripts" / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_nothing_of_twelve_lines_stands_twice_under_protocols_unless_it_is_excused() -> None:
    repeated = loaded("repeated")
    pairs = [(f"{a[0]}:{a[3]}", f"{b[0]}:{b[3]}") for a, b in repeated.repeated(repeated.FOLDER)]
    assert len(pairs) <= repeated.MOST
    assert not [pair for pair in pairs if pair not in repeated.EXCUSED]


def test_a_shape_that_stands_twice_is_found_under_other_names(tmp_path: Path) -> None:
    repeated = loaded("repeated")
    (tmp_path / "one.py").write_text(f'def first(given):\n    """Say."""\n{BODY}\n', encoding="utf-8")
    other = BODY.replace("line_", "row_").replace("given", "taken")
    (tmp_path / "two.py").write_text(f"def second(taken):\n{other}\n", encoding="utf-8")
    pairs = {(first[3], second[3]) for first, second in repeated.repeated(tmp_path)}
    assert ("first", "second") in pairs
    (tmp_path / "two.py").write_text("TABLE = {1: 2}\n" * 14, encoding="utf-8")
    (tmp_path / "one.py").write_text("OTHER = {3: 4}\n" * 14, encoding="utf-8")
    assert repeated.repeated(tmp_path) == []


def test_a_mutant_is_another_program_of_one_change() -> None:
    mutants = loaded("mutants")
    path = mutants.PACKAGE / "measure" / "numbers.py"
    original = ast.unparse(ast.parse(path.read_text(encoding="utf-8")))
    found = list(mutants.mutants(path))
    assert len(found) > 20
    assert len({name for name, _ in found}) > 15
    for name, text in found:
        assert text != original, name
        ast.parse(text)
    assert mutants.drawn(1, 8) == mutants.drawn(1, 8)
    assert {room for room, _, _ in mutants.drawn(1, 64)} == set(mutants.TESTS)
    assert len(mutants.drawn(1, 64)) >= 60
