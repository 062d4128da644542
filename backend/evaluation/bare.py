"""One bare episode: the loop that missions run on, with journal, inbox and world in memory and nobody to wait
for.

It has no rules of its own. What differs from a mission is where events go, that the query's text stays
unwritten where the planner reads none, and that time stands still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from backend.domain.command.intents import Intent, Settlement
from backend.domain.command.policy import Policy
from backend.domain.episode.events import PlanRequested, Recorded
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets
from backend.domain.mission.mission import Mission, World
from backend.evaluation.arms import WORLDS
from backend.evaluation.errors import EpisodeStuck
from backend.evaluation.misled import Misled
from backend.evaluation.tabletop_play import Table, table_result
from backend.usecases.framing import FrameKeeper
from backend.usecases.inline import InlineExecutor
from backend.usecases.loop import EpisodeLoop
from backend.usecases.ports import Bridge, Hello, Inbox, Journal, Planner
from backend.usecases.results import Arm, EpisodeResult
from backend.usecases.watching import opened_with_pictures

UNBOUNDED = Budgets(steps=None, decisions=None, tokens=None, money_usd=None)
"""The world's own step budget alone ends an episode."""


OnCommit = Callable[[Sequence[Recorded], State], None]
OnQuestion = Callable[[str], None]
"""Told what only a person could decide, in words."""


class Rig(Protocol):
    """Makes what an episode is played on. Picklable, since workers are told it by name."""

    def __call__(self, arm: Arm, seed: int) -> tuple[Bridge, Planner] | Table: ...


class Played(NamedTuple):
    """An episode's row, the state it ended in, and its journal."""

    row: EpisodeResult
    state: State
    events: Sequence[Recorded]


def play(arm: Arm, seed: int, rig: Rig, index: int = 0) -> EpisodeResult:
    """The episode of `seed` under `arm`, which stands at `index` in its study."""
    return play_named(arm, seed, rig, index).row


def play_named(
    arm: Arm,
    seed: int,
    rig: Rig,
    index: int = 0,
    *,
    episode: str = "bare",
    render: bool = False,
    code_version: str = "",
) -> Played:
    """The same with all that it left, under the id `episode`."""
    journal, rigged = PlainJournal(), rig(arm, seed)
    if isinstance(rigged, Table):
        state = play_at_table(journal, NobodyThere(), arm, rigged, episode=episode, code_version=code_version)
        row = table_result(state, journal.events, index, seed, rigged.happened())
        return Played(row, state, journal.events)
    misled = Misled(rigged[1]) if arm.counts_misled else None
    state = play_into(
        journal,
        NobodyThere(),
        arm,
        seed,
        *rigged,
        episode=episode,
        render=render,
        code_version=code_version,
        on_commit=misled,
    )
    extra = {} if misled is None else {"misled": float(misled.count)}
    return Played(result_of(state, journal.events, index, seed, extra), state, journal.events)


def play_at_table(
    journal: Journal,
    inbox: Inbox,
    arm: Arm,
    table: Table,
    *,
    episode: str = "bare",
    code_version: str = "",
    on_question: OnQuestion | None = None,
) -> State:
    """With the query's text, whose size is measured, and with what the cameras see."""
    return play_into(
        journal,
        inbox,
        arm,
        table.seed,
        table.bridge,
        table.planner,
        episode=episode,
        render=True,
        code_version=code_version,
        mission=table.mission,
        keep=table.keep,
        on_question=on_question,
    )


def result_of(
    state: State, events: Iterable[Recorded], index: int, seed: int, extra: Mapping[str, float]
) -> EpisodeResult:
    """What an episode that ended in `state` came to."""
    return EpisodeResult(
        arm=index,
        seed=seed,
        success=state.ending is not None and state.ending.outcome == "completed",
        outcome=state.ending.outcome if state.ending is not None else "asks a person",
        steps=int(state.met_s),
        context=state.tally.context_units,
        planner_calls=state.spent.decisions,
        stale_visits=state.tally.stale_visits,
        delivered=len(state.delivered),
        path_m=round(state.tally.path_m, 6),
        replans=_replans(events),
        extra=extra,
    )


