"""An index of what can be found in episodes, by each database's own full-text search."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "search_moments",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_search_moments"),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_search_moments_episode", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_search_moments_episode_kind", "search_moments", ["episode", "kind"])
    op.create_table(
        "search_heads",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("annotated", sa.Integer, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("episode", name="pk_search_heads"),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_search_heads_episode", ondelete="CASCADE"
        ),
    )
    if op.get_bind().dialect.name == "sqlite":
        _words_of_sqlite()
    else:
        # The words are parted by blanks already: no parser is to part them otherwise.
        op.execute(
            "CREATE INDEX ix_search_moments_words ON search_moments"
            " USING gin (array_to_tsvector(string_to_array(words, ' ')))"
        )


def _words_of_sqlite() -> None:
    """`ascii` parts words at blanks alone, where they hold no other ASCII than letters and digits."""
    op.execute(
        "CREATE VIRTUAL TABLE search_words USING fts5("
        "words, content='search_moments', content_rowid='id', tokenize='ascii')"
    )
    op.execute(
        "CREATE TRIGGER search_words_added AFTER INSERT ON search_moments BEGIN"
        " INSERT INTO search_words (rowid, words) VALUES (new.id, new.words); END"
    )
    op.execute(
        "CREATE TRIGGER search_words_removed AFTER DELETE ON search_moments BEGIN"
        " INSERT INTO search_words (search_words, rowid, words) VALUES ('delete', old.id, old.words); END"
    )
