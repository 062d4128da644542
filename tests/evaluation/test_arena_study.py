"""Memories in the rigid-body arena: the same loop, a row a trial, and each trial again with its journal."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.mission.mission import World
from backend.evaluation.arena_report import arena_tables
from backend.evaluation.arms import ARENA_METHODS
from backend.evaluation.bare import play
from backend.evaluation.choices import arena_study, command_of
from backend.evaluation.errors import WrongStudy
from backend.evaluation.rebuild import Place, rebuild
from backend.evaluation.report import cell_document
from backend.evaluation.summary import summarise
from backend.rig import world_rig
from backend.usecases.results_in_memory import MemoryResults

STUDY = arena_study("attention", 1, 1)


def test_a_trial_is_measured_told_beside_the_paper_and_rebuilt_the_same() -> None:
    results = MemoryResults()
    run = results.start(STUDY, "1.0", "ada")
    row = play(STUDY.arms[0], 1, world_rig)
    results.add(run.id, [row])

    [cell] = summarise(run, results).cells
    document = cell_document(cell)
    rebuilt = rebuild(Place(run.id, 0, 1), results, world_rig, "1.0")

    assert (row.success, row.delivered, row.outcome) == (True, 6, "completed")
    assert row.context == sum(48 + 18 * count for count in exposed(rebuilt.events))
    assert rebuilt.evaluated.differs == ()
    assert rebuilt.state.mission.world == World(name="arena", scenario="arena-6")
    assert document["successful"]["steps"] == row.steps
    assert {"success", "context", "stale_visits", "successful_steps", "successful_path_m"} <= document[
        "published"
    ].keys()
    [(header, [line])] = list(arena_tables(summarise(run, results)))
    assert (header[0], line[0], line[2]) == ("METHOD", "attention", "100.0 (20.7–100.0) [100]")
    assert line[6].endswith("[232.6]")


def test_an_arm_with_parameters_is_refused_since_none_are_played() -> None:
    with pytest.raises(WrongStudy, match="The arena has no parameters"):
        world_rig(replace(STUDY.arms[0], parameters={"containers": 2}), 1)


def exposed(events: tuple) -> list[int]:
    return [each.event.retrieval.count for each in events if type(each.event).__name__ == "PlanRequested"]


def test_a_study_is_of_the_paper_s_methods_and_has_its_command() -> None:
    study = arena_study(ARENA_METHODS, 0, 20)

    assert [each.method for each in study.arms] == ["static", "unfiltered", "attention"]
    assert {each.scenario for each in study.arms} == {"arena-6"}
    assert command_of(study) == "quarterdeck evaluate arena --method static,unfiltered,attention --seeds 20"
    with pytest.raises(WrongStudy, match="There is no method"):
        arena_study("telepathy", 0, 20)
