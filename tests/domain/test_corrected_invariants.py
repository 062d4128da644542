"""What is true of every episode in which people also correct memory, under hypothesis.

The same rules as in `test_invariants`, and three more: what was measured stays measured, a lock holds against
every report, and nothing goes to the robot for a record that a person removed.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from backend.domain.command.intents import Correct
from backend.domain.decide.correcting import rehearse
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.memory.corrections import Correction, Undo
from backend.domain.memory.record import EntityRecord, Field, Source, Status
from tests.domain.correcting import confirmed
from tests.domain.test_correction_properties import CORRECTIONS
from tests.domain.test_invariants import ACTORS, Episode
from tests.domain.watcher import LOOKS_AT, Watcher

STALE = st.sampled_from([False] * 5 + [True])


class CorrectedWatcher(Watcher):
    """A person may change what no report can; what follows for plans is the same."""

    def see(self, before: State, recorded: e.Recorded) -> State:
        event = recorded.event
        if isinstance(event, e.RecordCorrected):
            assert recorded.actor == f"operator:{event.by}"
            self._note(event.changes, recorded.seq)
        if isinstance(event, e.EvidenceJudged):
            _keeps_locks(before, event)
        if isinstance(event, e.StepDispatched):
            _is_there(before, event)
        return super().see(before, recorded)

    def _invalidated(self, before: State, event: e.PlanInvalidated) -> None:
        if event.cause.source is not Source.OPERATOR:
            super()._invalidated(before, event)

    def _records(self, before: State, after: State, event: e.Event) -> None:
        if isinstance(event, e.RecordDisputed):
            record = before.memory.records[event.entity]
            assert record.status is not Status.GRASPED, "what is held was disputed"
            assert record.status is not Status.DELIVERED or record.word(Field.STATUS) is not None
            return
        if not isinstance(event, e.RecordCorrected):
            super()._records(before, after, event)
            return
        for entity, record in before.memory.records.items():
            _measured_stays(before, record, after.memory.records[entity], event)


def _measured_stays(before: State, was: EntityRecord, now: EntityRecord, event: e.RecordCorrected) -> None:
    if was.status is Status.GRASPED:
        assert (now.status, now.pose, now.confidence) == (was.status, was.pose, was.confidence)
    if was.status is Status.DELIVERED and now != was:
        said = {entry.seq for entry in before.corrections if entry.what in ("set_status", "undo")}
        assert isinstance(event.correction, Undo)
        assert was.status_seq in said, "a measured delivery was taken back"
    if now.status is Status.GRASPED:
        assert was.status is Status.GRASPED, "somebody said that it is held"


def _keeps_locks(before: State, event: e.EvidenceJudged) -> None:
    record = before.memory.records.get(event.entity)
    for change in event.changes if record is not None else ():
        word = record.word(change.field) if record is not None else None
        assert word is None or not word.locked, "a report changed a locked field"
        assert record is None or record.status is not Status.REMOVED, "a report brought it back"


def _is_there(before: State, event: e.StepDispatched) -> None:
    named = event.step.arguments.get(LOOKS_AT.get(event.step.skill, ""))
    record = before.memory.records.get(named) if isinstance(named, str) else None
    assert record is None or record.status is not Status.REMOVED, "sent for what a person removed"


class CorrectedEpisode(Episode):
    watching = CorrectedWatcher

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[Correct] = []

    @rule(correction=CORRECTIONS, who=ACTORS, stale=STALE)
    def correct(self, correction: Correction, who: tuple[str, str], stale: bool) -> None:
        """As the page shows it now, or as it showed it some while ago."""
        page = confirmed(self.script, correction, who[0])
        self.pages.append(page)
        self.click(self.pages[0] if stale else page, self.officer if not stale else who)

    @precondition(lambda self: bool(self.state.corrections))
    @rule(back=st.integers(1, 3))
    def undo(self, back: int) -> None:
        entry = self.state.corrections[-min(back, len(self.state.corrections))]
        self.click(confirmed(self.script, Undo(seq=entry.seq)), self.officer)

    @rule(correction=CORRECTIONS)
    def look_before_saving(self, correction: Correction) -> None:
        """Looking changes nothing."""
        before: Any = self.state
        rehearse(before, correction, "operator-1", self.script.met_s)
        assert self.state is before


TestCorrectedEpisode = CorrectedEpisode.TestCase
TestCorrectedEpisode.settings = settings(
    max_examples=int(os.environ.get("QUARTERDECK_EPISODES", "40")) // 2,
    stateful_step_count=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
