"""The head row of an episode, and how an episode comes to be: ordered first, opened by its runner."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, Select, bindparam, insert, select, update
from sqlalchemy.engine import RowMapping

from backend.persistence.codec import json_text
from backend.persistence.connect import now_s, reading, utc_text, writing
from backend.persistence.errors import UnknownEpisode
from backend.persistence.statements import insert_missing
from backend.persistence.tables.episodes import episodes, orders
from backend.persistence.tables.journal import heads

_THIS = select(heads).where(heads.c.episode == bindparam("this"))
_LOCKED = _THIS.with_for_update(key_share=True)
_SHARED = _THIS.with_for_update(read=True)

_NEW = {"seq": 0, "chain": "", "content": "", "epoch": 0, "holder": "", "address": "", "expires_s": 0.0}


class Order(Struct, frozen=True, kw_only=True):
    """What an episode is to be run with; `request` is what its runner understands, as plain JSON."""

    episode: str
    request: Any
    ordered_by: str
    utc: str


def order_episode(engine: Engine, episode: str, request: Any, ordered_by: str) -> bool:
    """Makes the episode known, so that a runner can claim it. False, and nothing done, when it was."""
    with writing(engine) as connection:
        return ordered(connection, episode, request, ordered_by)


def ordered(
    connection: Connection, episode: str, request: Any, ordered_by: str, *, wanted: bool = True
) -> bool:
    """The same within a transaction. `wanted` False: no runner is to be started for it."""
    make = insert_missing(connection, heads).execution_options(preserve_rowcount=True)
    if connection.execute(make, {"episode": episode, **_NEW}).rowcount != 1:
        return False
    values = {
        "episode": episode,
        "request": json_text(request),
        "ordered_by": ordered_by,
        "utc": utc_text(now_s(connection)),
        "wanted": wanted,
    }
    connection.execute(insert(orders), values)
    return True


def unwanted(engine: Engine, episode: str) -> None:
    """No runner is to be started for this episode any more."""
    with writing(engine) as connection:
        connection.execute(update(orders).where(orders.c.episode == episode).values(wanted=False))


def runnerless(engine: Engine) -> list[Order]:
    """Wanted episodes that have not ended and that nobody holds, oldest first: each needs a runner."""
    with reading(engine) as connection:
        query = (
            select(orders.c.episode, orders.c.request, orders.c.ordered_by, orders.c.utc)
            .join(heads, heads.c.episode == orders.c.episode)
            .outerjoin(episodes, episodes.c.episode == orders.c.episode)
            .where(orders.c.wanted, episodes.c.outcome.is_(None), heads.c.expires_s <= now_s(connection))
            .order_by(orders.c.utc, orders.c.episode)
        )
        rows = connection.execute(query).mappings().all()
    return [Order(**{**row, "request": msgspec.json.decode(row["request"])}) for row in rows]


def locked_head(connection: Connection, episode: str) -> RowMapping:
    """The episode's head row, locked until the transaction ends. Raises UnknownEpisode."""
    return _known(connection, _LOCKED, episode)


def shared_head(connection: Connection, episode: str) -> RowMapping:
    """As `locked_head`, but others may share it: no append is under way while the transaction lasts."""
    return _known(connection, _SHARED, episode)


def head_of(connection: Connection, episode: str) -> RowMapping:
    return _known(connection, _THIS, episode)


def _known(connection: Connection, query: Select[Any], episode: str) -> RowMapping:
    row = connection.execute(query, {"this": episode}).mappings().one_or_none()
    if row is None:
        raise UnknownEpisode(
            f"There is no episode {episode}.", field="episode", remedy="Run: quarterdeck episodes list"
        )
    return row
