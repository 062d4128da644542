"""The queue over all episodes, and what a tab is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, cast

from backend.domain.command.alarms import Alarm, AlarmState
from backend.domain.command.intents import COMMANDING
from backend.domain.digests import digest
from backend.web.builders.concerns import RANK, Concern, ConcernTone, concerns_of, urgency
from backend.web.builders.listed import Listed
from backend.web.pages import figures
from backend.web.pages.chrome import User
from backend.web.pages.live import QueueBody, QueueTold
from backend.web.pages.parts import Icon
from backend.web.pages.queue import QueueItem, QueueView

TOLD = 20
"""Items that a tab is told of; the panel shows all."""


def queue_items(listed: Sequence[Listed], now_s: float) -> tuple[QueueItem, ...]:
    """The most urgent first, whoever has seen it."""
    found = [(each, concern) for each in listed for concern in concerns_of(each, now_s)]
    found.sort(key=lambda pair: urgency(pair[1], now_s))
    return tuple(_item(each, concern, now_s) for each, concern in found)


def returned_items(alarms: Sequence[Alarm], titles: Mapping[str, str], now_s: float) -> tuple[QueueItem, ...]:
    """Alarms that are over and that nobody has seen, the newest first. `titles`: of missions, by episode."""
    over = [alarm for alarm in alarms if alarm.state is AlarmState.RETURNED]
    over.sort(key=lambda alarm: -(alarm.returned_s or 0.0))
    return tuple(_returned(alarm, titles.get(alarm.episode, ""), now_s) for alarm in over)


def queue_view(items: Sequence[QueueItem], viewer: User, returned: Sequence[QueueItem] = ()) -> QueueView:
    return QueueView(
        active=tuple(item for item in items if not item.seen_by),
        seen=tuple(item for item in items if item.seen_by),
        returned=tuple(returned),
        may_acknowledge=viewer.role in COMMANDING,
    )


def queue_body(
    items: Sequence[QueueItem], listed: Sequence[Listed], returned: Sequence[QueueItem] = ()
) -> QueueBody:
    """Changes exactly when the panel or the list would."""
    active = [item for item in items if not item.seen_by]
    summaries = [each.summary for each in listed]
    rows = [(each.episode, each.seq, each.held_by, each.conn) for each in summaries]
    shown = [(item.episode, item.key, item.text, item.seen_by) for item in (*items, *returned)]
    return QueueBody(
        version=digest((shown, rows))[:16],
        queue=digest(shown)[:16],
        active=len(active),
        seen=len(items) - len(active),
        returned=len(returned),
        tone=_worst(active),
        items=tuple(
            QueueTold(
                key=f"{item.episode} {item.key}",
                episode=item.episode,
                title=f"{item.title}: {item.mission}",
                text=item.text,
                tone=item.tone,
            )
            for item in active[:TOLD]
        ),
    )


def _worst(items: Sequence[QueueItem]) -> Literal["alarm", "ask", "caution", "quiet"]:
    worst = min(items, key=lambda item: RANK[item.tone], default=None)
    return "quiet" if worst is None else worst.tone


def _item(listed: Listed, concern: Concern, now_s: float) -> QueueItem:
    since_s = concern.since_ms / 1000 if concern.since_ms is not None else None
    ends_s = concern.ends_ms / 1000 if concern.ends_ms is not None else None
    return QueueItem(
        episode=concern.episode,
        mission=listed.summary.title or concern.episode,
        key=concern.key,
        tone=concern.tone,
        icon=concern.icon,
        title=concern.title,
        text=concern.text,
        waited=figures.age(now_s - since_s) if since_s is not None else "",
        left=figures.countdown(ends_s - now_s) if ends_s is not None else "",
        since_ms=concern.since_ms,
        ends_ms=concern.ends_ms,
        seen_by=listed.seen.get(concern.key, ""),
    )


def _returned(alarm: Alarm, mission: str, now_s: float) -> QueueItem:
    over_s = now_s if alarm.returned_s is None else alarm.returned_s
    return QueueItem(
        episode=alarm.episode,
        mission=mission or alarm.episode,
        key=alarm.key,
        tone=cast(ConcernTone, alarm.tone),
        icon=cast(Icon, alarm.icon),
        title=alarm.title,
        text=alarm.text,
        waited=figures.age(now_s - over_s),
        since_ms=int(1000 * over_s),
        lasted=figures.age(over_s - alarm.raised_s),
    )
