"""`percuss import labels`, `percuss judge validate`: from people's labels to a card that the panel quotes."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.conftest import JUDGE, Judged

pytestmark = pytest.mark.slow

Percuss = Callable[..., Any]


def percuss_folder() -> Path:
    import percuss

    return Path(percuss.__file__).parent


@pytest.fixture
def run(judged: Judged, tmp_path: Path) -> Path:
    return Path(shutil.copytree(judged.run, tmp_path / "run"))


def test_a_card_recovers_the_planted_errors_and_the_panel_quotes_it(
    percuss: Percuss, judged: Judged, run: Path
) -> None:
    """Two 95% intervals of one fixed seed: both hold the planted rate."""
    assert "simulated)" in percuss("report", str(run)).out
    said = percuss("import", "labels", str(run), str(judged.labels))
    assert f"{2 * len(judged.truth):,} labels of people" in said.out
    said = percuss("judge", "validate", str(run), "--json", "--resamples", "500")
    assert said.code == 0
    assert "percuss report" in said.err
    card = json.loads(said.out)["cards"][0]
    assert card["judge"] == f"judge:{JUDGE}"
    assert card["simulated"]
    metric = card["metrics"][0]
    for name, planted in (("sensitivity", 0.75), ("specificity", 0.90)):
        assert metric[name]["low"] < planted < metric[name]["high"], metric[name]
        assert metric[name]["high"] - metric[name]["low"] < 0.25
    assert metric["ceiling"]["value"] == 1
    assert set(metric["raters"]) == {"human:a", "human:b"}
    assert {line["stratum"].split(" / ")[1] for line in metric["strata"]} == {"full_multimodal", "ungrounded"}
    panel = percuss("report", str(run), "--html", "report.html").out + percuss("report", str(run)).out
    assert "carded: kappa 0." in panel
    assert "simulated, carded" in panel
    assert "has not been compared with people" not in Path("report.html").read_text()


def test_a_card_on_the_terminal_and_as_files(percuss: Percuss, judged: Judged, run: Path) -> None:
    percuss("import", "labels", str(run), str(judged.labels))
    said = percuss(
        "judge", "validate", str(run), "--judges", JUDGE, "--resamples", "200", "--card", "c.json", "--html", "c.html"
    )  # fmt: skip
    assert said.code == 0
    for words in ("kappa with people 0.", "human ceiling 1.00", "sensitivity 0.", "gate parse <= 0: pass (no n assures it)"):  # fmt: skip
        assert words in said.out
    assert len(json.loads(Path("c.json").read_text())["cards"]) == 1
    html = Path("c.html").read_text()
    for title in ("Can the judge be trusted?", "Against each person", "By stratum", "Gates"):
        assert title in html
    assert not re.search(r">\s*(NaN|nan|None)\s*<", html)


def test_a_card_is_of_the_prompts_that_it_was_made_under(percuss: Percuss, judged: Judged, run: Path) -> None:
    percuss("import", "labels", str(run), str(judged.labels))
    percuss("judge", "validate", str(run), "--judges", JUDGE, "--resamples", "200")
    Path("prompts").mkdir()
    shipped = percuss_folder() / "protocols" / "grounding" / "prompts" / "judge.md"
    Path("prompts/judge.md").write_text(shipped.read_text() + "\nRead slowly.\n")
    said = percuss("check", str(run), "--judge", JUDGE, "--prompts", "prompts")
    assert said.code == 0, said.err
    assert "carded" not in said.out


def test_validating_before_anybody_labelled(percuss: Percuss, judged: Judged) -> None:
    said = percuss("judge", "validate", str(judged.run))
    assert said.code == 2
    assert "nobody has labelled claims" in said.err
    assert "percuss import labels" in said.err


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"claim_id": "nowhere", "rater": "a", "label": "supported"}], "which the run does not hold"),
        ([{"claim_id": "", "rater": "a", "label": "supported"}], "has no claim_id"),
        ([{"rater": "", "label": "supported"}], "has no rater"),
        ([{"label": "sort of"}], "got the label 'sort of'"),
        ([{}, {}], "a second time"),
        ([], "holds no label"),
    ],
)
def test_labels_that_cannot_be_read_leave_the_run_alone(
    percuss: Percuss, judged: Judged, run: Path, rows: list[dict[str, str]], words: str
) -> None:
    good = {"claim_id": next(iter(judged.truth)), "rater": "a", "label": "supported"}
    Path("bad.jsonl").write_text("\n".join(json.dumps({**good, **row}) for row in rows))
    said = percuss("import", "labels", str(run), "bad.jsonl")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert words in said.err
    assert "nobody has labelled" in percuss("judge", "validate", str(run)).err


def _table(path: str, *rows: dict[str, Any]) -> str:
    Path(path).write_text("\n".join(map(json.dumps, rows)))
    return path


def _label(item: object, rater: str, label: object, **more: Any) -> dict[str, Any]:
    return {"item": str(item), "rater": rater, "label": label, **more}


def test_one_label_only_and_one_person_are_undefined_with_a_reason(percuss: Percuss) -> None:
    rows = [_label(i, r, "supported") for i in range(20) for r in ("human:a", "j")]
    said = percuss("judge", "validate", _table("l.jsonl", *rows), "--resamples", "200")
    assert said.code == 0
    assert "undefined (" in said.out
    assert "one person judged; at least two are needed" in said.out
    assert "nan" not in said.out.lower()


def test_unequal_raters_are_compared_on_what_they_share(percuss: Percuss) -> None:
    words = ["supported", "unsupported"]
    rows = [_label(i, "human:a", words[i % 2]) for i in range(20)]
    rows += [_label(i, "human:b", words[i % 2]) for i in range(5, 30)]
    rows += [_label(i, "j", words[i % 2]) for i in range(10, 40)]
    said = percuss("judge", "validate", _table("l.jsonl", *rows), "--resamples", "200", "--json")
    metric = json.loads(said.out)["cards"][0]["metrics"][0]
    assert metric["n"] == 20
    assert metric["raters"]["human:a"]["n"] == 10
    assert metric["raters"]["human:b"]["n"] == 20


def test_the_kappa_paradox_is_named_where_the_card_is_read(percuss: Percuss) -> None:
    rows = []
    for i in range(200):
        human, judge = (
            ("unsupported", "supported") if i < 4 else ("supported", "unsupported" if i < 8 else "supported")
        )
        rows += [_label(i, "human:a", human), _label(i, "j", judge)]
    said = percuss("judge", "validate", _table("l.jsonl", *rows), "--html", "c.html", "--resamples", "200")
    assert "kappa paradox" in said.out
    assert "Gwet's AC1 0.9" in said.out
    assert "kappa paradox" in Path("c.html").read_text()


def test_labels_in_order_are_weighted(percuss: Percuss) -> None:
    """Raters one step apart agree badly by name and well by order."""
    rows = [_label(i, r, str(1 + (i + (r == "j")) % 5)) for i in range(50) for r in ("human:a", "j")]
    said = percuss("judge", "validate", _table("l.jsonl", *rows), "--resamples", "200", "--json")
    metric = json.loads(said.out)["cards"][0]["metrics"][0]
    assert metric["scale"] == "ordinal"
    assert metric["words"] == ["1", "2", "3", "4", "5"]
    assert metric["alternatives"]["kappa_nominal"]["value"] < metric["coefficient"]["value"]


def test_a_scale_names_what_it_does_not_hold(percuss: Percuss) -> None:
    rows = [_label(i, r, "good") for i in range(3) for r in ("human:a", "j")]
    said = percuss("judge", "validate", _table("l.jsonl", *rows), "--scale", "low,high")
    assert said.code == 2
    assert "got the label 'good'; expected one of --scale low, high" in said.err


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"item": "", "rater": "r", "label": "x"}, "has no item"),
        ({"item": "i", "label": "x"}, "has no rater"),
        ({"item": "i", "rater": "r"}, "expected exactly one of label and score"),
        ({"item": "i", "rater": "r", "label": "x", "score": 1}, "expected exactly one of label and score"),
        ({"item": "i", "rater": "r", "score": "NaN"}, "got the score 'NaN'"),
        ({"item": "i", "rater": "r", "score": "inf"}, "got the score 'inf'"),
        ({"item": "i", "rater": "r", "score": "three"}, "got the score 'three'"),
        ({"item": "i", "rater": "r", "label": "nan"}, "got the label 'nan'"),
        ({"item": "i", "rater": "r", "label": "x", "pass": 0}, "got the pass 0"),
        ({"item": "i", "rater": "r", "label": "x", "outcome": "lost"}, "got the outcome 'lost'"),
        (
            {"item": "i", "rater": "r", "label": "x", "outcome": "abstain"},
            "an outcome 'abstain' and a judgement",
        ),
        ({"item": "i", "rater": "r", "label": "x", "colour": "red"}, "got the column 'colour'"),
        ({"item": "first", "rater": "human:a", "label": "y"}, "has two rows"),
        ({"item": "i", "rater": "r", "score": 2, "metric": "label"}, "a score here and a label before"),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_every_bad_row_is_one_sentence_with_its_line(
    percuss: Percuss, row: dict[str, Any], words: str, ending: str
) -> None:
    first = {"item": "first", "rater": "human:a", "label": "x"}
    if ending == "csv":
        names = list(dict.fromkeys([*first, *row]))
        lines = [",".join(str(r.get(name, "")) for name in names) for r in (first, row)]
        Path("l.csv").write_text("\n".join([",".join(names), *lines]))
    else:
        _table("l.jsonl", first, row)
    said = percuss("judge", "validate", f"l.{ending}")
    assert said.code == 2
    assert said.err.count("\n") == 1, said.err
    assert (
        words.replace("pass 0", "pass '0'" if ending == "csv" else "pass 0").replace(
            "an outcome", "the outcome"
        )
        in said.err
    )
    assert f"line {2 + (ending == 'csv')}" in said.err


def test_files_that_are_no_tables(percuss: Percuss) -> None:
    Path("empty.jsonl").write_text("")
    Path("broken.jsonl").write_text('{"item": NaN}')
    Path("nested.jsonl").write_text('{"item": "i", "rater": "r", "label": ["x"]}')
    Path("picture.png").write_bytes(b"\x89PNG")
    for name, words in (
        ("empty.jsonl", "holds no row"),
        ("broken.jsonl", "not JSON"),
        ("nested.jsonl", "expected a text or a number"),
        ("picture.png", "cannot tell what this is"),
        ("missing.csv", "no such file"),
    ):
        said = percuss("judge", "validate", name)
        assert said.code == 2
        assert words in said.err
