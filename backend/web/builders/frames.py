"""The filmstrip of one action: each recorded frame, what changed where it was watched, and what was
returned."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.frames import Frame, WatchedFrames
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.frames import Circle, FilmStrip, FrameView
from backend.web.pages.parts import Empty, Phrase, plain, strong

RADIUS_PX = 28
PICTURE_PX = 512
LIMIT = 0.05
"""Share of watched pixels above which a frame is returned (LogLook, section 3.3)."""


def film_strip(moment: Moment, recorded: Sequence[Entry], chosen: str) -> FilmStrip:
    """`recorded`: every `frames.recorded` up to the cursor. `chosen`: the number of an action in the log."""
    films = films_of(moment.state, recorded)
    if not films:
        return FilmStrip(episode=moment.episode, at=moment.at, action=None, empty=_empty(moment.state))
    numbers = list(films)
    number = int(chosen) if chosen.isdecimal() and int(chosen) in films else numbers[-1]
    place = numbers.index(number)
    film = films[number]
    return FilmStrip(
        episode=moment.episode,
        at=moment.at,
        action=number,
        summary=_summary(film),
        frames=tuple(_frame(film, index, number) for index in range(len(film.frames))),
        earlier=numbers[place - 1] if place else None,
        later=numbers[place + 1] if place + 1 < len(numbers) else None,
    )


def films_of(state: State, recorded: Sequence[Entry]) -> dict[int, WatchedFrames]:
    """Action number -> what its recording left. The log line of an action comes right before its frames."""
    films: dict[int, WatchedFrames] = {}
    for entry in recorded:
        event = entry.recorded.event
        if isinstance(event, e.FramesRecorded):
            lines = [line.index for line in state.log if line.seq < entry.recorded.seq]
            films[lines[-1] if lines else 0] = event.watched
    return films


def counts(film: WatchedFrames) -> tuple[int, int]:
    """Returned and recorded."""
    return sum(frame.returned for frame in film.frames), len(film.frames)


def _summary(film: WatchedFrames) -> Phrase:
    returned, recorded = counts(film)
    said: Phrase = (strong(f"{returned} of {recorded} returned, {film.withheld} withheld."),)
    if film.watch is None:
        return (*said, plain(" The planner named no watch points."))
    if film.watch.points == "all":
        return (*said, plain(" The planner asked for every frame."))
    circles = words.counted(len(film.watch.points), "circle")
    return (*said, plain(f" Returned where more than {LIMIT:.0%} of the pixels in the {circles} change."))


def _frame(film: WatchedFrames, index: int, number: int) -> FrameView:
    frame = film.frames[index]
    is_over = frame.share is not None and frame.share > LIMIT
    return FrameView(
        number=str(index),
        sha256=frame.sha256,
        width_px=frame.width_px,
        height_px=frame.height_px,
        alt=f"{frame.camera or 'Camera'}, frame {index} of action {number}, step {frame.step}",
        circles=_circles(film, frame),
        change=_change(frame, index),
        meter=min(1.0, (frame.share or 0.0) / (2 * LIMIT)),
        is_over=is_over,
        is_returned=frame.returned,
        verdict="Returned" if frame.returned else "Before" if index == 0 else "Withheld",
    )


def _circles(film: WatchedFrames, frame: Frame) -> tuple[Circle, ...]:
    """Points are named in a picture of 512 px; a frame of another size is drawn with them scaled."""
    if film.watch is None or film.watch.points == "all":
        return ()
    scale = frame.width_px / PICTURE_PX
    return tuple(
        Circle(x_px=x_px * scale, y_px=y_px * scale, radius_px=RADIUS_PX * scale)
        for x_px, y_px in film.watch.points
    )


def _change(frame: Frame, index: int) -> str:
    if frame.share is not None:
        return figures.percent(frame.share, 1)
    return "first" if index == 0 else figures.NONE


def _empty(state: State) -> Empty:
    if state.mission.memory.frames == "off":
        return Empty(title="No frames are recorded", text="The memory of this episode keeps none.")
    if not state.catalogue.cameras:
        return Empty(title="No frames are recorded", text="This robot has no camera.")
    return Empty(title="No frames yet", text="They come with the first action that records.")
