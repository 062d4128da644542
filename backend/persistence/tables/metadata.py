"""What all tables share: one MetaData, named constraints, and the columns of a row anchored in a journal."""

from __future__ import annotations

from sqlalchemy import Column, Double, ForeignKey, Integer, MetaData, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def episode_key() -> Column[str]:
    return Column("episode", Text, ForeignKey("heads.episode", ondelete="CASCADE"), primary_key=True)


def anchor() -> tuple[Column[str], Column[int], Column[float]]:
    """(episode, seq) of the event that made the row, and its mission time in seconds."""
    return episode_key(), Column("seq", Integer, primary_key=True), Column("met_s", Double, nullable=False)


def json(name: str, *, nullable: bool = False) -> Column[str]:
    """A TEXT column of canonical JSON; readers hand out the decoded value."""
    return Column(name, Text, nullable=nullable, info={"json": True})
