"""Each line of a block leads to the record, note or action that it tells of, or to nothing."""

import pytest

from backend.domain.episode import events as e
from backend.domain.query.parts import block_of
from backend.web.builders.frames import films_of
from backend.web.builders.sources import Origins, action_of, block_sources, line_sources
from tests.support.drill import Drill
from tests.web.builders.test_card import SEEN, drilled
from tests.web.moments import Screen, entry_of

ENDED = drilled(
    *SEEN,
    ("reply", 1),
    ("approve", 1),
    ("outcome", 1),
    ("outcome", 0),
    ("outcome", 2),
    ("outcome", 1),
    ("guide", 5),
)


def origins(drill: Drill = ENDED) -> Origins:
    recorded = [entry_of(each) for each in drill.events if isinstance(each.event, e.FramesRecorded)]
    return Origins(state=drill.state, at=None, films=films_of(drill.state, recorded))


def test_records_lead_to_themselves_and_to_what_changed_them_last() -> None:
    drill = drilled(*SEEN)
    panel = Screen(drill).evidence("context", "4:sent").panel
    line = panel.open.lines[0]
    entity = line.text.partition(":")[0]
    [record, moment] = line.sources

    assert record.href.endswith(f"#record-{entity}")
    assert moment.href.endswith(f"at={drill.state.memory.records[entity].belief_seq}")


CASES = [
    ("log", "1. t=4 s navigate bottle_1: succeeded (arrived); at (0, 0) m", ["log line 1"]),
    ("log", "99. t=4 s navigate bottle_1: succeeded", []),
    ("notes", "[decision 1] ", ["note 1"]),
    ("notes", "  further words of it", []),
    ("notes", "[decision 77] another's", []),
    ("frames", "Frames of action 1, camera overhead: 1 returned, 1 withheld.", ["frames of action 1"]),
    ("frames", "Frames of action 2, camera overhead: 1 returned, 1 withheld.", []),
    ("terminal", "bottle_1 delivered to station_west", ["record bottle_1"]),
    ("terminal", "nobody delivered to station_west", []),
    ("records", "No record is known that could be worked on.", []),
    ("records", "can_1: class can, pose (1, 0) m", ["record can_1"]),
    ("robot", "Last skill: deliver succeeded (arrived)", ["log line 4"]),
    ("robot", "Mission time: 4 s", []),
    ("guidance", "ada: a", ["seq"]),
    ("guidance", "  b c", []),
    ("goal", "Bring every container home.", []),
    ("unheard-of", "can_1: class can", []),
]


@pytest.mark.parametrize(
    ("block", "line", "labels"), CASES, ids=[f"{name}: {line[:24]}" for name, line, _ in CASES]
)
def test_lines(block: str, line: str, labels: list[str]) -> None:
    [found] = line_sources(block_of(block, line), origins())

    assert [link.label for link in found][: len(labels)] != [] or labels == []
    assert all(link.label.startswith(label) for link, label in zip(found, labels, strict=False))
    assert bool(found) is bool(labels)


def test_every_line_gets_an_answer_whatever_stands_in_it() -> None:
    for name in ("records", "terminal", "log", "notes", "frames", "robot", "guidance", "findings"):
        text = "\n".join(
            ["", "[decision ", ": : ", "9" * 40 + ". t=", "Frames of action 999999999,", "<b>x</b>"]
        )
        assert len(line_sources(block_of(name, text), origins())) == len(text.splitlines())


def test_goal_and_rules_lead_to_the_mission() -> None:
    assert [link.href for link in block_sources(block_of("goal", "x"), origins())] == ["/missions/drill"]
    assert block_sources(block_of("notes", "x"), origins()) == ()


def test_a_picture_is_that_of_the_newest_action_that_took_it() -> None:
    films = origins().films

    assert action_of(films[1].frames[0].sha256, films) == max(films)
    assert action_of("f" * 64, films) is None
