"""Runs migrations on the connection given by `backend.persistence.schema.upgrade`."""

from alembic import context

from backend.persistence.tables import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("Run: quarterdeck db upgrade")
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
