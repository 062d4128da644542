"""What every store of results does, in memory and on either database: each episode once, in order, kept
whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from backend.evaluation.arms import METHODS, arm
from backend.persistence.results import DatabaseResults
from backend.persistence.tables.studies import studies
from backend.usecases.results import EpisodeResult, Results, Run, Study
from backend.usecases.results_in_memory import MemoryResults

ODD = replace(
    arm("dn-14", "attention"), variant="K 2", parameters={"latency": 9}, tolerance_m=0.5, planner="other"
)
STUDY = Study(
    kind="memory",
    name="dn-14",
    arms=(*(arm("dn-14", method) for method in METHODS), ODD),
    first_seed=0,
    seeds=3,
)
OURS = "1.0+abc"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def results(request: pytest.FixtureRequest) -> Iterator[Results]:
    if request.param == "memory":
        yield MemoryResults()
    else:
        yield DatabaseResults(request.getfixturevalue(f"{request.param}_engine"))


def row(arm: int, seed: int, steps: int = 200) -> EpisodeResult:
    return EpisodeResult(
        arm=arm,
        seed=seed,
        success=seed % 2 == 0,
        outcome="completed",
        steps=steps,
        context=2**33,
        planner_calls=17,
        stale_visits=2,
        delivered=14,
        path_m=171.25,
        replans={"changed": 3, "failed": 1},
        extra={"misled": 2.0},
    )


def test_a_run_is_kept_with_study_version_and_seeds(results: Results) -> None:
    run = results.start(STUDY, OURS)

    assert results.run(run.id) == run
    assert (run.study, run.code_version, run.done, run.finished_utc) == (STUDY, OURS, 0, None)


def test_rows_come_back_whole_and_in_order(results: Results) -> None:
    run = results.start(STUDY, OURS)
    rows = [row(arm, seed) for seed in (2, 0, 1) for arm in (1, 0)]

    results.add(run.id, rows[:2])
    results.add(run.id, rows[2:])

    assert list(results.episodes(run.id)) == sorted(rows, key=lambda r: (r.arm, r.seed))
    assert list(results.episodes(run.id, arm=1)) == [row(1, seed) for seed in range(3)]
    assert sorted(results.done(run.id)) == [(arm, seed) for arm in (0, 1) for seed in range(3)]


def test_an_episode_counts_once_and_the_first_result_stays(results: Results) -> None:
    run = results.start(STUDY, OURS)

    added = [
        results.add(run.id, [row(0, 0), row(0, 1)]),
        results.add(run.id, [row(0, 1, steps=1), row(0, 2)]),
    ]

    assert added == [2, 1]
    assert [each.steps for each in results.episodes(run.id)] == [200, 200, 200]
    assert done(results, run) == 3


def test_adding_nothing_changes_nothing(results: Results) -> None:
    run = results.start(STUDY, OURS)

    assert results.add(run.id, []) == 0


def test_runs_do_not_mix(results: Results) -> None:
    first, second = results.start(STUDY, OURS), results.start(STUDY, OURS)

    results.add(first.id, [row(0, 0)])

    assert (done(results, first), done(results, second)) == (1, 0)
    assert [run.id for run in results.runs(limit=2)] == [second.id, first.id]


def test_an_interrupted_run_is_found_again_by_study_and_version(results: Results) -> None:
    study = replace(STUDY, name="resumed")
    finished = results.start(study, OURS)
    results.finish(finished.id)
    assert results.unfinished(study, OURS) is None

    run = results.start(study, OURS)
    results.add(run.id, [row(0, 0)])

    found = results.unfinished(study, OURS)
    assert found is not None
    assert (found.id, found.done) == (run.id, 1)
    assert results.unfinished(study, "2.0") is None
    assert results.unfinished(replace(study, seeds=4), OURS) is None


def test_a_finished_run_says_when_and_keeps_saying_so(results: Results) -> None:
    run = results.start(STUDY, OURS)

    finished = results.finish(run.id)

    assert finished.finished_utc is not None
    assert results.finish(run.id).finished_utc == finished.finished_utc


def test_a_run_says_who_started_it_and_when_it_was_last_heard_of(results: Results) -> None:
    run = results.start(STUDY, OURS, "mara")
    assert (run.started_by, run.heard_utc) == ("mara", "")

    results.add(run.id, [row(0, 0)])

    heard = results.run(run.id)
    assert heard is not None
    other = results.start(STUDY, OURS)
    results.hear(other.id)
    taken_up = results.run(other.id)
    assert taken_up is not None
    assert taken_up.heard_utc >= other.started_utc
    assert heard.heard_utc >= run.started_utc


def test_one_episode_is_found_by_its_place(results: Results) -> None:
    run = results.start(STUDY, OURS)
    results.add(run.id, [row(1, 2)])

    assert results.episode(run.id, 1, 2) == row(1, 2)
    assert [results.episode(*place) for place in ((run.id, 1, 3), (run.id, 0, 2), (999_999, 1, 2))] == [
        None
    ] * 3


def test_a_cell_s_episodes_come_failures_first_then_by_seed(results: Results) -> None:
    run = results.start(STUDY, OURS)
    results.add(run.id, [row(arm, seed) for arm in (0, 1) for seed in (4, 1, 0, 3, 2)])

    pages = [results.failures_first(run.id, 1, offset=offset, limit=3) for offset in (0, 3, 6)]

    assert [[each.seed for each in page] for page in pages] == [[1, 3, 0], [2, 4], []]
    assert {each.arm for page in pages for each in page} == {1}
    assert [results.count(*cell) for cell in ((run.id, 1), (run.id, 3), (999_999, 1))] == [5, 0, 0]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_study_in_a_form_that_is_not_known_is_still_listed(
    kind: str, request: pytest.FixtureRequest
) -> None:
    engine = request.getfixturevalue(f"{kind}_engine")
    results = DatabaseResults(engine)
    run = results.start(replace(STUDY, name="of tomorrow"), "9.0")
    with engine.begin() as connection:
        this = studies.c.id == run.id
        connection.execute(update(studies).where(this).values(study='{"kind": "dream", "arms": 7}'))

    found = results.run(run.id)

    assert found is not None
    assert (found.study.name, found.study.arms, found.code_version) == ("of tomorrow", (), "9.0")
    assert "dream" in found.unreadable or "kind" in found.unreadable
    assert run.id in [each.id for each in results.runs()]


def test_an_unknown_run_is_none(results: Results) -> None:
    assert results.run(999_999) is None


def test_more_rows_than_a_page_come_back_once_each(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.persistence.results.PAGE", 7)
    run = results.start(STUDY, OURS)
    results.add(run.id, [row(arm, seed) for arm in range(4) for seed in range(5)])

    keys = [(each.arm, each.seed) for each in results.episodes(run.id)]

    assert keys == [(arm, seed) for arm in range(4) for seed in range(5)]


def done(results: Results, run: Run) -> int:
    found = results.run(run.id)
    assert found is not None
    return found.done
