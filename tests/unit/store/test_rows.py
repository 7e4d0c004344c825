"""Typed reads and writes: order, merging, scorings side by side, and the constraints of the tables."""

import sqlite3
from pathlib import Path

import pytest

from percuss.core.errors import BadInput, RunError, UsageError
from percuss.core.ids import response_id
from percuss.core.records import Case, Cell, Claim, Estimate, Response, Scoring, Text, Turn, Verdict
from percuss.core.sections import Prose, Section
from percuss.store import Checked, Identity, RunStore, schema, verify
from percuss.store.manifest import name_model
from percuss.store.responses import Use, put_response, settled
from percuss.store.results import drop_cells, put_results
from percuss.store.scorings import count_unchecked, put_checked, put_scoring

IDENTITY = Identity(protocol="tiny", version="1", prompts={}, cases="c", n_cases=3, policy={}, seed=42)
CASES = [Case(id=name, cluster=name) for name in ("z", "a", "m")]


def response(
    case: str, *, model: str = "m/1", arm: str = "with", epoch: int = 0, **fields: object
) -> Response:
    turns = (Turn(index=0, role="assistant", parts=(Text(text=f"One. Two {case} {arm} {model} {epoch}."),)),)
    base = {"turns": turns, **fields}
    return Response(
        id=response_id(model, case, arm, epoch),
        case_id=case,
        arm=arm,
        model=model,
        epoch=epoch,
        **base,  # type: ignore[arg-type]
    )


def claim(of: Response, start: int, stop: int, extractor: str = "rule") -> Claim:
    return Claim.of(of.id, turn=0, start=start, stop=stop, text=of.text[start:stop], extractor=extractor)


def verdict(subject: str, of: Response, rater: str = "rule:strict", label: str = "supported") -> Verdict:
    return Verdict(subject=subject, response_id=of.id, aspect="support", rater=rater, label=label)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    made = RunStore.create(tmp_path / "r", IDENTITY)
    made.add_cases(CASES)
    return made


def scored(store: RunStore, name: str = "s1") -> str:
    scoring = Scoring(id=name, raters=("rule:strict",), made_at="2026-01-01")
    store.write_now(put_scoring, scoring)
    return scoring.id


def test_responses_are_read_in_order_however_they_came(store: RunStore) -> None:
    for model in ("m/2", "m/1"):
        store.write_now(name_model, model, "pin")
    wanted = [
        (model, case.id, arm, epoch)
        for model in ("m/2", "m/1")
        for case in CASES
        for arm in ("with", "without")
        for epoch in (0, 1)
    ]
    for model, case, arm, epoch in sorted(wanted, key=lambda one: hash(one[1:]) % 7):
        store.write_now(put_response, response(case, model=model, arm=arm, epoch=epoch))
    view = store.view("")
    assert view.models == ("m/2", "m/1")
    read = [one.response for one in view.assessed()]
    assert [(one.model, one.case_id, one.arm, one.epoch) for one in read] == wanted
    assert [one.response.arm for one in view.assessed(model="m/1", arm="without")] == ["without"] * 6
    assert read[0] == response("z", model="m/2")


def test_a_done_response_is_never_replaced_and_a_failed_one_is(store: RunStore) -> None:
    failed = response("z", status="failed", reason="error:transient", turns=())
    store.write_now(put_response, failed)
    assert store.read(settled, "m/1", 0, 9) == set()
    store.write_now(put_response, response("z"))
    assert store.read(settled, "m/1", 0, 9) == {("z", "with", 0)}
    store.write_now(put_response, failed)
    assert next(iter(store.view("").assessed())).response.status == "done"


def test_a_response_and_its_uses_are_written_together_or_not_at_all(store: RunStore) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.write_now(put_response, response("z"), [Use(role="model", key="no such call")])
    assert list(store.view("").assessed()) == []


def test_human_verdicts_join_every_scoring_and_outlive_a_check(store: RunStore) -> None:
    one = response("z")
    store.write_now(put_response, one)
    first, second = claim(one, 0, 4), claim(one, 5, 8)
    scoring = scored(store)
    checked = Checked(response_id=one.id, claims=(first, second), verdicts=(verdict(second.id, one),))
    store.write_now(put_checked, scoring, checked)
    store.put_human([verdict(first.id, one, "human:r1", "unsupported")])
    store.put_human([verdict(first.id, one, "human:r1", "partial"), verdict(one.id, one, "human:r2", "ok")])
    store.write_now(put_checked, scoring, checked)
    (seen,) = store.view(scoring).assessed()
    assert [(v.subject, v.rater, v.label) for v in seen.verdicts] == [
        (one.id, "human:r2", "ok"),
        (first.id, "human:r1", "partial"),
        (second.id, "rule:strict", "supported"),
    ]
    assert [v.scoring for v in seen.verdicts] == ["human", "human", scoring]


