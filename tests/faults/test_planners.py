"""Whoever plans: a model that stumbles, a person; and a runner that is killed while it waits for them."""

from __future__ import annotations

import signal
from pathlib import Path

from backend.domain.command.intents import Action, Propose
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.query.build import query_of
from backend.planners.policy import PolicyPlanner
from tests.faults.scene import Person, Scene, mission_at
from tests.support.fake_planner import FakePlanner


def test_a_model_that_stumbles_is_asked_again_and_the_mission_ends(tmp_path: Path) -> None:
    script = ["garbage", "refusal", "bad_entity", "bad_entity", "truncation"]
    with FakePlanner(script) as fake:
        scene = scene_with(tmp_path, fake)
        scene.play()

    verdicts = [
        each.event.exchange.verdict for each in scene.journal() if isinstance(each.event, e.ExchangeRecorded)
    ]
    assert verdicts[:5] == ["invalid_json", "refusal", "ok", "ok", "incomplete"]
    assert fake.count == len(verdicts)
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()


def test_a_runner_killed_while_the_model_thinks_asks_again(tmp_path: Path) -> None:
    with FakePlanner([{"do": "slow", "seconds": 20}]) as fake:
        scene = scene_with(tmp_path, fake)
        keeper = scene.keeper()
        keeper.start()
        try:
            scene.play(until=lambda state: state.request is not None and fake.count > 0, keeper=keeper)
            keeper.runner.signal(signal.SIGKILL)
            scene.play(keeper=keeper)
        finally:
            keeper.end()

    asked = [each.event.decision for each in scene.journal() if isinstance(each.event, e.PlanRequested)]
    assert asked == sorted(set(asked)), "each decision is journalled once, however often the model was asked"
    assert fake.count == len(asked) + 1
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()


def scene_with(tmp_path: Path, fake: FakePlanner) -> Scene:
    return Scene(
        tmp_path / "home",
        mission_at("recycling-s6", clock="waits"),
        planner="openai",
        planner_base_url=fake.url,
        planner_model="fake",
        planner_retries=0,
    )


class Planning(Person):
    """Proposes what the policy would, when a plan is asked for."""

    def decide(self, state: State) -> Action | None:
        if state.request is None or state.stops:
            return super().decide(state)
        proposal = PolicyPlanner().propose(query_of(state, state.request)).proposal
        assert proposal is not None
        return Propose(steps=proposal.steps, seen_seq=state.seq, rationale="The nearest one")


def test_a_person_plans_and_no_planner_is_called(tmp_path: Path) -> None:
    mission = mission_at("recycling-s6", clock="waits", approve="every-plan")
    scene = Scene(tmp_path / "home", mission, planner="operator")
    scene.person = Planning(scene.engine, scene.episode)

    scene.play()

    events = [each.event for each in scene.journal()]
    assert {event.plan.author for event in events if isinstance(event, e.PlanProposed)} == {"mara"}
    assert not any(isinstance(event, e.ExchangeRecorded) for event in events)
    scene.check_nothing_twice_nothing_unapproved()
    scene.check_all_delivered()
