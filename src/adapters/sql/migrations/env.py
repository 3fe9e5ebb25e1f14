"""Alembic's entry: runs the migrations on the connection, and in the transaction, that `migrate` opened."""

from alembic import context

# Alembic takes SQLite for an engine that cannot undo a CREATE TABLE. It can, once the driver does not commit first.
context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)

with context.begin_transaction():
    context.run_migrations()
