"""The index of what can be found in episodes: a cache of their journals and annotations.

On SQLite the words stand in an FTS5 table `search_words`, kept by triggers; on Postgres they have a GIN
index.
"""

from __future__ import annotations

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, Table, Text

from backend.persistence.tables.metadata import episode_key, metadata

search_moments = Table(
    "search_moments",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("episode", Text, ForeignKey("heads.episode", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("met_s", Double, nullable=False),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("words", Text, nullable=False),
    Index(None, "episode", "kind"),
)

search_heads = Table(
    "search_heads",
    metadata,
    episode_key(),
    Column("seq", Integer, nullable=False),
    Column("annotated", Integer, nullable=False),
    Column("rules", Integer, nullable=False),
)
"""How far each episode is indexed: to which event, with how many versions of annotations, by which rules."""
