"""What goes by which rule, what never goes, and when a disk is full."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.retention.room import room_of
from backend.domain.retention.rules import Candidate, Rules, digest_of, refuse_rules, ruling_of

OLD = Candidate(
    episode="e1", title="Sort", mission="m", seq=9, outcome="completed", is_held=False, is_measured=False,
    age_days=40.0,
)  # fmt: skip
RULES = Rules(keep_days=30)


@pytest.mark.parametrize(
    ("change", "rules", "reason"),
    [
        ({}, RULES, None),
        ({"is_held": True}, RULES, "is running"),
        ({"outcome": ""}, RULES, "has not ended"),
        ({"is_measured": True}, RULES, "an evaluation rests on it"),
        ({"age_days": 29.9}, RULES, "younger than 30 days"),
        ({"outcome": "aborted"}, RULES, "did not complete: aborted"),
        ({"outcome": "aborted"}, replace(RULES, keep_failed=False), None),
        ({"annotations": 1}, RULES, "annotated"),
        ({"annotations": 2}, RULES, "annotated, 2 times"),
        ({"annotations": 1}, replace(RULES, keep_annotated=False), None),
        ({"annotations": 1, "tags": ("x", "y")},
         Rules(keep_days=1, keep_annotated=False, keep_tags=("y",)), "tagged y"),
    ],
    ids=str,
)  # fmt: skip
def test_each_episode_stays_or_goes_for_a_reason(
    change: dict[str, object], rules: Rules, reason: str | None
) -> None:
    ruling = ruling_of(rules, replace(OLD, **change))

    assert ruling.goes == (reason is None)
    assert ruling.reason == (reason or "last written to 40 days ago")


@given(
    days=st.floats(1, 36_500),
    failed=st.booleans(),
    annotated=st.booleans(),
    age=st.floats(0, 1e5),
    held=st.booleans(),
    outcome=st.sampled_from(["", "completed", "budget", "aborted"]),
)
def test_what_runs_or_has_not_ended_never_goes(
    days: float, failed: bool, annotated: bool, age: float, held: bool, outcome: str
) -> None:
    rules = Rules(keep_days=days, keep_failed=failed, keep_annotated=annotated)

    ruling = ruling_of(rules, replace(OLD, is_held=held, outcome=outcome, age_days=age))

    assert not (ruling.goes and (held or not outcome))


@pytest.mark.parametrize(
    ("days", "is_wrong"), [(0.5, True), (1, False), (36_501, True), (float("nan"), True)]
)
def test_days_are_refused_by_name(days: float, is_wrong: bool) -> None:
    refusal = refuse_rules(Rules(keep_days=days))

    assert (refusal is not None and refusal.code == "keep_days") == is_wrong


def test_the_digest_is_of_what_goes_alone() -> None:
    stays = ruling_of(RULES, replace(OLD, episode="e2", age_days=1.0))
    goes = ruling_of(RULES, OLD)

    assert digest_of([goes, stays]) == digest_of([goes])
    assert digest_of([goes]) != digest_of([ruling_of(RULES, replace(OLD, seq=10))])
    assert digest_of([goes]) != digest_of([])


@pytest.mark.parametrize(
    ("free", "total", "state"),
    [
        (10**12, 10**13, "enough"),
        (4 * 10**9, 10**13, "scarce"),
        (4 * 10**8, 10**13, "out"),
        (11 * 10**8, 10**10, "enough"),
        (9 * 10**8, 10**10, "scarce"),
        (10**8, 10**10, "out"),
    ],
)
def test_a_disk_is_scarce_by_share_and_by_size(free: int, total: int, state: str) -> None:
    assert room_of(free, total).state == state
