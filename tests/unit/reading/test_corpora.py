"""The labelled texts: fields, halves by group, near-duplicates, origins held back, and labels before rules."""

import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from rapidfuzz import fuzz, process

from tests import loading

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "tests" / "reading"
LABELS: dict[str, set[Any]] = {
    "support": {"supported", "contradicted", "absent", "partial", "unclear"},
    "speech_act": {"assertion", "hedged", "availability", "general", "heading", "none"},
    "abstention": {True, False},
}
FIELDS = "id text context question label origin arm shown group half labelled_by date".split()
LIKE = 85  # rapidfuzz ratio from which texts are near-duplicates


@cache
def rows(corpus: str) -> tuple[dict[str, Any], ...]:
    lines = (FOLDER / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def contexts() -> dict[str, dict[str, Any]]:
    lines = (FOLDER / "contexts.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return loading.script("reading.py")


@pytest.mark.parametrize("corpus", LABELS)
def test_every_row_has_its_fields(corpus: str) -> None:
    for row in rows(corpus):
        missing = [name for name in FIELDS if name not in row]
        assert not missing, f"{row.get('id')} lacks {missing}"
        assert row["label"] in LABELS[corpus], row["id"]
        assert row["text"].strip(), row["id"]
        assert row["context"] in contexts(), row["id"]
        assert row["origin"].startswith(("model:", "person:", "twin:")), row["id"]
        assert row["half"] == contexts()[row["group"]]["half"], row["id"]
    ids = [row["id"] for row in rows(corpus)]
    assert len(ids) == len(set(ids))


def test_near_duplicates_are_in_one_half() -> None:
    texts: dict[str, set[str]] = {"dev": set(), "locked": set()}
    for corpus in LABELS:
        for row in rows(corpus):
            texts[row["half"]].add(row["text"].lower())
    dev, locked = sorted(texts["dev"]), sorted(texts["locked"])
    like = process.cdist(dev, locked, scorer=fuzz.ratio, score_cutoff=LIKE, dtype=np.uint8)
    pairs = [(dev[i], locked[j]) for i, j in zip(*np.nonzero(like), strict=True)]
    assert not pairs, pairs[:3]


def test_whole_origins_are_held_back() -> None:
    halves: dict[str, set[str]] = {}
    for row in rows("support"):
        if row["origin"].startswith("model:"):
            halves.setdefault(row["origin"], set()).add(row["half"])
    held_back = [origin for origin, seen in halves.items() if seen == {"locked"}]
    assert held_back, sorted(halves)
    assert any(seen == {"dev", "locked"} for seen in halves.values())


def test_the_corpora_are_as_large_as_was_promised() -> None:
    by_kind = Counter(contexts()[row["context"]]["kind"] for row in rows("support"))
    assert by_kind["structured"] >= 1200
    assert by_kind["text"] >= 400
    assert len(rows("speech_act")) >= 600
    assert len(rows("abstention")) >= 300
    locked = Counter(
        row["label"]
        for row in rows("support")
        if row["half"] == "locked" and not row["given"] and contexts()[row["context"]]["kind"] == "structured"
    )
    assert locked["supported"] >= 300
    assert locked["contradicted"] + locked["absent"] >= 300


def test_model_rows_stand_in_the_recorded_answers() -> None:
    answers: dict[tuple[str, str], str] = {}
    for file in sorted((FOLDER / "answers").glob("*.jsonl")):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            key = (f"model:{row['model']}|prompt:{row['prompt']}|t={row['temperature']}", row["case"])
            answers[key] = answers.get(key, "") + "\n" + row["answer"]
    for corpus in LABELS:
        for row in rows(corpus):
            if row["origin"].startswith("model:"):
                assert row["text"] in answers[row["origin"], row["context"]], row["id"]


def test_a_twin_is_never_supported() -> None:
    by_id = {row["id"]: row for row in rows("support")}
    for row in rows("support"):
        if row["origin"].startswith("twin:"):
            assert row["label"] in {"contradicted", "absent"}, row["id"]
            if "twin_of" in row:
                assert by_id[row["twin_of"]]["group"] == row["group"], row["id"]


def second_readings(corpus: str) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for file in sorted((FOLDER / "second").glob("*.jsonl")):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if row["corpus"] == corpus:
                out.setdefault(row["labelled_by"], {})[row["id"]] = row["label"]
    return out


@pytest.mark.parametrize("corpus", LABELS)
def test_enough_rows_were_labelled_by_a_second_reader(corpus: str) -> None:
    known = {row["id"] for row in rows(corpus)}
    first = {row["labelled_by"] for row in rows(corpus)}
    readings = second_readings(corpus)
    for labels in readings.values():
        assert set(labels) <= known
        assert set(labels.values()) <= LABELS[corpus]
    others = [labels for by, labels in readings.items() if by.split(",")[0] not in first]
    assert max(map(len, others)) >= max(150, len(known) / 10)


def test_two_readers_and_one_reader_twice_are_kept_apart(script: ModuleType) -> None:
    for corpus in LABELS:
        two = script.second_labels(corpus)
        again = script.second_labels(corpus, same_reader=True)
        assert two["readers"] == ["reader B"]
        assert again["readers"] == ["reader A, second pass"]
        assert two["n"] == len(second_readings(corpus)["reader B"])
        assert two["n"] == two["of_models"]["n"] + two["of_people"]["n"]


def test_a_ceiling_is_what_the_second_reader_gets_right(script: ModuleType) -> None:
    held = script.parts(script.READERS[0], "locked")["structured"][:200]
    same = script.ceiling(script.READERS[0], [(row, row["label"]) for row in held])
    assert same["right"]["share"] == 1
    assert same["false_unsupported"]["k"] == same["false_supported"]["k"] == 0
    flags = script.ceiling(script.READERS[0], [(row, "absent") for row in held])
    assert flags["false_unsupported"]["share"] == 1
    assert flags["right"]["k"] == sum(script.true_class(row) == "unsupported" for row in held)


CASE = {
    "OSCE_Examination": {
        "Objective_for_Doctor": "Find out why the ankle hurts.",
        "Symptoms": {"Secondary_Symptoms": ["Swelling", "Warmth"]},
        "Correct_Diagnosis": "Sprain",
    }
}
ABSTRACT = {"Question": "Does rest help?", "Knowledge": ["We asked forty people.", "Thirty said yes."]}


def shared(folder: Path, case: dict[str, Any]) -> Path:
    (folder / "set").mkdir(parents=True)
    (folder / "set" / "cases.jsonl").write_text(
        json.dumps({}) + "\n" + json.dumps(case) + "\n", encoding="utf-8"
    )
    return folder


def test_a_case_gets_its_texts_from_the_data_set(script: ModuleType, tmp_path: Path) -> None:
    named = {"file": "set/cases.jsonl", "line": 2}
    text = "Objective for Doctor: Find out why the ankle hurts. Secondary Symptoms: Swelling; Warmth."
    row: dict[str, Any] = {
        "id": "v",
        "texts": [],
        "question": "What is it?",
        "from": {**named, "sha256": script.sha256(text)},
    }
    got = script.resolved(row, shared(tmp_path / "cases", CASE))
    assert got["texts"] == (text,)
    assert got["question"] == "What is it?"
    digests = {
        "sha256": script.sha256("\n".join(ABSTRACT["Knowledge"])),
        "question_sha256": script.sha256("Does rest help?"),
    }
    row = {"id": "m", "texts": [], "question": None, "from": {**named, **digests}}
    got = script.resolved(row, shared(tmp_path / "abstracts", ABSTRACT))
    assert got["texts"] == ("We asked forty people.", "Thirty said yes.")
    assert got["question"] == "Does rest help?"


def test_another_text_than_the_one_that_was_labelled_is_refused(script: ModuleType, tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "id": "m",
        "texts": [],
        "question": None,
        "from": {"file": "set/cases.jsonl", "line": 2, "sha256": "0" * 64},
    }
    folder = shared(tmp_path, ABSTRACT)
    with pytest.raises(
        ValueError, match=r"line 2 of set/cases\.jsonl is not the text that m was labelled on"
    ):
        script.resolved(row, folder)
    assert script.resolved(row, tmp_path / "elsewhere") == row


def test_no_text_of_a_data_set_is_kept_here() -> None:
    by_reference = [case for case in contexts().values() if case["kind"] == "text"]
    assert len(by_reference) >= 25
    for case in by_reference:
        assert case["texts"] == [], case["id"]
        assert len(case["from"]["sha256"]) == 64, case["id"]
        assert (case["question"] is None) == ("question_sha256" in case["from"]), case["id"]
    asked = {
        row["question"] for corpus in LABELS for row in rows(corpus) if row["context"].startswith("medhallu-")
    }
    assert asked == {None}


def test_every_reference_leads_to_its_text(script: ModuleType) -> None:
    files = {case["from"]["file"] for case in contexts().values() if "from" in case}
    missing = [name for name in sorted(files) if not (script.SHARED / name).is_file()]
    if missing:
        pytest.skip(f"{missing[0]} is not beside this checkout (PERCUSS_SHARED names the folder above data/)")
    for case in script.contexts().values():
        spoken = "source" in case  # a case of which only the form of what is said is read
        assert spoken or case["kind"] == "structured" or (case["texts"] and case["question"]), case["id"]


def test_rows_without_their_texts_are_counted_and_change_no_page(tmp_path: Path) -> None:
    out = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reading.py"), "--reader", "rule:extended"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PERCUSS_SHARED": str(tmp_path)},
    ).stdout
    text = {case["id"] for case in contexts().values() if case["kind"] == "text"}
    held = [
        row for row in rows("support") if row["half"] == "dev" and row["context"] in text and not row["given"]
    ]
    assert f"support: {len(held)} rows not scored" in out
    assert "rule:extended (version 1) on support text, dev\n  n 0," in out


