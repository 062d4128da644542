"""Trajectories: read from a journal, and true to the world that the robot moved in."""

from __future__ import annotations

import pytest

from backend.domain.episode.events import Recorded
from backend.evaluation.arms import arm
from backend.evaluation.bare import play_whole
from backend.evaluation.trajectory import trajectory_of
from backend.rig import grid_rig
from backend.usecases.recordings import Trajectory


def played(method: str, seed: int) -> tuple[Trajectory, list[Recorded]]:
    _, journal = play_whole(arm("live-6", method), seed, grid_rig)
    return trajectory_of(journal), list(journal)


@pytest.mark.parametrize("method", ["unfiltered", "attention", "none"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_robot_takes_one_cell_a_step_at_most_and_ends_where_it_ends(method: str, seed: int) -> None:
    state, journal = play_whole(arm("live-6", method), seed, grid_rig)

    drawn = trajectory_of(journal)

    assert len(drawn.cells) == int(state.met_s) + 1
    steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(drawn.cells, drawn.cells[1:], strict=False)]
    assert max(steps) == 1
    assert sum(steps) == state.tally.path_m, "a cell is 1 m"
    assert drawn.cells[-1] == (round(state.robot.pose.x_m), round(state.robot.pose.y_m))


def test_deliveries_are_at_their_stations_in_order() -> None:
    state, journal = play_whole(arm("live-6", "attention"), 0, grid_rig)

    drawn = trajectory_of(journal)

    assert {each.entity: each.station for each in drawn.deliveries} == dict(state.delivered)
    assert [each.entity for each in drawn.deliveries] == list(state.delivered)
    assert all(drawn.stations[each.station] == each.cell for each in drawn.deliveries)
    assert all(drawn.cells[each.step] == each.cell for each in (*drawn.deliveries, *drawn.visits))


def test_stale_visits_are_told_from_slips_and_picks() -> None:
    """Seed 2 of dn-14 has all three."""
    state, journal = play_whole(arm("dn-14", "unfiltered"), 2, grid_rig)

    visits = trajectory_of(journal).visits

    assert sum(each.reason == "absent" for each in visits) == state.tally.stale_visits > 0
    assert {each.reason for each in visits} == {"absent", "grasp_slipped", "grasped"}
    assert [each.picked for each in visits] == [each.reason == "grasped" for each in visits]
    assert sum(each.picked for each in visits) == len(state.delivered)


def test_the_map_has_its_stations_containers_and_their_classes() -> None:
    drawn, _ = played("attention", 0)

    assert (drawn.width, drawn.height) == (6, 6)
    assert sorted(drawn.stations.values()) == [(0, 0), (5, 5)]
    assert len(drawn.starts) == len(set(drawn.starts.values())) == 6
    assert set(drawn.classes) == set(drawn.starts)


def test_a_memory_without_poses_still_shows_where_things_were_at_first() -> None:
    assert played("none", 1)[0].starts == played("unfiltered", 1)[0].starts
