"""Alarms as ISA-18.2 has them: what came and went before anybody saw it is not gone.

| | not acknowledged | acknowledged |
|---|---|---|
| its condition holds | unacknowledged | acknowledged |
| it holds no more | returned | normal |

So an alarm ends by two things together, in either order: its condition is over, and somebody has acknowledged
it. An alarm that went over into another of the same condition, such as a stale link into a lost one, leaves
nothing behind: the other stands for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class AlarmState(StrEnum):
    NORMAL = "normal"
    UNACKNOWLEDGED = "unacknowledged"
    ACKNOWLEDGED = "acknowledged"
    RETURNED = "returned"


class Alarm(Struct, frozen=True, kw_only=True):
    """One that was noticed. `key` names this occurrence, `condition` what it is an occurrence of.

    `returned_s`: since when its condition holds no more, epoch seconds; None while it holds.
    """

    episode: str
    key: str
    condition: str
    tone: str
    icon: str
    title: str
    text: str
    raised_s: float
    returned_s: float | None = None
    seen_by: str = ""

    @property
    def state(self) -> AlarmState:
        return alarm_state(holds=self.returned_s is None, is_acknowledged=bool(self.seen_by))


class Upkeep(Struct, frozen=True, kw_only=True):
    """What became of the alarms since they were last looked at. `kept`: new, returned, or come again, as they
    are now; `forgotten`: those that are over."""

    kept: tuple[Alarm, ...] = ()
    forgotten: tuple[Alarm, ...] = ()


def alarm_state(*, holds: bool, is_acknowledged: bool) -> AlarmState:
    if holds:
        return AlarmState.ACKNOWLEDGED if is_acknowledged else AlarmState.UNACKNOWLEDGED
    return AlarmState.NORMAL if is_acknowledged else AlarmState.RETURNED


def upkeep(
    known: Sequence[Alarm],
    holding: Sequence[Alarm],
    now_s: float,
    *,
    unjudged: Collection[tuple[str, str]] = (),
) -> Upkeep:
    """`holding`: whatever holds now. `unjudged`: by episode and condition, what nobody can say anything of at
    present: it stays as it is."""
    before = {_place(each): each for each in known}
    holds = {_place(each): each for each in holding}
    after = {
        place: _after(alarm, place in holds, (alarm.episode, alarm.condition) in unjudged, now_s)
        for place, alarm in {**holds, **before}.items()
    }
    ended = {
        place
        for place, alarm in after.items()
        if alarm.state is AlarmState.NORMAL or any(_stands_for(other, alarm) for other in after.values())
    }
    return Upkeep(
        kept=tuple(
            alarm for place, alarm in after.items() if place not in ended and alarm != before.get(place)
        ),
        forgotten=tuple(alarm for place, alarm in before.items() if place in ended),
    )


def after(known: Sequence[Alarm], changed: Upkeep) -> tuple[Alarm, ...]:
    """The alarms as they are once that is kept."""
    rows = {_place(each): each for each in known if each not in changed.forgotten}
    return tuple({**rows, **{_place(each): each for each in changed.kept}}.values())


def _after(alarm: Alarm, holds: bool, is_unjudged: bool, now_s: float) -> Alarm:
    if holds:
        return replace(alarm, returned_s=None)
    if is_unjudged or alarm.returned_s is not None:
        return alarm
    return replace(alarm, returned_s=now_s)


def _stands_for(other: Alarm, alarm: Alarm) -> bool:
    """Whether `alarm`, which holds no more, went over into `other`, which is no lesser one."""
    if alarm.returned_s is None or other.key == alarm.key:
        return False
    is_of_one = (other.episode, other.condition) == (alarm.episode, alarm.condition)
    is_later = other.returned_s is None or other.returned_s > alarm.returned_s
    return is_of_one and is_later and (other.tone == "alarm" or alarm.tone != "alarm")


def _place(alarm: Alarm) -> tuple[str, str]:
    return alarm.episode, alarm.key
