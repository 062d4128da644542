"""Exported journals fold to the same state; damage in them is named by line. Old ones are folded for ever."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine

from backend.domain.episode.evolve import fold
from backend.persistence.archive import entries_of, export
from backend.persistence.derive import passages
from backend.persistence.errors import EventUnreadable, UnknownEpisode
from backend.persistence.projections import project
from tests.journals import record
from tests.journals.story import JOURNALS, story
from tests.persistence.episodes import stored_whole

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


def test_the_journals_of_a_next_release_can_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "JOURNALS", tmp_path)
    monkeypatch.setattr(record, "PLAYED", {"recycling-s6": "s-6"})

    record.main("v9")

    for path in (tmp_path / "v9").glob("*.jsonl"):
        test_an_old_journal_still_tells_the_same_story(path)
    assert {path.stem for path in (tmp_path / "v9").iterdir()} == {"drill", "recycling-s6"}


def lines_of(path: Path) -> Iterable[str]:
    """Lines end at \\n alone: a text may hold what Python counts as another line end."""
    return path.read_text("utf-8").rstrip("\n").split("\n")
