"""The run folder: who may open it, what it refuses, and that a failed start leaves nothing."""

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from percuss.core.errors import BadInput, RunError, UsageError
from percuss.core.records import Blob, Case
from percuss.store import Identity, RunStore, schema, survey
from percuss.store.database import on_network

IDENTITY = Identity(
    protocol="tiny",
    version="1",
    prompts={"ask": "p0"},
    cases="c0",
    n_cases=3,
    policy={"max_tokens": 800},
    seed=42,
)
CASES = [
    Case(id="b", cluster="k1", payload={"age": 61, "stage": "IIB"}),
    Case(id="a", cluster="k1", stratum="x", blobs=(Blob.of(b"pixels", "image/png"),)),
    Case(id="c", cluster="k2"),
]


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_only_the_owner_can_read_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "r"
    with RunStore.create(folder, IDENTITY) as store:
        store.add_cases(CASES)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert modes(folder) == {0o600}
    assert modes(folder) == {0o600}


def test_cases_come_back_in_order_with_their_bytes(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        assert store.add_cases(CASES, limit=2) == 2
        assert store.add_cases(CASES) == 1
        assert store.add_cases(CASES) == 0
        assert list(store.cases()) == CASES
        assert store.blobs.get(CASES[1].blobs[0].digest).data == b"pixels"


def test_another_identity_is_refused_by_name(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "r", IDENTITY).close()
    RunStore.create(tmp_path / "r", IDENTITY).close()
    other = replace(IDENTITY, seed=7, prompts={"ask": "p1"}, policy={"max_tokens": 160})
    with pytest.raises(UsageError, match=r"prompts \(ask\); max_tokens \(800, now 160\); seed \(42, now 7\)"):
        RunStore.create(tmp_path / "r", other)
    with RunStore.open(tmp_path / "r") as store:
        assert store.identity() == IDENTITY


def test_identity_counts_what_makes_answers_comparable() -> None:
    changed = [
        replace(IDENTITY, seed=1),
        replace(IDENTITY, cases="c1"),
        replace(IDENTITY, version="2"),
        replace(IDENTITY, policy={"max_tokens": 801}),
        replace(IDENTITY, prompts={"ask": "p1"}),
    ]
    assert len({IDENTITY.digest, *(one.digest for one in changed)}) == 6
    assert all(len(IDENTITY.differences(one)) == 1 for one in changed)


def test_a_second_process_gets_one_sentence(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from percuss.store import RunStore; from percuss.core.errors import RunError\n"
        "try: RunStore.open(Path(sys.argv[1]), writable=True)\n"
        "except RunError as error: print(error)"
    )
    with RunStore.create(tmp_path / "r", IDENTITY):
        said = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "r")], capture_output=True, text=True, check=True
        )
        assert f"another percuss process (process {os.getpid()}) is writing" in said.stdout
        with RunStore.open(tmp_path / "r") as reader:
            assert reader.identity() == IDENTITY
    RunStore.open(tmp_path / "r", writable=True).close()


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "r", IDENTITY).close()
    with sqlite3.connect(tmp_path / "r" / "run.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    newer = rf"written by a newer percuss \(file version 99, this one reads up to {schema.VERSION}\)"
    with pytest.raises(RunError, match=newer):
        RunStore.open(tmp_path / "r")
    with pytest.raises(RunError, match=newer):
        RunStore.create(tmp_path / "r", IDENTITY)


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        RunStore.open(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match=r"not empty and holds no run \(notes.txt\)"):
        RunStore.create(tmp_path, IDENTITY)
    other = tmp_path / "other"
    other.mkdir()
    with sqlite3.connect(other / "run.sqlite") as db:
        db.execute("PRAGMA application_id = 7")
        db.execute("CREATE TABLE t (x)")
    db.close()
    with pytest.raises(RunError, match="SQLite file of another program"):
        RunStore.create(other, IDENTITY)
    (other / "run.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(RunError, match="is not a run of percuss"):
        RunStore.open(other)


def test_an_unusable_place_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be used"):
        RunStore.create(tmp_path / "file" / "r", IDENTITY)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o555)
    code = (
        "import sys; from pathlib import Path; sys.path[:0] = [sys.argv[2]]\n"
        "from percuss.store import RunStore, Identity; from percuss.core.errors import RunError\n"
        "identity = Identity(protocol='t', version='1', prompts={}, cases='', n_cases=0, policy={}, seed=1)\n"
        "try: RunStore.create(Path(sys.argv[1]) / 'r', identity)\n"
        "except RunError as error: print(error)"
    )
    as_nobody = (
        ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
        if os.geteuid() == 0
        else []
    )
    said = subprocess.run(
        [*as_nobody, sys.executable, "-c", code, str(home), str(Path(__file__).parents[3] / "src")],
        capture_output=True,
        text=True,
        check=False,
    )
    if "setpriv" in said.stderr:
        pytest.skip(f"capabilities cannot be dropped here: {said.stderr.strip()}")
    assert "cannot be used (Permission denied)" in said.stdout, said.stderr
    assert list(home.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_keeps_what_was_there(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        store.add_cases(CASES)
        # SQLite's own limit on the file: the same error as that of a disk without room.
        store.write_now(lambda db: db.execute("PRAGMA max_page_count = 1").fetchone())
        more = [*CASES, *(Case(id=f"n{n}", cluster="k", payload={"text": "x" * 5000}) for n in range(50))]
        with pytest.raises(RunError, match="the disk is full while writing"):
            store.add_cases(more)
        assert list(store.cases()) == CASES
        store.write_now(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
        assert store.add_cases(more) == 50


def test_bad_cases_leave_no_row(tmp_path: Path) -> None:
    def broken() -> object:
        yield CASES[0]
        raise BadInput("field `id` is missing", source="cases.jsonl", line=3)

    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        with pytest.raises(BadInput, match=r"cases.jsonl, line 3"):
            store.add_cases(broken())  # type: ignore[arg-type]
        assert list(store.cases()) == []


def test_a_survey_finds_doubles_and_emptiness_before_anything_is_written() -> None:
    with pytest.raises(BadInput, match=r"case id 'b' stands twice \(records 1 and 4\)"):
        survey([*CASES, CASES[0]])
    with pytest.raises(BadInput, match="no cases"):
        survey([])
    assert survey(CASES).n == 3
    assert survey(CASES).digest != survey(list(reversed(CASES))).digest


def test_reading_takes_no_lock_and_writes_nothing(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "r", IDENTITY).close()
    with RunStore.open(tmp_path / "r") as store, pytest.raises(RunError, match="opened for reading"):
        store.add_cases(CASES)


def test_manifest_is_readable_beside_the_run(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        store.update_manifest({"hosts": {"api.example.org": 3}})
    held = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert held["hosts"] == {"api.example.org": 3}
    assert held["identity"]["seed"] == 42
    assert held["spent"] == {"calls": 0, "tokens_in": 0, "tokens_out": 0, "cost_usd": 0.0}


def test_one_connection_in_turns_on_a_network_file_system(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "r", IDENTITY, network=True) as store:
        store.add_cases(CASES)
        assert list(store.cases()) == CASES
        assert store.read(lambda db: db.execute("PRAGMA locking_mode").fetchone()) == ("exclusive",)
        assert not (tmp_path / "r" / "run.sqlite-shm").exists(), "WAL without shared memory"
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        assert list(store.cases()) == CASES


def test_network_file_systems_are_told_by_the_longest_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    folder = tmp_path / "shared" / "runs"
    folder.mkdir(parents=True)
    mounts.write_text(f"/dev/a / ext4 rw 0 0\nserver:/x {tmp_path / 'shared'} nfs4 rw 0 0\n")
    assert on_network(folder, mounts)
    assert not on_network(tmp_path, mounts)
    assert not on_network(folder, tmp_path / "absent")


def test_migrations_are_appended_and_leave_the_file_as_it_was_when_they_fail(tmp_path: Path) -> None:
    assert len(schema.MIGRATIONS) == schema.VERSION
    path = tmp_path / "run.sqlite"
    db = sqlite3.connect(path, isolation_level=None)
    schema.migrate(db, path)
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    expected = "manifest calls pages cases use_rows scorings estimates sections blobs check_rows check_lists follows claim_keys made fetches "
    expected += "extracts cell_sets cell_cases cell_rows response_rows texts claim_rows claim_words verdict_rows verdict_lists "
    expected += "verdict_words dictionaries dictionary_use"
    assert tables == set(expected.split())
    views = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'")}
    assert views == {"cells", "responses", "uses", "checks", "claims", "verdicts"}
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    db.close()


def test_a_start_that_was_killed_before_its_tables_stood_is_started_again(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "run.sqlite").touch()
    with pytest.raises(RunError, match="holds no run yet"):
        RunStore.open(tmp_path / "r")
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        store.add_cases(CASES)
        assert list(store.cases()) == CASES


def test_a_finished_run_on_read_only_media_can_be_read(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        store.add_cases(CASES)
    for stray in ("run.sqlite-wal", "run.sqlite-shm"):
        (tmp_path / "r" / stray).unlink(missing_ok=True)
    (tmp_path / "r").chmod(0o500)
    (tmp_path / "r" / "run.sqlite").chmod(0o400)
    with RunStore.open(tmp_path / "r") as reader:
        assert list(reader.cases()) == CASES
    (tmp_path / "r").chmod(0o700)


def test_a_killed_run_can_be_looked_at(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "r", IDENTITY) as store:
        store.add_cases(CASES)
        assert (tmp_path / "r" / "run.sqlite-wal").stat().st_size > 0
        shutil.copytree(tmp_path / "r", tmp_path / "as_killed")
        (tmp_path / "as_killed" / "run.sqlite-shm").unlink()
    with RunStore.open(tmp_path / "as_killed") as reader:
        assert list(reader.cases()) == CASES
