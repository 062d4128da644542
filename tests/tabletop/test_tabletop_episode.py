"""An episode at the table through loop and database: demonstration, crash, actions, verdict, replay.

The planner is scripted; world, pictures, journal and store are real.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from sqlalchemy import Engine

from backend.bridge.in_process import InProcessBridge
from backend.bridge.pictures import pixels_of
from backend.domain.command.policy import Policy
from backend.domain.demonstration.looks import Answer, Range
from backend.domain.episode.events import DemonstrationAnswered, DemonstrationShown, NoteWritten, StepEnded
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.execution.deprojection import Unseen, point_at_height
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import Mission, World
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Step, Watch
from backend.domain.query.query import Proposal, Query, Reply
from backend.persistence import schema
from backend.persistence.connect import open_database, sqlite_url
from backend.persistence.frames import FrameStore
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.reader import SqlReader
from backend.persistence.verify import verify
from backend.usecases.commits import commits_of
from backend.usecases.framing import FrameKeeper
from backend.usecases.inline import InlineExecutor
from backend.usecases.loop import EpisodeLoop
from backend.usecases.reexecution import run_again
from backend.usecases.rerun_world import WorldAgain
from backend.usecases.watching import opened_with_pictures
from robot_bridge.tabletop.scenarios import scenario_named
from robot_bridge.tabletop.world import TabletopWorld
from tests.persistence.episodes import claimed, new_episode

SCENARIO = "video-unmask/easy"
PIXEL = (256.0, 300.0)
EMPTY = Motion("move", {"x_m": 0.0, "y_m": 0.0, "z_m": 0.1, "gripper": "close"}, "gripper_opening_m >= 0.02")
ACTIONS = (
    Step("locate", {"camera": "front", "pixel": PIXEL}),
    Step("sequence", {"moves": (Motion("wait", {"steps": 2}), EMPTY, Motion("wait", {"steps": 9}))}),
    Step("wait", {"steps": 12}, Watch("all", "front")),
    Step("move", {"x_m": 3.0, "y_m": 0.0, "z_m": 0.1}),
)


class Scripted:
    """Asks for one closer look, sums up, then gives ACTIONS one by one."""

    def propose(self, query: Query) -> Reply:
        if query.facts.view is None:
            proposal = Proposal(rationale="", note="", steps=(ACTIONS[query.decision - 1],))
            return Reply(decision=query.decision, attempt=query.attempt, proposal=proposal)
        view = query.facts.view.view
        looks = (Range(view.segment.first, view.segment.first + 9),) if view.kind == "skim" else ()
        answer = Answer(f"{view.kind}: seen to frame {view.frames[-1]}", looks)
        return Reply(decision=0, attempt=query.attempt, proposal=None, answer=answer)


class Told(Struct):
    engine: Engine
    episode: str
    store: FrameStore
    crashed: State
    ended: State


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Its runner dies after the first view of the demonstration; another takes the episode up."""
    home: Path = tmp_path_factory.mktemp("table")
    engine = open_database(sqlite_url(home / "quarterdeck.db"))
    schema.upgrade(engine)
    store = FrameStore(str(home / "frames"))
    episode, keep = new_episode(engine, "table"), FrameKeeper(store.put, pixels_of)
    bridge = InProcessBridge(TabletopWorld(scenario_named(SCENARIO), 1), leaps=True)
    mission = Mission(
        name="tabletop-video-unmask", title="", goal="", completion="",
        world=World(name="tabletop", scenario=SCENARIO, tick_s=0.05),
        memory=NAMED["execution_grounded"], policy=Policy(mode="auto"),
    )  # fmt: skip
    hello = bridge.hello(1)
    journal = SqlJournal(engine, claimed(engine, episode))
    first = opened_with_pictures(
        episode, mission, hello, bridge, keep, planner="openai", seed=1, code_version="test"
    )
    journal.append(first)

    def taken_up(state: State) -> EpisodeLoop:
        return EpisodeLoop(
            state, journal, SqlInbox(engine, episode), Scripted(), bridge, InlineExecutor(),
            monotonic=time.monotonic, keep_frames=keep,
        )  # fmt: skip

    dying = taken_up(fold(first))
    while not any(isinstance(each.event, DemonstrationAnswered) for each in journal.read()):
        dying.tick()
    loop = taken_up(fold(journal.read()))
    loop.resume()
    for _ in range(3000):
        if loop.state.ending is not None or loop.state.asks_person:
            break
        loop.tick()
    return Told(engine, episode, store, dying.state, loop.state)


def test_the_demonstration_goes_on_where_the_runner_died(played: Told) -> None:
    events = [each.event for each in journal_of(played)]

    shown = [event.view.kind for event in events if isinstance(event, DemonstrationShown)]
    assert shown[:2] == ["skim", "inspect"]
    assert played.crashed.at_table is not None
    assert played.crashed.at_table.viewing is not None
    assert played.crashed.at_table.viewing.summary.startswith("skim: seen")
    [note] = [event for event in events if isinstance(event, NoteWritten)]
    assert (note.decision, note.text[:13]) == (0, "inspect: seen")


def test_actions_are_measured_and_the_world_judges(played: Told) -> None:
    found, sequence, waited, moved = [
        each.event.outcome for each in journal_of(played) if isinstance(each.event, StepEnded)
    ]

    assert found.measured.points_m
    assert [part.passed for part in sequence.measured.trace or ()] == [None, False]
    assert waited.measured.moves == 12
    assert moved.verdict
    assert moved.verdict.status == "error"
    assert played.ended.ending is not None
    assert played.ended.ending.outcome == "failed"
    assert played.ended.ending.message.startswith("Motion planning failed")
    table = played.ended.at_table
    assert table is not None
    assert played.ended.spent.steps == table.table.step_at(played.ended.met_s)


def test_a_located_point_is_where_its_ray_goes(played: Told) -> None:
    first = next(each.event.outcome for each in journal_of(played) if isinstance(each.event, StepEnded))
    assert played.crashed.at_table is not None
    front = played.crashed.at_table.views[0]
    assert first.measured.points_m
    [located] = first.measured.points_m
    assert located is not None
    assert front.calibration is not None
    size = front.frame.width_px, front.frame.height_px

    point = point_at_height(PIXEL, *size, located[2], front.calibration)

    assert not isinstance(point, Unseen)
    assert np.allclose(point, located, atol=0.003)


def test_a_replay_folds_to_the_same_state_and_finds_every_picture(played: Told) -> None:
    assert fold(journal_of(played)) == played.ended
    rows = SqlReader(played.engine).rows("frames", played.episode)
    cameras = {row["camera"] for row in rows}
    assert cameras == {"front", "front depth", "wrist", "wrist depth"}
    assert all(played.store.has(row["sha256"]) for row in rows)
    assert verify(played.engine, played.episode, played.store) == []


def test_run_again_in_its_world_it_comes_out_the_same(played: Told) -> None:
    entries = SqlReader(played.engine).events(played.episode, limit=None)
    world = TabletopWorld(scenario_named(SCENARIO), 1)

    again = run_again(list(commits_of(entries, ())), Scripted(), WorldAgain(InProcessBridge(world)))

    assert again.difference is None
    assert len(again.events) == len(entries)


def journal_of(played: Told) -> list[Any]:
    return [entry.recorded for entry in SqlReader(played.engine).events(played.episode)]
