"""Ids that say which mission it is, and requests that come back from JSON as they were."""

from __future__ import annotations

import msgspec
import pytest

from backend.domain.mission.mission import Mission, World
from backend.usecases.ordering import RunRequest, new_episode, refuse_planner, request_of, with_policy

MISSION = Mission(name="m", title="t", goal="g", completion="c", world=World(name="grid", scenario="s-6"))


@pytest.mark.parametrize(
    ("mission", "begins"),
    [
        ("recycling-dn14", "recycling-dn14-"),
        ("My Yard / ä", "my-yard-"),
        ("", "episode-"),
        ("x" * 200, "x" * 60),
    ],
)
def test_an_id_begins_as_the_mission_is_called(mission: str, begins: str) -> None:
    made = {new_episode(mission) for _ in range(50)}

    assert len(made) == 50
    assert all(each.startswith(begins) and each.replace("-", "").isalnum() for each in made)


def test_a_request_comes_back_as_it_was() -> None:
    request = request_of("m-abc", with_policy(MISSION, "on-risk"), "openai", 7)

    assert msgspec.json.decode(msgspec.json.encode(request), type=RunRequest) == request
    assert (request.robot, request.mission.policy.mode) == ("sim-m-abc", "on_risk")


@pytest.mark.parametrize(
    ("planner", "world", "scenario", "says"),
    [
        ("surrogate", "grid", "s-6", "at a table alone"),
        ("oracle", "tabletop", "bin-fill/easy", "phrases for an executor"),
        ("per_chunk", "tabletop", "bin-fill/easy", "phrases for an executor"),
        ("surrogate", "tabletop", "bin-fill/easy/delegate", "waypoints"),
        ("surrogate", "tabletop", "bin-fill/easy", ""),
        ("oracle", "tabletop", "bin-fill/easy/delegate/refuse", ""),
        ("policy", "grid", "s-6", ""),
        ("openai", "tabletop", "bin-fill/easy/delegate", ""),
    ],
)
def test_a_planner_is_refused_where_it_could_only_fail(
    planner: str, world: str, scenario: str, says: str
) -> None:
    refusal = refuse_planner(planner, World(name=world, scenario=scenario))

    assert (says in refusal.message if refusal else not says) is True
