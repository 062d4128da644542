"""What the command line asks of a tabletop study, and the study as that command again."""

from __future__ import annotations

import shlex

import msgspec
import pytest

from backend.evaluation.choices import compared_method
from backend.evaluation.chunks import chunks
from backend.evaluation.errors import WrongStudy
from backend.evaluation.tabletop_arms import Setting, is_table, scenario_at
from backend.evaluation.tabletop_choices import episodes_named, tabletop_study
from backend.evaluation.tabletop_command import tabletop_command
from backend.evaluation.tabletop_published import beside, loglook
from robot_bridge.tabletop.tasks import TASK_NAMES


@pytest.mark.parametrize(
    ("text", "episodes"),
    [("4-19", tuple(range(4, 20))), ("7", (7,)), ("11, 7,15-16", (7, 11, 15, 16)), ("3,3-4", (3, 4))],
)
def test_episodes_are_numbers_and_ranges(text: str, episodes: tuple[int, ...]) -> None:
    assert episodes_named(text) == episodes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "names no episodes"),
        ("a-b", "names no episodes"),
        ("9-4", "names no episodes"),
        ("49-50", "no test episode 50"),
        ("-1", "names no episodes"),
    ],
)
def test_others_are_refused(text: str, told: str) -> None:
    with pytest.raises(WrongStudy, match=told) as refused:
        episodes_named(text)
    assert refused.value.field == "--episodes"


def test_a_difficulty_leaves_its_episodes_alone_and_none_is_played_besides() -> None:
    study = tabletop_study("bin-fill", "all", "4-19", "hard", Setting())
    assert tuple(study.each_seed) == (7, 11, 15, 19)
    assert study.episodes == 6 * 4
    played = [(chunk.index, seed) for chunk in chunks(study, done=[(0, 7)]) for seed in chunk.seeds]
    assert sorted(played) == [
        (arm, seed) for arm in range(6) for seed in (7, 11, 15, 19) if (arm, seed) != (0, 7)
    ]
    assert scenario_at(study.arms[0], 7) == "bin-fill/hard"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("no-task", "all", "4", None, Setting()), "--tasks"),
        (("all", "memory", "4", None, Setting()), "--memory"),
        (("all", "all", "4", "hard", Setting()), "--difficulty"),
        (("all", "all", "4", "odd", Setting()), "--difficulty"),
        (("all", "all", "4", None, Setting(planner="oracle")), "--executor"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_names_its_option(
    arguments: tuple[str, str, str, str | None, Setting], field: str
) -> None:
    with pytest.raises(WrongStudy) as refused:
        tabletop_study(*arguments)
    assert refused.value.field == field


def test_a_baseline_brings_its_memory() -> None:
    setting = Setting(planner="per_chunk", executor="delegate")
    study = tabletop_study("bin-fill", "all", "4-5", None, setting)
    assert [arm.method for arm in study.arms] == ["note_only"]
    assert scenario_at(study.arms[0], 4) == "bin-fill/easy/delegate"
    assert all(map(is_table, study.arms))


@pytest.mark.parametrize(
    ("tasks", "memory", "episodes", "difficulty", "setting"),
    [
        ("all", "execution_grounded,note_only", "4-19", None, Setting()),
        ("bin-fill,move-cube", "all", "4-19", "hard", Setting(drop=0.1)),
        ("bin-fill", "no_log", "7", None, Setting(executor="delegate", task_notes="none")),
    ],
    ids=["the memory swap", "hard episodes", "one episode"],
)
def test_the_command_gives_the_same_study(
    tasks: str, memory: str, episodes: str, difficulty: str | None, setting: Setting
) -> None:
    study = tabletop_study(tasks, memory, episodes, difficulty, setting)
    words = shlex.split(tabletop_command(study))
    assert words[:3] == ["quarterdeck", "evaluate", "tabletop"]
    given = dict(zip(words[3::2], words[4::2], strict=True))
    again = tabletop_study(
        given["--tasks"],
        given["--memory"],
        given["--episodes"],
        None,
        msgspec.convert(
            {
                "task_notes": given.get("--task-notes", "full"),
                "executor": given.get("--executor", "direct"),
                "drop": float(given.get("--drop", Setting().drop)),
            },
            Setting,
        ),
    )
    assert (again.arms, tuple(again.each_seed)) == (study.arms, tuple(study.each_seed))


def test_the_first_memory_is_held_against_the_others() -> None:
    study = tabletop_study("bin-fill", "all", "4", None, Setting())
    assert compared_method(None, study) == "execution_grounded"


def test_the_papers_tables_stand_beside_its_own_episodes_alone() -> None:
    whole = tabletop_study("all", "execution_grounded,note_only", "4-19", None, Setting())
    table = beside(whole).total
    assert table is not None
    assert table.episodes == 256
    assert table.rows["execution_grounded"].successes == 237
    assert beside(tabletop_study("all", "all", "4-19", "hard", Setting())).demonstrated is not None
    assert beside(tabletop_study("bin-fill", "all", "4-19", None, Setting())).total is None
    assert (
        beside(tabletop_study("bin-fill", "all", "4-19", None, Setting())).tasks["bin-fill"]["note_only"]
        == 15
    )
    assert beside(tabletop_study("all", "all", "5-20", None, Setting())).tasks == {}


def test_the_papers_tasks_sum_up_to_its_totals() -> None:
    paper = loglook()
    assert set(paper.tasks_direct) == set(paper.tasks_delegate) == set(TASK_NAMES)
    for memory, total in (("execution_grounded", 237), ("note_only", 234)):
        assert sum(row[memory] for row in paper.tasks_direct.values()) == total
        assert sum(row[memory] for row in paper.difficulties_direct.values()) == total
        printed = paper.swap_direct.rows[memory]
        assert printed.successes + (printed.planning or 0) + (printed.other or 0) == 256
    assert {
        name: sum(row[name] for row in paper.tasks_delegate.values()) for name in ("oracle", "per_chunk")
    } == {"oracle": 100, "per_chunk": 94}
