"""Version 3: a second factor of each person."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make a new database's columns; one that holds a study is never changed."""
    op.add_column("people", sa.Column("factor", sa.Text(), nullable=True))
    op.add_column("people", sa.Column("factor_step", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("people") as batch:
        batch.alter_column("factor_step", server_default=None)
