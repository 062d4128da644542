"""Words, queries and excerpts: what is asked for, what an event offers, what of it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.annotations.annotation import Annotation
from backend.domain.plans.plan import describe
from backend.domain.refusal import Refusal
from backend.domain.search.excerpt import LENGTH, excerpt
from backend.domain.search.moments import Moment, moment_of, moments_of
from backend.domain.search.query import CAUSES, Filter, Query, Term, read_query
from backend.domain.search.words import facet, words_of
from tests.support.drill import whole


def asked(text: str) -> Query:
    query = read_query(text)
    assert isinstance(query, Query), query
    return query


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Can_07 slipped!", ["can", "07", "slipped"]),
        ("ZWÖLF Straße", ["zwolf", "strasse"]),
        ("§skill§grasp", ["skill", "grasp"]),
        ("ﬁle 1.5m 東京", ["file", "1", "5m", "東京"]),
        ("x" * 100, ["x" * 64]),
        ("— ‘’ …", []),
    ],
)
def test_words_are_runs_of_letters_and_digits(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text(), st.text(min_size=1))
def test_no_text_holds_a_facet_and_each_is_one_word(text: str, value: str) -> None:
    made = facet("skill", value)

    assert made not in words_of(text)
    assert all(letter.isalnum() or letter == "§" for letter in made)


@given(st.text())
def test_any_text_is_read_as_a_query_or_refused(text: str) -> None:
    query = read_query(text)

    assert isinstance(query, Query | Refusal)
    if isinstance(query, Query):
        assert all(term.words for term in query.terms)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("", Query()),
        ("slip grasp*", Query(terms=(Term(words=("slip",)), Term(words=("grasp",), is_prefix=True)))),
        ('"too close" -wall', Query(terms=(
            Term(words=("too", "close")), Term(words=("wall",), is_excluded=True)))),
        ("can_07", Query(terms=(Term(words=("can", "07")),))),
        ("outcome:budget -planner:policy", Query(filters=(
            Filter(field="outcome", value="budget"),
            Filter(field="planner", value="policy", is_excluded=True)))),
        ('by:"ada b"', Query(terms=(Term(words=(facet("by", "ada b"),)),))),
        ("entity:CAN_*", Query(terms=(Term(words=(facet("entity", "can_"),), is_prefix=True),))),
        ("http://robot", Query(terms=(Term(words=("http", "robot")),))),
        ("12:30", Query(terms=(Term(words=("12", "30")),))),
        ("— !", Query()),
    ],
)  # fmt: skip
def test_a_query_is_read(text: str, query: Query) -> None:
    assert read_query(text) == query


@pytest.mark.parametrize(
    ("text", "told", "remedy"),
    [
        ("colour:red", "There is no field colour.", "skill"),
        ("tag:*", "tag: names nothing.", "annotation"),
        ("skill: grasp", "skill: names nothing.", "without a blank"),
        ("x" * 501, "501 characters", "500"),
        ("a " * 21, "too much", "20"),
    ],
)
def test_what_cannot_be_asked_says_what_can(text: str, told: str, remedy: str) -> None:
    refused = read_query(text)
    assert isinstance(refused, Refusal)
    assert told in refused.message
    assert remedy in refused.remedy


def test_an_episode_offers_what_was_said_and_done() -> None:
    drill, step, found = whole(), None, []
    for recorded in drill.events:
        step = getattr(recorded.event, "step", step)
        found += moments_of(recorded, step)

    kinds = {each.kind for each in found}
    assert {"episode", "record", "plan", "replan", "step", "approval", "stop", "guidance", "note"} <= kinds
    causes = {each.cause for each in found if each.kind == "replan"}
    assert causes
    assert causes <= set(CAUSES)
    steps = [each for each in found if each.kind == "step"]
    assert all(each.skills and each.text.startswith(each.skills[0]) for each in steps)
    plan = next(event.event.plan for event in drill.events if hasattr(event.event, "plan"))
    assert any(describe(plan.steps[0]) in each.text for each in found if each.kind == "plan")
    assert facet("by", "ada") in " ".join(each.words for each in found)


def test_an_annotation_offers_its_tags_and_mentions() -> None:
    written = Annotation(
        id="a", version=1, episode="e", seq=4, text="See @kim", author="ada", editor="ada", utc="",
        entity="can_07", tags=("stall",),
    )  # fmt: skip

    assert moment_of(written, 2.0).words.split() == [
        "see", "kim", "stall", facet("in", "annotation"), facet("by", "ada"), facet("entity", "can_07"),
        facet("tag", "stall"), facet("mention", "kim"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("It slipped twice", "SLIPPED", ["It ", "*slipped", " twice"]),
        ("can_07 and can 08", "can_07", ["*can_07", " and can 08"]),
        ("grasping\ngrasped", "grasp*", ["*grasping", " ", "*grasped"]),
        ("nothing here", "skill:grasp", ["nothing here"]),
    ],
)
def test_an_excerpt_marks_what_was_found(text: str, query: str, shown: list[str]) -> None:
    assert [f"{'*' * piece.is_found}{piece.text}" for piece in excerpt(text, asked(query))] == shown


def test_a_long_text_is_cut_around_what_was_found() -> None:
    pieces = excerpt("word " * 400 + "needle" + " word" * 400, asked("needle"))

    told = "".join(piece.text for piece in pieces)
    assert told.startswith("… word")
    assert told.endswith(" …")
    assert len(told) < LENGTH + 10
    assert [piece.text for piece in pieces if piece.is_found] == ["needle"]


def test_what_is_too_long_is_cut_before_it_is_indexed() -> None:
    assert len(Moment(kind="note", seq=1, met_s=0.0, text="a " * 10).words.split()) == 11
