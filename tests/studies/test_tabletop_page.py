"""The page of a run at the table: its figures beside LogLook's, each leading to its episodes."""

from __future__ import annotations

import pytest

from backend.evaluation.tabletop_arms import Setting
from backend.evaluation.tabletop_choices import tabletop_study
from backend.web.pages.evaluation import CellPage, RunPage
from tests.evaluation.tabletop import row
from tests.studies.stand import CHROME, MARA, Stand

STUDY = tabletop_study("all", "execution_grounded,note_only", "4-19", None, Setting())


@pytest.fixture(scope="module")
def stand() -> Stand:
    stand = Stand()
    lost = {(1, 5): "wrong count", (0, 6): "motion planning"}
    rows = [
        row(arm, seed, lost.get((arm, seed), "completed"))
        for arm in range(len(STUDY.arms))
        for seed in STUDY.each_seed
    ]
    stand.stored(STUDY, rows)
    return stand


@pytest.fixture(scope="module")
def page(stand: Stand) -> RunPage:
    return stand.desk.report(CHROME, 1, None)


def _rows(page: RunPage, section: str) -> dict[str, list[tuple[str, str]]]:
    table = next(each.table for each in page.sections if each.id == section)
    assert table is not None
    return {line.values[0].text: [(v.text, v.printed) for v in line.values[1:]] for line in table.rows}


def test_totals_stand_beside_table_2(page: RunPage) -> None:
    ours, theirs = (_rows(page, "cells")[memory] for memory in ("execution_grounded", "note_only"))
    assert ours[0] == ("255/256", "LogLook 237")
    assert ours[1] == ("1 / 0", "LogLook 15 / 4")
    assert theirs[2][0] == "1 / 1"
    assert theirs[4] == ("100", "LogLook 71,300")


def test_each_task_stands_beside_table_7_and_opens_its_episodes(page: RunPage) -> None:
    assert _rows(page, "tasks")["bin-fill"] == [("15/16", "LogLook 16"), ("15/16", "LogLook 15")]
    table = next(each.table for each in page.sections if each.id == "tasks")
    assert table is not None
    assert [value.href for value in table.rows[1].values[1:]] == [
        "/evaluation/1/cells/2",
        "/evaluation/1/cells/3",
    ]


def test_difficulties_stand_beside_table_8(page: RunPage) -> None:
    assert _rows(page, "difficulties")["easy"][1] == ("127/128", "LogLook 119")


def test_discordant_episodes_open_alone_and_side_by_side(page: RunPage) -> None:
    table = next(each.table for each in page.sections if each.id == "discordant")
    assert table is not None
    assert [value.text for value in table.rows[0].values] == [
        "bin-fill 5",
        "execution_grounded",
        "note_only",
        "wrong count",
        "side by side",
    ]
    assert table.rows[0].values[1].href == "/episodes/evaluation-1-0-5"
    assert "evaluation-1-1-5" in table.rows[0].values[4].href


def test_a_cell_lists_its_episodes_with_images_and_without_ways(stand: Stand) -> None:
    cell: CellPage = stand.desk.cell(CHROME, 1, 1, 0)
    assert cell.trajectories is None
    assert cell.table is not None
    assert [column.label for column in cell.table.columns][:4] == ["Episode", "Outcome", "Steps", "Tokens"]
    assert cell.table.rows[0].values[1].text == "Wrong count"
    assert "drop 0.02" in cell.lead


def test_the_list_says_what_it_is_and_how_it_goes_on(stand: Stand) -> None:
    (listed,) = stand.desk.runs().rows
    assert (listed.kind, listed.seeds, listed.done) == ("Tabletop", "4 to 19", "512 of 512")
    assert stand.desk.progress(1, MARA) is None
