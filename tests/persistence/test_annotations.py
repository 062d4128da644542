"""Annotations on both databases: every version kept, each edit audited, no digest touched."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from sqlalchemy import Engine, select

from backend.domain.annotations.annotation import Annotation, Draft
from backend.domain.refusal import Refusal
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.connect import reading
from backend.persistence.errors import UnknownEpisode
from backend.persistence.plain import audit_trail
from backend.persistence.tables.journal import heads
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import CYCLE, Drill


@pytest.fixture
def episode(engine: Engine) -> str:
    made = new_episode(engine)
    fill(engine, made, Drill(made).run((("evidence", 0), ("evidence", 1), *CYCLE[:2])).commits)
    return made


def head(engine: Engine, episode: str) -> Mapping[str, object]:
    with reading(engine) as connection:
        return dict(connection.execute(select(heads).where(heads.c.episode == episode)).mappings().one())


def made(result: Annotation | Refusal) -> Annotation:
    assert isinstance(result, Annotation), result
    return result


def refused(result: Annotation | Refusal) -> str:
    assert isinstance(result, Refusal), result
    return result.code


def test_an_annotation_stands_at_its_moment_and_leaves_the_journal_alone(
    engine: Engine, episode: str
) -> None:
    kept, before = SqlAnnotations(engine), head(engine, episode)

    late = made(kept.add(episode, Draft(seq=4, text=" It \x00 turned. "), "ada", "operator"))
    early = made(
        kept.add(
            episode,
            Draft(seq=2, until_seq=3, text="Slow", entity="bottle_1", tags="#Slow, stall"),
            "bob",
            "admin",
        )
    )

    assert kept.of(episode) == [early, late]
    assert (late.text, late.version, late.author, late.editor) == ("It \ufffd turned.", 1, "ada", "ada")
    assert (early.until_seq, early.entity, early.tags) == (3, "bottle_1", ("slow", "stall"))
    assert head(engine, episode) == before
    assert kept.counts([episode, "nowhere"]) == {episode: 2}
    assert kept.of_each([episode, "nowhere"]) == {episode: [early, late]}


def test_every_version_is_kept_and_audited(engine: Engine, episode: str) -> None:
    kept = SqlAnnotations(engine)
    first = made(kept.add(episode, Draft(seq=2, text="It slipped"), "ada", "operator"))

    second = made(
        kept.edit(episode, first.id, Draft(seq=3, text="It fell"), "ada", "operator", shown_version=1)
    )
    stale = kept.edit(episode, first.id, Draft(seq=3, text="No"), "ada", "operator", shown_version=1)
    third = made(kept.remove(episode, first.id, "root", "admin", shown_version=2))

    assert refused(stale) == "version"
    assert kept.of(episode) == []
    assert kept.versions(episode) == {first.id: [third, second, first]}
    assert [(each.version, each.editor, each.is_removed) for each in (first, second, third)] == [
        (1, "ada", False),
        (2, "ada", False),
        (3, "root", True),
    ]
    trail = [entry for entry in audit_trail(engine) if entry.subject.startswith(f"{episode} ")]
    assert [(entry.action, entry.actor) for entry in trail] == [
        ("annotation.removed", "root"),
        ("annotation.changed", "ada"),
        ("annotation.added", "ada"),
    ]
    assert trail[1].before["text"] == "It slipped"


def test_what_may_not_be_is_not_written(engine: Engine, episode: str) -> None:
    kept = SqlAnnotations(engine)
    mine = made(kept.add(episode, Draft(seq=2, text="Mine"), "ada", "operator"))
    draft = Draft(seq=2, text="Other")

    assert refused(kept.add(episode, Draft(seq=10_000, text="Late"), "ada", "operator")) == "seq"
    assert refused(kept.add(episode, draft, "eve", "viewer")) == "role"
    assert refused(kept.edit(episode, mine.id, draft, "bob", "operator", shown_version=1)) == "role"
    assert refused(kept.edit(episode, "none", draft, "ada", "operator", shown_version=1)) == "id"
    assert refused(kept.remove(new_episode(engine), mine.id, "ada", "operator", shown_version=1)) == "id"
    with pytest.raises(UnknownEpisode):
        kept.add("nowhere", draft, "ada", "operator")
    assert kept.of(episode) == [mine]


def test_of_two_edits_at_once_one_is_taken(engine: Engine, episode: str) -> None:
    kept = SqlAnnotations(engine)
    first = made(kept.add(episode, Draft(seq=2, text="a"), "ada", "operator"))
    results, start = [], threading.Barrier(4)

    def write(text: str) -> None:
        start.wait(30)
        done = kept.edit(episode, first.id, Draft(seq=2, text=text), "ada", "operator", shown_version=1)
        results.append(isinstance(done, Annotation))

    writers = [threading.Thread(target=write, args=(name,)) for name in "bcde"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)

    assert sorted(results) == [False, False, False, True]
    assert len(kept.versions(episode)[first.id]) == 2
