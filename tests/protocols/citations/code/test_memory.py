"""What is remembered does not depend on what was asked first."""

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.citations.code import PythonSurfaces, check_answer
from percuss.protocols.citations.code.python.memory import Memory

GRAPHS = st.dictionaries(st.integers(0, 5), st.lists(st.integers(0, 5), max_size=4), max_size=6)


def reach(graph: dict[int, list[int]], memory: Memory, node: int) -> frozenset[int]:
    def work() -> frozenset[int]:
        return frozenset({node}).union(*(reach(graph, memory, each) for each in graph.get(node, [])))

    found: frozenset[int] = memory.recall(node, work, frozenset())
    return found


@given(GRAPHS, st.permutations(range(6)))
def test_answers_do_not_depend_on_the_order_of_questions(
    graph: dict[int, list[int]], order: list[int]
) -> None:
    memory = Memory()
    for node in order:
        assert reach(graph, memory, node) == reach(graph, Memory(), node)


def test_a_failure_is_not_remembered() -> None:
    memory = Memory()

    def fail() -> int:
        raise RecursionError

    with pytest.raises(RecursionError):
        memory.recall("a", lambda: memory.recall("b", fail, 0), 0)
    assert memory.recall("a", lambda: memory.recall("b", lambda: 2, 0), 0) == 2
    assert memory.recall("b", fail, 0) == 2


@pytest.mark.slow
def test_findings_do_not_depend_on_earlier_answers(tmp_path: Path) -> None:
    package = tmp_path / "ring"
    package.mkdir()
    (package / "__init__.py").write_text("from ring.a import *\nfrom ring.b import B\n")
    (package / "a.py").write_text("from ring.b import *\nfrom ring import B as C\n\nclass A(C): ...\n")
    (package / "b.py").write_text("import ring\nfrom ring import a\n\nclass B:\n    def go(self, x): ...\n")
    answers = [
        f"```python\nimport ring\n{line}\n```"
        for line in ("ring.A().go(y=1)", "ring.B().go(y=1)", "ring.C().stop()", "ring.b.B.go(1, 2, 3)")
    ]
    seen = set()
    for order in permutations(range(4)):
        surfaces = PythonSurfaces([tmp_path], installed=False)
        readings = {n: check_answer(answers[n], surfaces=surfaces).findings for n in order}
        seen.add(tuple(readings[n] for n in range(4)))
    assert len(seen) == 1
