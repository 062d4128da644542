"""What two episodes have in common, and what follows for their comparison."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.comparing.beliefs import believed_otherwise
from backend.domain.comparing.cursor import seq_at
from backend.domain.comparing.facts import Course
from backend.domain.comparing.ground import Setting, ground_of
from backend.domain.comparing.tallies import figures_of
from backend.domain.episode.evolve import fold
from backend.domain.geometry import Pose
from backend.domain.memory.record import Status
from tests.domain.comparing.played import course, journal

WHOLE = course("attention", 3)


def opened(**changes: Any) -> Course:
    return replace(WHOLE, opened=replace(WHOLE.opened, **changes))


def worldly(**changes: Any) -> Course:
    mission = WHOLE.opened.mission
    return opened(mission=replace(mission, world=replace(mission.world, **changes)))


SITE = WHOLE.opened.site
CASES = {
    "paired seeds": (WHOLE, (), True, True, True),
    "two memories": (course("static", 3), (), True, True, True),
    "before and after a fix": (opened(code_version="0.0.1"), (), True, True, True),
    "another model": (opened(planner="gpt-5"), (), True, True, True),
    "other seeds": (course("attention", 4), ("other_seed",), True, False, False),
    "a world that runs": (worldly(clock="runs"), ("clocks",), True, True, False),
    "another scenario": (course("attention", 3, "s-6"), ("other_world",), False, False, False),
    "another site": (opened(site=replace(SITE, stations=())), ("other_site",), False, False, False),
    "one that goes on": (replace(WHOLE, finished=None), ("goes_on",), True, True, True),
}


@pytest.mark.parametrize("name", CASES)
def test_what_can_be_compared(name: str) -> None:
    other, *expected = CASES[name]
    ground = ground_of(WHOLE, other)

    assert [ground.limits, ground.aligns, ground.same_reports, ground.exact] == expected


def test_real_worlds_are_never_the_same_twice() -> None:
    left, right = worldly(name="ros"), replace(worldly(name="ros"), finished=None)

    assert ground_of(left, right).limits == ("real_world", "goes_on")
    assert not ground_of(left, right).same_reports


def test_an_episode_and_itself() -> None:
    ground = ground_of(WHOLE, WHOLE, is_one=True)

    assert (ground.limits, ground.settings, ground.aligns) == (("same_episode",), (), True)


def test_every_setting_that_differs_is_named() -> None:
    ground = ground_of(WHOLE, course("unfiltered", 4))

    assert Setting("memory.entities", "attention", "unfiltered") in ground.settings
    assert Setting("seed", "3", "4") in ground.settings
    assert [each.name for each in ground_of(WHOLE, opened(code_version="x")).settings] == ["code version"]


@pytest.mark.parametrize("method", ["attention", "unfiltered"])
def test_figures_are_those_of_the_moment(method: str) -> None:
    events, whole = journal(method, 3), course(method, 3)
    before = None
    for step in range(0, len(whole.did) + 1, 7):
        state = fold(events[: seq_at(whole, "step", step)])
        figures = figures_of(whole, state)
        assert (figures.steps, figures.delivered) == (step, len(state.delivered))
        assert sum(figures.replans.values()) == state.tally.replans
        assert before is None or before.path_m <= figures.path_m
        before = figures
    end = figures_of(whole, fold(events))
    assert (end.calls, end.evidence, end.steps) == (len(whole.asked), len(whole.heard), len(whole.did))
    assert end.refused_evidence <= end.evidence


def test_what_is_believed_otherwise() -> None:
    state = fold(journal("attention", 3)[:60])
    entity, record = next(iter(state.memory.records.items()))
    moved = replace(record, pose=Pose(record.pose.x_m + 1, record.pose.y_m))
    lost = replace(record, status=Status.LOST)
    doubted = replace(record, confidence=0.1, stamp_s=-9.0)

    def beside(other: Any) -> list[tuple[str, tuple[str, ...]]]:
        records = {**state.memory.records, entity: other}
        if other is None:
            records.pop(entity)
        against = replace(state, memory=replace(state.memory, records=records))
        return [(each.entity, each.what) for each in believed_otherwise(state, against)]

    assert beside(record) == beside(doubted) == []
    assert beside(moved) == [(entity, ("place",))]
    assert beside(lost) == [(entity, ("status",))]
    assert beside(None) == [(entity, ("known",))]
