"""Tables that anyone can count again: columns in order, empty fields, no formula, and what the command says of them."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import UsageError
from percuss.core.ports import RunView
from percuss.kit.report.build import added_up, cell, reasons_of, row, strata
from percuss.kit.tables import Tables, tables_command, write_table
from tests.unit.kit.views import rate


def read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_table_has_its_columns_in_order_and_counts_its_rows(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"b": 1, "a": None, "c": "gone"}, {"a": "x", "b": 0.5}]
    assert write_table(tmp_path / "t.csv", ("a", "b"), iter(rows)) == 2
    assert read(tmp_path / "t.csv") == [["a", "b"], ["", "1"], ["x", "0.5"]]
    assert write_table(tmp_path / "none.csv", ("a",), iter(())) == 0
    assert read(tmp_path / "none.csv") == [["a"]]


@pytest.mark.parametrize(
    ("value", "field"),
    [("=1+1", "'=1+1"), ("+a", "'+a"), ("-a", "'-a"), ("@a", "'@a"), ("a=b", "a=b"), ("", ""), (-3, "-3"), (None, "")],
)  # fmt: skip
def test_no_field_runs_as_a_formula(value: object, field: str, tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", ("a", "z"), iter([{"a": value, "z": 1}]))
    assert read(tmp_path / "t.csv")[1] == [field, "1"]


def _rows(view: RunView, held: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    raise AssertionError("a dry run and a refused one read nothing")


async def test_the_command_wants_a_run_and_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    command = tables_command({"scores": (("a",), _rows), "audit": (("b",), _rows)})
    session: Any = type("Dry", (), {"dry_run": True})()
    with pytest.raises(UsageError, match="expected --run FOLDER"):
        await command.run(Tables(), session)
    out = tmp_path / "out"
    told = await command.run(Tables(run="r", out=str(out)), session)
    assert told.text == f"would write scores.csv and audit.csv of r to {out}"
    assert (told.exit_code, told.files, out.exists()) == (0, (), False)


def test_a_number_by_stratum_keeps_the_order_and_leaves_out_what_has_no_value() -> None:
    held = [
        rate("m", "with", 0.5, stratum="b_one"), rate("m", "with", None, stratum="a"), rate("n", "with", 0.0, stratum="a"),
        rate("m", "with", 0.9), rate("m", "with", 0.1, stratum="c"),
    ]  # fmt: skip
    rows, drawn = strata(held, "kind", words=lambda name: name.replace("_", " "))
    assert drawn == ["b one", "a", "c"]
    assert [(one["model"], one["kind"], one["value"], one["n"]) for one in rows] == [
        ("m", "b one", 0.5, 24), ("n", "a", 0.0, 24), ("m", "c", 0.1, 24),
    ]  # fmt: skip
    rows, drawn = strata(held, "kind", order=["c", "gone", "a"])
    assert ([one["value"] for one in rows], drawn) == ([0.1, 0.0], ["c", "a"])


def test_cells_rows_and_reasons() -> None:
    e = rate("m", "with", 0.25, excluded={"refused": 2, "cut": 0}, p_adjusted=0.04)
    assert cell(e)["value"] == 0.25
    assert cell(None)["undefined"] == "not measured"
    assert cell(None, "no")["undefined"] == "no"
    assert row(e, who="m") == {"who": "m", "value": 0.25, "low": 0.1, "high": 0.4, "n": 24, "p": 0.04, "simulated": False}  # fmt: skip
    assert "p" not in row(rate("m", "with"))
    assert added_up([e, e]) == (48, {"refused": 4, "cut": 0})
    assert reasons_of({"refused": 4, "cut": 0}) == reasons_of({"refused": 4})
    assert "4" in reasons_of({"refused": 4})
    assert reasons_of({"cut": 0}) == reasons_of({}) == "none"
