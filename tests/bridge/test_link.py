"""The link to a real bridge process: what is cut heals, and what is lost is asked after."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.bridge.channel import Address
from backend.bridge.direct import stop_directly
from backend.bridge.link import FENCED, LinkBridge
from backend.domain.episode.events import Recorded, RunnerStarted
from backend.domain.episode.evolve import evolve
from backend.domain.geometry import Pose
from backend.domain.plans.plan import Step
from backend.missions import MissionFiles
from backend.planners.policy import PolicyPlanner
from backend.usecases.doubles import MemoryEpisode, MemoryInbox
from backend.usecases.inline import InlineExecutor
from backend.usecases.loop import EpisodeLoop
from backend.usecases.opening import opening
from backend.usecases.ordering import with_policy
from backend.usecases.ports import BridgeRefused, BridgeUnreachable, Reports
from robot_bridge.sqlite_ledger import SqliteLedger
from tests.bridge.process import PATIENCE_S, Process, bridge
from tests.support.checkout import ROOT
from tests.support.proxy import Line

GO = Step("navigate", {"to": "station_metal"})
FAR = Pose(4.0, 4.0)
REPLY_S = 0.5


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Process]:
    with bridge(tmp_path / "robot", "--scenario", "s-6", "--clock", "waits") as process:
        yield process


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Process]:
    with bridge(tmp_path / "robot", "--scenario", "s-6", "--clock", "runs", "--tick-s", "0.02") as process:
        yield process


@pytest.fixture
def linked() -> Iterator[Callable[..., LinkBridge]]:
    """Makes links and closes them."""
    made: list[LinkBridge] = []

    def make(address: str, **options: object) -> LinkBridge:
        made.append(LinkBridge(lambda: Address(address), reply_s=REPLY_S, **options))
        return made[-1]

    yield make
    for link in made:
        link.close()


@pytest.fixture
def line(waiting: Process) -> Iterator[Line]:
    made = Line(int(waiting.ready["address"].rpartition(":")[2]))
    yield made
    made.close()


def poll_until(link: LinkBridge, found: Callable[[Reports], bool]) -> Reports:
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        try:
            reports = link.poll()
        except BridgeUnreachable:
            reports = None
        if reports is not None and found(reports):
            return reports
        time.sleep(0.01)
    raise AssertionError("no such report came")


def test_hello_tells_of_robot_and_world(waiting: Process, linked: Callable[..., LinkBridge]) -> None:
    hello = linked(waiting.ready["address"]).hello(1)

    assert (hello.robot, hello.total, hello.budget_steps, hello.latched) == ("rover", 6, 80, ())
    assert {station.id for station in hello.site.stations} == {"station_metal", "station_plastic"}
    assert len(hello.initial) == 6


def test_a_world_that_waits_takes_a_step_a_poll(waiting: Process, linked: Callable[..., LinkBridge]) -> None:
    link = linked(waiting.ready["address"])
    link.hello(1)
    assert [link.poll().met_s for _ in range(3)] == [0.0, 0.0, 0.0]

    link.submit(1, "d1", GO, FAR, ())

    assert [link.poll().met_s for _ in range(8)] == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    assert link.poll().met_s == 8.0
    assert link.status("d1").state == "ended"


def test_a_world_that_runs_reports_by_itself(running: Process, linked: Callable[..., LinkBridge]) -> None:
    told: list[float] = []
    link = linked(running.ready["address"], on_telemetry=lambda met_s, robots: told.append(met_s))
    link.hello(1)
    link.submit(1, "d1", GO, FAR, ())

    ended = poll_until(link, lambda reports: bool(reports.outcomes)).outcomes[0]

    assert (ended.dispatch_id, ended.reason, ended.measured.moves) == ("d1", "arrived", 8)
    assert told == sorted(told)
    assert len(told) >= 8


def test_nothing_is_heard_twice_and_nothing_is_lost_over_a_cut(
    waiting: Process, line: Line, linked: Callable[..., LinkBridge]
) -> None:
    link = linked(f"ws://127.0.0.1:{line.port}")
    link.hello(1)
    link.submit(1, "d1", GO, FAR, ())
    link.poll()
    line.cut()
    poll_until_unreachable(link)
    stop_directly(Address(waiting.ready["address"]), "s1", "mara")  # ends the step while nobody listens
    line.heal()

    heard: list[Reports] = []
    poll_until(link, lambda reports: heard.append(reports) or reports.relinked is not None)
    link.acknowledge(max(reports.through for reports in heard))
    heard.append(link.poll())

    assert [reports.relinked for reports in heard if reports.relinked is not None] == [("s1",)]
    assert [outcome.reason for reports in heard for outcome in reports.outcomes] == ["stopped"]
    assert [(stop.stop_id, stop.by) for reports in heard for stop in reports.stopped] == [("s1", "mara")]


def poll_until_unreachable(link: LinkBridge) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        try:
            link.poll()
        except BridgeUnreachable:
            return
        time.sleep(0.01)
    raise AssertionError("the link never broke")


def test_no_answer_within_the_bound_is_told_and_the_line_is_made_anew(
    line: Line, linked: Callable[..., LinkBridge]
) -> None:
    link = linked(f"ws://127.0.0.1:{line.port}")
    link.hello(1)
    line.swallow()
    asked_s = time.monotonic()

    with pytest.raises(BridgeUnreachable, match=r"did not answer submit within 0.5 s"):
        link.submit(1, "d1", GO, FAR, ())

    assert time.monotonic() - asked_s < REPLY_S + 1.0
    line.heal()
    assert poll_until(link, lambda reports: reports.relinked is not None).relinked == ()
    assert link.status("d1").state == "unknown"
    assert line.connections == 2


def test_a_cancelled_dispatch_that_never_came_does_not_run_when_it_comes(
    waiting: Process, linked: Callable[..., LinkBridge]
) -> None:
    link = linked(waiting.ready["address"])
    link.hello(1)
    link.cancel(1, "late")
    assert link.status("late").outcome is not None

    link.submit(1, "late", GO, FAR, ())

    assert link.poll().met_s == 0.0
    assert link.status("late").state == "ended"


def test_a_successor_fences_the_link_before_it(waiting: Process, linked: Callable[..., LinkBridge]) -> None:
    first, second = linked(waiting.ready["address"]), linked(waiting.ready["address"])
    first.hello(1)
    second.hello(2)

    with pytest.raises(BridgeRefused) as refused:
        first.submit(1, "d1", GO, FAR, ())
    assert refused.value.code == FENCED
    with pytest.raises(BridgeRefused):
        first.poll()
    with pytest.raises(BridgeRefused, match="has commanded this robot since"):
        linked(waiting.ready["address"]).hello(1)


def test_a_heartbeat_that_is_refused_shows_at_the_next_poll(
    waiting: Process, linked: Callable[..., LinkBridge]
) -> None:
    first, second = linked(waiting.ready["address"]), linked(waiting.ready["address"])
    first.hello(1)
    second.hello(2)
    first.heartbeat(1)

    with pytest.raises(BridgeRefused):
        poll_until(first, lambda reports: False)


def test_nobody_listens_there(linked: Callable[..., LinkBridge]) -> None:
    with pytest.raises(BridgeUnreachable, match="cannot be reached"):
        linked("ws://127.0.0.1:9").hello(1)
    with pytest.raises(BridgeUnreachable, match="did not confirm the stop"):
        stop_directly(Address("ws://127.0.0.1:9"), "s1", "mara")


def test_a_direct_stop_latches_beside_the_runner(waiting: Process, linked: Callable[..., LinkBridge]) -> None:
    link = linked(waiting.ready["address"])
    link.hello(1)

    told = [stop_directly(Address(waiting.ready["address"]), "s1", "mara") for _ in range(2)]

    assert [(each.latched, each.standstill) for each in told] == [(True, True)] * 2
    assert [stop.stop_id for stop in poll_until(link, lambda r: bool(r.stopped)).stopped] == ["s1"]
    with pytest.raises(BridgeRefused) as refused:
        link.submit(1, "d1", GO, FAR, ())
    assert refused.value.code == "latched"
    link.release(1, "s1")
    link.submit(1, "d1", GO, FAR, ())


def test_a_mission_over_a_line_that_keeps_breaking_ends_as_over_a_whole_one(
    tmp_path: Path, waiting: Process, line: Line, linked: Callable[..., LinkBridge]
) -> None:
    """Cut after every fifth command, swallowing from each seventh on: nothing runs twice."""
    link = linked(f"ws://127.0.0.1:{line.port}")
    hello = link.hello(1)
    missions = MissionFiles([ROOT / "missions"], {"grid": ("s-6", "d-10", "dn-14", "live-6", "reveal-5")})
    mission = with_policy(missions.get("recycling-s6"), "auto")
    episode = MemoryEpisode()
    journal = episode.claim()
    first = opening("e1", mission, hello, planner="policy", seed=1, code_version="test")
    started = Recorded(seq=2, met_s=0.0, actor="system", event=RunnerStarted(epoch=1, code_version="test"))
    journal.append([first, started])
    loop = EpisodeLoop(
        evolve(evolve(None, first), started),
        journal,
        MemoryInbox(episode),
        PolicyPlanner(),
        link,
        InlineExecutor(),
        monotonic=time.monotonic,
    )
    loop.begin(hello.initial)
    seen, deadline_s = 0, time.monotonic() + PATIENCE_S

    while loop.state.ending is None:
        assert time.monotonic() < deadline_s, loop.state.asks_person or loop.state.stops
        loop.tick()
        if loop.state.dispatches > seen:
            seen = loop.state.dispatches
            if seen % 5 == 0:
                line.cut()
            elif seen % 7 == 0:
                line.swallow()
        if not link.is_open or seen % 7 == 0:
            line.heal()

    assert loop.state.ending.outcome == "completed"
    waiting.kill()
    executions = SqliteLedger(tmp_path / "robot" / "ledger.sqlite").executions()
    assert set(executions.values()) <= {0, 1}
    assert line.connections > 3
