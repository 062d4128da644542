"""The Inbox port on a database, the web's side of it, and its share in the journal's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Engine, bindparam, select, update
from sqlalchemy.engine import RowMapping

from backend.domain.access.floods import UNBOUNDED, Sent
from backend.domain.command.intents import STOPPING, Action, Intent, Settlement, kind_of
from backend.persistence.codec import json_text, storable
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.heads import shared_head
from backend.persistence.statements import insert_missing
from backend.persistence.tables.inbox import intents
from backend.usecases.ports import IntentWithdrawn

UNDECIDED, SETTLED, WITHDRAWN = "undecided", "settled", "withdrawn"

_OPEN = (
    select(intents)
    .where(intents.c.episode == bindparam("this"), intents.c.status == UNDECIDED)
    .order_by(intents.c.position)
)
_STOPS = select(intents.c.intent_id).where(
    intents.c.episode == bindparam("this"), intents.c.status == UNDECIDED, intents.c.stopping
)
_LATELY = (
    select(intents.c.put_s, intents.c.kind, intents.c.applied)
    .where(
        intents.c.episode == bindparam("this"),
        intents.c.actor == bindparam("actor"),
        intents.c.put_s > bindparam("since_s"),
        intents.c.kind.not_in(UNBOUNDED),
    )
    .order_by(intents.c.put_s)
)

_action: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)


class SqlInbox:
    """Operators' intents for one episode. Connects at the first call; any number of threads and processes."""

    def __init__(self, engine: Engine, episode: str) -> None:
        self._engine = engine
        self._episode = episode

    def take(self) -> tuple[Sequence[Intent], float]:
        with reading(self._engine) as connection:
            rows = connection.execute(_OPEN, {"this": self._episode}).mappings().all()
            return tuple(_intent(row) for row in rows), now_s(connection)

    def put(self, intent: Intent) -> None:
        """Committed when this returns, a stop in force from then on. The same id again changes nothing.

        Raises UnknownEpisode.
        """
        with writing(self._engine) as connection:
            # A dispatch being committed now either comes before this intent or is refused over it.
            shared_head(connection, self._episode)
            values = {
                "intent_id": intent.id,
                "episode": self._episode,
                "actor": intent.actor,
                "role": intent.role,
                "kind": kind_of(intent.action),
                "action": json_text(intent.action),
                "stopping": isinstance(intent.action, STOPPING),
                "not_after_s": intent.not_after_s,
                "put_s": now_s(connection),
                "status": UNDECIDED,
            }
            connection.execute(insert_missing(connection, intents), values)

    def outcome(self, intent_id: str) -> Settlement | None:
        """What became of the intent; None while it is undecided, and for one that was withdrawn."""
        settled = (intents.c.intent_id == intent_id) & (intents.c.status == SETTLED)
        query = select(intents).where(intents.c.episode == self._episode, settled)
        with reading(self._engine) as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            return None
        return Settlement(
            intent_id=intent_id,
            applied=row["applied"],
            code=row["code"],
            message=row["message"],
            remedy=row["remedy"],
        )

    def withdraw(self, intent_id: str) -> bool:
        """True: it will never be applied. False: it is decided, unknown, or a stop."""
        mine = (intents.c.episode == self._episode) & (intents.c.intent_id == intent_id)
        open_still = (intents.c.status == UNDECIDED) & ~intents.c.stopping
        with writing(self._engine) as connection:
            withdrawn = connection.execute(
                update(intents).where(mine, open_still).values(status=WITHDRAWN, settled_s=now_s(connection))
            )
            return withdrawn.rowcount == 1

    def came_s(self, intent_id: str) -> float | None:
        """When this intent was put, on the database's clock; None where it never was."""
        mine = (intents.c.episode == self._episode) & (intents.c.intent_id == intent_id)
        with reading(self._engine) as connection:
            return connection.execute(select(intents.c.put_s).where(mine)).scalar_one_or_none()

    def lately(self, actor: str, within_s: float) -> tuple[Sequence[Sent], float]:
        """What that person sent in the last `within_s`, as far as it is bounded, oldest first; and the
        database's clock."""
        with reading(self._engine) as connection:
            clock_s = now_s(connection)
            this = {"this": self._episode, "actor": actor, "since_s": clock_s - within_s}
            rows = connection.execute(_LATELY, this).all()
        return [Sent(at_s=at_s, kind=kind, applied=applied) for at_s, kind, applied in rows], clock_s


def clock_s(engine: Engine) -> float:
    """The database's clock, for `not_after_s`."""
    with reading(engine) as connection:
        return now_s(connection)


def settle(
    connection: Connection, episode: str, settled: Sequence[Settlement], *, seq: int, clock_s: float
) -> None:
    """Writes outcomes within the transaction of the events behind them. Raises IntentWithdrawn."""
    for settlement in settled:
        still_open = (intents.c.intent_id == settlement.intent_id) & (intents.c.status == UNDECIDED)
        outcome = {name: getattr(settlement, name) for name in ("applied", "code", "message", "remedy")}
        decided = {"status": SETTLED, **storable(outcome), "settled_seq": seq, "settled_s": clock_s}
        written = connection.execute(
            update(intents).where(intents.c.episode == episode, still_open).values(decided)
        )
        if written.rowcount != 1:
            raise IntentWithdrawn(f"Intent {settlement.intent_id} is no longer undecided.")


def undecided_stops(connection: Connection, episode: str) -> Sequence[str]:
    """Ids of the holds, aborts and denies that nobody has decided, those of this transaction left out."""
    return connection.execute(_STOPS, {"this": episode}).scalars().all()


def _intent(row: RowMapping) -> Intent:
    return Intent(
        id=row["intent_id"],
        actor=row["actor"],
        role=row["role"],
        action=_action.decode(row["action"]),
        not_after_s=row["not_after_s"],
    )