def added_at(root: Path, path: str) -> int | None:
    """Return when a file was first committed, in seconds; None where history doesn't hold it."""
    out = subprocess.run(
        ["git", "log", "--diff-filter=A", "--format=%at", "--", path],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return int(out[-1]) if out else None


def late_labels(root: Path, sources: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the label files that were added after a rule file that they judge."""
    late = []
    for label, rules in sources.items():
        labelled = added_at(root, label)
        for rule in rules:
            written = added_at(root, rule)
            if labelled is not None and written is not None and written < labelled:
                late.append(f"{rule} is older than {label}")
    return late


def test_labels_were_committed_before_the_rules_they_judge(script: ModuleType) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no git history here")
    shallow = subprocess.run(
        ["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    if shallow == "true":
        pytest.skip("a shallow clone has no history to look at")
    newer = {
        f"tests/reading/{reader.corpus}.jsonl": reader.sources
        for reader in script.READERS
        if reader.version != "1"
    }
    assert not late_labels(ROOT, newer)


def test_the_order_of_commits_is_seen(tmp_path: Path) -> None:
    def git(*words: str, at: int = 0) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            env={**os.environ, "GIT_AUTHOR_DATE": f"{1_700_000_000 + at} +0000"},
        )

    git("init", "-q")
    for at, name in enumerate(("early.py", "labels.jsonl", "late.py")):
        (tmp_path / name).write_text(name, encoding="utf-8")
        git("add", name)
        git("commit", "-qm", name, at=at)
    assert late_labels(tmp_path, {"labels.jsonl": ("late.py",)}) == []
    assert late_labels(tmp_path, {"labels.jsonl": ("late.py", "early.py")}) == [
        "early.py is older than labels.jsonl"
    ]
    assert late_labels(tmp_path, {"labels.jsonl": ("not_there.py",)}) == []


def test_figures_of_a_reader_that_reads_everything_right_and_of_one_that_flags_everything(
    script: ModuleType,
) -> None:
    held = script.parts(script.READERS[0], "locked")["structured"]
    right = script.support_figures([(row, script.true_class(row)) for row in held])
    assert right["floors_met"]
    assert right["false_unsupported"]["k"] == right["false_supported"]["k"] == 0
    flags = script.support_figures([(row, "unsupported") for row in held])
    assert not flags["floors_met"]
    assert flags["false_unsupported"]["share"] == 1
    silent = script.support_figures([(row, None) for row in held])
    assert silent["decided"]["share"] == 0


def test_two_errors_in_a_hundred_are_more_than_the_floor_allows(script: ModuleType) -> None:
    held = script.parts(script.READERS[0], "locked")["structured"]
    seen = 0
    pairs = []
    for row in held:
        said = script.true_class(row)
        if said == "supported":
            seen += 1
            said = "unsupported" if seen % 50 == 0 else said
        pairs.append((row, said))
    got = script.support_figures(pairs)
    assert 0.01 < got["false_unsupported"]["share"] <= 0.02
    assert not got["floors_met"]


def test_a_reader_that_says_yes_or_no_counts_an_undecided_as_a_miss(script: ModuleType) -> None:
    reader = next(reader for reader in script.READERS if reader.corpus == "abstention")
    held = script.parts(reader, "locked")[""]
    perfect = script.yes_figures(reader, [(row, row["label"]) for row in held])
    assert perfect["floors_met"]
    silent = script.yes_figures(reader, [(row, None) for row in held])
    assert silent["sensitivity"]["share"] == 0
    assert silent["false_alarms"]["share"] == 0
    assert not silent["floors_met"]


def test_every_speech_act_is_a_node_with_floors_of_its_own(script: ModuleType) -> None:
    reader = next(reader for reader in script.READERS if reader.corpus == "speech_act" and not reader.yes)
    held = script.parts(reader, "locked")[""]
    perfect = script.act_figures([(row, row["label"]) for row in held])
    assert perfect["floors_met"]
    assert perfect["assertions_lost"]["k"] == 0
    asserts = script.act_figures([(row, "assertion") for row in held])
    assert asserts["nodes"]["assertion"]["sensitivity"]["share"] == 1
    assert asserts["nodes"]["assertion"]["false_alarms"]["share"] == 1
    assert not asserts["floors_met"]
    teaches = script.act_figures([(row, "general") for row in held])
    assert teaches["assertions_lost"]["share"] == 1


def test_page_and_passports_say_the_same_and_every_locked_scoring_is_logged(script: ModuleType) -> None:
    made = json.loads(script.PASSPORTS.read_text(encoding="utf-8"))["passports"]
    if not script.SHARED.is_dir():
        pytest.skip("the sets are not beside this checkout (PERCUSS_SHARED names the folder above data/)")
    assert script.page(made) == script.PAGE.read_text(encoding="utf-8"), "run scripts/reading.py --locked"
    logged = [json.loads(line) for line in script.LOG.read_text(encoding="utf-8").splitlines()]
    for one in made:
        same = [
            line
            for line in logged
            if all(
                line[name] == one[name] for name in ("reader", "version", "corpus", "layout", "n", "right")
            )
        ]
        assert same, f"{one['reader']} on {one['corpus']} {one['layout']}"


def test_the_first_versions_are_frozen_on_the_whole_locked_half(script: ModuleType) -> None:
    for reader in script.READERS:
        if reader.version == "1":
            file = script.FIRST / f"{reader.corpus}.{reader.name.replace(':', '-')}.json"
            said = json.loads(file.read_text(encoding="utf-8"))["said"]
            held = {row["id"] for part in script.parts(reader, "locked").values() for row in part}
            assert held == set(said)
