"""Table 11: marks of people beside what was extracted, on texts counted by hand, by the commands of docs/citations.md, and by laws."""

import contextlib
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from percuss.cli import cli
from percuss.cli.citations import command
from percuss.core.errors import UsageError
from percuss.core.records import AnnotationItem
from percuss.protocols.citations.cases import cases
from percuss.protocols.citations.extraction import PAPER, lines, table_of
from percuss.protocols.citations.marked import Marked, Table, marks_in, paired, tabled
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.references.record import Reference
from percuss.study.answers import Given
from percuss.study.store import work
from percuss.study.study import Study, open_study
from tests.citing_people import Writer
from tests.documented import blocks
from tests.protocols.citations.conversations import SEED, answer, document, entry, run
from tests.studies import answer_all, make

TEXT = (
    "As GPT-4o I say: iron helps anaemia [1]. Zinc shortens colds (Miller 2015). Rest works (Lee 2019). Tea helps (Kim 2001).\n\n"
    "References\n[1] Adams B, Cole D. Iron in anaemia. Blood. 2010;1:2-9.\n[2] Ode P. Zinc and the common cold. Lancet. 2015.\n"
)
SHOWN = TEXT.replace("GPT-4o", "[model]")
IRON, ZINC, RESTS, TEA = "iron helps anaemia", "Zinc shortens colds", "Rest works", "Tea helps"


def at(text: str, words: str, reference: str) -> dict[str, object]:
    """Return the mark of some words."""
    start = text.index(words)
    return {"start": start, "stop": start + len(words), "reference": reference}


def marked(folder: Path, *, settle: bool = False) -> Study:
    """One answer with four cited statements; three were extracted, one of them with a longer reference than people write."""
    machine = [
        at(TEXT, IRON, "[1] Adams B, Cole D. Iron in anaemia. Blood. 2010;1:2-9."),
        at(TEXT, ZINC, "Miller 2015"),
        at(TEXT, TEA, "Kim 2001"),
    ]
    item = AnnotationItem(
        id="i0", subject="s0", response_id="r0", model="acme/quillfin-9", shown={"question": "What helps?"},
        content={"answer": TEXT}, hidden={"case": "case 0", "extracted": machine},
    )  # fmt: skip
    study = make(folder, "extraction", listed=[item], repeats=0.0, strata=())
    iron, rest = at(SHOWN, IRON, "1"), at(SHOWN, RESTS, "Lee 2019")
    answer_all(study, "r1", lambda n, again: {"spans": [iron, at(SHOWN, ZINC, "Miller, 2015"), rest]})
    answer_all(study, "r2", lambda n, again: {"spans": [iron, rest]})
    if settle:
        agreed = [iron, at(SHOWN, ZINC, "Miller 2015"), rest]
        study.database.write(lambda c: work.save_consensus(c, "a1", 0, Given(answer={"spans": agreed}), "Tea isn't food."))  # fmt: skip
    return study


def test_counts_of_one_answer_are_those_counted_by_hand(tmp_path: Path) -> None:
    with marked(tmp_path / "study") as study:
        found = table_of(study)
    # Iron: both people and the machine. Zinc: one of two people. Tea: nobody. Rest: both people, not the machine.
    assert found == Table(
        texts=1, people=2, extracted=3, marked=2, both=1, missed_by_some=1, open=1, missed=1, missed_of_some=0
    )


def test_what_people_settled_says_whether_an_extra_statement_is_one(tmp_path: Path) -> None:
    with marked(tmp_path / "study", settle=True) as study:
        found = table_of(study)
    assert found == Table(
        texts=1, people=2, extracted=3, marked=2, both=1, missed_by_some=1, wrong=1, missed=1
    )


def test_the_command_prints_the_counts_beside_those_of_the_paper(tmp_path: Path) -> None:
    marked(tmp_path / "study", settle=True).close()
    done = CliRunner().invoke(command, ["extraction", str(tmp_path / "study")], catch_exceptions=False)
    assert "1 answers, read by 2 people" in done.output
    assert "    1  extracted, and settled to be none (1)" in done.output
    assert "    3  extracted in all (128)" in done.output
    assert "of what everybody marked, extracted too: 1 of 2 = 0.50" in done.output


