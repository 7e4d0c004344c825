"""Marks of an extraction study: against what a machine extracted, and as the items of a source-grounding study."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from percuss.cli.study import command
from percuss.core.errors import UsageError
from percuss.core.records import AnnotationItem
from percuss.study.agreement import agreement
from percuss.study.answers import Given
from percuss.study.marks import items_of_marks
from percuss.study.store import work
from percuss.study.study import Study, open_study
from tests.studies import answer_all, make

TEXT = "As GPT-4o I say: iron helps anaemia [1]. Zinc helps colds (Miller 2015). Rest, and drink."
IRON, ZINC = "iron helps anaemia", "Zinc helps colds"


def at(text: str, words: str, reference: str = "") -> dict[str, object]:
    """Return the mark of some words."""
    start = text.index(words)
    return {"start": start, "stop": start + len(words), "reference": reference}


def extraction(folder: Path, database: str = "") -> Study:
    """Six answers in which a model is named before the marks; the machine extracted both statements of each."""
    listed = [
        AnnotationItem(
            id=f"i{n}",
            subject=f"s{n}",
            response_id=f"r{n}",
            model="acme/quillfin-9",
            shown={"question": f"What helps, {n}?"},
            content={"answer": TEXT},
            hidden={"case": f"case {n}", "extracted": [at(TEXT, IRON, "[1]"), at(TEXT, ZINC, "Miller 2015")]},
        )
        for n in range(6)
    ]
    study = make(folder, "extraction", listed=listed, repeats=0.0, strata=(), database=database)
    shown = TEXT.replace("GPT-4o", "[model]")
    answer_all(
        study, "r1", lambda n, again: {"spans": [at(shown, IRON, "[1]"), at(shown, ZINC, "Miller 2015")]}
    )
    answer_all(study, "r2", lambda n, again: {"spans": [at(shown, IRON, "[1]")]})
    return study


def test_marks_are_held_against_what_the_machine_extracted_in_the_words_as_written(folder: Path) -> None:
    with extraction(folder) as study:
        (question,) = agreement(study, B=200).questions
    figure = question.machines["extracted"]
    assert figure.value == pytest.approx(2 * (2 + 1) / ((2 + 2) + (1 + 2)))  # r1 found both, r2 one of two
    assert question.machine_items == {"extracted": 6}


def test_marks_become_the_items_of_a_source_grounding_study(
    folder: Path, tmp_path: Path, database: str
) -> None:
    with extraction(folder, database) as study:
        listed = items_of_marks(study)
        assert [item.content["claim"] for item in listed[:2]] == [IRON, ZINC]
        assert len(listed) == 12, "what two people marked alike is one item"
        given = Given(answer={"spans": [at(TEXT.replace("GPT-4o", "[model]"), ZINC, "Miller")]})
        study.database.write(lambda c: work.save_consensus(c, "a1", 0, given, "Iron is no claim."))
        settled = [item for item in items_of_marks(study) if item.subject == listed[0].subject]
        assert [(item.content["claim"], item.hidden["marked_by"]) for item in settled] == [(ZINC, "a1")]
    asked = [
        "create",
        "second",
        "--design",
        "source-grounding",
        "--from",
        str(folder),
        "--out",
        str(tmp_path / "second"),
    ]
    done = CliRunner().invoke(command, [*asked, "--repeats", "0"], catch_exceptions=False)
    assert "11 of 11 items" in done.output
    with open_study(tmp_path / "second") as study, study.database.read() as connection:
        items = study.all_items(connection)
    assert {item.shown["claim"] for item in items.values()} == {IRON, ZINC}
    assert items[0].shown["context"]["before"].startswith("As [model] I say: ")
    assert items[0].hidden["model"] == "acme/quillfin-9"


def test_only_marks_of_an_extraction_study_become_items(folder: Path, tmp_path: Path) -> None:
    with (
        make(folder, "extraction", count=2) as study,
        pytest.raises(UsageError, match="nobody has marked anything"),
    ):
        items_of_marks(study)
    asked = ["create", "x", "--design", "likert5", "--from", str(folder), "--out", str(tmp_path / "x")]
    assert "only the marks of extraction" in str(CliRunner().invoke(command, asked).exception)
