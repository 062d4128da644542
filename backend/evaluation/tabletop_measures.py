"""What an episode at the table came to: tokens, images and calls, what was watched, and how near to events.

Pure: everything is read off the journal, and off the true events that the world tells once it is over.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct

from backend.domain.demonstration.film import Film
from backend.domain.demonstration.viewing import View
from backend.domain.episode.demonstration_events import DemonstrationRecorded, DemonstrationShown
from backend.domain.episode.events import ExchangeRecorded, PlanRequested, Recorded, StepDispatched, StepEnded
from backend.domain.execution.frames import WatchedFrames
from backend.domain.query.query import Block

NEAR_STEPS = 8
"""A frame is near an event that lies at most so many steps from it, 0.4 s: two intervals of a recording."""


class Happened(Struct, frozen=True, kw_only=True):
    """True events, as steps: of the episode, and of what was shown before it."""

    steps: tuple[int, ...] = ()
    demonstrated: tuple[int, ...] = ()


def table_measures(journal: Sequence[Recorded], happened: Happened) -> dict[str, float]:
    """Sums over the episode. `images` are those sent to the planner, each as often as it was sent."""
    events: list[object] = [recorded.event for recorded in journal]
    plans = [event for event in events if isinstance(event, PlanRequested)]
    views = [event for event in events if isinstance(event, DemonstrationShown)]
    asked = [block for event in plans for block in event.blocks]
    watched = [block for event in views for block in event.blocks]
    sent = _images(asked)
    shown = sum(len(event.view.frames) for event in views)
    return {
        "tokens": _tokens(events, [*asked, *watched]),
        "images": float(sent["views"] + sent["frames"] + shown),
        "images_views": float(sent["views"]),
        "images_returned": float(sent["frames"]),
        "images_demonstration": float(shown),
        "calls": float(len(plans) + len(views)),
        **_watches(events),
        **_near(events, happened),
        **_near_shown(events, happened),
    }


def _images(blocks: Sequence[Block]) -> dict[str, int]:
    """By block: the current views, and the frames that were returned."""
    found = {"views": 0, "frames": 0}
    for block in blocks:
        if block.images:
            found["frames" if block.name == "frames" else "views"] += len(block.images)
    return found


def _tokens(events: Sequence[object], blocks: Sequence[Block]) -> float:
    """As the provider counted them; without that, ceil(characters / 4) and the images' share of what was
    asked (DESIGN, section 3)."""
    usages = [event.exchange.usage for event in events if isinstance(event, ExchangeRecorded)]
    totals = [
        usage.total_tokens
        if usage.total_tokens is not None or usage.input_tokens is None
        else usage.input_tokens + (usage.output_tokens or 0)
        for usage in usages
    ]
    counted = [total for total in totals if total]
    return float(sum(counted) if counted else sum(block.size for block in blocks))


def _watches(events: Sequence[object]) -> dict[str, float]:
    """Of the actions that move: how many were to be watched at points, as a whole, or not at all."""
    counts = {"none": 0, "points": 0, "all": 0}
    for event in events:
        if isinstance(event, StepDispatched) and event.step.skill != "locate":
            watch = event.step.watch
            kind = "none" if watch is None else "all" if watch.points == "all" else "points"
            counts[kind] += 1
    return {f"watched_{kind}": float(count) for kind, count in counts.items()}


def _near(events: Sequence[object], happened: Happened) -> dict[str, float]:
    """Frames of an action that were asked for and returned, and how many of them lie near a true event;
    `expected`: how many would, had as many been drawn evenly from all steps of the same actions."""
    found = inspected = 0
    expected = 0.0
    for watched in _returned(events):
        steps = [frame.step for frame in watched.frames]
        chosen = [frame.step for frame in watched.frames[1:] if frame.returned]
        inspected += len(chosen)
        found += sum(is_near(step, happened.steps) for step in chosen)
        expected += len(chosen) * share_near(range(steps[0], steps[-1] + 1), happened.steps)
    return {"inspected": float(inspected), "inspected_near": float(found), "expected_near": expected}


def _returned(events: Sequence[object]) -> Iterator[WatchedFrames]:
    for event in events:
        if isinstance(event, StepEnded) and event.outcome.frames is not None:
            frames = event.outcome.frames
            if frames.watch is not None and len(frames.frames) > 1:
                yield frames


def _near_shown(events: Sequence[object], happened: Happened) -> dict[str, float]:
    """The same of closer looks at a demonstration, against frames of the same segments."""
    film = next((event.film for event in events if isinstance(event, DemonstrationRecorded)), None)
    views = [
        event.view
        for event in events
        if isinstance(event, DemonstrationShown) and event.view.kind == "inspect"
    ]
    if film is None:
        return {"looked": 0.0, "looked_near": 0.0, "expected_looked": 0.0}
    return {
        "looked": float(sum(len(view.frames) for view in views)),
        "looked_near": float(sum(_seen_near(view, film, happened) for view in views)),
        "expected_looked": sum(
            len(view.frames) * share_near(_segment_steps(view, film), happened.demonstrated) for view in views
        ),
    }


def _seen_near(view: View, film: Film, happened: Happened) -> int:
    return sum(is_near(film.steps[index], happened.demonstrated) for index in view.frames)


def _segment_steps(view: View, film: Film) -> Sequence[int]:
    return [film.steps[index] for index in range(view.segment.first, view.segment.last + 1)]


def is_near(step: int, events: Sequence[int], within: int = NEAR_STEPS) -> bool:
    """`events` in ascending order."""
    at = bisect_left(events, step - within)
    return at < len(events) and events[at] <= step + within


def share_near(steps: Sequence[int], events: Sequence[int]) -> float:
    if not steps:
        return 0.0
    return sum(is_near(step, events) for step in steps) / len(steps)
