"""Version 4: two people at one screen, both recorded."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make a new database's columns; one that holds a study is never changed."""
    for table in ("consensus", "sessions"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("beside", sa.String(length=32), nullable=True))
            batch.create_foreign_key(op.f(f"fk_{table}_beside_people"), "people", ["beside"], ["code"])
