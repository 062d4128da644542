"""Exported journals fold to the same state; damage in them is named by line. Old ones are folded for ever."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine

from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.persistence.archive import entries_of, export
from backend.persistence.derive import passages
from backend.persistence.errors import EventUnreadable, UnknownEpisode
from backend.persistence.projections import project
from tests.persistence.episodes import stored_whole

JOURNALS = Path(__file__).parent.parent / "journals"
STORED = sorted(JOURNALS.glob("v*/*.jsonl"))


def test_an_exported_journal_folds_to_the_same_state(engine: Engine) -> None:
    drill = stored_whole(engine)

    lines = list(export(engine, drill.episode))

    assert len(lines) == len(drill.events)
    assert fold(entry.recorded for entry in entries_of(lines)) == drill.state


def test_there_is_nothing_to_export_of_an_unknown_episode(engine: Engine) -> None:
    with pytest.raises(UnknownEpisode):
        list(export(engine, "nowhere"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"moves":1', '"moves":2', r"Line 14 \(event 14\): the payload is not what was hashed"),
        ('"seq":14', '"seq":"x"', "Line 14 is no event of a journal"),
        ("{", "", "Line 14 is no event of a journal"),
        ('"version":1', '"version":99', "knows versions up to 1"),
    ],
    ids=["payload", "wrong type", "no JSON", "newer version"],
)
def test_a_damaged_line_is_named(sqlite_engine: Engine, old: str, new: str, words: str) -> None:
    lines = list(export(sqlite_engine, stored_whole(sqlite_engine).episode))
    assert old in lines[13]
    lines[13] = lines[13].replace(old, new, 1)

    with pytest.raises(EventUnreadable, match=words):
        list(entries_of(lines))


def test_there_are_journals_of_every_released_version() -> None:
    assert {path.parent.name for path in STORED} >= {"v1"}


@pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_old_journal_still_tells_the_same_story(path: Path) -> None:
    """Whatever changes in events or fold, the main facts of an episode stay what they were."""
    entries = list(entries_of(lines_of(path)))

    told = story(fold(entry.recorded for entry in entries))

    assert told == msgspec.json.decode(path.with_suffix(".json").read_bytes())
    assert project(passages(path.stem, None, entries))


def lines_of(path: Path) -> Iterable[str]:
    """Lines end at \\n alone: a text may hold what Python counts as another line end."""
    return path.read_text("utf-8").rstrip("\n").split("\n")


def story(state: State) -> dict[str, object]:
    """What must never come out otherwise; details of State may."""
    return {
        "seq": state.seq,
        "met_s": state.met_s,
        "outcome": state.ending.outcome if state.ending is not None else None,
        "delivered": dict(state.delivered),
        "robot_m": [state.robot.pose.x_m, state.robot.pose.y_m],
        "held": state.robot.held,
        "entities": {
            record.id: [record.status.value, record.pose.x_m, record.pose.y_m, record.confidence]
            for record in state.memory.ordered()
        },
        "plans": state.plans,
        "approvals": state.approvals,
        "dispatches": state.dispatches,
        "steps": state.spent.steps,
        "decisions": state.spent.decisions,
        "tokens": state.spent.tokens,
        "context_units": state.tally.context_units,
        "replans": state.tally.replans,
        "log": [line.command for line in state.log],
        "notes": [note.text for note in state.notes],
    }
