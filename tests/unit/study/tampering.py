"""Ways to tamper with a study's database by somebody who has its password and the program, but not the key."""

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, insert, select, text, update

from percuss.core.ids import canonical_json
from percuss.study.answers import Given
from percuss.study.store import ledger, work
from percuss.study.store.signing import Signer
from percuss.study.store.tables import blobs, contents, study
from percuss.study.store.tables import ledger as table

__all__ = ["TAMPERINGS", "unguard"]


def unguard(connection: Connection) -> None:
    """Take away what keeps the ledger append-only, as somebody with the database's password can."""
    if connection.dialect.name == "sqlite":
        for name in ("ledger_no_update", "ledger_no_delete", "contents_no_update"):
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
    else:
        connection.execute(text("DROP TRIGGER ledger_append_only ON ledger"))
        connection.execute(text("DROP TRIGGER contents_append_only ON contents"))
        connection.execute(text("ALTER TABLE contents DROP CONSTRAINT fk_contents_seq_ledger"))


def sql(*statements: str) -> Callable[[Connection], None]:
    """Return a tampering by statements."""

    def tamper(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    return tamper


def resealed(connection: Connection, signer: Signer | None = None) -> None:
    """Compute all hashes anew, as whoever knows the program can; sign with another key where one is given."""
    before = ledger.GENESIS
    for row in list(connection.execute(select(table).order_by(table.c.seq))):
        sealed = ledger.seal(row.seq, row.at, row.who, row.what, row.subject, row.digest, before)
        signature = signer.sign(sealed) if signer else row.signature
        values = {"before": before, "hash": sealed, "signature": signature}
        connection.execute(update(table).where(table.c.seq == row.seq).values(**values))
        before = sealed


def another_content(connection: Connection) -> None:
    """Change what was said, its digest and the whole chain after it."""
    row = connection.execute(select(contents).where(contents.c.seq == 3)).one()
    body = row.body.replace("supported", "partial")
    connection.execute(update(contents).where(contents.c.seq == 3).values(body=body))
    digest = ledger.digest_of(row.salt, body)
    connection.execute(update(table).where(table.c.seq == 3).values(digest=digest))
    connection.execute(text("UPDATE labels SET body = replace(body, 'supported', 'partial') WHERE seq = 3"))
    connection.execute(text("UPDATE labels SET first = body"))
    resealed(connection)


def another_key(connection: Connection) -> None:
    """Do so and sign all of it with a key of one's own, put into the database."""
    another_content(connection)
    signer = Signer(b"\1" * 32)
    resealed(connection, signer)
    connection.execute(update(study).where(study.c.key == "ledger_key").values(value=signer.public))


def forged(connection: Connection) -> None:
    """Append a label with a right hash, unsigned."""
    connection.info["forged"] = True
    slot = work.next_slot(connection, "r1")
    assert slot is not None
    work.save_label(connection, "r1", slot.token, Given(answer={"support": "partial"}))


def forged_replay(connection: Connection) -> None:
    """Append a label with the signature of another entry."""
    forged(connection)
    connection.execute(
        text(
            "UPDATE ledger SET signature = (SELECT signature FROM ledger WHERE seq = 1) WHERE seq = (SELECT max(seq) FROM ledger)"
        )
    )


def forged_consent(connection: Connection) -> None:
    """Write that somebody consented, in table and ledger."""
    seq, at, hash_ = connection.execute(
        select(table.c.seq, table.c.at, table.c.hash).order_by(table.c.seq.desc()).limit(1)
    ).one()
    body = canonical_json({"value": {"consent": True}, "previous": None, "reason": ""}).decode()
    digest = ledger.digest_of("00", body)
    sealed = ledger.seal(seq + 1, at, "r2", "joined", "r2", digest, hash_)
    row = {"seq": seq + 1, "at": at, "who": "r2", "what": "joined", "subject": "r2", "digest": digest}
    connection.execute(insert(table).values(**row, before=hash_, hash=sealed, signature="00" * 64))
    connection.execute(insert(contents).values(seq=seq + 1, salt="00", body=body))
    connection.execute(text(f"UPDATE people SET consented_at = '{at}' WHERE code = 'r2'"))


def swapped_picture(connection: Connection) -> None:
    """Put another picture's bytes under the digest of a picture."""
    one, other = list(connection.execute(select(blobs).order_by(blobs.c.digest).limit(2)))
    connection.execute(update(blobs).where(blobs.c.digest == one.digest).values(data=other.data))


def backdated(connection: Connection) -> None:
    """Set the clock of an entry back and compute the chain anew."""
    connection.execute(text("UPDATE ledger SET at = '2001-01-01T00:00:00.000+00:00' WHERE seq = 3"))
    resealed(connection)


def another_reason(connection: Connection) -> None:
    """Change the reason of a settled item in both places, and the digest."""
    row = connection.execute(
        select(contents).join(table, table.c.seq == contents.c.seq).where(table.c.what == "consensus")
    ).one()
    body = row.body.replace("the table says so", "because")
    assert body != row.body
    digest = ledger.digest_of(row.salt, body)
    connection.execute(update(contents).where(contents.c.seq == row.seq).values(body=body))
    connection.execute(update(table).where(table.c.seq == row.seq).values(digest=digest))
    connection.execute(text("UPDATE consensus SET reason = 'because'"))
    resealed(connection)


def withdrawn_by_nobody(connection: Connection) -> None:
    """Erase what somebody said, content, salt and label."""
    token = msgspec.json.decode(str(connection.scalar(select(contents.c.body).where(contents.c.seq == 1))))
    assert token["value"]["people"]
    connection.execute(text("DELETE FROM contents WHERE seq = 3"))
    connection.execute(text("DELETE FROM labels WHERE seq = 3"))


def another_item(connection: Connection) -> None:
    """Move what was settled to another item, and give that one the name of the first."""
    for statement in (
        "UPDATE items SET item = 'zz-between' WHERE id = 0",
        "UPDATE items SET item = 'zz-item-0' WHERE id = 1",
        "UPDATE items SET item = 'zz-item-1' WHERE id = 0",
        "UPDATE consensus SET item = 1",
    ):
        connection.execute(text(statement))


# The study (see test_ledger.py): 1 created, 2 joined, 3 and 4 labels of r1, 5 of r2, 6 revised by r2, 7 consensus.
TAMPERINGS: dict[str, tuple[Callable[[Connection], None], str]] = {
    "a label behind the ledger's back": (
        sql("UPDATE labels SET body = replace(body, 'supported', 'partial')"),
        "not what the ledger says",
    ),
    "a first label behind the ledger's back": (
        sql("UPDATE labels SET first = replace(first, 'supported', 'unknown')"),
        "not what the ledger says",
    ),
    "a label put in": (
        sql(
            "INSERT INTO labels (assignment, body, first, saved_at, revision, seq) SELECT max(a.id), max(l.body), max(l.body), max(l.saved_at), 1, 2 FROM assignments a, labels l"
        ),
        "not in the ledger",
    ),
    "a label removed": (sql("DELETE FROM labels WHERE seq = 4"), "not in the table"),
    "a revision hidden": (sql("UPDATE labels SET revision = 1, body = first"), "not what the ledger says"),
    "the time of a label": (
        sql("UPDATE labels SET saved_at = '2031-01-01T00:00:00.000+00:00'"),
        "not what the ledger says",
    ),
    "an entry changed": (sql("UPDATE ledger SET who = 'r2' WHERE seq = 3"), "changed after"),
    "an entry removed": (
        sql("DELETE FROM contents WHERE seq = 4", "DELETE FROM ledger WHERE seq = 4"),
        "missing",
    ),
    "the last entries cut off": (
        sql(
            "DELETE FROM consensus", "DELETE FROM contents WHERE seq = 7", "DELETE FROM ledger WHERE seq = 7"
        ),
        "written down",
    ),
    "a content changed": (
        sql("UPDATE contents SET body = replace(body, 'supported', 'partial') WHERE seq = 3"),
        "content of entry 3",
    ),
    "a content, its digest and the chain": (another_content, "not signed"),
    "all of it under a key of one's own": (another_key, "names the key"),
    "a content erased without a withdrawal": (withdrawn_by_nobody, "nobody withdrew it"),
    "a label appended without the key": (forged, "not signed"),
    "a label appended with a signature taken over": (forged_replay, "not signed"),
    "a consent put in": (forged_consent, "not signed"),
    "a consent erased": (sql("UPDATE people SET consented_at = NULL WHERE code = 'r1'"), "consent of r1"),
    "a sign-in name changed": (sql("UPDATE people SET login = 'enemy' WHERE code = 'r1'"), "account of r1"),
    "a password put in the place of another": (
        sql("UPDATE people SET password = '$argon2id$enemy' WHERE code = 'r1'"),
        "account of r1",
    ),
    "an identity at a provider put in": (
        sql("UPDATE people SET issuer = 'https://enemy', subject = '1' WHERE code = 'r1'"),
        "account of r1",
    ),
    "an account under another salt": (
        sql(
            "UPDATE people SET login = 'enemy' WHERE code = 'r1'",
            "UPDATE study SET value = '00' WHERE key = 'account:r1'",
        ),
        "account of r1",
    ),
    "an account put in": (
        sql("UPDATE people SET login = 'enemy', password = 'x' WHERE code = 'r2'"),
        "account of r2",
    ),
    "an account erased": (
        sql("UPDATE people SET login = NULL WHERE code = 'r1'", "DELETE FROM study WHERE key = 'account:r1'"),
        "account of r1",
    ),
    "a link that was replaced made valid again": (
        sql("UPDATE people SET invitation = 7 WHERE code = 'r2'"),
        "invitation of r2",
    ),
    "a role changed": (sql("UPDATE people SET role = 'coordinator' WHERE code = 'r2'"), "role of r2"),
    "a person put in": (
        sql(
            "INSERT INTO people (code, role, invitation, practised, factor_step) VALUES ('a9', 'adjudicator', 1, 0, 0)"
        ),
        "role of a9",
    ),
    "an item changed": (
        sql("UPDATE items SET body = replace(body, 'stage IB', 'stage IV') WHERE id = 1"),
        "items, pictures or assignments",
    ),
    "an order changed": (
        sql("UPDATE assignments SET ordinal = ordinal + 100 WHERE rater = 'r2'"),
        "items, pictures or assignments",
    ),
    "a picture swapped": (swapped_picture, "items, pictures or assignments"),
    "the adjudicator changed": (sql("UPDATE consensus SET adjudicator = 'r1'"), "not what the ledger says"),
    "the reason of a settled item, resealed": (another_reason, "not signed"),
    "what was settled, moved to another item": (another_item, "in the table but not in the ledger"),
    "the clock set back": (backdated, "earlier than"),
    "the study's state": (sql("UPDATE study SET value = 'draft' WHERE key = 'state'"), "state of the study"),
}
