"""What people asked of an episode and what became of it, in the order in which it was taken."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.engine import RowMapping

from backend.domain.command.intents import Action, Intent, Settlement
from backend.domain.decide.recorded import Settled
from backend.persistence.connect import utc_text
from backend.persistence.inbox import SETTLED
from backend.persistence.tables.inbox import intents

_action: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)


def settled_intents(connection: Connection, episode: str) -> list[Settled]:
    query = (
        select(intents)
        .where(intents.c.episode == episode, intents.c.status == SETTLED)
        .order_by(intents.c.position)
    )
    return [_settled(row) for row in connection.execute(query).mappings()]


def _settled(row: RowMapping) -> Settled:
    intent = Intent(
        id=row["intent_id"],
        actor=row["actor"],
        role=row["role"],
        action=_action.decode(row["action"]),
        not_after_s=row["not_after_s"],
    )
    settlement = Settlement(
        intent_id=intent.id,
        applied=row["applied"],
        code=row["code"],
        message=row["message"],
        remedy=row["remedy"],
    )
    return Settled(
        intent=intent, settlement=settlement, seq=row["settled_seq"], utc=utc_text(row["settled_s"])
    )
