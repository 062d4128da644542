"""What changed between two texts, so that either can be read off it again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.web.builders.difference import LONGEST, first_word, line_edits, word_runs
from backend.web.pages.parts import Run

LINES = st.lists(st.sampled_from(["a: 1", "a: 2", "b: 1", "b: 3 4", "", "c"]), max_size=8)
TEXT = st.text(alphabet="ab1. ,:()\n\u202e", max_size=60)


@given(old=LINES, new=LINES)
def test_both_texts_can_be_read_off_the_edits(old: list[str], new: list[str]) -> None:
    edits = list(line_edits(old, new, first_word))

    assert [now for _, _, now in edits if now is not None] == list(range(len(new)))
    assert sorted(then for _, then, _ in edits if then is not None) == list(range(len(old)))
    for kind, then, now in edits:
        assert (kind == "removed", kind == "added") == (now is None, then is None)
        if then is not None and now is not None:
            assert (old[then] == new[now]) is (kind == "same") or first_word(old[then]) == first_word(
                new[now]
            )


@given(old=TEXT, new=TEXT)
def test_both_texts_can_be_read_off_the_runs(old: str, new: str) -> None:
    runs = word_runs(old, new)

    assert "".join(run.text for run in runs if run.kind != "removed") == new
    assert "".join(run.text for run in runs if run.kind == "removed" or run.kind == "same") == old


def test_a_line_about_the_same_record_is_one_that_changed() -> None:
    old = ["can_04: pose (2, 7) m, confidence 0.78", "can_07: pose (3, 7) m, confidence 0.56"]
    new = ["can_07: pose (4, 6) m, confidence 0.87", "can_09: pose (1, 1) m, confidence 0.90"]

    assert list(line_edits(old, new, first_word)) == [
        ("removed", 0, None),
        ("changed", 1, 0),
        ("added", None, 1),
    ]
    assert [run for run in word_runs(old[1], new[0]) if run.kind == "added"] == [
        Run(text="4", kind="added"),
        Run(text="6", kind="added"),
        Run(text="0.87", kind="added"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [("x" * (LONGEST + 1), "y", ["removed", "added"]), ("z" * 9000, "z" * 9000, ["same"])],
)
def test_what_is_very_long_is_compared_as_a_whole(old: str, new: str, kinds: list[str]) -> None:
    assert [run.kind for run in word_runs(old, new)] == kinds