def test_scorings_with_two_extractors_stand_side_by_side(store: RunStore) -> None:
    one = response("z")
    store.write_now(put_response, one)
    a, b = scored(store, "a"), scored(store, "b")
    store.write_now(put_checked, a, Checked(response_id=one.id, claims=(claim(one, 0, 4),)))
    store.write_now(
        put_checked,
        b,
        Checked(response_id=one.id, claims=(claim(one, 0, 4, "model"), claim(one, 5, 8, "model"))),
    )
    assert [len(seen.claims) for name in (a, b) for seen in store.view(name).assessed()] == [1, 2]
    with pytest.raises(RunError, match="found other claims"):
        store.write_now(put_checked, b, Checked(response_id=one.id, claims=(claim(one, 5, 8),)))
    assert [len(seen.claims) for name in (a, b) for seen in store.view(name).assessed()] == [1, 2]


def test_what_was_left_out_is_said_with_its_reason(store: RunStore) -> None:
    scoring = scored(store)
    rows = {
        "z": response("z"),
        "a": response("a", status="failed", reason="refused", turns=()),
        "m": response("m"),
    }
    for row in rows.values():
        store.write_now(put_response, row)
    assert store.read(count_unchecked, scoring) == 2
    store.write_now(put_checked, scoring, Checked(response_id=rows["z"].id, reason="error:ValueError"))
    assert [one.left_out for one in store.view(scoring).assessed()] == [
        "error:ValueError",
        "refused",
        "not_checkable:not checked",
    ]
    assert store.read(count_unchecked, scoring) == 2, "a failed check is tried again"
    store.write_now(put_checked, scoring, Checked(response_id=rows["z"].id))
    assert next(iter(store.view(scoring).assessed())).left_out is None
    assert store.read(count_unchecked, scoring) == 1


def test_responses_with_a_rater_in_error_are_checked_again(store: RunStore) -> None:
    scoring, one = scored(store), response("z")
    store.write_now(put_response, one)
    failed = Verdict(
        subject=one.id, response_id=one.id, aspect="support", rater="judge:j#1", unscored="error:transient"
    )
    store.write_now(put_checked, scoring, Checked(response_id=one.id, verdicts=(failed,)))
    assert store.read(count_unchecked, scoring) == 1


def test_results_are_replaced_as_a_whole(store: RunStore) -> None:
    cell = Cell(name="u", model="m", arm="with", labels="rule:strict", case_id="z", cluster="z", num=1, den=2)
    made = Estimate(
        name="u", model="m", arm="with", labels="rule:strict", value=0.5, excluded={"conflict": 1}
    )
    section = Section.of("findings", "What?", Prose(markdown="this"))
    for n in (2, 1):
        store.write_now(put_results, "s1", [cell], [made] * n, [section] * n)
    assert [one.num for one in store.cells("s1")] == [1.0]
    assert store.estimates("s1") == (made,)
    assert store.sections("s1") == (section,)
    assert store.estimates("s2") == ()


def test_imported_answers_are_the_rows_that_asking_writes(store: RunStore) -> None:
    assert store.import_responses([response("z"), response("a")]) == 2
    assert store.import_responses([response("z"), response("m")]) == 1
    assert [one.response for one in store.view("").assessed()] == [
        response("z"),
        response("a"),
        response("m"),
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([response("a"), response("nobody")], "response 2 answers case 'nobody'"),
        ([response("z", turns=())], "response 1 .* differs from the one that the run holds"),
    ],
)
def test_bad_imports_write_nothing(store: RunStore, rows: list[Response], said: str) -> None:
    store.import_responses([response("z")])
    with pytest.raises(BadInput, match=said):
        store.import_responses(rows)
    assert [one.response.case_id for one in store.view("").assessed()] == ["z"]


def test_a_model_of_the_same_name_must_be_the_same(store: RunStore) -> None:
    store.write_now(name_model, "m/1", "host-a")
    with pytest.raises(UsageError, match="host-b"):
        store.write_now(name_model, "m/1", "host-b")


