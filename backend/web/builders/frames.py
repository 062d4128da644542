"""The filmstrip of one action: each recorded frame, what changed where it was watched, and what was
returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.frames import Frame, WatchedFrames
from backend.domain.execution.gating import GatingSettings
from backend.domain.plans.plan import PICTURE_PX
from backend.usecases.reading import Entry
from backend.usecases.regating import told
from backend.web.builders import words
from backend.web.builders.chosen import read_chosen
from backend.web.builders.gate_form import USUAL, Tried, written
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.frames import Circle, FilmStrip, FrameView, GateForm, Viewer
from backend.web.pages.parts import Empty, Phrase, plain, strong


def film_strip(
    moment: Moment, films: Mapping[int, WatchedFrames], chosen: str, tried: Tried | None = None
) -> FilmStrip:
    """`films`: of `films_of` up to the cursor. `chosen`: an action's number in the log, "40:7" for one frame
    of it in full, "40:7d" with what changed. `tried`: the gate set otherwise, over the action chosen."""
    number = chosen_action(films, chosen)
    if number is None:
        return FilmStrip(episode=moment.episode, at=moment.at, action=None, empty=_empty(moment.state))
    numbers, film = list(films), films[number]
    place = numbers.index(number)
    strip = _Strip(film, number, tried)
    return FilmStrip(
        episode=moment.episode,
        at=moment.at,
        action=number,
        seq=next((line.seq for line in moment.state.log if line.index == number), None),
        summary=_summary(film),
        frames=tuple(strip.frame(index) for index in range(len(film.frames))),
        viewer=strip.viewer(read_chosen(chosen).view),
        gate=_gate(film, tried),
        query=dict(tried.typed) if tried is not None else {},
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


def chosen_action(films: Mapping[int, WatchedFrames], chosen: str) -> int | None:
    """The one named, else the newest that recorded; None where none did."""
    part = read_chosen(chosen).part
    return part if part is not None and part in films else next(reversed([*films]), None)


def counts(film: WatchedFrames) -> tuple[int, int]:
    """Returned and recorded."""
    return sum(frame.returned for frame in film.frames), len(film.frames)


class _Strip:
    """One action's frames, as they were kept or as they would have been."""

    def __init__(self, film: WatchedFrames, number: int, tried: Tried | None) -> None:
        self._kept = film
        self._number = number
        gated = tried.gated if tried is not None else None
        self._settings = tried.settings if tried is not None and gated is not None else USUAL
        self._film = film if gated is None else told(film, gated)

    def frame(self, index: int, is_open: bool = False) -> FrameView:
        frame, kept = self._film.frames[index], self._kept.frames[index]
        width_px, height_px = _as_named(frame)
        pair = self._pair(index)
        return FrameView(
            number=str(index),
            sha256=frame.sha256,
            width_px=width_px,
            height_px=height_px,
            alt=f"{frame.camera or 'Camera'}, frame {index} of action {self._number}, step {frame.step}",
            circles=_circles(self._film, self._settings),
            change=_change(frame, index),
            meter=_meter(frame, self._settings),
            is_over=self._is_over(index),
            is_returned=frame.returned,
            verdict="Returned" if frame.returned else "Before" if index == 0 else "Withheld",
            chosen=f"{self._number}:{index}",
            pair="" if pair is None else f"before {pair}" if pair > index else f"after {pair}",
            pair_chosen="" if pair is None else f"{self._number}:{pair}",
            instead="" if frame.returned == kept.returned else _instead(kept),
            is_open=is_open,
        )

    def viewer(self, view: str) -> Viewer | None:
        digits = view.rstrip("d")
        index = int(digits) if digits.isdecimal() else -1
        if not 0 <= index < len(self._film.frames):
            return None
        frame, last = self._film.frames[index], len(self._film.frames) - 1
        suffix = "d" if view.endswith("d") else ""
        return Viewer(
            frame=self.frame(index, is_open=True),
            title=f"Frame {index} of action {self._number}",
            facts=self._facts(frame, index),
            before=self._film.frames[index - 1].sha256 if index else "",
            level=self._settings.level,
            overlay=bool(suffix) and index > 0,
            plain_chosen=f"{self._number}:{index}",
            overlay_chosen=f"{self._number}:{index}d",
            earlier=f"{self._number}:{index - 1}{suffix}" if index else "",
            later=f"{self._number}:{index + 1}{suffix}" if index < last else "",
            back=str(self._number),
        )

    def _facts(self, frame: Frame, index: int) -> tuple[tuple[str, str], ...]:
        limit = figures.percent(self._settings.share, 1)
        compared = (
            f"{_change(frame, index)}, returned above {limit}" if frame.share is not None else "not compared"
        )
        return (
            ("Camera", frame.camera or figures.NONE),
            ("Step", figures.count(frame.step)),
            ("Recorded at", f"{frame.width_px} × {frame.height_px} px"),
            ("Changed in the circles", compared),
            (
                "Verdict",
                f"{'Returned' if frame.returned else 'Withheld'}{_because(self._pair(index), index)}",
            ),
            ("Content", figures.digest(frame.sha256)),
        )

    def _is_over(self, index: int) -> bool:
        share = self._film.frames[index].share if index < len(self._film.frames) else None
        return share is not None and share > self._settings.share

    def _pair(self, index: int) -> int | None:
        """The frame that it was returned with: its predecessor where it changed, else the one that did."""
        if (
            not self._film.frames[index].returned
            or self._film.watch is None
            or self._film.watch.points == "all"
        ):
            return None
        if self._is_over(index):
            return index - 1
        return index + 1 if self._is_over(index + 1) else None


