"""The journal on SQLite and Postgres, the tables that serve lists and search, and files by content."""
