"""The table as it is at the cursor: what the cameras see, what is watched, the action asked and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from backend.domain.episode.state import AtTable, State
from backend.domain.execution import log as execution_log
from backend.domain.execution.frames import View, WatchedFrames
from backend.domain.execution.gating import GatingSettings
from backend.domain.execution.log import LogLine
from backend.domain.execution.outcome import Result, Traced
from backend.domain.plans.motion import Motion, words
from backend.domain.plans.plan import PICTURE_PX, Step, describe, motions
from backend.web.builders import words as counting
from backend.web.builders.moment import Moment
from backend.web.builders.table_probe import Asked, form_of
from backend.web.pages import figures
from backend.web.pages.frames import Circle
from backend.web.pages.parts import Empty, Phrase, plain, strong, strong_figure
from backend.web.pages.table import ActionTold, CameraView, PartRow, TablePanel, Tone

RADIUS_PX = GatingSettings().radius_px


def table_panel(moment: Moment, films: Mapping[int, WatchedFrames], asked: Asked) -> TablePanel:
    """`films`: of every action up to the cursor."""
    state, there = moment.state, moment.state.at_table
    if there is None:
        empty = Empty(title="No table here", text="This robot drives about; its map shows where.")
        return TablePanel(episode=moment.episode, at=moment.at, instruction="", empty=empty)
    watched = _watched(state)
    return TablePanel(
        episode=moment.episode,
        at=moment.at,
        instruction=there.table.instruction,
        views=tuple(_view(view, watched, asked) for view in there.views),
        probe=form_of(asked, there.views) if there.views else None,
        facts=_facts(state, there),
        action=_action(state),
        saved=_saved(films),
    )


def _view(view: View, watched: Step | None, asked: Asked) -> CameraView:
    frame = view.frame
    scale = PICTURE_PX / max(frame.width_px, frame.height_px, 1)
    is_read = asked.pixel is not None and asked.camera == frame.camera
    return CameraView(
        camera=frame.camera,
        sha256=frame.sha256,
        width_px=frame.width_px * scale,
        height_px=frame.height_px * scale,
        alt=f"{frame.camera.capitalize()} camera at step {frame.step}",
        circles=_circles(frame.camera, watched),
        cursor_px=asked.pixel if is_read else None,
        has_depth=view.depth_sha256 is not None and view.calibration is not None,
    )


def _watched(state: State) -> Step | None:
    """The step that runs, else the one that is proposed, else the last one: whose circles are shown."""
    if state.dispatch is not None:
        return state.dispatch.step
    if state.plan is not None and state.plan.steps:
        return state.plan.steps[0]
    return state.log[-1].asked if state.log else None


def _circles(camera: str, step: Step | None) -> tuple[Circle, ...]:
    watch = step.watch if step is not None else None
    if watch is None or watch.points == "all" or (watch.camera or "front") != camera:
        return ()
    return tuple(Circle(x_px=x_px, y_px=y_px, radius_px=RADIUS_PX) for x_px, y_px in watch.points)


def _facts(state: State, there: AtTable) -> tuple[tuple[str, str], ...]:
    budget, tool = state.mission.budgets.steps, there.tool
    step = figures.count(there.table.step_at(state.met_s))
    told = [("Step", step if budget is None else f"{step} of {figures.count(budget)}")]
    if tool is not None:
        place = ", ".join(f"{value:.3f}" for value in (tool.x_m, tool.y_m, tool.z_m)).replace("-", "−")
        told.append(("Fingertips, m", place))
    if there.opening_m is not None:
        told.append(("Opening", f"{1000 * there.opening_m:.0f} mm"))
    if there.verdict is not None:
        told.append(("Verdict", there.verdict.message))
    return tuple(told)


def _action(state: State) -> ActionTold | None:
    if state.dispatch is not None:
        step = state.dispatch.step
        return ActionTold(
            title=f"Action {len(state.log) + 1}, under way",
            asked=describe(step),
            result="Running",
            tone="wait",
            parts=tuple(_planned(motions(step.arguments.get("moves")))),
        )
    return _ended(state.log[-1]) if state.log else None


def _ended(line: LogLine) -> ActionTold:
    done = line.result is Result.SUCCEEDED
    return ActionTold(
        title=f"Action {line.index}",
        asked=line.command,
        result="Done" if done else f"{line.result.value.replace('_', ' ').capitalize()}: {line.reason}",
        tone="ok" if done else "bad",
        measured=_told(line),
        parts=tuple(_traced(line)),
    )


def _told(line: LogLine) -> str:
    """What the planner's own line says after what was asked and how it ended."""
    return execution_log.sentence(line).rpartition(f" ({line.reason})")[2].removeprefix("; ")


def _planned(parts: Sequence[Motion]) -> Iterator[PartRow]:
    for number, part in enumerate(parts, start=1):
        yield _row(number, part, "", "To come", "idle")


def _traced(line: LogLine) -> Iterator[PartRow]:
    """Each part with what was measured after it; those after a failed check were never begun."""
    trace = () if line.measured.trace is UNSET else line.measured.trace
    parts = motions(line.asked.arguments.get("moves")) if line.asked is not None else ()
    if not parts:
        for number, traced in enumerate(trace, start=1):
            said, tone = _verdict(traced)
            yield PartRow(
                number=number,
                asked=traced.what,
                check=traced.check,
                measured=_measured(traced),
                state=said,
                tone=tone,
            )
        return
    was_stopped = bool(trace) and trace[-1].passed is False
    for number, part in enumerate(parts, start=1):
        if number > len(trace):
            yield _row(number, part, "", "Not begun" if was_stopped else "Not measured", "idle")
        else:
            said, tone = _verdict(trace[number - 1])
            yield _row(number, part, _measured(trace[number - 1]), said, tone)


def _row(number: int, part: Motion, measured: str, state: str, tone: Tone) -> PartRow:
    return PartRow(
        number=number,
        asked=words(part.skill, part.arguments),
        check=part.check,
        measured=measured,
        state=state,
        tone=tone,
    )


def _verdict(traced: Traced) -> tuple[str, Tone]:
    if traced.passed is None:
        return "Done", "ok"
    return ("Check holds", "ok") if traced.passed else ("Check fails", "bad")


def _measured(traced: Traced) -> str:
    return f"{1000 * traced.opening_m:.0f} mm open, {1000 * traced.height_m:.0f} mm up, step {traced.step}"


def _saved(films: Mapping[int, WatchedFrames]) -> Phrase:
    recorded = sum(len(film.frames) for film in films.values())
    if not recorded:
        return (plain("No frames were recorded between the views so far."),)
    withheld = sum(film.withheld for film in films.values())
    return (
        strong_figure(figures.count(withheld)),
        strong(f" {'image' if withheld == 1 else 'images'} saved by gating"),
        plain(f", of {counting.counted(recorded, 'frame')} recorded so far."),
    )
