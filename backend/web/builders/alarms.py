"""Alarms over all episodes: those that hold, made of concerns, and what cannot be said to be over."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from backend.domain.command.alarms import Alarm
from backend.web.builders.concerns import LINK, concerns_of
from backend.web.builders.listed import Listed


def holding(listed: Sequence[Listed], now_s: float) -> tuple[Alarm, ...]:
    """What somebody is asked is no alarm: it is over with the answer."""
    return tuple(
        Alarm(
            episode=concern.episode,
            key=concern.key,
            condition=concern.condition,
            tone=concern.tone,
            icon=concern.icon,
            title=concern.title,
            text=concern.text,
            raised_s=now_s if concern.since_ms is None else concern.since_ms / 1000,
            seen_by=each.seen.get(concern.key, ""),
        )
        for each in listed
        for concern in concerns_of(each, now_s)
        if not concern.is_prompt
    )


def unjudged(listed: Sequence[Listed]) -> Collection[tuple[str, str]]:
    """By episode and condition: a robot of which nobody here has heard yet may be silent still."""
    return {
        (each.summary.episode, LINK)
        for each in listed
        if each.robot_age_s is None and each.summary.outcome is None
    }
