"""Who may write what beside an episode, and what tags and mentions are in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.annotations.annotation import (
    LONGEST,
    Annotation,
    Draft,
    refuse_change,
    refuse_draft,
    refuse_removal,
)
from backend.domain.annotations.words import SUGGESTED, mentions_of, parts_of, tags_of, wrong_tag

WRITTEN = Annotation(
    id="a", version=2, episode="e", seq=4, text="It slipped.", author="ada", editor="ada", utc="2026"
)
DRAFT = Draft(seq=4, text="It slipped.")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, None),
        ({"until_seq": 9}, None),
        ({"tags": "#Stale-Target, slip;grip"}, None),
        ({"text": " \n "}, "text"),
        ({"text": "x" * (LONGEST + 1)}, "text"),
        ({"seq": 0}, "seq"),
        ({"seq": 10}, "seq"),
        ({"until_seq": 3}, "until_seq"),
        ({"until_seq": 10}, "until_seq"),
        ({"entity": "x" * 201}, "entity"),
        ({"tags": "a<b"}, "tags"),
        ({"tags": "x" * 41}, "tags"),
        ({"tags": " ".join(f"t{n}" for n in range(13))}, "tags"),
    ],
    ids=str,
)  # fmt: skip
def test_a_draft_names_the_field_that_is_wrong(change: dict[str, object], field: str | None) -> None:
    refusal = refuse_draft(replace(DRAFT, **change), head_seq=9)

    assert (refusal and refusal.code) == field
    assert refusal is None or refusal.remedy


@pytest.mark.parametrize(
    ("by", "role", "shown", "changed", "removed"),
    [
        ("ada", "operator", 2, None, None),
        ("ada", "viewer", 2, "role", "role"),
        ("ada", "operator", 1, "version", "version"),
        ("bob", "operator", 2, "role", "role"),
        ("bob", "admin", 2, "role", None),
    ],
)
def test_its_author_changes_it_and_an_admin_may_remove_it(
    by: str, role: str, shown: int, changed: str | None, removed: str | None
) -> None:
    for refuse, code in ((refuse_change, changed), (refuse_removal, removed)):
        refusal = refuse(WRITTEN, by, role, shown)
        assert (refusal and refusal.code) == code


@pytest.mark.parametrize("refuse", [refuse_change, refuse_removal])
def test_what_is_gone_is_not_changed(refuse: object) -> None:
    assert callable(refuse)
    assert refuse(None, "ada", "admin", 1).code == "id"
    assert refuse(replace(WRITTEN, is_removed=True), "ada", "admin", 2).code == "version"


def test_tags_are_small_words_each_once() -> None:
    assert tags_of("#Slip, slip  Grip;über-1") == ("slip", "grip", "über-1")
    assert wrong_tag("slip, no_, x") == "no_"
    assert tags_of(" ".join(SUGGESTED)) == SUGGESTED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@ada, see @bob.smith.", ("ada", "bob.smith")),
        ("mail ada@example.org and @@ada", ()),
        ("@ada @ada (@kim-2)", ("ada", "kim-2")),
        ("no one @ all", ()),
    ],
)
def test_mentions_are_names_behind_an_at(text: str, names: tuple[str, ...]) -> None:
    assert mentions_of(text) == names


@given(st.text(alphabet="@ab .-é_", max_size=30))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    pieces = list(parts_of(text, {"a", "ab", "b-a"}))

    assert "".join(piece for piece, _ in pieces) == text
    assert all(
        piece.startswith("@") and piece[1:] in {"a", "ab", "b-a"} for piece, is_name in pieces if is_name
    )


def test_only_accounts_are_mentioned() -> None:
    assert list(parts_of("ask @ada or @eve.", {"ada"})) == [
        ("ask ", False), ("@ada", True), (" or @eve.", False),
    ]  # fmt: skip
