"""Readers alone are a valid input: reader by reader, agreement and ceiling, no judge; a sham file may be called anything."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from percuss.api.judge.validating import Validation, validate_judges
from percuss.cli import cli
from percuss.core.errors import UsageError
from tests.protocols.explanation.test_released import judged, output, ratings


def three(folder: Path) -> tuple[str, ...]:
    """Two readers who say the same of the same answers, and a third who judged some of them otherwise."""
    return tuple(
        str(ratings(folder / f"{name}.jsonl", numbers, shift))
        for name, numbers, shift in (("ann", range(30), 0), ("ben", range(21), 0), ("cal", range(10, 30), 2))
    )


def test_readers_alone_give_a_table_of_every_two_and_the_ceiling(tmp_path: Path) -> None:
    found = validate_judges(Validation(sources=three(tmp_path), resamples=100))
    assert found.cards == ()
    by = {table.metric: table for table in found.readers}
    assert set(by) == {"cf", "ca", "ct"}
    cf = by["cf"]
    assert (cf.items, len(cf.raters)) == (30, 3)
    pairs = {(pair.first, pair.second): pair for pair in cf.pairs}
    assert pairs["human:ann", "human:ben"].agreement.value == pytest.approx(1.0)
    assert pairs["human:ann", "human:ben"].n == 21
    assert pairs["human:ben", "human:cal"].n == 11
    other = pairs["human:ann", "human:cal"].agreement.value
    assert other is not None
    assert other < 0.5
    assert cf.ceiling.value is not None
    assert other < cf.ceiling.value < 1
    assert by["ca"].people.value == pytest.approx(1.0)


def test_a_judge_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a judge too"):
        validate_judges(Validation(sources=three(tmp_path), judges=("gpt",), resamples=100))


def test_the_command_prints_and_writes_the_readers(tmp_path: Path) -> None:
    page = tmp_path / "readers.html"
    made = CliRunner().invoke(
        cli, ["judge", "validate", *three(tmp_path), "--resamples", "100", "--html", str(page)]
    )
    assert made.exit_code == 0, made.output
    assert "no judge among the labels" in made.output
    assert "ann and ben: 1.00" in made.output
    assert "Reader by reader" in page.read_text(encoding="utf-8")


def test_a_sham_file_is_of_the_one_evaluator_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "judge.json").write_text(output([judged(n, 1 + n % 5) for n in range(20)]), encoding="utf-8")
    (tmp_path / "blanks.json").write_text(
        output([judged(50 + n, 1 + n % 4) for n in range(20)]), encoding="utf-8"
    )
    people = str(ratings(tmp_path / "ann.jsonl", range(20), 0))
    asked = Validation(
        sources=(people, str(tmp_path / "judge.json")), shams=(str(tmp_path / "blanks.json"),), resamples=100
    )
    (card,) = validate_judges(asked).cards
    assert card.judge == "judge"
    gates = {line.name: line for line in card.gates if line.name.startswith("fpr_")}
    assert list(gates) == ["fpr_sham"]
    # Of 20 sham answers half have attribution 3 or more (scores 1, 2, 3, 4 in turn).
    assert gates["fpr_sham"].rate.value == pytest.approx(0.5)
