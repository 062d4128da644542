"""One real episode at the table, measured, and played once more from its row."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from backend.evaluation.bare import Played, play_named
from backend.evaluation.rebuild import Place, rebuild
from backend.evaluation.tabletop_arms import Setting, TaskNotes
from backend.evaluation.tabletop_choices import tabletop_study
from backend.evaluation.tabletop_measures import Happened, is_near, share_near, table_measures
from backend.evaluation.tabletop_play import table_mission
from backend.persistence.results import DatabaseResults
from backend.rig import world_rig
from backend.task_notes import note_for, with_task_note

STUDY = tabletop_study("video-unmask", "execution_grounded", "4", None, Setting(drop=0.0, miscount=0.0))


@pytest.fixture(scope="module")
def played() -> Played:
    return play_named(STUDY.arms[0], 4, world_rig)


def test_the_world_alone_says_that_it_is_solved(played: Played) -> None:
    assert (played.row.success, played.row.outcome) == (True, "completed")
    assert played.state.at_table is not None
    verdict = played.state.at_table.verdict
    assert verdict is not None
    assert verdict.status == "success"


def test_images_are_those_that_the_planner_was_shown(played: Played) -> None:
    cost = played.row.extra
    assert cost["images"] == sum(cost[f"images_{kind}"] for kind in ("views", "returned", "demonstration"))
    assert cost["images_demonstration"] > 0
    assert cost["images_views"] > 0
    assert cost["calls"] == played.row.planner_calls
    assert cost["tokens"] == played.row.context > 255 * cost["images_views"]


@pytest.mark.parametrize("level", ["full", "no_criteria", "none"])
def test_the_planner_is_told_as_much_of_the_task_as_was_asked(level: TaskNotes) -> None:
    study = tabletop_study("bin-fill", "note_only", "4", None, Setting(task_notes=level))
    mission = with_task_note(table_mission(study.arms[0], 4))
    assert mission.task_note == note_for("bin-fill", level, "direct")
    assert bool(mission.task_note) is (level != "none")


def test_an_image_costs_what_the_size_measure_says(played: Played) -> None:
    """Without events nothing is near any; tokens and images do not depend on them."""
    without = table_measures(played.events, Happened())
    assert without["looked_near"] == 0.0
    assert without["tokens"] == played.row.extra["tokens"]


def test_the_row_gives_the_same_episode_again(sqlite_engine: Engine, played: Played) -> None:
    results = DatabaseResults(sqlite_engine)
    run = results.start(STUDY, "1.0")
    results.add(run.id, [played.row])
    again = rebuild(Place(run.id, 0, 4), results, world_rig, "1.0")
    assert again.evaluated.differs == ()
    assert len(again.events) == len(played.events)


@pytest.mark.parametrize(
    ("step", "near"), [(91, False), (92, True), (100, True), (108, True), (109, False)], ids=str
)
def test_near_is_within_eight_steps(step: int, near: bool) -> None:
    assert is_near(step, (10, 100, 300)) is near


def test_evenly_drawn_frames_are_as_near_as_their_steps() -> None:
    assert share_near(range(80, 120), (100,)) == 17 / 40
    assert share_near((), (100,)) == 0.0