def test_the_commands_of_the_page_lead_from_a_run_to_the_table(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "citations.md").read_text(encoding="utf-8")
    (made,) = [block for block in blocks(page) if block.runner.endswith(Path(__file__).name)]
    create, compare = (shlex.split(line, comments=True)[1:] for line in made.commands())
    held = document("PEL-0001")
    said = answer((held.facts[0].sentence, entry(held)), (held.facts[1].sentence, entry(held)))
    first = next(cases(None, CitationsOptions(), SEED)).payload["question"]
    with contextlib.chdir(tmp_path):
        run(tmp_path / "runs" / "answers", Writer({first: said}), turns=1)
        CliRunner().invoke(cli, create, catch_exceptions=False)
        with open_study("marks") as study:
            with study.database.read() as connection:
                (item,) = study.all_items(connection).values()
            machine = item.hidden["extracted"]
            answer_all(study, "r1", lambda n, again: {"spans": machine})
            answer_all(study, "r2", lambda n, again: {"spans": machine[:1]})
        done = CliRunner().invoke(cli, compare, catch_exceptions=False)
    assert len(machine) == 2
    assert "    2  extracted in all (128)" in done.output
    assert "    1  missed by some, extracted (4)" in done.output
    assert "    1  marked by everybody (120)" in done.output


def test_a_study_of_another_design_or_without_marks_is_refused(tmp_path: Path) -> None:
    with (
        make(tmp_path / "other", "likert5", count=1) as study,
        pytest.raises(UsageError, match="expected one of extraction"),
    ):
        table_of(study)
    with (
        make(tmp_path / "empty", "extraction", count=1) as study,
        pytest.raises(UsageError, match="nobody has marked"),
    ):
        table_of(study)


def test_the_papers_own_counts_add_up_as_ours_do() -> None:
    # papers/2 Table 11: 128 extracted, 120 marked by both people, 3 + 4 missed by people, 1 that is none, 0 missed.
    assert PAPER.extracted == PAPER.both + PAPER.missed_by_some + PAPER.missed_by_all + PAPER.wrong == 128
    assert PAPER.marked == PAPER.both == 120
    assert any("120 of 120 = 1.00" in line for line in lines(PAPER))


@pytest.mark.parametrize(
    ("written", "titles"),
    [
        ("[1]", ["Iron in anaemia"]),
        ("1", ["Iron in anaemia"]),
        ("[1, 2]", ["Iron in anaemia", "Zinc and the common cold"]),
        ("Adams B, Cole D. Iron in anaemia", ["Iron in anaemia"]),
        ("Adams & Cole, 2010", ["Iron in anaemia"]),
    ],
)
def test_a_reference_is_understood_however_a_person_writes_it(written: str, titles: list[str]) -> None:
    found = marks_in(TEXT, [at(TEXT, IRON, written)])
    assert [one.reference.title for one in found] == titles


def test_another_source_or_less_than_half_of_the_words_is_another_statement() -> None:
    here = marks_in(TEXT, [at(TEXT, IRON, "[1]")])
    assert paired(here, marks_in(TEXT, [at(TEXT, IRON, "[2]")])) == {}
    assert paired(here, marks_in(TEXT, [at(TEXT, "anaemia", "[1]")])) == {}
    assert paired(here, marks_in(TEXT, [at(TEXT, "helps anaemia", "[1]")])) == {0: 0}


marks = st.lists(
    st.builds(
        lambda start, length, name: Marked(start, start + length, Reference(title=name, raw=name)),
        st.integers(0, 60), st.integers(1, 30), st.sampled_from(["iron in blood", "zinc in colds"]),
    ),
    max_size=6,
)  # fmt: skip


@given(marks, st.lists(marks, min_size=1, max_size=3), st.none() | marks)
def test_every_extracted_statement_is_counted_once(
    machine: list[Marked], people: list[list[Marked]], settled: list[Marked] | None
) -> None:
    found = tabled(machine, people, settled)
    parts = (found.both, found.missed_by_some, found.missed_by_all, found.wrong, found.open)
    assert sum(parts) == found.extracted == len(machine)
    assert found.both <= found.marked <= min(map(len, people))
    if settled is None:
        assert found.both + found.missed == found.marked
        assert found.wrong == found.missed_by_all == 0
    else:
        assert found.open == found.missed_of_some == 0


@given(marks)
def test_whoever_marks_what_was_extracted_misses_nothing(machine: list[Marked]) -> None:
    found = tabled(machine, [machine, machine])
    assert (found.both, found.missed, found.open) == (len(machine), 0, 0)
