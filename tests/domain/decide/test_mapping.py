"""A map that changes while an episode runs: it is kept, and an approval falls only by what concerns it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.decide.guards import refuse_other_than_approved
from backend.domain.episode.events import (
    ApprovalRequested,
    ApprovalSuperseded,
    PlanInvalidated,
    SiteMapped,
    StepCancelAsked,
    StepDispatched,
)
from backend.domain.mission.site import GridMap
from tests.domain.scripted import SITE, Scripted, approving, collect, event, kinds, opened, step

KNOWN = SITE.map
ELSEWHERE = replace(KNOWN, occupied=(*KNOWN.occupied, (7, 2)))
AT_CAN = replace(KNOWN, occupied=(*KNOWN.occupied, (3, 4)))
AT_STATION = replace(KNOWN, occupied=(*KNOWN.occupied, (0, 0)))
WIDER = replace(KNOWN, width=12, unknown=((11, 3),))


def planned(*steps: Any, policy: str = "every_plan") -> Scripted:
    script = Scripted(opened(policy=policy))
    script.see("can_1", 3, 4)
    script.answer(*(steps or collect("can_1")))
    return script


@pytest.mark.parametrize(
    "grid",
    [
        pytest.param(KNOWN, id="the same"),
        pytest.param(replace(KNOWN, occupied=(*KNOWN.occupied, *KNOWN.occupied)), id="said twice"),
        pytest.param(replace(ELSEWHERE, cell_m=0.5), id="cells of another size"),
    ],
)
def test_nothing_is_written_where_nothing_changed(grid: GridMap) -> None:
    script = planned()

    assert kinds(script.tick(map=grid)) == []
    assert script.state.site == SITE


@pytest.mark.parametrize(
    ("grid", "cells"),
    [
        pytest.param(ELSEWHERE, 1, id="a wall elsewhere"),
        pytest.param(AT_CAN, 1, id="the can itself"),
        pytest.param(WIDER, 20, id="more floor"),
    ],
)
def test_what_concerns_no_place_of_the_plan_leaves_its_approval(grid: GridMap, cells: int) -> None:
    script = planned()
    waits = script.approval

    tick = script.tick(map=grid)

    assert kinds(tick) == ["SiteMapped"]
    assert event(tick, SiteMapped) == SiteMapped(map=grid, cells=cells, version=1)
    assert [recorded.actor for recorded in tick.events] == ["robot"]
    assert (script.state.site.map, script.state.site.version) == (grid, 1)
    assert script.approval == waits
    script.approve()
    assert len(script.all(StepDispatched)) == 1


def test_a_station_that_is_blocked_is_asked_about_anew() -> None:
    script = planned()
    waits = script.approval

    tick = script.tick(map=AT_STATION)

    assert kinds(tick) == ["SiteMapped", "ApprovalSuperseded", "ApprovalRequested"]
    told = "The map changed: station_cans, where step 4 goes, is blocked now"
    assert event(tick, ApprovalSuperseded).cause.message == told
    assert (script.state.site.version, script.approval.pins.site_version) == (2, 2)
    assert script.state.plan is not None
    assert script.click(approving(waits)).code == "gone"
    script.tick(map=KNOWN)
    assert script.last(ApprovalSuperseded).cause.message.endswith("is free now")
    assert script.state.site.version == 3


def test_a_plan_that_goes_to_a_cell_that_is_blocked_is_dropped_and_its_step_ended() -> None:
    script = planned(step("explore", cell=(7.0, 2.0)), step("explore", cell=(8.0, 2.0)), policy="auto")
    assert script.state.dispatch is not None

    tick = script.tick(map=ELSEWHERE)

    assert kinds(tick)[:4] == ["SiteMapped", "ApprovalSuperseded", "PlanInvalidated", "StepCancelAsked"]
    told = "The map changed: cell (7, 2), where step 1 goes, is blocked now"
    assert event(tick, PlanInvalidated).cause.message == told
    assert event(tick, StepCancelAsked).reason == told


def test_what_is_behind_it_concerns_a_plan_no_more() -> None:
    script = planned(step("explore", cell=(7.0, 2.0)), step("explore", cell=(8.0, 2.0)), policy="auto")
    script.end()

    assert kinds(script.tick(map=ELSEWHERE)) == ["SiteMapped"]
    assert script.state.site.version == 1


def test_under_way_a_step_goes_on_and_what_is_left_is_asked_about() -> None:
    script = planned()
    script.approve()

    assert kinds(script.tick(map=AT_STATION)) == ["SiteMapped", "ApprovalSuperseded"]
    assert script.state.dispatch is not None
    assert kinds(script.end())[-1] == "ApprovalRequested"
    assert script.approval.status is ApprovalStatus.PENDING
    assert (script.approval.first_step, script.approval.pins.site_version) == (1, 2)


def test_a_plan_is_checked_against_the_newest_map() -> None:
    script = Scripted(opened(policy="auto"))
    script.see("can_1", 3, 4)
    script.tick(map=ELSEWHERE)
    script.answer(step("explore", cell=(7.0, 2.0)))

    assert script.state.plan is None
    assert script.all(StepDispatched) == []


def test_an_approval_of_another_version_moves_nothing() -> None:
    script = planned()
    pins = script.approval.pins

    assert refuse_other_than_approved(script.approval, replace(pins, site_version=2)) is not None


MAPS = st.lists(st.sampled_from([KNOWN, ELSEWHERE, AT_CAN, AT_STATION, WIDER]), max_size=8)


@given(MAPS)
def test_the_newest_is_the_site_s_and_nothing_is_written_twice(maps: list[GridMap]) -> None:
    script = planned()
    for grid in maps:
        script.tick(map=grid)
        assert script.state.site.map == grid
    written = script.all(SiteMapped)
    changes = sum(one != other for one, other in zip([KNOWN, *maps], maps, strict=False))
    assert len(written) == changes
    assert len(script.all(ApprovalRequested)) == 1 + len(script.all(ApprovalSuperseded))
    assert script.approval.pins.site_version == script.state.site.version
