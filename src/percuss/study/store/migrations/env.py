"""Alembic asks this module to run the migrations on the connection that `upgrade` holds."""

from alembic import context

from percuss.study.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
