"""The list of episodes: what needs a person first, then what runs, then what ended last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from backend.domain.command.conn import held_at
from backend.domain.command.intents import COMMANDING
from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets, Spent
from backend.domain.plans.plan import describe
from backend.usecases.reading import EpisodeSummary
from backend.web.builders import words
from backend.web.builders.bar import delivered
from backend.web.builders.moment import waits_for_approval
from backend.web.builders.phase import utc_ms
from backend.web.pages import figures
from backend.web.pages.chrome import User
from backend.web.pages.episodes import EpisodeGroup, EpisodeList, EpisodeRow
from backend.web.pages.parts import Empty, Icon, Link, Notice

LOW = 0.9
"""From this share of a budget on, it is said in colour."""


class Listed(Struct, frozen=True, kw_only=True):
    """An episode in the list: its summary, and for one that goes on its newest state.

    `robot_age_s` None: nobody here has heard of the robot.
    """

    summary: EpisodeSummary
    state: State | None = None
    budgets: Budgets = Budgets()
    robot_age_s: float | None = None


def episode_list(
    listed: Sequence[Listed],
    viewer: User,
    now_s: float,
    *,
    query: str,
    show: str,
    ended_total: int,
    notice: Notice | None = None,
) -> EpisodeList:
    rows = [(each, episode_row(each, viewer, now_s)) for each in listed]
    need = [
        row for each, row in sorted(rows, key=lambda pair: _urgency(pair[0], now_s)) if row.group == "need"
    ]
    run = [row for _, row in rows if row.group == "run"]
    ended = [row for _, row in rows if row.group == "ended"]
    return EpisodeList(
        summary=_summary(need, run, ended),
        query=query,
        show=show,
        groups=tuple(_groups(need, run, ended, show, ended_total, viewer.role in COMMANDING)),
        notice=notice,
    )


def needs_person(listed: Sequence[Listed]) -> int:
    return sum(each.summary.need_rank > 0 for each in listed)


def episode_row(listed: Listed, viewer: User, now_s: float) -> EpisodeRow:
    summary, state = listed.summary, listed.state
    icon, word, tone, action = _state(listed)
    group: Literal["need", "run", "ended"] = "run"
    if summary.outcome is not None:
        group = "ended"
    elif summary.need_rank > 0:
        group = "need"
    time, time_note = _time(listed, group, now_s)
    share = summary.delivered / summary.total if summary.total else 0.0
    budget = _budget_share(listed)
    link, link_is_stale = _link(listed)
    return EpisodeRow(
        episode=summary.episode,
        group=group,
        tone=tone,
        icon=icon,
        state=word,
        mission=summary.title or _ordered_mission(summary),
        robots=summary.robot.capitalize() or "No robot yet",
        what=_what(listed, now_s),
        time=time,
        time_note=time_note,
        delivered=delivered(state) if state is not None else f"{summary.delivered} of {summary.total}",
        delivered_share=min(1.0, share),
        budget=figures.percent(budget),
        budget_share=min(1.0, budget),
        budget_is_low=budget >= LOW and summary.outcome is None,
        link=link,
        link_is_stale=link_is_stale,
        conn=_conn(listed, viewer, now_s),
        action=action,
        hold=_hold(listed),
    )


def _state(listed: Listed) -> tuple[Icon, str, Literal["quiet", "ask", "alarm", "caution"], str]:
    """Shape, word, tone, and what the button says."""
    summary, state = listed.summary, listed.state
    if summary.outcome is not None:
        return _ended_state(summary)
    if state is None:
        return ("idle", "Ordered", "quiet", "Open")
    if not summary.held_by:
        return ("bad", "No runner", "alarm", "Open")
    if any(stop.unconfirmed_alarm for stop in state.stops):
        return ("bad", "Stop not confirmed", "alarm", "Open")
    if state.dispatch is not None and state.dispatch.in_doubt:
        return ("ask", "Step in doubt", "alarm", "Say what happened")
    if state.stops:
        return ("held", "Held", "alarm", "Release…")
    if waits_for_approval(state):
        return ("ask", "Awaiting approval", "ask", "Review plan")
    if state.asks_person:
        return ("ask", "Needs help", "ask", "Open")
    if state.request is not None and state.planner == "operator":
        return ("ask", "Needs a plan", "ask", "Write the plan")
    return ("run", "Running", "quiet", "Watch")


def _ended_state(
    summary: EpisodeSummary,
) -> tuple[Icon, str, Literal["quiet", "ask", "alarm", "caution"], str]:
    icon, word, tone = _ENDINGS.get(summary.outcome or "", ("bad", "Ended", "caution"))
    return icon, word, tone, "Replay"


_ENDINGS: Mapping[str, tuple[Icon, str, Literal["quiet", "caution"]]] = {
    "completed": ("done", "Complete", "quiet"),
    "aborted": ("held", "Aborted", "quiet"),
    "budget": ("warn", "Out of budget", "caution"),
    "failed": ("warn", "Failed", "caution"),
}


def _what(listed: Listed, now_s: float) -> str:
    """Asked, doing, or how it ended."""
    summary, state = listed.summary, listed.state
    if summary.outcome is not None:
        return f"{words.sentence(summary.message)[:-1]} in {figures.met(summary.met_s)}"
    if state is None:
        ago = figures.age(now_s - utc_ms(summary.ordered_utc) / 1000)
        return f"Ordered by {summary.ordered_by} {ago} ago, its runner is starting"
    if not summary.held_by:
        return "No runner holds it. The robot is stopped; a runner is started again"
    if waits_for_approval(state) and state.plan is not None:
        return (
            f"Approve plan {state.plan.number}, {words.counted(len(state.plan.steps) - state.cursor, 'step')}"
        )
    if state.stops:
        stop = state.stops[0]
        reason = f": {stop.reason}" if stop.reason and stop.reason != stop.asked_by else ""
        return f"Release or abort. Held by {stop.asked_by}{reason}"
    if state.asks_person:
        return state.asks_person
    if state.request is not None and state.planner == "operator":
        return f"Write plan {state.plans + 1}"
    if state.dispatch is not None:
        return describe(state.dispatch.step)
    return "Planning" if state.request is not None or state.need is not None else "Between two steps"


def _time(listed: Listed, group: str, now_s: float) -> tuple[str, str]:
    summary, state = listed.summary, listed.state
    if group == "ended":
        return words.time_of_day(summary.updated_utc)[:5], ""
    if state is None:
        return figures.NONE, ""
    if group == "run":
        return figures.met(state.met_s), ""
    waited = figures.age(now_s - utc_ms(summary.updated_utc) / 1000)
    if waits_for_approval(state):
        expires_s = state.approval.expires_s if state.approval is not None else None
        return waited, f"expires {figures.countdown(expires_s - now_s)}" if expires_s else "does not expire"
    return waited, "latched" if state.stops else "waiting"


def _budget_share(listed: Listed) -> float:
    """The budget that is nearest to its end."""
    summary, budgets = listed.summary, listed.budgets
    spent = Spent(
        steps=summary.steps, decisions=summary.decisions, tokens=summary.tokens, money_usd=summary.money_usd
    )
    shares = [
        getattr(spent, name) / allowed
        for name in ("steps", "decisions", "tokens", "money_usd")
        if (allowed := getattr(budgets, name))
    ]
    return max(shares, default=0.0)


def _link(listed: Listed) -> tuple[str, bool]:
    if listed.summary.outcome is not None:
        return "ended", False
    if listed.state is None:
        return figures.NONE, False
    if not listed.summary.held_by:
        return "No runner", True
    age_s = listed.robot_age_s
    if age_s is None:
        return "Runner up", False
    return (f"Robot {figures.age(age_s)}", True) if age_s >= 3 else (figures.link_age(age_s), False)


def _conn(listed: Listed, viewer: User, now_s: float) -> str:
    state = listed.state
    if state is None:
        return listed.summary.conn or figures.NONE
    held = held_at(state.conn, now_s)
    if held is None:
        return "Auto" if state.policy.mode == "auto" else "Nobody"
    return "You" if held.holder == viewer.name else held.holder


def _hold(listed: Listed) -> Literal["ready", "stopping", "held", "none"]:
    state = listed.state
    if listed.summary.outcome is not None or state is None:
        return "none"
    if any(not stop.confirmed for stop in state.stops):
        return "stopping"
    return "held" if state.stops else "ready"


def _ordered_mission(summary: EpisodeSummary) -> str:
    request = summary.request
    named = request.get("mission") if isinstance(request, dict) else None
    return named if isinstance(named, str) else "Mission"


def _urgency(listed: Listed, now_s: float) -> tuple[float, int, str]:
    """Soonest to expire, then most severe, then longest waiting."""
    state = listed.state
    expires_s = None
    if state is not None and waits_for_approval(state) and state.approval is not None:
        expires_s = state.approval.expires_s
    return (expires_s or float("inf"), -listed.summary.need_rank, listed.summary.updated_utc)


def _summary(need: Sequence[EpisodeRow], run: Sequence[EpisodeRow], ended: Sequence[EpisodeRow]) -> str:
    if not need and not run:
        return "Nothing runs." if ended else "None yet."
    needs = f"{len(need)} {'needs' if len(need) == 1 else 'need'} a person." if need else "Nobody is asked."
    runs = (
        f" {len(run)} {'runs' if len(run) == 1 else 'run'} by {'itself' if len(run) == 1 else 'themselves'}."
    )
    return needs + (runs if run else "")


def _groups(
    need: list[EpisodeRow],
    run: list[EpisodeRow],
    ended: list[EpisodeRow],
    show: str,
    ended_total: int,
    may_start: bool,
) -> list[EpisodeGroup]:
    groups = []
    if show != "ended":
        groups.append(
            EpisodeGroup(
                name="need",
                title="Needs a person",
                note="Soonest to expire, then most severe, then longest waiting" if need else "",
                what="What is asked",
                time="Waiting",
                rows=tuple(need),
                empty=None if need else Empty(title="Nobody is asked", text="No episode waits for a person."),
            )
        )
        groups.append(
            EpisodeGroup(
                name="run",
                title="Running",
                note="Nothing asked" if run else "",
                what="Doing now",
                time="MET",
                rows=tuple(run),
                empty=None
                if run
                else Empty(
                    title="Nothing runs by itself",
                    text="Start a mission to see it here." if may_start else "An operator can start one.",
                    way=Link(label="New episode", href="/episodes/new") if may_start else None,
                ),
            )
        )
    if ended or show == "ended":
        groups.append(
            EpisodeGroup(
                name="ended",
                title="Ended",
                note=f"Last {len(ended)} of {ended_total}" if ended else "",
                what="Outcome",
                time="Ended, UTC",
                rows=tuple(ended),
                empty=None
                if ended
                else Empty(title="None has ended", text="Nothing matches what you look for."),
            )
        )
    return groups
