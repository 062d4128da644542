"""What the API answered to each Idempotency-Key, for who sends the same request again."""

from __future__ import annotations

from sqlalchemy import Engine, delete, select, update

from backend.domain.access.idempotency import BUSY_S, KEPT_S, Kept
from backend.persistence.connect import now_s, writing
from backend.persistence.statements import insert_missing
from backend.persistence.tables.accounts import replies


class SqlReplies:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim(self, user: str, key: str, request: str) -> Kept | None:
        """None: the key is new and now this request's, which is to be done and its answer kept. Else what is
        known of it."""
        mine = (replies.c.user == user) & (replies.c.key == key)
        with writing(self._engine) as connection:
            clock_s = now_s(connection)
            broke_off = replies.c.status.is_(None) & (replies.c.put_s <= clock_s - BUSY_S)
            old = replies.c.put_s <= clock_s - KEPT_S
            same = mine & (replies.c.request == request)
            connection.execute(delete(replies).where(old | (same & broke_off)))
            row = {"user": user, "key": key, "request": request, "body": "", "put_s": clock_s}
            new = insert_missing(connection, replies).execution_options(preserve_rowcount=True)
            if connection.execute(new, row).rowcount == 1:
                return None
            query = select(replies.c.request, replies.c.status, replies.c.body).where(mine)
            return Kept(**connection.execute(query).mappings().one())

    def keep(self, user: str, key: str, status: int, body: str) -> None:
        mine = (replies.c.user == user) & (replies.c.key == key)
        with writing(self._engine) as connection:
            connection.execute(update(replies).where(mine).values(status=status, body=body))

    def forget(self, user: str, key: str) -> None:
        """Nothing came of the request: it may be sent again under the same key."""
        mine = (replies.c.user == user) & (replies.c.key == key)
        with writing(self._engine) as connection:
            connection.execute(delete(replies).where(mine))
