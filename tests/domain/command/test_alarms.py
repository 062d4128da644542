"""The states of an alarm (ISA-18.2), and what is kept of those that came and went."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.command.alarms import Alarm, AlarmState, Upkeep, after, alarm_state, upkeep

STATES = {
    "holds, nobody has seen it": (True, False, AlarmState.UNACKNOWLEDGED),
    "holds, somebody has seen it": (True, True, AlarmState.ACKNOWLEDGED),
    "over, nobody has seen it": (False, False, AlarmState.RETURNED),
    "over, somebody has seen it": (False, True, AlarmState.NORMAL),
}


@pytest.mark.parametrize(("holds", "is_acknowledged", "state"), STATES.values(), ids=STATES)
def test_the_state_of_an_alarm(holds: bool, is_acknowledged: bool, state: AlarmState) -> None:
    assert alarm_state(holds=holds, is_acknowledged=is_acknowledged) is state


def alarm(
    key: str, condition: str = "", tone: str = "alarm", episode: str = "e1", seen_by: str = ""
) -> Alarm:
    return Alarm(
        episode=episode,
        key=key,
        condition=condition or key,
        tone=tone,
        icon="bad",
        title="Link lost",
        text="The robot is silent",
        raised_s=1.0,
        seen_by=seen_by,
    )


LOST = alarm("link:lost", "link")
STALE = alarm("link", "link", "caution")
FAILED, FAILED_AGAIN = alarm("failures:2", "failures", "caution"), alarm("failures:3", "failures", "caution")


def over(each: Alarm, at_s: float = 5.0) -> Alarm:
    return replace(each, returned_s=at_s)


def seen(each: Alarm) -> Alarm:
    return replace(each, seen_by="ada")


CASES: dict[str, tuple[Sequence[Alarm], Sequence[Alarm], Sequence[Alarm], Sequence[Alarm]]] = {
    # id: (known, holding, kept, forgotten)
    "nothing": ([], [], [], []),
    "it occurs": ([], [LOST], [LOST], []),
    "it goes on": ([LOST], [LOST], [], []),
    "it goes on, seen": ([seen(LOST)], [LOST], [], []),
    "it returns unseen": ([LOST], [], [over(LOST)], []),
    "it returns seen": ([seen(LOST)], [], [], [seen(LOST)]),
    "it stays over unseen": ([over(LOST, 3.0)], [], [], []),
    "it is seen when over": ([over(seen(LOST), 3.0)], [], [], [over(seen(LOST), 3.0)]),
    "it comes again unseen": ([over(LOST, 3.0)], [LOST], [LOST], []),
    "it goes over into a graver one": ([STALE], [LOST], [LOST], [STALE]),
    "it goes over into another as grave": ([FAILED], [FAILED_AGAIN], [FAILED_AGAIN], [FAILED]),
    "a lesser one does not stand for it": ([over(LOST, 3.0)], [STALE], [STALE], []),
    "a graver one that is over stands for it": ([STALE, over(LOST, 9.0)], [], [], [STALE]),
    "another episode's does not": ([LOST], [alarm("link:lost", "link", episode="e2")],
                                   [alarm("link:lost", "link", episode="e2"), over(LOST)], []),
}  # fmt: skip


@pytest.mark.parametrize(("known", "holding", "kept", "forgotten"), CASES.values(), ids=CASES)
def test_what_is_kept_of_alarms(
    known: Sequence[Alarm], holding: Sequence[Alarm], kept: Sequence[Alarm], forgotten: Sequence[Alarm]
) -> None:
    assert upkeep(known, holding, 5.0) == Upkeep(kept=tuple(kept), forgotten=tuple(forgotten))


def test_what_nobody_can_judge_stays_as_it_is() -> None:
    assert upkeep([LOST], [], 5.0, unjudged={("e1", "link")}) == Upkeep()


HAPPENS = st.lists(st.sampled_from(["occurs", "returns", "acknowledged", "nothing"]), max_size=12)


@given(HAPPENS)
def test_an_alarm_is_forgotten_exactly_when_it_is_over_and_acknowledged(happened: list[str]) -> None:
    """By whatever way it came there; and looking twice changes nothing."""
    known: tuple[Alarm, ...] = ()
    holds = acknowledged = raised = False
    for step in happened:
        holds = step == "occurs" or (holds and step != "returns")
        raised = raised or holds
        acknowledged = raised and (acknowledged or step == "acknowledged")
        holding = [replace(LOST, seen_by="ada" if acknowledged else "")] if holds else []
        known = tuple(replace(each, seen_by="ada" if acknowledged else "") for each in known)
        known = after(known, upkeep(known, holding, 5.0))
        assert upkeep(known, holding, 5.0) == Upkeep()
        raised = bool(known)
        acknowledged = acknowledged and raised
        state = alarm_state(holds=holds, is_acknowledged=acknowledged) if raised else AlarmState.NORMAL
        assert [each.state for each in known] == ([] if state is AlarmState.NORMAL else [state])