def play_whole(arm: Arm, seed: int, rig: Rig, *, render: bool = False) -> tuple[State, Sequence[Recorded]]:
    """The same episode with its whole journal: the state it ended in, and every event."""
    played = play_named(arm, seed, rig, render=render)
    return played.state, played.events


class PlainJournal:
    """A Journal that nobody else can reach, so that there is nothing to guard."""

    def __init__(self) -> None:
        self.events: list[Recorded] = []

    def append(self, events: Sequence[Recorded], settled: Sequence[Settlement] = ()) -> None:
        self.events.extend(events)

    def read(self, after: int = 0) -> list[Recorded]:
        return self.events[after:]


class NobodyThere:
    """An Inbox without anybody who could want something; time stands still."""

    def take(self) -> tuple[tuple[Intent, ...], float]:
        return (), 0.0


def play_into(
    journal: Journal,
    inbox: Inbox,
    arm: Arm,
    seed: int,
    bridge: Bridge,
    planner: Planner,
    *,
    episode: str = "bare",
    render: bool = False,
    code_version: str = "",
    mission: Mission | None = None,
    keep: FrameKeeper | None = None,
    on_commit: OnCommit | None = None,
    on_question: OnQuestion | None = None,
) -> State:
    """Play it into an empty journal, as a run of `mission` or of the arm's own.

    Ends where the episode ends, or where only a person could go on, unless `on_question` makes sure that the
    inbox has what to do then.
    """
    hello = _with_tolerance(bridge.hello(1), arm.tolerance_m)
    opened = opened_with_pictures(
        episode,
        mission or mission_of(arm),
        hello,
        bridge,
        keep,
        planner=arm.planner,
        seed=seed,
        code_version=code_version,
    )
    journal.append(opened)
    loop = EpisodeLoop(
        fold(opened),
        journal,
        inbox,
        planner,
        bridge,
        InlineExecutor(),
        monotonic=_stands_still,
        keep_frames=keep,
        render=render,
        on_commit=on_commit,
    )
    loop.begin(hello.initial)
    while loop.state.ending is None:
        if loop.state.asks_person:
            if on_question is None:
                break
            on_question(loop.state.asks_person)
        seq, met_s = loop.state.seq, loop.state.met_s
        if not loop.tick() and loop.state.dispatch is None:
            raise EpisodeStuck(
                f"Seed {seed} of {arm.scenario}, {arm.method} stands still at {met_s:g} s, event {seq}."
            )
    return loop.state


def mission_of(arm: Arm) -> Mission:
    """The mission that an arm's episodes are runs of."""
    return Mission(
        name=f"{arm.scenario}-{arm.method}",
        title=f"{arm.scenario.upper()}, {arm.method}{', ' + arm.variant if arm.variant else ''}",
        goal="Bring every container to the station for its class.",
        completion="All containers stand at their assigned stations and nothing is held.",
        world=World(name=WORLDS.get(arm.scenario, "grid"), scenario=arm.scenario),
        memory=arm.memory,
        policy=Policy(mode="auto"),
        budgets=UNBOUNDED,
    )


def _with_tolerance(hello: Hello, tolerance_m: float | None) -> Hello:
    if tolerance_m is None:
        return hello
    metric = replace(hello.site.metric, tolerance_m=tolerance_m)
    return replace(hello, site=replace(hello.site, metric=metric))


def _replans(events: Iterable[Recorded]) -> dict[str, int]:
    asked = [recorded.event for recorded in events if type(recorded.event) is PlanRequested]
    causes = Counter([each.cause.kind for each in asked if each.attempt == 1 and each.cause.is_replan])
    return dict(sorted(causes.items()))


def _stands_still() -> float:
    return 0.0
