"""A tabletop run's figures, by hand-made rows; and the sign test by its definition."""

from __future__ import annotations

import msgspec
import pytest
from sqlalchemy import Engine

from backend.evaluation.statistics import sign_test
from backend.evaluation.tabletop_figures import Figures, figures_of
from backend.evaluation.tabletop_play import PLANNING
from backend.evaluation.tabletop_report import near_words, table_document, table_tables, watch_shares
from backend.persistence.results import DatabaseResults
from tests.evaluation.tabletop import row, study


@pytest.mark.parametrize(
    ("wins", "losses", "p_value"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 0.0625),
        (6, 0, 0.03125),
        (7, 7, 1.0),
        (9, 1, 0.021484375),
        (1, 9, 0.021484375),
        (10, 7, 0.629058837890625),
        (19, 16, 0.7358788),
    ],
)
def test_the_sign_test_is_the_exact_binomial(wins: int, losses: int, p_value: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p_value, rel=1e-6)


ROWS = [
    # bin-fill: both solve 4; the log keeps what 5 needs; 6 is lost to planning, 7 to both.
    row(0, 4, watched_none=3.0, watched_points=1.0, inspected=4.0, inspected_near=2.0, expected_near=1.0),
    row(1, 4, tokens=300.0),
    row(0, 5),
    row(1, 5, "wrong count"),
    row(0, 6, PLANNING),
    row(1, 6),
    row(0, 7, "timeout"),
    row(1, 7, "wrong count"),
    # move-cube: with a demonstration, one episode each so far.
    row(2, 4, images=30.0, images_demonstration=20.0),
    row(3, 4, "wrong manner", images=90.0, images_demonstration=80.0),
]


@pytest.fixture(scope="module")
def figures(sqlite_engine: Engine) -> Figures:
    results = DatabaseResults(sqlite_engine)
    run = results.start(study(), "1.0")
    results.add(run.id, ROWS)
    return figures_of(results.run(run.id) or run, results)


def test_failures_are_of_two_kinds(figures: Figures) -> None:
    ours, theirs = figures.total["execution_grounded"], figures.total["note_only"]
    assert (ours.successes, ours.episodes, ours.failures_planning, ours.failures_other) == (3, 5, 1, 1)
    assert ours.causes == {"timeout": 1}
    assert (theirs.successes, theirs.failures_planning, theirs.failures_other) == (2, 0, 3)
    assert theirs.causes == {"wrong count": 2, "wrong manner": 1}
    assert ours.success.low < 0.6 < ours.success.high


def test_costs_are_means_an_episode_and_demonstrations_apart(figures: Figures) -> None:
    ours = figures.total["execution_grounded"]
    assert (ours.costs["images"], ours.images_execution) == (14.0, 10.0)
    assert figures.total["note_only"].costs["tokens"] == 140.0
    assert figures.demonstrated["note_only"].episodes == 1


def test_wins_and_losses_are_of_pairs_and_each_is_told(figures: Figures) -> None:
    (against,) = figures.against
    assert (against.pairs, against.wins, against.losses) == (5, 2, 1)
    assert against.p_value == 1.0
    told = [(each.task, each.episode, each.solved_by, each.cause) for each in figures.discordant]
    assert told == [
        ("bin-fill", 5, "execution_grounded", "wrong count"),
        ("bin-fill", 6, "note_only", PLANNING),
        ("move-cube", 4, "execution_grounded", "wrong manner"),
    ]


def test_parts_hold_their_own_episodes(figures: Figures) -> None:
    assert {name: part["execution_grounded"].episodes for name, part in figures.tasks.items()} == {
        "bin-fill": 4,
        "move-cube": 1,
    }
    assert list(figures.suites) == ["counting", "imitation"]
    assert {name: part["note_only"].episodes for name, part in figures.difficulties.items()} == {
        "easy": 3,
        "medium": 1,
        "hard": 1,
    }


def test_shares_are_of_sums(figures: Figures) -> None:
    ours = figures.total["execution_grounded"]
    assert watch_shares(ours) == (0.75, 0.25, 0.0)
    assert near_words(ours, "inspected", "inspected_near", "expected_near") == "50 %, evenly drawn 25 %"
    assert near_words(ours, "looked", "looked_near", "expected_looked") == "–"


def test_the_document_has_what_the_issue_names(figures: Figures) -> None:
    read = msgspec.json.decode("".join(table_document(figures, ROWS)))
    wanted = {"successes", "episodes", "tokens", "images", "calls", "failures_planning", "failures_other"}
    assert wanted <= read["total"]["note_only"].keys()
    assert wanted <= read["tasks"]["bin-fill"]["execution_grounded"].keys()
    assert len(read["episodes"]) == len(ROWS)
    assert (
        read["episodes"][0] | {"task": "bin-fill", "test_episode": 4, "difficulty": "easy"}
        == read["episodes"][0]
    )


def test_the_tables_read_beside_the_paper(figures: Figures) -> None:
    total, tasks, *_ = table_tables(figures)
    assert total[1][1][:2] == ("note_only", "2/5")
    assert total[1][1][4:6] == ("2 / 1", "1.000")
    assert [line[0] for line in tasks[1]] == ["bin-fill", "move-cube"]
