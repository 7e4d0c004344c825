"""Alembic's environment and the numbered versions of the database; versions are added, never changed."""
