"""Read only, three times over: the parser, the role and the rolled-back transaction, each without the others."""

from pathlib import Path
from typing import Any

import pytest

from percuss.protocols.skills.worlds.hospital.database import expected
from percuss.protocols.skills.worlds.hospital.guard import LONGEST, rule
from percuss.protocols.skills.worlds.hospital.schema import Dialect
from percuss.protocols.skills.worlds.hospital.state import Ward
from tests.protocols.skills.hospital.databases import ALL, SEED, database, url_of
from tests.protocols.skills.hospital.writes import WRITES

READS: dict[Dialect, tuple[str, ...]] = {
    "sqlite": (
        "SELECT COUNT(*) AS n FROM patients WHERE sex = 'F';",
        (
            "WITH a AS (SELECT patient_id, MAX(taken_at) AS t FROM labs GROUP BY 1) SELECT l.* FROM labs l "
            "JOIN a ON a.patient_id = l.patient_id AND a.t = l.taken_at"
        ),
        "SELECT strftime('%Y-%m', admitted_at) AS m, COUNT(*) FROM encounters GROUP BY m HAVING COUNT(*) > 2",
        "SELECT julianday(discharged_at) - julianday(admitted_at) FROM encounters",
        "SELECT value, LAG(value) OVER (PARTITION BY patient_id ORDER BY taken_at) FROM labs",
        "SELECT 1 WHERE 'x; DELETE FROM labs' = 'y' -- DROP TABLE labs",
        'SELECT \'drop\', "update" FROM (SELECT 1 AS "update")',
        "SELECT * FROM labs WHERE patient_id IN (SELECT patient_id FROM patients) AND (value > 3) AND EXISTS (SELECT 1)",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT n FROM t",
        "SELECT SUM(value) FILTER (WHERE status = 'final') FROM labs",
        "SELECT CAST(value AS DECIMAL(10,2)), COALESCE(value, 0) FROM labs",
    ),
    "postgresql": (
        "SELECT date_trunc('month', admitted_at), COUNT(*) FROM encounters GROUP BY 1",
        "SELECT taken_at::date, value::numeric(10,2) FROM labs",
        "SELECT DISTINCT ON (patient_id) patient_id, value FROM labs ORDER BY patient_id, taken_at DESC NULLS LAST",
        "SELECT extract(year FROM age(birth_date)) FROM patients",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY value) FROM labs",
        "SELECT * FROM labs WHERE taken_at >= now() - interval '3 days'",
        "SELECT string_agg(drug, ', ') FROM medications",
    ),
    "mariadb": (
        "SELECT DATE_FORMAT(admitted_at, '%Y-%m') AS m, COUNT(*) FROM encounters GROUP BY m",
        "SELECT TIMESTAMPDIFF(DAY, admitted_at, discharged_at) FROM encounters",
        'SELECT `value` FROM labs WHERE test = "CRP" LIMIT 2, 3',
        "SELECT IF(value > high, 1, 0) FROM labs",
        "SELECT DATE_SUB(admitted_at, INTERVAL 3 DAY) FROM encounters",
    ),
}


def test_there_are_at_least_sixty_attempts_for_each_database() -> None:
    assert all(len(attempts) == len(set(attempts)) >= 60 for attempts in WRITES.values())


@pytest.mark.parametrize("dialect", WRITES)
def test_the_parser_lets_no_attempt_through(dialect: Dialect) -> None:
    through = [sql for sql in WRITES[dialect] if rule(sql, dialect).outcome == "ok"]
    assert not through
    called_errors = [sql for sql in WRITES[dialect] if rule(sql, dialect).outcome != "refused"]
    assert not called_errors  # each is said to be an attempt, which costs the round


@pytest.mark.parametrize("dialect", READS)
def test_the_parser_lets_what_reads_through(dialect: Dialect) -> None:
    stopped = [(sql, why) for sql in READS[dialect] if (why := rule(sql, dialect)).outcome != "ok"]
    assert not stopped


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM nowhere", "There is no table 'nowhere'"),
        ("SELECT * FROM information_schema.tables", "There is no table"),
        ("SELECT * FROM other.labs", "There is no table"),
        ("SELECT FROM WHERE", "could not be read"),
        ("SELECT frobnicate(value) FROM labs", "frobnicate"),
        ("", "Expected one statement"),
        ("SELECT " + "1, " * LONGEST + "1", "letters"),
        ("SELECT " + "(" * 3000 + "1" + ")" * 3000, "could not be read"),
    ],
)
def test_what_is_merely_wrong_is_an_error_and_no_attempt(sql: str, said: str) -> None:
    ruling = rule(sql, "sqlite")
    assert ruling.outcome == "error"
    assert said in ruling.why


@pytest.mark.parametrize("dialect", ALL)
def test_the_database_alone_lets_no_attempt_through(dialect: Any, tmp_path: Path) -> None:
    """Without the parser: what the database is given still changes nothing, and leaves the session as it was."""
    slow = ("pg_sleep", "BENCHMARK", "SLEEP(", "GET_LOCK")
    with database(dialect, tmp_path) as opened:
        for sql in WRITES[dialect]:
            if not any(word in sql for word in slow):
                opened.run(sql)
        assert opened.digests() == expected(SEED)
        after = opened.run("SELECT COUNT(*) AS n FROM patients")
        assert (after.columns, after.error) == (("n",), "")
        assert opened.run("DELETE FROM labs").error
    assert list(tmp_path.glob("*")) in ([], [tmp_path / "hospital.sqlite"])


@pytest.mark.parametrize("dialect", ALL)
async def test_every_attempt_is_refused_logged_and_changes_nothing(dialect: Any, tmp_path: Path) -> None:
    with database(dialect, tmp_path) as opened:
        ward = Ward(SEED, opened)
        results = [await ward.call("query", {"sql": sql}) for sql in WRITES[dialect]]
        assert {(result.outcome, result.effect) for result in results} == {("refused", "write")}
        assert ward.changed() == ()
        good = await ward.call("query", {"sql": READS[opened.dialect][0]})
        assert good.outcome == "ok", good.text


def test_the_reads_are_read_by_the_databases_too(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as opened:
        assert [sql for sql in READS["sqlite"] if opened.run(sql).error] == []


@pytest.mark.parametrize("dialect", ["postgresql", "mariadb"])
def test_the_reads_are_read_by_the_servers_too(dialect: Any, tmp_path: Path) -> None:
    url_of(dialect)
    with database(dialect, tmp_path) as opened:
        assert [(sql, opened.run(sql).error) for sql in READS[opened.dialect] if opened.run(sql).error] == []


def test_a_statement_without_end_is_stopped_by_a_count_of_operations(tmp_path: Path) -> None:
    sql = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) FROM t"
    with database("sqlite", tmp_path) as opened:
        first, second = opened.run(sql), opened.run(sql)
        assert first.timed_out
        assert first == second
        assert opened.run("SELECT 1").rows == ((1,),)


def test_more_rows_than_are_shown_are_said(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as opened:
        rows = opened.run("SELECT * FROM labs")
        assert (len(rows.rows), rows.more) == (200, True)
