"""The tables of run.sqlite and the append-only list of functions that lead from one version to the next.

The file's version is `PRAGMA user_version`. Only `calls.request`, `calls.reply`, `blobs.data`, dictionaries and
the bodies of long sections are binary; all else is text that any SQL tool can read. Beyond CONTRACTS section 8 stand `checks`
(which responses a scoring has gone through, with which extractor, and why one could not be checked), `cases.blobs` and
`cases.digest`, `responses.finish`. `cells`, `responses`, `uses`, `checks`, `claims` and `verdicts` are views: what their rows
share stands once. Reading asks the views, so it reads older files, where they are tables, alike.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from percuss.core.errors import RunError
from percuss.store.said_once import sum_of

__all__ = ["APPLICATION_ID", "MIGRATIONS", "VERSION", "migrate", "require_known", "stand_in"]

APPLICATION_ID = 0x50524353
"""`PRAGMA application_id` of a run ("PRCS"), so that another SQLite file is not taken for one."""

_VERSION_1 = """
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE blobs (digest TEXT PRIMARY KEY, media_type TEXT NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE calls (
  key TEXT PRIMARY KEY, model TEXT NOT NULL, epoch INTEGER NOT NULL,
  request BLOB NOT NULL, reply BLOB, failure TEXT,
  served_model TEXT NOT NULL DEFAULT '', fingerprint TEXT NOT NULL DEFAULT '',
  tokens_in INTEGER NOT NULL DEFAULT 0, tokens_out INTEGER NOT NULL DEFAULT 0, cost_usd REAL NOT NULL DEFAULT 0,
  latency_s REAL NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 1, finished_at TEXT NOT NULL,
  CHECK ((reply IS NULL) <> (failure IS NULL))
) STRICT;
CREATE TABLE pages (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, status INTEGER, digest TEXT REFERENCES blobs, failure TEXT,
  fetched_at TEXT NOT NULL,
  CHECK ((digest IS NULL) <> (failure IS NULL))
) STRICT;
CREATE TABLE cases (
  case_id TEXT PRIMARY KEY, ordinal INTEGER NOT NULL UNIQUE, cluster TEXT NOT NULL, stratum TEXT NOT NULL,
  payload TEXT NOT NULL, blobs TEXT NOT NULL DEFAULT '[]', digest TEXT NOT NULL
) STRICT;
CREATE TABLE responses (
  response_id TEXT PRIMARY KEY, case_id TEXT NOT NULL REFERENCES cases, arm TEXT NOT NULL, model TEXT NOT NULL,
  epoch INTEGER NOT NULL, status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'not_applicable')), reason TEXT,
  finish TEXT NOT NULL, turns TEXT NOT NULL, artifacts TEXT NOT NULL,
  calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cost_usd REAL NOT NULL,
  UNIQUE (model, case_id, arm, epoch), CHECK ((status = 'done') = (reason IS NULL))
) STRICT;
CREATE TABLE uses (
  response_id TEXT NOT NULL REFERENCES responses, stage TEXT NOT NULL, role TEXT NOT NULL,
  key TEXT NOT NULL REFERENCES calls, PRIMARY KEY (response_id, stage, role, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE scorings (
  scoring TEXT PRIMARY KEY, raters TEXT NOT NULL, config TEXT NOT NULL, made_at TEXT NOT NULL, finished_at TEXT
) STRICT;
CREATE TABLE checks (
  scoring TEXT NOT NULL REFERENCES scorings, response_id TEXT NOT NULL REFERENCES responses, extractor TEXT NOT NULL,
  reason TEXT, PRIMARY KEY (scoring, response_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE claims (
  claim_id TEXT NOT NULL, response_id TEXT NOT NULL REFERENCES responses, extractor TEXT NOT NULL,
  ordinal INTEGER NOT NULL, turn INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, text TEXT NOT NULL,
  kind TEXT NOT NULL, kinds TEXT NOT NULL, payload TEXT NOT NULL,
  PRIMARY KEY (claim_id, extractor), UNIQUE (response_id, extractor, ordinal)
) STRICT;
CREATE TABLE verdicts (
  scoring TEXT NOT NULL REFERENCES scorings, subject TEXT NOT NULL, aspect TEXT NOT NULL, rater TEXT NOT NULL,
  response_id TEXT NOT NULL REFERENCES responses, label TEXT, score REAL, unscored TEXT, rationale TEXT NOT NULL,
  evidence TEXT NOT NULL, call TEXT, made_at TEXT NOT NULL,
  PRIMARY KEY (scoring, subject, aspect, rater),
  CHECK ((label IS NOT NULL) + (score IS NOT NULL) + (unscored IS NOT NULL) = 1)
) STRICT;
CREATE INDEX verdicts_rater ON verdicts (scoring, rater, aspect);
CREATE INDEX verdicts_response ON verdicts (response_id);
CREATE TABLE cells (
  scoring TEXT NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL, arm TEXT NOT NULL, labels TEXT NOT NULL,
  case_id TEXT NOT NULL, epoch INTEGER NOT NULL, cluster TEXT NOT NULL, stratum TEXT NOT NULL,
  num REAL NOT NULL, den REAL NOT NULL, excluded TEXT NOT NULL,
  PRIMARY KEY (scoring, name, model, arm, labels, case_id, epoch)
) STRICT;
CREATE TABLE estimates (
  scoring TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL, arm TEXT NOT NULL,
  labels TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (scoring, ordinal)
) STRICT;
CREATE TABLE sections (
  scoring TEXT NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (scoring, ordinal)
) STRICT;
"""


_VERSION_2 = """
CREATE TABLE follows (
  response_id TEXT PRIMARY KEY, after_response TEXT NOT NULL, after_scoring TEXT, earlier TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE claim_keys (
  claim_id TEXT NOT NULL, extractor TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (claim_id, extractor)
) STRICT, WITHOUT ROWID;
CREATE TABLE made (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, digest TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE fetches (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL, url TEXT NOT NULL, final_url TEXT NOT NULL, status INTEGER,
  media_type TEXT NOT NULL, date TEXT NOT NULL, etag TEXT NOT NULL, digest TEXT, failure TEXT, said TEXT NOT NULL,
  fetched_at TEXT NOT NULL, CHECK ((digest IS NULL) <> (failure IS NULL))
) STRICT;
CREATE INDEX fetches_key ON fetches (key, number);
CREATE TABLE extracts (
  digest TEXT NOT NULL, extractor TEXT NOT NULL, version TEXT NOT NULL, options TEXT NOT NULL, text TEXT NOT NULL,
  pages TEXT NOT NULL, PRIMARY KEY (digest, extractor, version, options)
) STRICT, WITHOUT ROWID
"""
"""Tables beside those of version 1, so that a file of version 1 can be read with these as empty temporary ones."""


_VERSION_3 = """
CREATE TABLE cell_sets (
  id INTEGER PRIMARY KEY, scoring TEXT NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL, arm TEXT NOT NULL,
  labels TEXT NOT NULL, UNIQUE (scoring, name, model, arm, labels)
) STRICT;
CREATE TABLE cell_cases (
  id INTEGER PRIMARY KEY, case_id TEXT NOT NULL, cluster TEXT NOT NULL, stratum TEXT NOT NULL,
  UNIQUE (case_id, cluster, stratum)
) STRICT;
CREATE TABLE cell_rows (
  cell_set INTEGER NOT NULL REFERENCES cell_sets, cell_case INTEGER NOT NULL REFERENCES cell_cases, epoch INTEGER NOT NULL,
  num REAL NOT NULL, den REAL NOT NULL, excluded TEXT, PRIMARY KEY (cell_set, cell_case, epoch)
) STRICT, WITHOUT ROWID;
INSERT INTO cell_sets (scoring, name, model, arm, labels)
  SELECT DISTINCT scoring, name, model, arm, labels FROM cells;
INSERT INTO cell_cases (case_id, cluster, stratum) SELECT DISTINCT case_id, cluster, stratum FROM cells;
INSERT INTO cell_rows (cell_set, cell_case, epoch, num, den, excluded)
  SELECT s.id, c.id, x.epoch, x.num, x.den, nullif(x.excluded, '{}') FROM cells x
  JOIN cell_sets s ON (s.scoring, s.name, s.model, s.arm, s.labels) = (x.scoring, x.name, x.model, x.arm, x.labels)
  JOIN cell_cases c ON (c.case_id, c.cluster, c.stratum) = (x.case_id, x.cluster, x.stratum);
DROP TABLE cells;
CREATE VIEW cells AS
  SELECT s.scoring, s.name, s.model, s.arm, s.labels, c.case_id, r.epoch, c.cluster, c.stratum, r.num, r.den,
  coalesce(r.excluded, '{}') AS excluded
  FROM cell_rows r JOIN cell_sets s ON s.id = r.cell_set JOIN cell_cases c ON c.id = r.cell_case
"""
"""Cells said once what they share: a run has a hundred thousand, and their names took most of its file."""


_VERSION_4 = """
CREATE TABLE dictionaries (name BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE dictionary_use (model TEXT PRIMARY KEY, calls INTEGER NOT NULL, dictionary BLOB) STRICT, WITHOUT ROWID;
CREATE TABLE texts (id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
INSERT INTO texts (sum, text)
  SELECT sum_of(turns), turns FROM (SELECT turns FROM responses UNION SELECT artifacts FROM responses);
CREATE INDEX texts_sum ON texts (sum);
CREATE TABLE response_rows (
  id INTEGER PRIMARY KEY, response_id TEXT NOT NULL UNIQUE, case_id TEXT NOT NULL REFERENCES cases, arm TEXT NOT NULL,
  model TEXT NOT NULL, epoch INTEGER NOT NULL, status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'not_applicable')),
  reason TEXT, finish TEXT NOT NULL, turns INTEGER NOT NULL, artifacts INTEGER NOT NULL,
  calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cost_usd REAL NOT NULL,
  UNIQUE (model, case_id, arm, epoch), CHECK ((status = 'done') = (reason IS NULL))
) STRICT;
INSERT INTO response_rows SELECT r.rowid, r.response_id, r.case_id, r.arm, r.model, r.epoch, r.status, r.reason, r.finish,
  (SELECT id FROM texts WHERE sum = sum_of(r.turns) AND text = r.turns),
  (SELECT id FROM texts WHERE sum = sum_of(r.artifacts) AND text = r.artifacts),
  r.calls, r.tokens_in, r.tokens_out, r.cost_usd FROM responses r;
CREATE TABLE use_rows (
  response INTEGER NOT NULL REFERENCES response_rows, stage TEXT NOT NULL, role TEXT NOT NULL,
  key TEXT NOT NULL REFERENCES calls, PRIMARY KEY (response, stage, role, key)
) STRICT, WITHOUT ROWID;
INSERT INTO use_rows SELECT r.id, u.stage, u.role, u.key FROM uses u JOIN response_rows r ON r.response_id = u.response_id;
DROP TABLE uses;
CREATE VIEW uses AS SELECT r.response_id, u.stage, u.role, u.key FROM use_rows u JOIN response_rows r ON r.id = u.response;
CREATE TABLE check_lists (
  id INTEGER PRIMARY KEY, scoring TEXT NOT NULL REFERENCES scorings, extractor TEXT NOT NULL, UNIQUE (scoring, extractor)
) STRICT;
INSERT INTO check_lists (scoring, extractor) SELECT DISTINCT scoring, extractor FROM checks;
CREATE TABLE check_rows (
  response INTEGER NOT NULL REFERENCES response_rows, list INTEGER NOT NULL REFERENCES check_lists, reason TEXT,
  PRIMARY KEY (response, list)
) STRICT, WITHOUT ROWID;
INSERT INTO check_rows SELECT r.id, l.id, k.reason FROM checks k JOIN response_rows r ON r.response_id = k.response_id
  JOIN check_lists l ON (l.scoring, l.extractor) = (k.scoring, k.extractor);
DROP TABLE checks;
CREATE VIEW checks AS SELECT l.scoring, r.response_id, l.extractor, k.reason FROM check_rows k
  JOIN response_rows r ON r.id = k.response JOIN check_lists l ON l.id = k.list;
CREATE TABLE claim_words (
  id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, text TEXT NOT NULL, kind TEXT NOT NULL, kinds TEXT NOT NULL,
  payload TEXT NOT NULL
) STRICT;
INSERT INTO claim_words (sum, text, kind, kinds, payload) SELECT sum_of(text, kind, kinds, payload), text, kind, kinds, payload
  FROM (SELECT DISTINCT text, kind, kinds, payload FROM claims);
CREATE INDEX claim_words_sum ON claim_words (sum);
CREATE TABLE claim_rows (
  claim_id TEXT NOT NULL, response INTEGER NOT NULL REFERENCES response_rows, extractor TEXT NOT NULL,
  ordinal INTEGER NOT NULL, turn INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, words INTEGER NOT NULL,
  PRIMARY KEY (claim_id, extractor), UNIQUE (response, extractor, ordinal)
) STRICT;
INSERT INTO claim_rows SELECT c.claim_id, r.id, c.extractor, c.ordinal, c.turn, c.start, c.stop, w.id FROM claims c
  JOIN response_rows r ON r.response_id = c.response_id
  JOIN claim_words w ON w.sum = sum_of(c.text, c.kind, c.kinds, c.payload) AND (w.text, w.kind, w.kinds, w.payload)
  = (c.text, c.kind, c.kinds, c.payload);
CREATE TABLE verdict_lists (
  id INTEGER PRIMARY KEY, scoring TEXT NOT NULL REFERENCES scorings, aspect TEXT NOT NULL, rater TEXT NOT NULL,
  UNIQUE (scoring, aspect, rater)
) STRICT;
INSERT INTO verdict_lists (scoring, aspect, rater) SELECT DISTINCT scoring, aspect, rater FROM verdicts;
CREATE TABLE verdict_words (
  id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, label TEXT, score REAL, unscored TEXT, rationale TEXT NOT NULL,
  evidence TEXT NOT NULL, CHECK ((label IS NOT NULL) + (score IS NOT NULL) + (unscored IS NOT NULL) = 1)
) STRICT;
INSERT INTO verdict_words (sum, label, score, unscored, rationale, evidence)
  SELECT sum_of(label, score, unscored, rationale, evidence), label, score, unscored, rationale, evidence
  FROM (SELECT DISTINCT label, score, unscored, rationale, evidence FROM verdicts);
CREATE INDEX verdict_words_sum ON verdict_words (sum);
CREATE TABLE verdict_rows (
  response INTEGER NOT NULL REFERENCES response_rows, list INTEGER NOT NULL REFERENCES verdict_lists, subject TEXT NOT NULL,
  words INTEGER NOT NULL, call TEXT, made_at INTEGER NOT NULL, PRIMARY KEY (response, list, subject)
) STRICT, WITHOUT ROWID;
INSERT INTO verdict_rows SELECT r.id, l.id, CASE v.subject WHEN v.response_id THEN '' ELSE v.subject END, w.id, v.call,
  coalesce(CAST(strftime('%s', v.made_at) AS INTEGER), 0) FROM verdicts v
  JOIN response_rows r ON r.response_id = v.response_id
  JOIN verdict_lists l ON (l.scoring, l.aspect, l.rater) = (v.scoring, v.aspect, v.rater)
  JOIN verdict_words w ON w.sum = sum_of(v.label, v.score, v.unscored, v.rationale, v.evidence) AND w.label IS v.label
  AND w.score IS v.score AND w.unscored IS v.unscored AND w.rationale = v.rationale AND w.evidence = v.evidence;
DROP TABLE verdicts;
DROP TABLE claims;
DROP TABLE responses;
CREATE VIEW responses AS
  SELECT id AS rowid, response_id, case_id, arm, model, epoch, status, reason, finish,
  (SELECT text FROM texts WHERE texts.id = response_rows.turns) AS turns,
  (SELECT text FROM texts WHERE texts.id = response_rows.artifacts) AS artifacts,
  calls, tokens_in, tokens_out, cost_usd FROM response_rows;
CREATE VIEW claims AS
  SELECT c.claim_id, r.response_id, c.extractor, c.ordinal, c.turn, c.start, c.stop, w.text, w.kind, w.kinds, w.payload
  FROM claim_rows c JOIN response_rows r ON r.id = c.response JOIN claim_words w ON w.id = c.words;
CREATE VIEW verdicts AS
  SELECT l.scoring, CASE v.subject WHEN '' THEN r.response_id ELSE v.subject END AS subject, l.aspect, l.rater,
  r.response_id, w.label, w.score, w.unscored, w.rationale, w.evidence, v.call,
  strftime('%Y-%m-%dT%H:%M:%S+00:00', v.made_at, 'unixepoch') AS made_at FROM verdict_rows v
  JOIN response_rows r ON r.id = v.response JOIN verdict_lists l ON l.id = v.list JOIN verdict_words w ON w.id = v.words;
CREATE TABLE new_sections (
  scoring TEXT NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, body ANY NOT NULL, PRIMARY KEY (scoring, ordinal)
) STRICT;
INSERT INTO new_sections SELECT * FROM sections;
DROP TABLE sections;
ALTER TABLE new_sections RENAME TO sections
"""
"""Words said once: verdicts of rules, answers and recipes repeat, and their ids and texts took most of a run's file."""


def _first_tables(db: sqlite3.Connection) -> None:
    for statement in _VERSION_1.split(";\n"):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _second_tables(db: sqlite3.Connection) -> None:
    for statement in _VERSION_2.split(";\n"):
        db.execute(statement)


def _short_cells(db: sqlite3.Connection) -> None:
    for statement in _VERSION_3.split(";\n"):
        db.execute(statement)


def _words_once(db: sqlite3.Connection) -> None:
    db.create_function("sum_of", -1, sum_of, deterministic=True)
    for statement in _VERSION_4.split(";\n"):
        db.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _first_tables,
    _second_tables,
    _short_cells,
    _words_once,
)
"""Append only: function n leads from version n to n + 1. A released one is never edited."""

VERSION = len(MIGRATIONS)


def require_known(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of an open file.

    Raises:
        RunError: a newer percuss wrote the file, or it is no run.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application, version, tables) != (0, 0, 0):
        raise RunError(
            f"{path} is an SQLite file of another program; expected a run of percuss; choose another folder"
        )
    if version > VERSION:
        raise RunError(
            f"{path} was written by a newer percuss (file version {version}, this one reads up to {VERSION}); "
            "upgrade percuss to open it"
        )
    return int(version)


def stand_in(db: sqlite3.Connection, version: int) -> None:
    """Give a reading connection the tables that its older file lacks, empty and temporary: the file is not touched.

    Args:
        db: connection to the run.
        version: of the file.
    """
    if version < 2:
        db.execute("PRAGMA temp_store = MEMORY")
        for statement in _VERSION_2.split(";\n"):
            if statement.lstrip().startswith("CREATE TABLE"):
                db.execute(statement.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring a file to the current version in one transaction.

    Raises:
        RunError: see `require_known`.
    """
    version = require_known(db, path)
    if version == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[version:]:
            step(db)
        db.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
