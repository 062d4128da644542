"""What a tab is told and in which order: events never dropped, the rest only as the latest."""

import asyncio

import pytest

from backend.web.live.tab import BEHIND, Tab, TabBehindError


def told(tab: Tab, count: int) -> list[str]:
    async def take() -> list[str]:
        return [await asyncio.wait_for(tab.next(), 1) for _ in range(count)]

    return asyncio.run(take())


def resumed(seq: int = 0) -> Tab:
    tab = Tab(seq)
    tab.resumed([])
    return tab


def test_events_come_in_order_and_before_anything_else() -> None:
    tab = resumed()
    tab.latest("rover", "there")
    tab.event(1, "one")
    tab.event(2, "two")
    assert told(tab, 3) == ["one", "two", "there"]


def test_of_a_stream_only_the_latest_counts() -> None:
    tab = resumed()
    for place in ("here", "there", "yonder"):
        tab.latest("rover", place)
    tab.latest("drone", "above")
    assert sorted(told(tab, 2)) == ["above", "yonder"]


def test_what_was_told_is_not_told_again() -> None:
    tab = resumed(5)
    for seq in (4, 5, 6, 6, 7):
        tab.event(seq, f"event {seq}")
    assert told(tab, 2) == ["event 6", "event 7"]


def test_what_comes_while_a_tab_resumes_waits_for_what_it_missed() -> None:
    tab = Tab(2)
    tab.event(5, "event 5")
    tab.event(6, "event 6")
    tab.resumed([(3, "event 3"), (4, "event 4"), (5, "event 5")])
    assert told(tab, 4) == ["event 3", "event 4", "event 5", "event 6"]


def test_a_tab_that_falls_behind_is_cut_off_and_no_event_is_dropped_before() -> None:
    tab = resumed()
    for seq in range(1, BEHIND + 2):
        tab.event(seq, str(seq))
    with pytest.raises(TabBehindError):
        told(tab, 1)


def test_a_tab_wakes_for_what_comes_later() -> None:
    async def wait() -> str:
        tab = resumed()
        asyncio.get_running_loop().call_later(0.01, tab.event, 1, "late")
        return await asyncio.wait_for(tab.next(), 2)

    assert asyncio.run(wait()) == "late"
