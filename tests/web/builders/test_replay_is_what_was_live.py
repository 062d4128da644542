"""The page at a cursor says what the live page said when that was the newest event: at every event of a long
episode."""

import msgspec
import pytest

from backend.web.builders.evidence import LABELS
from tests.support.drill import whole
from tests.web.moments import Screen

DRILL = whole()
SEQS = range(1, len(DRILL.events) + 1)
LIVE_ONLY = {
    "at", "tone", "title", "note", "countdown", "notice", "verdict", "risks_title", "decision", "releasing",
    "asking", "doubt", "editor", "by_hand",
}  # fmt: skip
"""Of the plan card: what asks or counts down, which a replay does not."""


@pytest.fixture(scope="module")
def replay() -> Screen:
    return Screen(DRILL)


@pytest.mark.parametrize("tab", LABELS)
def test_evidence(replay: Screen, tab: str) -> None:
    for seq in SEQS:
        live, replayed = Screen(DRILL, head=seq).evidence(tab), replay.evidence(tab, at=seq)
        assert _but_cursor(replayed) == _but_cursor(live), f"at {seq}"


def test_plan(replay: Screen) -> None:
    for seq in SEQS:
        live, replayed = Screen(DRILL, head=seq).plan(), replay.plan(at=seq)
        for name in set(live.__struct_fields__) - LIVE_ONLY:
            assert getattr(replayed, name) == getattr(live, name), f"{name} at {seq}"


def test_map(replay: Screen) -> None:
    for seq in SEQS:
        live, replayed = Screen(DRILL, head=seq).map(), replay.map(at=seq)
        assert _not_asking(replayed) == _not_asking(live), f"at {seq}"


def test_delivered_and_clock_of_the_bar(replay: Screen) -> None:
    for seq in SEQS:
        live, replayed = Screen(DRILL, head=seq).bar(), replay.bar(at=seq)
        assert (replayed.delivered, replayed.calls, replayed.met) == (live.delivered, live.calls, live.met)


def _but_cursor(view: msgspec.Struct) -> object:
    """Without the cursor that its links carry on, and what only a live page offers."""
    plain = msgspec.to_builtins(view)
    plain.pop("at")
    plain["panel"].pop("at", None)
    (plain["panel"].get("tools") or {}).pop("may_correct", None)
    return plain


def _not_asking(data: msgspec.Struct) -> object:
    plain = msgspec.to_builtins(data)
    if plain["route"]:
        plain["route"].pop("asks")
    return plain
