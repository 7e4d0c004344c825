"""`percuss reading label`: a passport of a run's readers on its own text, from a blind sample to errors by true class."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Percuss = Callable[..., Any]
CASES, OUT = 4, "filled.csv"


def kept(folder: Path, text: Callable[[int, str], str]) -> None:
    """Write cases with two numbers, and answers about them in both arms."""
    cases, answers = [], []
    for n in range(CASES):
        facts = {"labs": {"potassium": 3.5 + n / 10, "sodium": 131 + n}}
        cases.append({"id": f"c{n}", "question": "Summarise the labs.", "evidence": facts})
        answers += [
            {"id": f"c{n}", "arm": arm, "model": "ward/m", "text": text(n, arm)}
            for arm in ("full", "ungrounded")
        ]
    for name, rows in (("cases", cases), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


@pytest.fixture
def run(percuss: Percuss, tmp_path: Path) -> Path:
    kept(
        tmp_path,
        lambda n, _: (
            f"Potassium is {3.5 + n / 10:g} mmol/L. Sodium is {171 + n} mmol/L. His mother likes blue."
        ),
    )
    out = percuss(
        "score", "grounding", "--cases", "cases.jsonl", "--responses", "answers.jsonl", "--out", "run"
    )
    assert out.code == 0, out.err
    return tmp_path / "run"


def filled(table: Path, label: Callable[[str], str]) -> int:
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (table.parent / OUT).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "label": label(row["claim"])} for row in rows)
    return len(rows)


def people(claim: str) -> str:
    """Say what holds, but of the sodium of one case something else than the rule."""
    return "supported" if "otassium" in claim or "173" in claim else "unsupported"


def test_labels_of_a_blind_sample_become_errors_by_true_class(percuss: Percuss, run: Path) -> None:
    said = percuss("reading", "label", "run", "--n", "60")
    assert said.code == 0
    assert "percuss reading label run --labels reading.csv --rater NAME" in said.err
    told = (run.parent / "reading.csv").read_text(encoding="utf-8")
    assert not any(word in told for word in ("ward/m", "ungrounded", "rule:"))
    count = filled(run.parent / "reading.csv", people)
    assert count == 3 * CASES * 2
    said = percuss("reading", "label", "run", "--labels", OUT, "--rater", "ann", "--json")
    assert said.code == 0, said.err
    found = {(row["reader"], row["label"]): row for row in json.loads(said.out)}
    right, wrong = found["rule:support-2", "supported"], found["rule:support-2", "unsupported"]
    assert (right["n"], right["right"], right["undecided"], right["wrong"]) == (10, 8, 0, {"unsupported": 2})
    assert (wrong["n"], wrong["right"], wrong["undecided"]) == (14, 6, 8), (
        "what the rule leaves open is counted"
    )
    again = percuss("reading", "label", "run", "--labels", "run")
    assert "rule:support-2" in again.out
    assert "unsupported 2" in again.out


def test_a_sample_is_of_so_many_claims_per_model_and_arm(percuss: Percuss, run: Path) -> None:
    del run
    assert percuss("reading", "label", "run", "--n", "5").out.startswith("10 claims in reading.csv")


def test_without_labels_it_says_what_to_do(percuss: Percuss, run: Path) -> None:
    del run
    said = percuss("reading", "label", "run", "--labels", "run")
    assert said.code == 2
    assert "`percuss reading label run --n 60` writes a blind sample" in said.err


def test_the_unit_of_a_value_is_no_field_that_cases_share(percuss: Percuss, tmp_path: Path) -> None:
    """The trap: beside {"value", "unit"} every run warned that the unit was the same in all cases."""
    kept(tmp_path, lambda n, _: f"Potassium is {3.5 + n / 10:g} mmol/L.")
    cases = [
        {"id": f"c{n}", "question": "Q?", "evidence": {"labs": {"potassium": {"value": 3.5 + n / 10, "unit": "mmol/L"}, "site": "ward 3"}}}
        for n in range(CASES)
    ]  # fmt: skip
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    said = percuss(
        "score", "grounding", "--cases", "cases.jsonl", "--responses", "answers.jsonl", "--out", "run"
    )
    assert f"Evidence fields that are the same in all {CASES} cases: labs.site." in said.out


QUIET = "I can't say anything about this patient."


def of_two(folder: Path) -> None:
    """Beside the model that speaks, one that asserts nothing: nothing of it can be labelled."""
    kept(folder, lambda n, arm: f"Potassium is {3.5 + n / 10 + (arm != 'full'):g} mmol/L.")
    with (folder / "answers.jsonl").open("a", encoding="utf-8") as file:
        for n in range(CASES):
            for arm in ("full", "ungrounded"):
                file.write(
                    f"\n{json.dumps({'id': f'c{n}', 'arm': arm, 'model': 'ward/quiet', 'text': QUIET})}"
                )


@pytest.mark.parametrize(("left", "leads"), [(0, "people"), (2, "rules support-2")], ids=["all", "a part"])
def test_people_lead_where_they_labelled_all_that_was_asserted_however_little(
    percuss: Percuss, tmp_path: Path, left: int, leads: str
) -> None:
    """The trap: a model that asserts fewer than 60 things, or nothing, took the index from every run that people had labelled whole."""
    of_two(tmp_path)
    percuss("score", "grounding", "--cases", "cases.jsonl", "--responses", "answers.jsonl", "--out", "run")
    percuss("reading", "label", "run")
    wrong = {f"{4.5 + n / 10:g} mmol" for n in range(CASES)}
    said: list[str] = []

    def label(claim: str) -> str:
        said.append(claim)
        return "" if len(said) <= left else "unsupported" if any(w in claim for w in wrong) else "supported"

    assert filled(tmp_path / "reading.csv", label) == 2 * CASES, "what declines is no claim to label"
    assert percuss("reading", "label", "run", "--labels", OUT, "--rater", "ann").code == 0
    panel = percuss("report", "run").out
    assert f"Labels: {leads}" in panel
    assert "was not asked" not in panel
    quiet = next(line for line in panel.splitlines() if line.startswith("ward/quiet"))
    assert ("undefined (nothing was scored)" in quiet) == (leads == "people")


def test_silence_with_the_evidence_alone_is_said_beside_the_index(percuss: Percuss, tmp_path: Path) -> None:
    """The trap: who declines half of the cases when shown the evidence "corrects", and the panel said that nothing was left out."""
    kept(
        tmp_path,
        lambda n, arm: QUIET if arm == "full" and n % 2 else f"Potassium is {3.5 + n / 10:g} mmol/L.",
    )
    percuss("score", "grounding", "--cases", "cases.jsonl", "--responses", "answers.jsonl", "--out", "run")
    percuss("reading", "label", "run")
    filled(tmp_path / "reading.csv", lambda _: "supported")
    percuss("reading", "label", "run", "--labels", OUT, "--rater", "ann")
    assert (
        "Answers of ward/m that assert nothing: 50.0% with evidence, 0% without"
        in percuss("report", "run").out
    )


MANY = 40


def of_many(folder: Path) -> None:
    """Two models say four things of forty patients, all wrong without the evidence: with it one is mostly right, the other is not."""
    with (folder / "cases.jsonl").open("w", encoding="utf-8") as file:
        for n in range(MANY):
            labs = {"sodium": 130 + n, "potassium": 3 + n / 20, "urea": 4 + n / 10, "glucose": 5 + n / 8}
            file.write(json.dumps({"id": f"c{n}", "question": "Q?", "evidence": {"labs": labs}}) + "\n")
    with (folder / "answers.jsonl").open("w", encoding="utf-8") as file:
        for n in range(MANY):
            for model, arm, wrong in (("ward/a", "full", 1), ("ward/a", "ungrounded", 4), ("ward/b", "full", 4), ("ward/b", "ungrounded", 4)):  # fmt: skip
                values = [130 + n, 3 + n / 20, 4 + n / 10, 5 + n / 8]
                said = [v if i >= wrong else v + 100 for i, v in enumerate(values)]
                names = ("Sodium", "Potassium", "Urea", "Glucose")
                text = " ".join(f"{name} is {v:g}." for name, v in zip(names, said, strict=True))
                file.write(json.dumps({"id": f"c{n}", "arm": arm, "model": model, "text": text}) + "\n")


def _as_it_is(claim: str) -> str:
    return "unsupported" if float(claim.rstrip(".").split()[-1]) >= (200 if "Sodium" in claim else 100) else "supported"  # fmt: skip


@pytest.mark.parametrize(("n", "leads"), [("60", True), ("40", False)])
def test_sixty_labels_of_each_model_and_arm_make_a_corrected_index(
    percuss: Percuss, tmp_path: Path, n: str, leads: bool
) -> None:
    """The trap: beside the corrected index the panel said that the models can't be compared by the rule, and compared them on people's part."""
    of_many(tmp_path)
    out = percuss("score", "grounding", "--cases", "cases.jsonl", "--responses", "answers.jsonl", "--out", "run")  # fmt: skip
    assert out.code == 0, out.err
    percuss("reading", "label", "run", "--n", n)
    assert filled(tmp_path / "reading.csv", _as_it_is) == 4 * int(n)
    said = percuss("reading", "label", "run", "--labels", OUT, "--rater", "ann")
    panel = percuss("report", "run").out
    whole = " ".join(panel.split())
    if not leads:
        assert "the headline is by rules support-2: people's labels lead where" in " ".join(said.err.split())
        assert "No index, and no comparison of models" in whole
        return
    assert "the headline is by people on a part, the machine on the rest" in " ".join(said.err.split())
    assert "Labels: people on a part, the machine on the rest" in whole
    assert "evidence corrects it" in next(line for line in panel.splitlines() if line.startswith("ward/a"))
    assert "ward/a and ward/b differ in HDI" in whole, whole
    assert "not comparable" not in whole
