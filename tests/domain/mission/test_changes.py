"""What differs between two versions of a mission or site."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.mission.changes import changes

CASES: dict[str, tuple[Any, Any, list[tuple[str, Any, Any]]]] = {
    "nothing": ({"name": "a"}, {"name": "a"}, []),
    "the order of fields": ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
    "a field": ({"goal": "Bring"}, {"goal": "Fetch"}, [("goal", "Bring", "Fetch")]),
    "a field within": ({"budgets": {"steps": 1300, "tokens": 8}}, {"budgets": {"steps": 900, "tokens": 8}},
                       [("budgets.steps", 1300, 900)]),
    "one that came": ({}, {"shadow": True}, [("shadow", None, True)]),
    "one that went": ({"title": "Yard"}, {}, [("title", "Yard", None)]),
    "a number for a truth": ({"total": 1}, {"total": True}, [("total", 1, True)]),
    "an entry by its name": ({"stations": [{"id": "bin_1", "accepts": ["can"]}, {"id": "bin_2"}]},
                             {"stations": [{"id": "bin_2"}, {"id": "bin_1", "accepts": ["can", "tin"]}]},
                             [("stations[bin_1].accepts", None, "tin")]),
    "an entry that came": ({"regions": []}, {"regions": [{"name": "wet"}]},
                           [("regions[wet]", None, {"name": "wet"})]),
    "words of a list": ({"rules": ["Keep left.", "Slow."]}, {"rules": ["Slow.", "Keep right."]},
                        [("rules", "Keep left.", None), ("rules", None, "Keep right.")]),
    "another order": ({"rules": ["a", "b"]}, {"rules": ["b", "a"]}, [("rules", ["a", "b"], ["b", "a"])]),
    "another kind": ({"site": "yard"}, {"site": {"name": "yard"}}, [("site", "yard", {"name": "yard"})]),
}  # fmt: skip


@pytest.mark.parametrize(("was", "now", "told"), CASES.values(), ids=CASES)
def test_what_differs_is_told_by_its_field(was: Any, now: Any, told: list[tuple[str, Any, Any]]) -> None:
    assert [(each.field, each.was, each.now) for each in changes(was, now)] == told


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "id", "x"]), inner),
    max_leaves=8,
)


@given(PLAIN, PLAIN)
def test_two_that_are_equal_have_no_changes_and_back_tells_as_much(was: Any, now: Any) -> None:
    assert changes(was, was) == ()
    there = sorted((each.field, str(each.was), str(each.now)) for each in changes(was, now))
    back = sorted((each.field, str(each.now), str(each.was)) for each in changes(now, was))
    assert there == back
