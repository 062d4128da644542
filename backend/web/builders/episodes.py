"""The list of episodes: what needs a person first, then what runs, then what ended last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from backend.domain.command.conn import held_at
from backend.domain.command.intents import COMMANDING
from backend.domain.plans.plan import describe
from backend.usecases.reading import EpisodeSummary
from backend.web.builders import words
from backend.web.builders.bar import delivered
from backend.web.builders.concerns import LOW, Concern, concerns_of, urgency
from backend.web.builders.episode_groups import groups_of
from backend.web.builders.listed import Listed, budget_shares
from backend.web.builders.moment import waits_for_approval
from backend.web.builders.phase import utc_ms
from backend.web.pages import figures
from backend.web.pages.chrome import User
from backend.web.pages.episodes import EpisodeList, EpisodeRow
from backend.web.pages.parts import Icon, Notice

Tone = Literal["quiet", "ask", "alarm", "caution"]


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
    ordered = sorted(listed, key=lambda each: _urgency(each, now_s))
    rows = [episode_row(each, viewer, now_s) for each in ordered]
    need, seen = (
        [row for row in rows if row.group == "need" and bool(row.seen_by) is told] for told in (False, True)
    )
    shown = [episode_row(each, viewer, now_s) for each in listed]
    run = [row for row in shown if row.group == "run"]
    ended = [row for row in shown if row.group == "ended"]
    return EpisodeList(
        summary=_summary([*need, *seen], run, ended),
        query=query,
        show=show,
        groups=tuple(groups_of(need, seen, run, ended, show, ended_total, viewer.role in COMMANDING)),
        notice=notice,
    )


def episode_row(listed: Listed, viewer: User, now_s: float) -> EpisodeRow:
    summary, state = listed.summary, listed.state
    concerns = concerns_of(listed, now_s)
    foremost = next((each for each in concerns if each.key not in listed.seen), None) or next(
        iter(concerns), None
    )
    icon, word, tone, action = _state(listed, foremost)
    group: Literal["need", "run", "ended"] = "need" if foremost is not None else "run"
    if summary.outcome is not None:
        group = "ended"
    time, time_note = _time(listed, foremost, now_s)
    share = summary.delivered / summary.total if summary.total else 0.0
    budget = max(budget_shares(listed).values(), default=0.0)
    link, link_is_stale = _link(listed)
    return EpisodeRow(
        episode=summary.episode,
        group=group,
        tone=tone,
        icon=icon,
        state=word,
        mission=summary.title or _ordered_mission(summary),
        robots=summary.robot.capitalize() or "No robot yet",
        what=_what(listed, now_s) if foremost is None else foremost.text,
        time=time,
        time_note=time_note,
        since_ms=foremost.since_ms if foremost is not None else None,
        ends_ms=foremost.ends_ms if foremost is not None else None,
        delivered=delivered(state) if state is not None else _delivered(summary),
        delivered_share=min(1.0, share),
        budget=figures.percent(budget),
        budget_share=min(1.0, budget),
        budget_is_low=budget >= LOW and summary.outcome is None,
        link=link,
        link_is_stale=link_is_stale,
        link_age_s=listed.robot_age_s if summary.outcome is None and summary.held_by else None,
        conn=_conn(listed, viewer, now_s),
        action=action,
        hold=_hold(listed),
        seen_by=listed.seen.get(foremost.key, "") if foremost is not None else "",
        more=max(0, len(concerns) - 1),
    )


_ACTIONS = {
    "approval": "Review plan",
    "held": "Release…",
    "doubt": "Say what happened",
    "plan": "Write the plan",
}
"""By the first word of a concern's key."""


def _state(listed: Listed, concern: Concern | None) -> tuple[Icon, str, Tone, str]:
    """Shape, word, tone, and what the button says."""
    if listed.summary.outcome is not None:
        return _ended_state(listed.summary)
    if concern is not None:
        return concern.icon, concern.title, concern.tone, _ACTIONS.get(concern.key.partition(":")[0], "Open")
    if listed.state is None:
        return ("idle", "Ordered", "quiet", "Open")
    return ("run", "Running", "quiet", "Watch")


def _ended_state(summary: EpisodeSummary) -> tuple[Icon, str, Tone, str]:
    icon, word, tone = _ENDINGS.get(summary.outcome or "", ("bad", "Ended", "caution"))
    return icon, word, tone, "Replay"


_ENDINGS: Mapping[str, tuple[Icon, str, Literal["quiet", "caution"]]] = {
    "completed": ("done", "Complete", "quiet"),
    "aborted": ("held", "Aborted", "quiet"),
    "budget": ("warn", "Out of budget", "caution"),
    "failed": ("warn", "Failed", "caution"),
}


def _what(listed: Listed, now_s: float) -> str:
    """What it does where nothing is asked, or how it ended."""
    summary, state = listed.summary, listed.state
    if summary.outcome is not None:
        return f"{words.sentence(summary.message)[:-1]} in {figures.met(summary.met_s)}"
    if state is None:
        ago = figures.age(now_s - utc_ms(summary.ordered_utc) / 1000)
        return f"Ordered by {summary.ordered_by} {ago} ago, its runner is starting"
    if state.dispatch is not None:
        return describe(state.dispatch.step)
    return "Planning" if state.request is not None or state.need is not None else "Between two steps"


def _time(listed: Listed, concern: Concern | None, now_s: float) -> tuple[str, str]:
    """How long it waits and until when, else when it ended or its mission time."""
    summary, state = listed.summary, listed.state
    if summary.outcome is not None:
        return words.time_of_day(summary.updated_utc)[:5], ""
    if concern is None or state is None:
        return (figures.met(state.met_s) if state is not None else figures.NONE), ""
    since_ms = concern.since_ms if concern.since_ms is not None else utc_ms(summary.updated_utc)
    waited = figures.age(now_s - since_ms / 1000)
    if concern.ends_ms is not None:
        return waited, f"expires {figures.countdown(concern.ends_ms / 1000 - now_s)}"
    if waits_for_approval(state) and concern.key.startswith("approval"):
        return waited, "does not expire"
    return waited, "latched" if state.stops else "waiting"


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


def _delivered(summary: EpisodeSummary) -> str:
    return f"{summary.delivered} of {summary.total}" if summary.total else figures.NONE


def _ordered_mission(summary: EpisodeSummary) -> str:
    request = summary.request
    named = request.get("mission") if isinstance(request, dict) else None
    return named if isinstance(named, str) else "Mission"


def _urgency(listed: Listed, now_s: float) -> tuple[int, int, float, float, str]:
    """Of the concern that nobody has seen, else of the first."""
    concerns = concerns_of(listed, now_s)
    unseen = [each for each in concerns if each.key not in listed.seen]
    foremost = next(iter(unseen or concerns), None)
    return urgency(foremost, now_s) if foremost is not None else (9, 9, 0.0, 0.0, listed.summary.episode)


def _summary(need: Sequence[EpisodeRow], run: Sequence[EpisodeRow], ended: Sequence[EpisodeRow]) -> str:
    if not need and not run:
        return "Nothing runs." if ended else "None yet."
    needs = f"{len(need)} {'needs' if len(need) == 1 else 'need'} a person." if need else "Nobody is asked."
    runs = (
        f" {len(run)} {'runs' if len(run) == 1 else 'run'} by {'itself' if len(run) == 1 else 'themselves'}."
    )
    return needs + (runs if run else "")
