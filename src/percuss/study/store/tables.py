"""The tables of a study. JSON is canonical text, times are ISO 8601 in UTC: the same bytes in SQLite and PostgreSQL."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "assignments",
    "blobs",
    "consensus",
    "contents",
    "items",
    "labels",
    "ledger",
    "metadata",
    "people",
    "reserve",
    "sessions",
    "study",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

study = Table(
    "study",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("code", String(32), primary_key=True),  # r1, a1, c1: the only name that leaves the study
    Column("role", String(16), nullable=False),
    Column("name", String(120)),
    Column("login", String(120), unique=True),
    Column("password", Text),
    Column("issuer", Text),
    Column("subject", Text),
    Column(
        "invitation", Integer, nullable=False, default=1
    ),  # generation: raising it makes older links invalid
    Column("joined_at", String(32)),
    Column("consented_at", String(32)),
    Column("withdrawn_at", String(32)),
    Column("invited_at", String(32)),
    Column("practised", Integer, nullable=False, default=0),
    Column("factor", Text),  # seed of one-time codes, sealed with the study's secret
    Column("factor_step", Integer, nullable=False, default=0),  # the last one that was used
    UniqueConstraint("issuer", "subject"),
    CheckConstraint("role IN ('rater', 'adjudicator', 'coordinator', 'imported')", name="role"),
)

items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("item", Text, nullable=False, unique=True),
    Column("body", Text, nullable=False),  # a `Prepared`, whole
    Column("stratum", Text, nullable=False, default=""),
)

blobs = Table(
    "blobs",
    metadata,
    Column("digest", String(32), primary_key=True),
    Column("media_type", String(64), nullable=False),
    Column("data", LargeBinary, nullable=False),
)

assignments = Table(
    "assignments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", String(32), nullable=False, unique=True),
    Column("rater", String(32), ForeignKey("people.code"), nullable=False),
    Column("item", Integer, ForeignKey("items.id"), nullable=False, index=True),
    Column("ordinal", Integer, nullable=False),
    Column("again", Integer, nullable=False, default=0),
    UniqueConstraint("rater", "ordinal"),
    UniqueConstraint("rater", "item", "again", name="uq_assignments_rater_item_again"),
)

labels = Table(
    "labels",
    metadata,
    Column("assignment", Integer, ForeignKey("assignments.id"), primary_key=True),
    Column("body", Text, nullable=False),  # a `Given`: what stands
    Column(
        "first", Text, nullable=False
    ),  # a `Given`: what was said first, before anybody could settle anything
    Column("saved_at", String(32), nullable=False),
    Column("revision", Integer, nullable=False, default=1),
    Column("seq", Integer, nullable=False),  # the ledger entry that made it so
)

consensus = Table(
    "consensus",
    metadata,
    Column("item", Integer, ForeignKey("items.id"), primary_key=True),
    Column("adjudicator", String(32), ForeignKey("people.code"), nullable=False),
    Column("beside", String(32), ForeignKey("people.code")),  # the second of two people at one screen
    Column("body", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("saved_at", String(32), nullable=False),
    Column("seq", Integer, nullable=False),
)

ledger = Table(
    "ledger",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("who", String(32), nullable=False),
    Column("what", String(32), nullable=False),
    Column("subject", Text, nullable=False),
    Column("digest", String(64), nullable=False),  # of salt and content, so that content can be withdrawn
    Column("before", String(64), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("signature", String(128), nullable=False),
)

contents = Table(
    "contents",
    metadata,
    Column("seq", Integer, ForeignKey("ledger.seq"), primary_key=True, autoincrement=False),
    Column("salt", String(32), nullable=False),
    Column("body", Text, nullable=False),  # {"value", "previous", "reason"}, canonical
)

reserve = Table(
    "reserve",
    metadata,
    Column("item", Text, primary_key=True),  # offered and not drawn: what a study can be extended by
    Column("body", Text, nullable=False),
    Column("stratum", Text, nullable=False, default=""),
    Column("ordinal", Integer, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # sha256 of the cookie: a stolen database opens no session
    Column("person", String(32), ForeignKey("people.code"), nullable=False, index=True),
    Column("made_at", Integer, nullable=False),
    Column("seen_at", Integer, nullable=False),
    Column(
        "beside", String(32), ForeignKey("people.code")
    ),  # who sits at the same screen, signed in there too
)