@pytest.mark.parametrize(
    ("name", "query", "wide"),
    [
        ("verdicts of some responses", "verdicts_of", "SCAN v"),
        ("other scorings of a response", "_require_same_claims", "SCAN k"),
    ],
)
def test_a_page_never_walks_the_whole_scoring(store: RunStore, name: str, query: str, wide: str) -> None:
    """Read with a query's own text: a scan over all verdicts for each page made large runs quadratic."""
    from percuss.store import scorings, verdicts

    one = response("z")
    store.write_now(put_response, one)
    asked: list[str] = []

    def traced(db: sqlite3.Connection) -> list[str]:
        db.set_trace_callback(asked.append)
        try:
            if query == "verdicts_of":
                verdicts.verdicts_of(db, scored_id, [one.id])
            else:
                checked = Checked(response_id=one.id, claims=(claim(one, 0, 4),))
                scorings._require_same_claims(db, scored_id, checked, "rule")
        finally:
            db.set_trace_callback(None)
        return [str(row) for row in db.execute(f"EXPLAIN QUERY PLAN {asked[0]}")]

    scored_id = scored(store)
    plan = store.read(traced)
    assert plan, name
    assert not any(wide in row or "SCAN verdicts" in row or "SCAN checks" in row for row in plan), plan


def test_keys_tell_claims_of_one_span_apart_and_come_back(store: RunStore) -> None:
    of = response("z")
    store.write_now(put_response, of)
    claims = tuple(
        Claim.of(of.id, turn=0, start=0, stop=4, text="One.", extractor="rule", key=key)
        for key in ("Miller 2015", "Miller 2016", "")
    )
    scoring = Scoring.of(("rule:strict",), {}, "t")
    store.write_now(put_scoring, scoring)
    store.write_now(put_checked, scoring.id, Checked(response_id=of.id, claims=claims))
    (scored,) = store.view(scoring.id).assessed()
    assert scored.claims == claims
    store.close()
    (found,) = [finding for finding in verify(store.folder) if finding.what == "claims"]
    assert (found.checked, found.matching) == (3, 3)


def _cells(model: str, n: int, scoring: str = "s1") -> list[Cell]:
    return [
        Cell(
            name=f"a_long_name_of_a_number_{k % 5}", model=model, arm=f"an_arm:misleading,part={k % 4}", labels="rule:strict",
            case_id=f"synthetic-balanced-{k // 20:05}:b01", cluster=f"synthetic-balanced-{k // 20:05}", num=k % 2, den=1,
            excluded={"conflict": 1} if k % 7 == 0 else {}, scoring=scoring,
        )
        for k in range(n)
    ]  # fmt: skip


def test_what_cells_share_stands_once_and_they_come_back_as_they_were(
    store: RunStore, tmp_path: Path
) -> None:
    made = [*_cells("m/1", 4_000), *_cells("m/2", 4_000)]
    pages = "SELECT sum(pgsize) FROM dbstat WHERE name GLOB 'cell_*' OR name GLOB 'sqlite_autoindex_cell_*'"
    store.write_now(put_results, "s1", made, [], [])

    def key(cell: Cell) -> tuple[object, ...]:
        return (cell.name, cell.model, cell.arm, cell.labels, cell.case_id, cell.epoch)

    held = list(store.cells("s1"))
    assert sorted(held, key=key) == sorted(made, key=key)
    [(taken,)] = store.read(lambda db: db.execute(pages).fetchall())
    # A cell's names alone are 120 characters; the rows of an SQL table of them took 300 bytes each.
    assert taken < 40 * len(made)
    [(shown,)] = store.read(
        lambda db: db.execute("SELECT count(*) FROM cells WHERE model = 'm/2'").fetchall()
    )
    assert shown == 4_000


def test_cells_of_a_scoring_or_a_model_are_dropped_alone(store: RunStore) -> None:
    for scoring in ("s1", "s2"):
        store.write_now(put_results, scoring, [*_cells("m/1", 40), *_cells("m/2", 40)], [], [])
    store.write_now(put_results, "s1", [], [], [])
    assert list(store.cells("s1")) == []
    assert len(list(store.cells("s2"))) == 80
    store.write_now(drop_cells, "model", "m/1")
    assert {cell.model for cell in store.cells("s2")} == {"m/2"}


def test_a_file_of_version_2_keeps_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    db = sqlite3.connect(path, isolation_level=None)
    for step in schema.MIGRATIONS[:2]:
        step(db)
    db.execute("PRAGMA user_version = 2")
    rows = [
        ("s", "u", "m", "with", "rule", case, 0, case, "", 1.0, 2.0, left)
        for case, left in (("z", "{}"), ("a", '{"x":1}'))
    ]
    db.executemany("INSERT INTO cells VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", rows)
    schema.migrate(db, path)
    assert sorted(db.execute("SELECT * FROM cells").fetchall()) == sorted(rows)
    db.close()
