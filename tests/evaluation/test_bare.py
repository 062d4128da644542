"""Bare episodes: determined by arm and seed to the byte, paired by their tapes, never silently endless."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from msgspec.structs import replace

from backend.domain.digests import digest
from backend.domain.episode.evolve import fold
from backend.domain.memory.configuration import AttentionSettings
from backend.domain.query.query import Query, Reply
from backend.evaluation.arms import METHODS, arm
from backend.evaluation.bare import play, play_whole
from backend.evaluation.errors import EpisodeStuck, WrongStudy
from backend.rig import grid_rig, scenario_of
from backend.usecases.ports import Bridge, Planner
from backend.usecases.results import Arm
from robot_bridge.grid.tape import draw

JOURNAL = """
from backend.domain.digests import digest
from backend.evaluation.arms import arm
from backend.evaluation.bare import play_whole
from backend.rig import grid_rig
print(digest(list(play_whole(arm("dn-14", "{method}"), {seed}, grid_rig)[1])))
"""


def journal_digest(arm: Arm, seed: int) -> str:
    return digest(list(play_whole(arm, seed, grid_rig)[1]))


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_journal_to_the_byte(method: str) -> None:
    digests = [journal_digest(arm("d-10", method), seed) for seed in (3, 4, 3)]

    assert digests[0] == digests[2] != digests[1]


def test_another_process_with_another_hash_seed_gives_the_same_journal() -> None:
    code = JOURNAL.format(method="attention", seed=2)

    printed = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout.strip()
        for hash_seed in ("1", "2")
    }  # fmt: skip

    assert printed == {journal_digest(arm("dn-14", "attention"), 2)}


def test_the_journal_folds_to_the_state_that_the_result_was_read_from() -> None:
    state, events = play_whole(arm("dn-14", "unfiltered"), 0, grid_rig)

    assert fold(events) == state


def test_all_methods_and_memory_variants_meet_one_tape() -> None:
    few = replace(
        arm("dn-14", "attention").memory, attention=replace(arm("dn-14", "attention").memory.attention, k=1)
    )
    arms = [*(arm("dn-14", method) for method in METHODS), replace(arm("dn-14", "attention"), memory=few)]

    assert len({digest(draw(scenario_of(each), 7)) for each in arms}) == 1


def test_a_changed_rate_keeps_the_draws_that_do_not_depend_on_it() -> None:
    """So that variants of a scenario stay paired: only what the rate decides differs."""
    calm, rough = (
        draw(scenario_of(replace(arm("dn-14", "attention"), parameters={"relocation": rate})), 7)
        for rate in (0.0, 0.1)
    )

    assert calm.initial_cells == rough.initial_cells
    assert calm.false_cells == rough.false_cells
    assert calm.relocates != rough.relocates


def test_replans_are_counted_by_cause() -> None:
    result = play(arm("dn-14", "unfiltered"), 4, grid_rig)
    state, _ = play_whole(arm("dn-14", "unfiltered"), 4, grid_rig)

    assert set(result.replans) == {"changed", "failed"}
    assert sum(result.replans.values()) == state.tally.replans
    assert result.replans["failed"] >= result.stale_visits


def test_the_way_driven_is_measured() -> None:
    """On a grid of 1 m every step but picks and placings is a metre."""
    result = play(arm("s-6", "static"), 0, grid_rig)

    assert result.success
    assert result.path_m == result.steps - 2 * 6


def test_the_text_of_the_query_changes_no_decision() -> None:
    bare, _ = play_whole(arm("live-6", "attention"), 1, grid_rig)
    written, events = play_whole(arm("live-6", "attention"), 1, grid_rig, render=True)

    assert (written.met_s, written.tally, written.spent) == (bare.met_s, bare.tally, bare.spent)
    assert any(getattr(recorded.event, "blocks", ()) for recorded in events)


def test_a_tolerance_of_two_cells_sends_the_robot_to_the_wrong_one() -> None:
    exact = play(arm("dn-14", "attention"), 4, grid_rig)
    loose = play(replace(arm("dn-14", "attention"), tolerance_m=2.0), 4, grid_rig)

    assert loose.stale_visits > exact.stale_visits


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"size": 2}, "size is 2"),
        ({"false_report": 1.5}, "false_report is 1.5"),
        ({"wind": 3}, "wind is no parameter"),
    ],
    ids=["too small", "no probability", "unknown"],
)
def test_an_impossible_scenario_is_refused_by_its_field(parameters: dict[str, float], named: str) -> None:
    with pytest.raises(WrongStudy, match=named):
        play(replace(arm("dn-14", "attention"), parameters=parameters), 0, grid_rig)


class _Mute:
    """Never answers in a way that fits the request, so nothing ever happens."""

    def propose(self, query: Query) -> Reply:
        return Reply(decision=query.decision + 1, attempt=1, proposal=None)


class _Failing:
    def propose(self, query: Query) -> Reply:
        return Reply(decision=query.decision, attempt=query.attempt, proposal=None)


def test_an_episode_that_stands_still_is_a_defect_and_no_result() -> None:
    def rig(arm: Arm, seed: int) -> tuple[Bridge, Planner]:
        return grid_rig(arm, seed)[0], _Mute()

    with pytest.raises(EpisodeStuck, match="stands still"):
        play(arm("s-6", "static"), 0, rig)


def test_a_planner_that_fails_ends_the_episode_unsuccessfully() -> None:
    def rig(arm: Arm, seed: int) -> tuple[Bridge, Planner]:
        return grid_rig(arm, seed)[0], _Failing()

    result = play(arm("s-6", "static"), 0, rig)

    assert (result.success, result.outcome, result.delivered) == (False, "asks a person", 0)


def test_decisions_that_a_wider_memory_would_change_are_counted() -> None:
    """With K of one the planner is shown one container and takes it; the order of classes wants another."""
    narrow = AttentionSettings(k=1)
    chosen = arm("dn-14", "attention")
    ordered = replace(chosen, planner="in_order", counts_misled=True)

    wide = play(
        replace(ordered, memory=replace(chosen.memory, attention=AttentionSettings(k=14))), 0, grid_rig
    )
    few = play(replace(ordered, memory=replace(chosen.memory, attention=narrow)), 0, grid_rig)

    assert wide.extra == {"misled": 0.0}
    assert few.extra["misled"] >= 3
    assert play(chosen, 0, grid_rig).extra == {}
