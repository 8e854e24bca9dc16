"""The steps by which a database comes to the schema of this version, for Alembic."""
