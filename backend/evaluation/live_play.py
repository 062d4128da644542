"""One episode of the study with a live model: its figures, its recording, its whole journal.

The model's mistakes are its result: where it gives no plan that may run, the episode ends undelivered. That
its server cannot be asked is none, and ends the study.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.intents import Abort, Intent
from backend.domain.episode.events import Recorded
from backend.domain.query.query import Query, Reply
from backend.evaluation.bare import PlainJournal, play_into, result_of
from backend.evaluation.errors import PlannerLost
from backend.evaluation.live_arms import live_mission
from backend.evaluation.live_measures import UNANSWERED, measures_of
from backend.evaluation.trajectory import trajectory_of
from backend.usecases.ports import Bridge, Planner
from backend.usecases.recordings import Recording
from backend.usecases.results import Arm, EpisodeResult

ASKS = "asks a person"
"""The outcome of an episode that only a person could have taken further."""

ContentDigest = Callable[[str, Sequence[Recorded]], str]
"""Of an episode's id and its events."""


class Interrupted(Exception):
    """The study ends; this episode was not finished and counts for nothing."""


class Played(Struct, frozen=True, kw_only=True):
    row: EpisodeResult
    recording: Recording
    journal: tuple[Recorded, ...]


class Place(Struct, frozen=True, kw_only=True):
    """Which episode it is: its arm's place, its seed, the console's id for it, the code that plays it."""

    arm: int
    seed: int
    episode: str
    code_version: str


def play_live(
    place: Place,
    arm: Arm,
    bridge: Bridge,
    planner: Planner,
    content_digest: ContentDigest,
    stopping: Callable[[], bool] = lambda: False,
) -> Played:
    """Raises PlannerLost where the planner's server answers no more, Interrupted once `stopping`."""
    watched = Watched(planner, stopping)
    journal, inbox = PlainJournal(), Deserted()
    state = play_into(
        journal,
        inbox,
        arm,
        place.seed,
        bridge,
        watched,
        episode=place.episode,
        render=True,
        code_version=place.code_version,
        mission=live_mission(arm),
        on_question=inbox.leave,
    )
    watched.check()
    row = result_of(state, journal.events, place.arm, place.seed, measures_of(state, journal.events))
    recording = Recording(
        arm=place.arm,
        seed=place.seed,
        episode=place.episode,
        content=content_digest(place.episode, journal.events),
        trajectory=trajectory_of(journal.events),
    )
    return Played(
        row=replace(row, outcome=ASKS) if inbox.asked else row,
        recording=recording,
        journal=tuple(journal.events),
    )


class Watched:
    """The planner, with an eye on whether what it says is the model's doing."""

    def __init__(self, planner: Planner, stopping: Callable[[], bool]) -> None:
        self._planner = planner
        self._stopping = stopping
        self._trouble: Exception | None = None

    def propose(self, query: Query) -> Reply:
        try:
            if self._stopping():
                raise Interrupted
            reply = self._planner.propose(query)
        except Exception as error:
            self._trouble = error
            raise
        last = reply.attempts[-1] if reply.attempts else None
        if last is not None and last.verdict in UNANSWERED:
            self._trouble = PlannerLost(last.detail)
        return reply

    def check(self) -> None:
        if self._trouble is not None:
            raise self._trouble


class Deserted:
    """An Inbox of an episode that nobody watches: what it asks a person ends it."""

    def __init__(self) -> None:
        self.asked = ""
        self._waiting: tuple[Intent, ...] = ()

    def leave(self, question: str) -> None:
        if not self.asked:
            self.asked = question
            abort = Abort(stop_id="nobody-there", reason=f"Nobody is there to say: {question.rstrip('.')}")
            intent = Intent(
                id=abort.stop_id, actor="evaluation", role="operator", action=abort, not_after_s=0.0
            )
            self._waiting = (intent,)

    def take(self) -> tuple[tuple[Intent, ...], float]:
        taken, self._waiting = self._waiting, ()
        return taken, 0.0
