"""What a what-if needs of an episode: its calls, the state before each, and its journal to be run again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import Engine

from backend.domain.decide.recorded import Settled
from backend.domain.episode.events import EpisodeOpened
from backend.domain.episode.state import State
from backend.domain.memory.configuration import NAMED
from backend.domain.refusal import Refusal
from backend.experiments.rewinding import refuse_running_on
from backend.persistence.connect import reading
from backend.persistence.settled import settled_intents
from backend.sandbox.asking import Composed, compose
from backend.sandbox.calls import KINDS, Call, calls_of, standing
from backend.sandbox.change import Change
from backend.sandbox.history import with_history
from backend.usecases.reading import Entry, Reader

NOTHING = Change()


class Recorded:
    """One episode, as it is stored. Raises the store's error for an unknown one."""

    def __init__(self, reader: Reader, engine: Engine, episode: str) -> None:
        self._reader = reader
        self._engine = engine
        self.episode = episode

    def calls(self) -> tuple[Call, ...]:
        entries = self._reader.events(self.episode, kinds=KINDS, limit=None)
        return calls_of(entry.recorded for entry in entries)

    def here(self, at: int, decision: int) -> Call | Refusal:
        """The call that nobody made at event `at`, with what it would have shown."""
        call = standing(self._reader.state(self.episode, at), decision)
        usual = self.composed(call)
        if isinstance(usual, Refusal):
            return usual
        return replace(call, retrieval=usual.retrieval, blocks=usual.blocks)

    def head(self) -> int:
        return self._reader.episode(self.episode).seq

    def before(self, call: Call, change: Change = NOTHING) -> State:
        """Right before the call; with every report, where the change is to a memory that reads them."""
        state = self._reader.state(self.episode, call.seq - 1)
        named = NAMED.get(change.memory)
        if named is None or named.entities != "unfiltered" or state.mission.memory.entities == "unfiltered":
            return state
        entries = self._reader.events(self.episode, until=call.seq - 1, limit=None)
        return with_history([entry.recorded for entry in entries])

    def composed(self, call: Call, change: Change = NOTHING) -> Composed | Refusal:
        return compose(self.before(call, change), call, change)

    def end(self) -> State:
        return self._reader.state(self.episode)

    def journal(self) -> tuple[Sequence[Entry], Sequence[Settled]]:
        with reading(self._engine) as connection:
            settled = settled_intents(connection, self.episode)
        return self._reader.events(self.episode, limit=None), settled

    def is_kept(self) -> bool:
        """False for one that is played again from an evaluation's row whenever it is asked for."""
        evaluated = self._reader.episode(self.episode).evaluated
        return evaluated is None or not evaluated.rebuilt_by

    def refuse_running_on(self) -> Refusal | None:
        kinds = ("episode.opened", "runner.started")
        entries = self._reader.events(self.episode, kinds=kinds, limit=None)
        opened = entries[0].recorded.event
        assert isinstance(opened, EpisodeOpened), "a journal begins with episode.opened"
        evaluated = self._reader.episode(self.episode).evaluated is not None
        return refuse_running_on(opened, len(entries) - 1, evaluated)
