"""With unfiltered memory the planner reads every report, as the paper's baseline appends them."""

from __future__ import annotations

import pytest

from backend.domain.episode.evolve import fold
from backend.domain.execution.outcome import Result
from backend.domain.memory.record import Source
from backend.evaluation.arms import arm
from backend.evaluation.bare import play_whole
from backend.rig import grid_rig
from tests.domain.scripted import Scripted, collect, opened

HEADER = "All reports in the order of their arrival. Of an entity the last one counts that was not refused."


def records(script: Scripted) -> list[str]:
    """The lines of the records block of the request that is out."""
    assert script.state.request is not None
    (block,) = [each for each in script.state.request.blocks if each.name == "records"]
    return block.text.splitlines()


def test_every_report_has_its_line_and_the_last_one_counts() -> None:
    script = Scripted(opened(policy="auto", memory="unfiltered"))
    script.see("can_1", 3, 4, q=0.912)
    script.answer(*collect("can_1"))
    script.see("can_2", 6, 6, q=0.3)
    script.see("can_1", 1, 1, q=0.41, source=Source.ONBOARD)
    script.end(Result.CANCELLED, "cancelled")

    lines = records(script)

    assert lines[0] == HEADER
    assert [line.partition(", seen")[0] for line in lines[1:]] == [
        "can_1: class can, pose (3, 4) m, confidence 0.91, status observed",
        "can_2: class can, pose (6, 6) m, confidence 0.30, status observed",
        "can_1: class can, pose (1, 1) m, confidence 0.41, status observed",
    ]
    assert lines[1].endswith("seen at 0 s by aerial")
    assert lines[3].endswith("by onboard")


def test_attention_shows_one_current_record_in_its_place() -> None:
    script = Scripted(opened(policy="auto", memory="attention"))
    script.see("can_1", 3, 4, q=0.9)
    script.answer(*collect("can_1"))
    script.see("can_1", 1, 1, q=0.95, source=Source.ONBOARD)
    script.end(Result.CANCELLED, "cancelled")

    (line,) = records(script)

    assert line.startswith("can_1: class can, pose (1, 1) m")


def test_reports_on_what_is_done_or_lost_stay_with_its_status() -> None:
    script = Scripted(opened(policy="auto", memory="unfiltered", total=3))
    script.see("can_1", 3, 4)
    script.see("can_2", 6, 6)
    script.answer(*collect("can_1"))
    for _ in range(5):
        script.end()
    script.see("can_1", 8, 8)
    script.answer(*collect("can_2"))
    script.end()
    script.end()
    script.end(Result.FAILED, "absent")

    lines = records(script)

    assert lines[0] == "No record is known that could be worked on."
    told = [line for line in lines if line.startswith("can_")]
    assert [line.split("status ")[1].partition(",")[0] for line in told] == ["delivered", "lost", "delivered"]
    assert told[2].endswith(", refused")


def test_the_history_only_grows_while_nothing_is_done() -> None:
    """So that a provider may keep the beginning of it, and a page shows what came."""
    script = Scripted(opened(policy="auto", memory="unfiltered"))
    script.see("can_1", 3, 4)
    before = records(script)
    script.answer(*collect("can_1"))
    script.see("can_1", 1, 1, source=Source.ONBOARD)
    script.end(Result.CANCELLED, "cancelled")

    assert records(script)[: len(before)] == before


@pytest.mark.parametrize("seed", [0, 3])
def test_each_request_of_an_episode_has_as_many_lines_as_the_context_counts(seed: int) -> None:
    _, journal = play_whole(arm("live-6", "unfiltered"), seed, grid_rig, render=True)
    asked = [each.event for each in journal if hasattr(each.event, "blocks")]

    told = [
        [line for block in event.blocks if block.name == "records" for line in block.text.splitlines()]
        for event in asked
    ]

    assert [len([line for line in lines if ": class" in line]) for lines in told] == [
        event.retrieval.count for event in asked
    ]
    assert asked[-1].retrieval.count > 20


def test_only_a_memory_that_shows_the_history_keeps_it() -> None:
    _, unfiltered = play_whole(arm("s-6", "unfiltered"), 0, grid_rig)
    _, attention = play_whole(arm("s-6", "attention"), 0, grid_rig)

    kept = fold(unfiltered).memory
    assert len(list(kept.reports)) == kept.history
    assert list(fold(attention).memory.reports) == []
