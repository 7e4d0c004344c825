"""Version 2: first labels beside those that stand, a signed ledger over salted digests, items in reserve."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_APPEND_ONLY = {
    "sqlite": tuple(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        for table, verb in (("ledger", "UPDATE"), ("ledger", "DELETE"), ("contents", "UPDATE"))
    ),
    "postgresql": (
        (
            "CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only()"
        ),
        (
            "CREATE TRIGGER contents_append_only BEFORE UPDATE OR TRUNCATE ON contents "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only()"
        ),
    ),
}


def upgrade() -> None:
    """Make a new database's tables; one that holds a study is copied by `percuss study migrate`, never changed."""
    op.drop_table("ledger")
    op.create_table(
        "ledger",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("who", sa.String(length=32), nullable=False),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("before", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("signature", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ledger")),
        sa.UniqueConstraint("hash", name=op.f("uq_ledger_hash")),
    )
    op.create_table(
        "contents",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["seq"], ["ledger.seq"], name=op.f("fk_contents_seq_ledger")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_contents")),
    )
    op.create_table(
        "reserve",
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("stratum", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("item", name=op.f("pk_reserve")),
    )
    op.add_column("people", sa.Column("withdrawn_at", sa.String(length=32), nullable=True))
    op.add_column("people", sa.Column("invited_at", sa.String(length=32), nullable=True))
    op.add_column("labels", sa.Column("first", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("labels") as batch:
        batch.alter_column("first", server_default=None)
    for statement in _APPEND_ONLY[op.get_bind().dialect.name]:
        op.get_bind().exec_driver_sql(statement)
