"""However much a robot says: names stay names, words stay readable, and two things stay two."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backend.bridge import bounded
from backend.bridge.messages import evidence_in, measured_in, outcome_in

HUGE = "x" * 1_000_000
EVIDENCE = {
    "entity": HUGE,
    "cls": HUGE,
    "pose": {"x_m": 1.0, "y_m": 2.0, "yaw_rad": 0.0, "frame_id": "map"},
    "confidence": 0.9,
    "source": "onboard",
    "stamp_s": 1.0,
    "sensed_by": HUGE,
}
MEASURED: dict[str, Any] = {
    "pose": EVIDENCE["pose"], "held": HUGE, "gripper_open": None, "path": [], "moves": 0,
}  # fmt: skip


def test_what_a_bridge_tells_is_cut_where_it_comes_in() -> None:
    seen, measured = evidence_in(EVIDENCE), measured_in(MEASURED)
    assert len(seen.cls) == len(seen.sensed_by) == bounded.LONGEST_NAME
    assert seen.entity == measured.held
    told = {"dispatch_id": "d", "skill": "grasp", "result": "failed", "reason": HUGE, "message": HUGE}
    outcome = outcome_in({**told, "started_s": 0, "ended_s": 1, "measured": MEASURED})
    for text in (outcome.reason, outcome.message):
        assert text.endswith("xxx… and 998,000 more characters")


@given(st.text(min_size=190, max_size=220), st.text(max_size=3), st.text(max_size=3))
def test_two_names_stay_two(beginning: str, one: str, other: str) -> None:
    first, second = bounded.name(beginning + one), bounded.name(beginning + other)
    assert (first == second) == (one == other)
    assert max(len(first), len(second)) <= bounded.LONGEST_NAME


@given(st.text(max_size=bounded.LONGEST_NAME))
def test_what_is_usual_stays_as_it_was(text: str) -> None:
    assert bounded.name(text) == bounded.words(text) == text