def _because(pair: int | None, index: int) -> str:
    if pair is None:
        return ""
    return f", the view before frame {pair}" if pair > index else f", with frame {pair} before it"


def _instead(kept: Frame) -> str:
    return "in fact returned" if kept.returned else "in fact withheld"


def _summary(film: WatchedFrames) -> Phrase:
    returned, recorded = counts(film)
    said: Phrase = (strong(f"{returned} of {recorded} returned, {film.withheld} withheld."),)
    if film.watch is None:
        return (*said, plain(" The planner named no watch points."))
    if film.watch.points == "all":
        return (*said, plain(" The planner asked for every frame."))
    circles = words.counted(len(film.watch.points), "circle")
    limit = figures.percent(USUAL.share)
    return (*said, plain(f" Returned where more than {limit} of the pixels in the {circles} change."))


def _gate(film: WatchedFrames, tried: Tried | None) -> GateForm:
    why_not = _why_not(film)
    typed = tried.typed if tried is not None else written(USUAL)
    gated = tried.gated if tried is not None else None
    return GateForm(
        radius_px=typed["radius_px"],
        level=typed["level"],
        share_percent=typed["share_percent"],
        result=_result(film, gated.returned) if gated is not None else (),
        why_not=why_not or (tried.why_not if tried is not None else ""),
        is_tried=gated is not None,
        errors=tried.errors if tried is not None else (),
    )


def _why_not(film: WatchedFrames) -> str:
    if film.watch is None:
        return "The planner watched nothing, so no circle is there to measure in."
    return "The planner asked for every frame, so nothing was gated." if film.watch.points == "all" else ""


def _result(film: WatchedFrames, returned: Sequence[bool]) -> Phrase:
    was, would, of = counts(film)[0], sum(returned), len(returned)
    same = (
        "the same as it was" if [*returned] == [frame.returned for frame in film.frames] else f"it was {was}"
    )
    return (
        plain("So set, "),
        strong(f"{would} of {of} would be returned"),
        plain(f"; {same}. The episode is as it is."),
    )


def _as_named(frame: Frame) -> tuple[float, float]:
    """Its sides in the pixels of points: the longer one is PICTURE_PX."""
    scale = PICTURE_PX / max(frame.width_px, frame.height_px, 1)
    return frame.width_px * scale, frame.height_px * scale


def _circles(film: WatchedFrames, settings: GatingSettings) -> tuple[Circle, ...]:
    if film.watch is None or film.watch.points == "all":
        return ()
    return tuple(
        Circle(x_px=x_px, y_px=y_px, radius_px=settings.radius_px) for x_px, y_px in film.watch.points
    )


def _change(frame: Frame, index: int) -> str:
    if frame.share is not None:
        return figures.percent(frame.share, 1)
    return "first" if index == 0 else figures.NONE


def _meter(frame: Frame, settings: GatingSettings) -> float:
    share = frame.share or 0.0
    return min(1.0, share / (2 * settings.share)) if settings.share > 0 else float(share > 0)


def _empty(state: State) -> Empty:
    if state.mission.memory.frames == "off":
        return Empty(title="No frames are recorded", text="The memory of this episode keeps none.")
    if not state.catalogue.cameras:
        return Empty(title="No frames are recorded", text="This robot has no camera.")
    return Empty(title="No frames yet", text="They come with the first action that records.")
