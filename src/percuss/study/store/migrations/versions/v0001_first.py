"""Version 1: all tables, and triggers that refuse to change or remove an entry of the ledger."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_APPEND_ONLY = {
    "sqlite": (
        "CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
        "CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END",
    ),
    "postgresql": (
        (
            "CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
        ),
        (
            "CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only()"
        ),
    ),
}


def upgrade() -> None:
    """Make the tables and the triggers."""
    _people()
    _items()
    _labels()
    _ledger()
    for statement in _APPEND_ONLY[op.get_bind().dialect.name]:
        op.get_bind().exec_driver_sql(statement)


def _people() -> None:
    op.create_table(
        "study",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_study")),
    )
    op.create_table(
        "people",
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=True),
        sa.Column("login", sa.String(length=120), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("issuer", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("invitation", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.String(length=32), nullable=True),
        sa.Column("consented_at", sa.String(length=32), nullable=True),
        sa.Column("practised", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "role IN ('rater', 'adjudicator', 'coordinator', 'imported')", name=op.f("ck_people_role")
        ),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_people")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_people_issuer")),
        sa.UniqueConstraint("login", name=op.f("uq_people_login")),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("made_at", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.code"], name=op.f("fk_sessions_person_people")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_person"), "sessions", ["person"], unique=False)


def _items() -> None:
    op.create_table(
        "items",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("stratum", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint("item", name=op.f("uq_items_item")),
    )
    op.create_table(
        "blobs",
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("media_type", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_blobs")),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("rater", sa.String(length=32), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("again", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["item"], ["items.id"], name=op.f("fk_assignments_item_items")),
        sa.ForeignKeyConstraint(["rater"], ["people.code"], name=op.f("fk_assignments_rater_people")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("rater", "item", "again", name="uq_assignments_rater_item_again"),
        sa.UniqueConstraint("rater", "ordinal", name=op.f("uq_assignments_rater")),
        sa.UniqueConstraint("token", name=op.f("uq_assignments_token")),
    )
    op.create_index(op.f("ix_assignments_item"), "assignments", ["item"], unique=False)


def _labels() -> None:
    op.create_table(
        "labels",
        sa.Column("assignment", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.id"], name=op.f("fk_labels_assignment_assignments")
        ),
        sa.PrimaryKeyConstraint("assignment", name=op.f("pk_labels")),
    )
    op.create_table(
        "consensus",
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("adjudicator", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["adjudicator"], ["people.code"], name=op.f("fk_consensus_adjudicator_people")
        ),
        sa.ForeignKeyConstraint(["item"], ["items.id"], name=op.f("fk_consensus_item_items")),
        sa.PrimaryKeyConstraint("item", name=op.f("pk_consensus")),
    )


def _ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("who", sa.String(length=32), nullable=False),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("before", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ledger")),
        sa.UniqueConstraint("hash", name=op.f("uq_ledger_hash")),
    )
