"""Tables to be filled in: each design's template is taken by `create` as it is, in every form that spreadsheets write."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from percuss.cli.study import command
from percuss.core.errors import BadInput, UsageError
from percuss.study.create import create
from percuss.study.design import design_names, load_design
from percuss.study.files import read_items
from percuss.study.settings import Settings
from percuss.study.template import columns_of, write_template


@pytest.mark.parametrize("design", design_names())
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_template_makes_a_study_as_it_is(tmp_path: Path, design: str, ending: str) -> None:
    form = load_design(design)
    path, *_ = write_template(form, tmp_path / f"items.{ending}")
    (item,) = read_items(path, form)
    assert item.id == "item-1"
    assert item.stratum == {"ward": "cardiology"}
    study, made = create(Settings(name="t", design=design, seed=1), [item], folder=tmp_path / "s", raters=1)
    with study, study.database.read() as connection:
        shown = study.item(connection, 0).shown
    assert made.items == 1
    assert set(shown) >= {field.name for field in form.field if field.required}


def test_semicolons_and_other_encodings_are_read(tmp_path: Path) -> None:
    form = load_design("likert5")
    path = tmp_path / "items.csv"
    path.write_bytes("id;question;reference;answer\n1;Größe?;zwölf;11,5\n".encode("cp1252"))
    (item,) = read_items(path, form)
    assert item.shown == {"question": "Größe?", "reference": "zwölf", "answer": "11,5"}


def test_an_error_names_file_line_and_column(tmp_path: Path) -> None:
    form = load_design("claim-adjudication")
    path = tmp_path / "items.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "claim", "evidence"], ["a", "x", "{}"], ["b", "x", "{broken"]])
    with pytest.raises(BadInput, match=r"items\.csv.*3.*column 'evidence'"):
        list(read_items(path, form))


def test_an_empty_cell_that_is_needed_is_named_by_its_column(tmp_path: Path) -> None:
    form = load_design("claim-adjudication")
    path = tmp_path / "items.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "said", "evidence"], ["a", "x", "{}"], ["b", "", "{}"]])
    with pytest.raises(BadInput, match=r"items\.csv.*3.*nothing in column 'said'"):
        list(read_items(path, form, ["claim=said"]))


def test_a_template_overwrites_nothing_and_has_two_forms(tmp_path: Path) -> None:
    form = load_design("likert5")
    write_template(form, tmp_path / "items.csv")
    with pytest.raises(UsageError, match="exists"):
        write_template(form, tmp_path / "items.csv")
    with pytest.raises(UsageError, match=r"\.csv or \.xlsx"):
        write_template(form, tmp_path / "items.doc")


def test_designs_and_templates_are_commands(tmp_path: Path) -> None:
    listed = CliRunner().invoke(command, ["designs"])
    assert listed.exit_code == 0
    assert all(name in listed.output for name in design_names())
    target = tmp_path / "items.xlsx"
    told = CliRunner().invoke(command, ["template", "ranking", "--out", str(target)])
    assert told.exit_code == 0, told.output
    assert target.exists()
    assert all(f"  {name}: " in told.output for name, _, _ in columns_of(load_design("ranking")))


def test_both_forms_of_a_template_with_a_picture_fit_into_one_folder(tmp_path: Path) -> None:
    design = load_design("reader-study")
    first = write_template(design, tmp_path / "reader.csv")
    assert write_template(design, tmp_path / "reader.xlsx")[1:] == first[1:]
    first[1].write_bytes(b"another picture")
    with pytest.raises(UsageError, match=f"{first[1].name} exists"):
        write_template(design, tmp_path / "more.csv")
