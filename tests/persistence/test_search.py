"""The search on both databases: the same questions, the same answers, whatever each one's parser thinks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, delete, select, update

from backend.domain.annotations.annotation import Annotation, Draft
from backend.domain.search.query import Query, read_query
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.connect import reading, writing
from backend.persistence.errors import StorageFull
from backend.persistence.redaction import GONE, redact
from backend.persistence.search import finding
from backend.persistence.search.finding import Hit, SqlSearch
from backend.persistence.search.indexing import behind, catch_up, forget
from backend.persistence.tables.journal import events, heads
from backend.persistence.tables.search import search_moments
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import CYCLE, Drill
from tests.support.sent import end_lease


@pytest.fixture(scope="module")
def searched(engine: Engine) -> tuple[Engine, str, str]:
    """Two episodes: one annotated, one plain."""
    ids = [new_episode(engine, "found"), new_episode(engine, "found")]
    for each in ids:
        drill = Drill(each).run((("evidence", 0), ("evidence", 1), ("guide", 4), *CYCLE[:2], ("outcome", 0)))
        fill(engine, each, drill.commits)
        end_lease(engine, each)
    kept = SqlAnnotations(engine)
    for text, tags, entity in (
        ("The grïpper SLIPPED off can_07, see @kim", "empty-grasp", "bottle_1"),
        ("slipped again; too close to the wall", "near-miss stall", ""),
    ):
        done = kept.add(ids[0], Draft(seq=2, text=text, tags=tags, entity=entity), "ada", "operator")
        assert isinstance(done, Annotation)
    assert catch_up(engine) == 0
    return engine, ids[0], ids[1]


@pytest.fixture(scope="module")
def find(searched: tuple[Engine, str, str]) -> Callable[[str], list[Hit]]:
    def find(text: str) -> list[Hit]:
        query = read_query(text)
        assert isinstance(query, Query), query
        return SqlSearch(searched[0]).find(query, limit=100)

    return find


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("slipped", 2),
        ("SLIPPED gripper", 1),
        ("slip", 0),
        ("slip*", 2),
        ('"too close"', 1),
        ('"close too"', 0),
        ('"too clo"*', 0),
        ("can_07", 1),
        ("slipped -wall", 1),
        ("slipped -tag:stall", 1),
        ("tag:near-miss", 1),
        ("tag:near", 0),
        ("tag:near*", 1),
        ("near-miss", 1),
        ("mention:kim", 1),
        ("entity:bottle_1 in:annotation", 1),
        ("in:annotation by:ADA", 2),
        ("in:annotation by:eve", 0),
        ("§in§annotation", 0),
        ("slipped outcome:running", 2),
        ("slipped outcome:completed", 0),
        ("slipped -outcome:completed", 2),
        ("slipped operator:ada", 2),
        ("slipped operator:eve", 0),
        ("slipped episode:found-*", 2),
        ("slipped mission:no%*", 0),
        ("' OR 1=1 --", 0),
        ('") NEAR(a', 0),
    ],
)
def test_each_question_has_its_answer(find: Callable[[str], list[Hit]], text: str, found: int) -> None:
    assert len(find(text)) == found


def test_a_find_leads_to_its_moment(
    find: Callable[[str], list[Hit]], searched: tuple[Engine, str, str]
) -> None:
    _, annotated, plain = searched

    [hit] = find("tag:empty-grasp")
    guidance = find("in:guidance")
    whole = find("episode:found-*")

    assert (hit.episode, hit.seq, hit.kind, hit.author) == (annotated, 2, "annotation", "ada")
    assert {each.episode for each in guidance} == {annotated, plain}
    assert [each.kind for each in whole if each.episode in (annotated, plain)] == ["episode", "episode"]
    assert find("")
    assert all(each.kind in ("episode", "ending") for each in find(""))
    steps = [each for each in find("skill:navigate in:step") if each.episode == plain]
    assert [each.text.split(":")[0].split()[0] for each in steps] == ["navigate"]


def test_the_index_follows_journal_and_annotations(engine: Engine) -> None:
    episode, kept = new_episode(engine, "grown"), SqlAnnotations(engine)
    drill = Drill(episode).run((("evidence", 0), ("guide", 4)))
    fill(engine, episode, drill.commits)
    end_lease(engine, episode)

    def texts(kind: str) -> list[str]:
        query = select(search_moments.c.text).where(search_moments.c.episode == episode)
        with reading(engine) as connection:
            return list(connection.execute(query.where(search_moments.c.kind == kind)).scalars())

    assert episode in behind(engine)
    assert catch_up(engine, lambda: True) > 0
    assert catch_up(engine) == 0
    assert behind(engine) == []
    first = kept.add(episode, Draft(seq=1, text="Before"), "ada", "operator")
    assert isinstance(first, Annotation)
    assert behind(engine) == [episode]
    catch_up(engine)
    assert texts("annotation") == ["Before"]
    kept.edit(episode, first.id, Draft(seq=1, text="After"), "ada", "operator", shown_version=1)
    catch_up(engine)
    assert texts("annotation") == ["After"]
    before = texts("guidance")
    forget(engine)
    assert texts("guidance") == []
    catch_up(engine)
    assert (texts("guidance"), texts("annotation")) == (before, ["After"])


def test_a_journal_that_cannot_be_read_hides_no_other(engine: Engine) -> None:
    hurt, short, whole = (new_episode(engine, "hurt") for _ in range(3))
    for each in (hurt, short, whole):
        fill(engine, each, Drill(each).run((("evidence", 0), ("guide", 4))).commits)
        end_lease(engine, each)
    with writing(engine) as connection:
        this = (events.c.episode == hurt) & (events.c.seq == 3)
        connection.execute(update(events).where(this).values(version=99))
        connection.execute(update(heads).where(heads.c.episode == short).values(seq=heads.c.seq + 2))

    assert catch_up(engine) == 2
    query = read_query("in:guidance")
    assert isinstance(query, Query)
    found = {hit.episode for hit in SqlSearch(engine).find(query, limit=99)}
    assert {short, whole} <= found
    assert hurt not in found

    with writing(engine) as connection:
        connection.execute(delete(heads).where(heads.c.episode.in_([hurt, short])))
    assert catch_up(engine) == 0


def test_on_a_full_disk_what_is_indexed_is_found(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise StorageFull("The disk is full.")

    episode = new_episode(engine, "late")
    fill(engine, episode, Drill(episode).run((("evidence", 0),)).commits)
    monkeypatch.setattr(finding, "catch_up", full)

    assert SqlSearch(engine).catch_up(lambda: False) == 1


def test_redacted_words_are_found_no_more(engine: Engine) -> None:
    episode = new_episode(engine, "redacted")
    drill = Drill(episode).run((("evidence", 0), ("guide", 4)))
    fill(engine, episode, drill.commits)
    end_lease(engine, episode)
    catch_up(engine)
    query = read_query(f"episode:{episode} in:guidance")
    assert isinstance(query, Query)
    [hit] = SqlSearch(engine).find(query, limit=9)

    redact(engine, episode, hit.seq, "ada", "private")
    catch_up(engine)

    assert [each.text for each in SqlSearch(engine).find(query, limit=9)] == [GONE]


def test_what_is_deleted_is_found_no_more(engine: Engine) -> None:
    episode = new_episode(engine, "deleted")
    fill(engine, episode, Drill(episode).run((("evidence", 0), ("guide", 4))).commits)
    catch_up(engine)
    query = read_query("in:guidance")
    assert isinstance(query, Query)
    assert episode in [hit.episode for hit in SqlSearch(engine).find(query, limit=99)]

    with writing(engine) as connection:
        connection.execute(delete(heads).where(heads.c.episode == episode))

    assert episode not in [hit.episode for hit in SqlSearch(engine).find(query, limit=99)]
    forget(engine)
    assert catch_up(engine) == 0
