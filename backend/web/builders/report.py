"""An episode on one page, from its journal up to the cursor: outcome, who decided what, what failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Result
from backend.domain.hindsight.reliance import WHY, Misled, WrongSpan
from backend.usecases.reading import Entry, EpisodeSummary
from backend.web.builders import words
from backend.web.builders.budgets import budget_lines
from backend.web.builders.hindsight import DIFFERENCE, misled_words
from backend.web.builders.moment import Moment
from backend.web.builders.report_lines import KINDS as LINE_KINDS
from backend.web.builders.report_lines import decision_lines, failure_lines
from backend.web.builders.report_map import report_map
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.documents import Fact
from backend.web.pages.map import MapData
from backend.web.pages.parts import Tone
from backend.web.pages.report import DecisionLine, ReportPage, WrongLine

KINDS = ("episode.opened", *LINE_KINDS)
MOST_DECISIONS, MOST_FAILURES, MOST_WRONG = 14, 8, 4
"""What stays readable on one sheet; the console has the rest."""

_OUTCOMES: dict[str, tuple[str, Tone]] = {
    "completed": ("Completed", "quiet"),
    "budget": ("Budget used up", "caution"),
    "aborted": ("Aborted", "caution"),
    "failed": ("Failed", "caution"),
}


def report_page(
    chrome: Chrome,
    moment: Moment,
    summary: EpisodeSummary,
    entries: Sequence[Entry],
    drawn: MapData,
    misled: Misled | None = None,
) -> ReportPage:
    """`entries` of `KINDS` up to the cursor, in order. `drawn`: the map at the cursor. `misled`: by what is
    known at the newest event, for a report of that."""
    state = moment.state
    decisions = decision_lines(entries)
    failures = failure_lines(entries)
    ending = state.ending
    outcome, tone = _OUTCOMES.get(ending.outcome, ("Ended", "caution")) if ending else ("Goes on", "quiet")
    return ReportPage(
        chrome=chrome,
        episode=moment.episode,
        at=moment.at,
        mission=state.mission.title,
        outcome=outcome,
        tone=tone,
        message=words.sentence(ending.message) if ending is not None else "",
        as_of="" if ending is not None and moment.is_live else _as_of(moment),
        facts=_facts(state, summary, entries),
        figures=_figures(state, entries),
        map=report_map(drawn, _path(entries)),
        decisions=told_decisions(decisions),
        more_decisions=max(0, len(decisions) - MOST_DECISIONS),
        failures=tuple(failures[-MOST_FAILURES:]),
        more_failures=max(0, len(failures) - MOST_FAILURES),
        made=f"{chrome.utc_iso[:10]} {chrome.utc} UTC",
        **(_misled(misled) if misled is not None else {}),
    )


def _misled(misled: Misled) -> dict[str, Any]:
    """The longest wrong beliefs that plans rested on, and all of them by cause."""
    longest = sorted(misled.spans, key=lambda span: span.from_s - span.to_s)
    by_cause = [
        f"{WHY[why][0].lower()}{WHY[why][1:]}: {figures.age(lasted_s)}"
        for why, lasted_s in sorted(misled.by_why.items(), key=lambda each: -each[1])
    ]
    return {
        "misled": misled_words(misled),
        "by_cause": words.sentence("; ".join(by_cause)),
        "known_from": "Known now from the simulator." if misled.has_truth else misled.why_no_truth,
        "wrong": tuple(_wrong(span) for span in longest[:MOST_WRONG]),
        "more_wrong": max(0, len(longest) - MOST_WRONG),
    }


def _wrong(span: WrongSpan) -> WrongLine:
    far = f", {span.distance_m:.2f} m off" if span.distance_m else ""
    return WrongLine(
        seq=span.plan_seq,
        met=figures.met(span.from_s),
        what=f"Plan {span.plan}, {figures.age(span.to_s - span.from_s)}: {DIFFERENCE[span.kind].lower()} of"
        f" {span.entity}{far}",
        why=WHY[span.why],
    )


def told_decisions(lines: Sequence[DecisionLine], most: int = MOST_DECISIONS) -> tuple[DecisionLine, ...]:
    """Of too many: the first and the last, then the latest that failed, then how it began and ended."""
    last = len(lines) - 1
    failed = [index for index in range(last, -1, -1) if lines[index].tone != "quiet"]
    ends = sorted(range(len(lines)), key=lambda index: min(index, last - index))
    kept = list(dict.fromkeys([0, last, *failed, *ends]))[:most] if lines else []
    return tuple(lines[index] for index in sorted(kept))


def _as_of(moment: Moment) -> str:
    return f"As of {figures.met(moment.state.met_s)}, seq {figures.count(moment.state.seq)}"


def _facts(state: State, summary: EpisodeSummary, entries: Sequence[Entry]) -> tuple[Fact, ...]:
    mission, world = state.mission, state.mission.world
    version = f"version {mission.version}" if mission.version else "its file"
    site = state.site
    laid = mission.site
    survey = f", with {laid.name} version {laid.version or 1}" if laid else f", version {site.version}"
    began = entries[0].utc if entries else summary.ordered_utc
    return (
        Fact(label="Mission", value=f"{mission.name}, {version}"),
        Fact(label="Site", value=f"{site.name}{survey}"),
        Fact(label="World", value=f"{world.name} {world.scenario}, seed {state.seed}, clock {world.clock}"),
        Fact(label="Robot", value=state.robot.name),
        Fact(label="Planner", value=state.planner),
        Fact(label="Memory", value=mission.memory.name.replace("_", " ")),
        Fact(label="Who is asked", value=mission.policy.mode.replace("_", " ")),
        Fact(label="Ordered by", value=summary.ordered_by),
        Fact(label="Began", value=f"{began[:10]} {words.time_of_day(began)} UTC"),
        Fact(label="Software", value=f"Quarterdeck {state.code_version}"),
    )


def _figures(state: State, entries: Sequence[Entry]) -> tuple[Fact, ...]:
    steps = [each.recorded.event for each in entries if isinstance(each.recorded.event, e.StepEnded)]
    done = sum(step.outcome.result is Result.SUCCEEDED for step in steps)
    total = f" of {state.mission.total}" if state.mission.total else ""
    return (
        Fact(label="Delivered", value=f"{len(state.delivered)}{total}"),
        Fact(label="Mission time", value=figures.met(state.met_s)),
        Fact(label="Skills done", value=f"{done} of {len(steps)}"),
        Fact(label="Plans", value=figures.count(state.plans)),
        Fact(label="Replans", value=figures.count(state.tally.replans)),
        Fact(label="Stale visits", value=figures.count(state.tally.stale_visits)),
        Fact(label="Path", value=f"{state.tally.path_m:.1f} m"),
        *(Fact(label=line.label, value=line.text) for line in budget_lines(state)),
    )


def _path(entries: Sequence[Entry]) -> list[tuple[float, float]]:
    """Where the robot was measured, from where it began."""
    path: list[tuple[float, float]] = []
    for entry in entries:
        event = entry.recorded.event
        if isinstance(event, e.EpisodeOpened):
            path.append((event.robot_pose.x_m, event.robot_pose.y_m))
        if isinstance(event, e.StepEnded):
            path += event.outcome.measured.path_m
    return path
