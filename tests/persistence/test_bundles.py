"""An episode goes into a file and comes out the same; any other file is refused, and nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, update

from backend.domain.annotations.annotation import Annotation, Draft
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.bundles.exporting import export_bundle
from backend.persistence.bundles.importing import import_bundle
from backend.persistence.connect import reading, writing
from backend.persistence.errors import BundleRefused, EpisodeKept, UnknownEpisode
from backend.persistence.frames import FrameStore
from backend.persistence.heads import order_episode
from backend.persistence.leases import claim, release
from backend.persistence.reader import SqlReader
from backend.persistence.redaction import redact_frame
from backend.persistence.settled import settled_intents
from backend.persistence.snapshots import state_bytes
from backend.persistence.tables.journal import events
from backend.persistence.verify import verify
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import Drill
from tests.support.homes import new_home
from tests.support.sent import START, stored


@pytest.fixture
def store(tmp_path: Path) -> FrameStore:
    return FrameStore(str(tmp_path / "frames"))


@pytest.fixture
def there(tmp_path: Path) -> tuple[Engine, FrameStore]:
    """Another installation, of which nothing is known."""
    _, engine = new_home(tmp_path / "there")
    return engine, FrameStore(str(tmp_path / "there" / "frames"))


def rows(engine: Engine, episode: str) -> list[Any]:
    with reading(engine) as connection:
        query = select(events).where(events.c.episode == episode).order_by(events.c.seq)
        return [tuple(row) for row in connection.execute(query)]


def test_what_is_taken_in_is_what_was_sent(
    engine: Engine, store: FrameStore, there: tuple[Engine, FrameStore], tmp_path: Path
) -> None:
    episode, (other, frames) = stored(engine, store), there
    file = tmp_path / "one.bundle"

    made = export_bundle(engine, store, episode, file, version="1")
    taken = import_bundle(other, frames, file, "ada")

    assert (taken.state, taken.manifest, len(made.manifest.frames)) == ("imported", made.manifest, 2)
    assert rows(other, episode) == rows(engine, episode)
    assert verify(other, episode, frames) == []
    here, now = SqlReader(engine), SqlReader(other)
    assert state_bytes(now.state(episode)) == state_bytes(here.state(episode))
    assert now.telemetry(episode, 0, 1e9) == here.telemetry(episode, 0, 1e9)
    with reading(engine) as before, reading(other) as after:
        assert settled_intents(after, episode) == settled_intents(before, episode) != []
    assert now.episode(episode).ordered_by == "ada"
    again = tmp_path / "two.bundle"
    export_bundle(other, frames, episode, again, version="1")
    assert again.read_bytes() == file.read_bytes()


def test_the_same_again_changes_nothing_and_puts_lost_frames_back(
    engine: Engine, store: FrameStore, tmp_path: Path
) -> None:
    episode, file = stored(engine, store), tmp_path / "one.bundle"
    made = export_bundle(engine, store, episode, file, version="1")
    lost = min(made.manifest.frames)
    store.remove(lost)
    before = rows(engine, episode)

    assert import_bundle(engine, store, file, "ada").state == "here"

    assert rows(engine, episode) == before
    assert store.has(lost)


def test_annotations_travel_along_and_meet_those_that_are_there(
    engine: Engine, store: FrameStore, there: tuple[Engine, FrameStore], tmp_path: Path
) -> None:
    episode, (other, frames) = stored(engine, store), there
    here, now = SqlAnnotations(engine), SqlAnnotations(other)
    first = here.add(episode, Draft(seq=2, text="Slow, @kim", tags="stall"), "ada", "operator")
    assert isinstance(first, Annotation)
    export_bundle(engine, store, episode, tmp_path / "one", version="1")
    here.edit(episode, first.id, Draft(seq=3, text="Stuck"), "ada", "operator", shown_version=1)
    export_bundle(engine, store, episode, tmp_path / "two", version="1")
    content = SqlReader(engine).episode(episode).content

    counts = [import_bundle(other, frames, tmp_path / name, "bob").annotations for name in ("one", "two")]
    again = import_bundle(other, frames, tmp_path / "two", "bob")

    assert (counts, again.state, again.annotations) == ([1, 1], "here", 0)
    assert now.versions(episode) == here.versions(episode)
    assert now.of(episode) == here.of(episode)
    assert SqlReader(other).episode(episode).content == content


@pytest.mark.parametrize(
    ("what", "texts", "authors"),
    [(("names",), ["Slow, @person-2"], ["person-1"]), (("prompts",), [], [])],
    ids=["names", "prompts"],
)
def test_annotations_are_redacted_with_the_rest(
    engine: Engine, store: FrameStore, tmp_path: Path, what: Any, texts: list[str], authors: list[str]
) -> None:
    episode = stored(engine, store)
    SqlAnnotations(engine).add(episode, Draft(seq=2, text="Slow, @kim"), "ada", "operator")
    _, other = new_home(tmp_path / "theirs")

    export_bundle(engine, store, episode, tmp_path / "one", version="1", redact=what)
    import_bundle(other, FrameStore(str(tmp_path / "f")), tmp_path / "one", "bob")

    found = SqlAnnotations(other).of(episode)
    assert ([each.text for each in found], [each.author for each in found]) == (texts, authors)


def test_another_episode_of_the_id_stays_as_it_is(
    engine: Engine, store: FrameStore, there: tuple[Engine, FrameStore], tmp_path: Path
) -> None:
    episode, (other, frames) = stored(engine, store), there
    file = tmp_path / "one.bundle"
    export_bundle(engine, store, episode, file, version="1")
    drill = Drill(episode).run(START)
    order_episode(other, episode, {"mission": "drill"}, "bob")
    fill(other, episode, drill.commits)

    with pytest.raises(EpisodeKept, match=r"Another episode sent-\d+ is here.*--home FOLDER"):
        import_bundle(other, frames, file, "ada")

    assert len(rows(other, episode)) == len(drill.events)
    assert not list(tmp_path.glob("there/frames/*"))


def test_what_makes_no_bundle_says_why(engine: Engine, store: FrameStore, tmp_path: Path) -> None:
    running, empty, hurt = stored(engine, store), new_episode(engine), stored(engine, store)
    lease = claim(engine, running, ["rover of it"], "runner", ttl_s=60.0)
    with writing(engine) as connection:
        third = (events.c.episode == hurt) & (events.c.seq == 3)
        connection.execute(update(events).where(third).values(actor="eve"))
    kept = tmp_path / "kept"
    kept.write_text("mine")

    for episode, file, error, told in (
        (running, tmp_path / "a", BundleRefused, "is running, at event"),
        (empty, tmp_path / "a", BundleRefused, "has not begun"),
        (hurt, tmp_path / "a", BundleRefused, "makes no bundle.*seq 3.*episodes verify"),
        ("nobody", tmp_path / "a", UnknownEpisode, "no episode nobody"),
        (stored(engine, store), kept, BundleRefused, "there already. Name another file"),
        (stored(engine, store), tmp_path / "no" / "a", BundleRefused, "cannot be written"),
    ):
        with pytest.raises(error, match=told):
            export_bundle(engine, store, episode, file, version="1")
    release(engine, lease)
    assert kept.read_text() == "mine"
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["kept"]


def test_frames_that_are_not_to_be_had_are_named(
    engine: Engine, store: FrameStore, there: tuple[Engine, FrameStore], tmp_path: Path
) -> None:
    episode, (other, frames) = stored(engine, store), there
    whole = export_bundle(engine, store, episode, tmp_path / "whole", version="1").manifest
    lost, hidden = sorted(whole.frames)
    store.remove(lost)
    redact_frame(engine, store, hidden, "ada", "a face")

    made = export_bundle(engine, store, episode, tmp_path / "less", version="1").manifest
    taken = import_bundle(other, frames, tmp_path / "less", "ada")

    assert (made.frames, made.missing, made.gone) == ({}, (lost,), (hidden,))
    assert taken.manifest == made
    assert {fault.message.split(" is ")[0] for fault in verify(other, episode, frames)} == {
        f"Frame {lost[:12]}"
    }


@pytest.mark.parametrize("what", [("names",), ("prompts",), ("names", "prompts")], ids="+".join)
def test_words_are_taken_out_of_the_copy_alone(
    engine: Engine, store: FrameStore, there: tuple[Engine, FrameStore], tmp_path: Path, what: Any
) -> None:
    episode, (other, frames) = stored(engine, store), there
    before = rows(engine, episode)

    made = export_bundle(engine, store, episode, tmp_path / "less", version="1", redact=what).manifest
    import_bundle(other, frames, tmp_path / "less", "bob")

    assert rows(engine, episode) == before
    assert verify(other, episode, frames) == []
    text = "".join(str(row) for row in rows(other, episode))
    assert ("'operator:ada'" in text or '"ada"' in text) == ("names" not in what)
    assert ("alert(1)" in text) == ("prompts" not in what)
    assert made.redacted == what
    summary, own = SqlReader(other).episode(episode), SqlReader(engine).episode(episode)
    assert summary.content == own.content
    assert (summary.ordered_by == "ada") == ("names" not in what)
