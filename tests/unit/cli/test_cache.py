"""The cache across runs from the command line: one changed case of five asks two calls, and what is never kept."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import percuss as library

Percuss = Callable[..., Any]
RUN = ("run", "grounding", "-m", "phantom/copier", "--cases", "cases.jsonl", "--no-report", "--out")
PATIENT = {
    "resourceType": "Bundle",
    "type": "collection",
    "entry": [
        {"resource": {"resourceType": "Patient", "id": "p"}},
        {"resource": {"resourceType": "Condition", "id": "c", "subject": {"reference": "Patient/p"}, "code": {"text": "Asthma"}}},
    ],
}  # fmt: skip


def _cases(*values: float) -> None:
    rows = [
        {"id": f"c{n}", "question": f"Is {value} low?", "evidence": f"Haemoglobin is {value} g/dL."}
        for n, value in enumerate(values)
    ]
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, rows)))


def _kept(percuss: Percuss, *words: str) -> int:
    held = json.loads(percuss("cache", *words, "--json").out)
    return sum(one["replies"] for one in held["models"])


def test_one_changed_case_of_five_asks_two_calls(percuss: Percuss) -> None:
    _cases(9.1, 9.2, 9.3, 9.4, 9.5)
    first = percuss(*RUN, "a", "--cache", "kept.sqlite")
    assert first.code == 0
    assert "from the cache" not in first.out
    assert _kept(percuss, "kept.sqlite") == 10
    _cases(9.1, 9.2, 9.3, 9.4, 8.5)
    second = percuss(*RUN, "b", "--cache", "kept.sqlite")
    assert second.code == 0
    assert "8 calls from the cache, oldest less than a day" in second.out
    assert _kept(percuss, "kept.sqlite") == 12
    calls = library.open("b").calls
    asked = [row for row in calls if not row["from_cache"]]
    assert [(row["case_id"], row["arm"]) for row in asked] == [("c4", "full"), ("c4", "ungrounded")]
    assert "8 calls from the cache" in percuss("report", "b").out


def test_off_unless_the_command_or_the_config_says_so(
    percuss: Percuss, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path("home").resolve()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PERCUSS_CACHE", str(home / "cache"))
    _cases(9.1)
    assert percuss(*RUN, "a").code == 0
    assert not (home / "cache").exists()
    assert percuss("cache").out.startswith("no replies in")
    config = home / ".config" / "percuss" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("cache = true")
    assert percuss(*RUN, "b", "--cache", "off").code == 0
    assert _kept(percuss) == 0
    assert percuss(*RUN, "c").code == 0
    assert _kept(percuss) == 2
    assert percuss(*RUN, "d", "--no-text").code == 0
    Path("bundle.json").write_text(json.dumps(PATIENT))
    assert (
        percuss("run", "grounding", "-m", "phantom/copier", "--cases", "bundle.json", "--out", "e").code == 0
    )
    assert _kept(percuss) == 2
    config.write_text("cache = 7")
    said = percuss(*RUN, "f")
    assert (said.code, "says cache = 7; expected true, false or the path of a file" in said.err) == (2, True)


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_refused_for_records_of_patients_and_for_runs_without_words(
    percuss: Percuss, dry: tuple[str, ...]
) -> None:
    Path("bundle.json").write_text(json.dumps(PATIENT))
    words = ("run", "grounding", "-m", "phantom/copier", "--out", "r", "--cache", "kept.sqlite", *dry)
    said = percuss(*words, "--cases", "bundle.json")
    assert (said.code, "records of patients, whose answers are kept in no cache" in said.err) == (2, True)
    _cases(9.1)
    said = percuss(*words, "--cases", "cases.jsonl", "--no-text")
    assert (said.code, "--no-text and --cache contradict each other" in said.err) == (2, True)
    assert not Path("kept.sqlite").exists()
    assert not Path("r").exists()


def test_a_removed_run_takes_its_replies_along(percuss: Percuss) -> None:
    _cases(9.1, 9.2)
    percuss(*RUN, "a", "--cache", "kept.sqlite")
    _cases(7.1)
    percuss(*RUN, "b", "--cache", "kept.sqlite")
    judged = percuss("check", "b", "--judge", "phantom/judge", "--cache", "kept.sqlite")
    assert judged.code == 0
    assert _kept(percuss, "kept.sqlite") > 6
    assert percuss("runs", "rm", "b", "--yes").code == 0
    assert _kept(percuss, "kept.sqlite") == 4


def test_clearing_asks_first_and_chooses(percuss: Percuss) -> None:
    _cases(9.1)
    percuss(*RUN, "a", "--cache", "kept.sqlite")
    assert "phantom/copier: 2 replies" in percuss("cache", "kept.sqlite").out
    assert percuss("cache", "kept.sqlite", "--model", "x").code == 2
    assert percuss("cache", "kept.sqlite", "--clear", "--older-than", "1", "--yes").out.startswith(
        "0 replies"
    )
    assert percuss("cache", "kept.sqlite", "--clear", "--yes").out.startswith("2 replies are gone")


def test_a_model_of_ones_own_without_a_version_is_in_no_cache(percuss: Percuss) -> None:
    _cases(9.1)
    words: dict[str, Any] = {
        "cases": "cases.jsonl",
        "cache": "kept.sqlite",
        "report": False,
        "resamples": 100,
    }
    library.run(model=lambda text: "Well.", name="m", out="a", **words)
    assert _kept(percuss, "kept.sqlite") == 0
    library.run(model=lambda text: "Well.", name="m", version="1", out="b", **words)
    assert _kept(percuss, "kept.sqlite") == 2
