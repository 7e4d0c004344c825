"""The scripts that watch the house can fail: two shapes alike are found, and a mutant is another program."""

import ast
from pathlib import Path

import pytest

from percuss.measure import numbers
from tests.loading import script

BODY = "\n".join(f"    line_{n} = [each for each in given if each > {n}]" for n in range(13))


@pytest.mark.slow
def test_nothing_of_twelve_lines_stands_twice_under_protocols_unless_it_is_excused() -> None:
    repeated = script("repeated")
    pairs = [(f"{a[0]}:{a[3]}", f"{b[0]}:{b[3]}") for a, b in repeated.repeated(repeated.FOLDER)]
    assert len(pairs) <= repeated.MOST
    assert not [pair for pair in pairs if pair not in repeated.EXCUSED]


def test_a_shape_that_stands_twice_is_found_under_other_names(tmp_path: Path) -> None:
    repeated = script("repeated")
    (tmp_path / "one.py").write_text(f'def first(given):\n    """Say."""\n{BODY}\n', encoding="utf-8")
    other = BODY.replace("line_", "row_").replace("given", "taken")
    (tmp_path / "two.py").write_text(f"def second(taken):\n{other}\n", encoding="utf-8")
    pairs = {(first[3], second[3]) for first, second in repeated.repeated(tmp_path)}
    assert ("first", "second") in pairs
    (tmp_path / "two.py").write_text("TABLE = {1: 2}\n" * 14, encoding="utf-8")
    (tmp_path / "one.py").write_text("OTHER = {3: 4}\n" * 14, encoding="utf-8")
    assert repeated.repeated(tmp_path) == []


def test_a_mutant_is_another_program_of_one_change() -> None:
    mutants = script("mutants")
    path = mutants.PACKAGE / "measure" / "numbers.py"
    original = path.read_text(encoding="utf-8")
    tree = ast.parse(original)
    names = []
    for mutant in mutants.mutants(tree, path):
        assert ast.unparse(tree) != ast.unparse(ast.parse(original)), mutant.name
        compile(tree, str(path), "exec")
        assert mutant.line in range(mutant.lines.start - 1, mutant.lines.stop)
        names.append(mutant.name)
    assert len(names) > 20
    assert len(set(names)) > 15
    assert ast.unparse(tree) == ast.unparse(ast.parse(original))  # every change is taken back
    made = ast.parse("def f(a=1, *, b=True):\n    return g(a + 2)\n")
    words = sorted(each.name.partition("f: ")[2] for each in mutants.mutants(made, path))
    assert words == ["2 to 3", "Add to Sub"], "arguments of calls are changed, defaults of parameters are not"


@pytest.mark.slow
def test_the_draw_is_the_same_for_a_seed_and_of_its_room() -> None:
    mutants = script("mutants")
    assert mutants.drawn("report", 1, 16) == mutants.drawn("report", 1, 16) != mutants.drawn("report", 2, 16)
    for room in mutants.TESTS:
        found = mutants.drawn(room, 1, 16)
        assert len(found) == 16
        assert {each.path.relative_to(mutants.PACKAGE).parts[0] for each in found} == {room}


@pytest.mark.slow
def test_a_mutant_changes_the_function_in_the_fork_that_tries_it_alone() -> None:
    mutants = script("mutants")
    path = Path(numbers.__file__)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    mutant = next(each for each in mutants.mutants(tree, path) if " p_value: " in each.name)
    before = numbers.p_value.__code__

    def changed() -> bool:
        mutants.change(mutant)
        return bool(numbers.p_value.__code__ != before)

    assert mutants.forked(changed)
    assert not mutants.forked(lambda: bool(numbers.p_value.__code__ != before))
