"""A protocol's own commands are commands: `percuss explanation lint`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Percuss = Callable[..., Any]


def test_own_commands_by_name_and_alias(percuss: Percuss) -> None:
    for name in ("explanation", "cot"):
        said = percuss(name, "lint")
        assert said.code == 0
        assert "32 questions" in said.out


def test_their_options_are_the_fields(percuss: Percuss) -> None:
    said = percuss("explanation", "chests", "--number", "1", "--out", "drawn")
    assert said.code == 0
    assert len(list(Path("drawn").glob("*.png"))) == 1


def test_a_value_that_does_not_fit_is_one_sentence(percuss: Percuss) -> None:
    said = percuss("explanation", "chests", "--number", "0")
    assert said.code == 2
    assert said.err.count("percuss:") == 1
