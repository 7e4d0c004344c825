"""`percuss verify`: recompute every hash of a run from what it stands for, and say what matches."""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from percuss.core.errors import PercussError
from percuss.core.ids import b2, canonical_json, claim_id, digest, response_id
from percuss.core.records import Record, Reply, Turn
from percuss.store.cases import Whole
from percuss.store.dictionaries import unpack_call
from percuss.store.following import digest_of, earlier_of
from percuss.store.manifest import read_manifest
from percuss.store.packed import read_json
from percuss.store.run import RunStore
from percuss.store.scorings import HUMAN, list_scorings

__all__ = ["Finding", "verify"]

SHOWN = 5
_REPLY = msgspec.json.Decoder(Reply)


class Finding(Record):
    """One kind of row.

    Args:
        what: calls, blobs, cases ..
        claim: what was recomputed, in words.
        checked, matching: rows; equal where all is well.
        wrong: the first few that do not match.
    """

    what: str
    claim: str
    checked: int
    matching: int
    wrong: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every row matches."""
        return self.checked == self.matching


Rows = Iterable[tuple[str, bool]]


def verify(folder: Path) -> tuple[Finding, ...]:
    """Recompute the hashes of a run.

    Args:
        folder: the run; it is opened for reading.

    Raises:
        RunError: there is no run, or it cannot be opened.
    """
    with RunStore.open(folder) as store:
        return tuple(store.read(_finding, what, claim, rows) for what, claim, rows in _CHECKS)


def _finding(
    db: sqlite3.Connection, what: str, claim: str, rows: Callable[[sqlite3.Connection], Rows]
) -> Finding:
    checked, wrong = 0, 0
    first: list[str] = []
    for name, matches in rows(db):
        checked += 1
        if not matches:
            wrong += 1
            first += [name] if wrong <= SHOWN else []
    return Finding(what=what, claim=claim, checked=checked, matching=checked - wrong, wrong=tuple(first))


def _file(db: sqlite3.Connection) -> Rows:
    for (line,) in db.execute("PRAGMA quick_check"):
        yield line, line == "ok"


def _identity(db: sqlite3.Connection) -> Rows:
    held = read_manifest(db)
    identity = held["identity"]
    fields = [identity[name] for name in ("protocol", "version", "prompts", "cases", "policy", "seed")]
    yield "identity", b2(*fields) == held["identity_digest"]


def _prompts(db: sqlite3.Connection) -> Rows:
    held = read_manifest(db)
    texts = held.get("prompts", {})
    for name, hashed in held["identity"]["prompts"].items():
        if name in texts:
            yield name, digest(texts[name].encode()) == hashed


def _cases(db: sqlite3.Connection) -> Rows:
    whole = Whole()
    rows = db.execute("SELECT digest, case_id, cluster, stratum, payload, blobs FROM cases ORDER BY ordinal")
    for held, case_id, cluster, stratum, payload, blobs in rows:
        content = [case_id, cluster, stratum, read_json(payload, object), read_json(blobs, object)]
        recomputed = digest(canonical_json(content))
        whole.add(recomputed)
        yield case_id, held == recomputed
    identity = read_manifest(db)["identity"]
    if whole.n == identity["n_cases"]:
        yield "the source as a whole", whole.source().digest == identity["cases"]


def _blobs(db: sqlite3.Connection) -> Rows:
    for name, data in db.execute("SELECT digest, data FROM blobs"):
        yield name, digest(data) == name


def _calls(db: sqlite3.Connection) -> Rows:
    for key, request, reply in db.execute("SELECT key, request, reply FROM calls"):
        yield key, _call_matches(db, key, request, reply)


def _call_matches(db: sqlite3.Connection, key: str, request: bytes, reply: bytes | None) -> bool:
    try:
        if reply is not None:
            _REPLY.decode(unpack_call(db, reply))
        return digest(unpack_call(db, request)) == key
    except (PercussError, msgspec.MsgspecError):
        return False


def _pages(db: sqlite3.Connection) -> Rows:
    rows = db.execute(
        "SELECT f.url, f.digest, f.failure, b.digest FROM fetches f LEFT JOIN blobs b ON b.digest = f.digest"
    )
    for url, held, failure, kept in rows:
        yield url, (held is None) != (failure is None) and held == kept


def _texts(db: sqlite3.Connection) -> Rows:
    rows = db.execute(
        "SELECT e.digest, e.text, e.pages, b.digest FROM extracts e LEFT JOIN blobs b ON b.digest = e.digest"
    )
    for name, text, pages, kept in rows:
        offsets = read_json(pages, tuple[int, ...])
        inside = all(0 <= one <= len(text) for one in offsets) and list(offsets) == sorted(offsets)
        yield name, kept == name and inside


def _responses(db: sqlite3.Connection) -> Rows:
    for held, model, case, arm, epoch in db.execute(
        "SELECT response_id, model, case_id, arm, epoch FROM responses"
    ):
        yield held, response_id(model, case, arm, epoch) == held


def _followers(db: sqlite3.Connection) -> Rows:
    for name, after, scoring, held in db.execute(
        "SELECT response_id, after_response, after_scoring, earlier FROM follows"
    ):
        earlier = earlier_of(db, after, scoring)
        yield name, not isinstance(earlier, str) and digest_of(earlier) == held


def _claims(db: sqlite3.Connection) -> Rows:
    rows = db.execute(
        "SELECT c.claim_id, c.response_id, c.turn, c.start, c.stop, c.text, r.turns, "
        "coalesce(y.key, '') FROM claims c JOIN responses r ON r.response_id = c.response_id "
        "LEFT JOIN claim_keys y ON y.claim_id = c.claim_id AND y.extractor = c.extractor ORDER BY c.response_id"
    )
    held, texts = "", dict[int, str]()
    for name, response, turn, start, stop, text, turns, key in rows:
        if response != held:
            held, texts = response, {one.index: one.text for one in read_json(turns, tuple[Turn, ...])}
        yield (
            name,
            claim_id(response, turn, start, stop, text, key) == name
            and texts.get(turn, "")[start:stop] == text,
        )


def _scorings(db: sqlite3.Connection) -> Rows:
    for scoring in list_scorings(db):
        if scoring.id != HUMAN:
            yield scoring.id, b2(list(scoring.raters), scoring.config) == scoring.id


def _verdicts(db: sqlite3.Connection) -> Rows:
    rows = db.execute(
        "SELECT v.subject, v.subject = v.response_id OR EXISTS (SELECT 1 FROM claims c WHERE c.claim_id = v.subject) "
        "FROM verdicts v WHERE v.scoring <> ?",
        (HUMAN,),
    )
    for subject, known in rows:
        yield subject, bool(known)


_CHECKS: tuple[tuple[str, str, Callable[[sqlite3.Connection], Rows]], ...] = (
    ("file", "SQLite's own check of the file", _file),
    ("identity", "digest of prompts, cases, policy, seed and version", _identity),
    ("prompts", "digest of the text of each prompt", _prompts),
    ("cases", "digest of the content of each case, and of the source where the run holds all of it", _cases),
    ("blobs", "digest of the bytes", _blobs),
    ("calls", "key, recomputed from the stored request; the reply can be read", _calls),
    ("pages", "the bytes of each page that was fetched are there, and no failure has any", _pages),
    ("texts", "the bytes that each text was read from are there, and its pages begin inside it", _texts),
    ("responses", "id, of model, case, arm and epoch", _responses),
    ("followers", "digest of the answer, claims and verdicts that each was posed with", _followers),
    ("claims", "id, and the text standing where its span says", _claims),
    ("scorings", "id, of raters and settings", _scorings),
    ("verdicts", "the claim or response that is labelled exists", _verdicts),
)
