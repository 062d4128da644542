"""The status bar of a moment."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.state import State
from backend.domain.mission.completion import correctly_delivered
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.conn import conn
from backend.web.builders.links import link_ages
from backend.web.builders.moment import Moment
from backend.web.builders.phase import phase_of
from backend.web.pages import figures
from backend.web.pages.bar import HoldControl, Replay, StatusBar
from backend.web.pages.environment import url
from backend.web.pages.parts import Link

KINDS = ("plan.requested", "stop.asked", "stop.confirmed")
"""Of each of these the builder is given the newest entry."""


def status_bar(moment: Moment, entries: Sequence[Entry]) -> StatusBar:
    state = moment.state
    return StatusBar(
        episode=moment.episode,
        at=moment.at,
        up=up_of(moment),
        title=title_of(moment),
        mission=state.mission.title,
        delivered=delivered(state) if state.at_table is None else _step(state),
        counted="Delivered" if state.at_table is None else "Step",
        calls=_of(state.spent.decisions, state.mission.budgets.decisions),
        phase=phase_of(moment, entries),
        met=figures.met(state.met_s),
        met_s=state.met_s,
        met_runs=moment.is_live and state.mission.world.clock == "runs" and not moment.is_over,
        utc=words.time_of_day(moment.utc),
        utc_iso=moment.utc,
        links=link_ages(moment),
        conn=conn(moment),
        hold=hold(moment),
    )


def title_of(moment: Moment) -> str:
    """Without the mission's name, which stands before it: an id is its mission and a few letters."""
    state = moment.head
    if moment.evaluated is not None:
        return f"Seed {moment.evaluated.seed}, run {moment.evaluated.run}"
    return f"Episode {state.episode.removeprefix(f'{state.mission.name}-')}"


def up_of(moment: Moment) -> Link:
    """Where the episode is listed."""
    place = moment.evaluated
    if place is None:
        return Link(label="Episodes", href=url("episodes"))
    return Link(label=f"Run {place.run}", href=url("evaluation", place.run, "cells", place.arm))


def delivered(state: State) -> str:
    if state.at_table is not None:
        return figures.NONE
    done = correctly_delivered(state.delivered, state.memory.records, state.assignments)
    return _of(done, state.mission.total or None)


def _step(state: State) -> str:
    step = 0 if state.at_table is None else state.at_table.table.step_at(state.met_s)
    return _of(step, state.mission.budgets.steps)


def hold(moment: Moment) -> HoldControl:
    """HOLD is about the live robot, in a replay too."""
    head = moment.head
    if moment.is_over:
        return HoldControl(state="gone")
    if moment.now.undecided_stop or any(not stop.confirmed for stop in head.stops):
        return HoldControl(state="stopping", note="not confirmed")
    if head.stops:
        return HoldControl(state="held", note="release…" if moment.is_live else "live robot")
    return HoldControl(state="ready", note="" if moment.is_live else "live robot")


def replay(moment: Moment) -> Replay | None:
    if moment.at is None:
        return None
    behind_s = moment.head.met_s - moment.state.met_s
    behind = f"{figures.age(behind_s)}{' min' if behind_s >= 60 else ''} before live"
    if moment.head.ending is not None:
        behind = behind.replace("live", "the end")
    elif moment.at == moment.head.seq:
        behind = "The newest event"
    return Replay(episode=moment.episode, at=moment.at, met=figures.met(moment.state.met_s), behind=behind)


def _of(number: int, total: int | None) -> str:
    return figures.count(number) if total is None else f"{figures.count(number)} of {figures.count(total)}"
