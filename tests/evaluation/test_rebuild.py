"""A measured episode is its row: played again it gives the same figures, or says that it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.episode.evolve import fold
from backend.domain.memory.configuration import AttentionSettings
from backend.evaluation.arms import METHODS, arm
from backend.evaluation.bare import play
from backend.evaluation.errors import NoSuchEpisode, WrongStudy
from backend.evaluation.rebuild import Place, place_of, rebuild
from backend.rig import grid_rig
from backend.usecases.results import Arm, Study
from backend.usecases.results_in_memory import MemoryResults

SEEDS = 3
WIDE = replace(arm("s-6", "attention").memory, attention=AttentionSettings(k=1))
ARMS = (
    *(arm("dn-14", method) for method in METHODS),
    arm("live-6", "attention"),
    replace(arm("dn-14", "attention"), variant="latency 9", parameters={"latency": 9}),
    replace(arm("dn-14", "unfiltered"), variant="tolerance 1 cell", tolerance_m=1.0),
    replace(arm("s-6", "attention"), variant="K 1", memory=WIDE, planner="in_order", counts_misled=True),
)


@pytest.fixture(scope="module")
def measured() -> tuple[int, MemoryResults]:
    """Each arm's rows, as a sweep stores them."""
    results = MemoryResults()
    run = results.start(Study(kind="memory", name="all", arms=ARMS, first_seed=0, seeds=SEEDS), "1.0")
    results.add(
        run.id,
        [play(each, seed, grid_rig, index) for index, each in enumerate(ARMS) for seed in range(SEEDS)],
    )
    return run.id, results


@pytest.mark.parametrize(
    "index", range(len(ARMS)), ids=[f"{a.scenario} {a.method} {a.variant}" for a in ARMS]
)
def test_played_again_it_gives_the_row_that_was_stored(
    measured: tuple[int, MemoryResults], index: int
) -> None:
    run, results = measured

    for seed in range(SEEDS):
        rebuilt = rebuild(Place(run, index, seed), results, grid_rig, "1.0")

        stored = results.episode(run, index, seed)
        assert stored is not None
        assert rebuilt.evaluated.differs == (), seed
        assert (int(rebuilt.state.met_s), len(rebuilt.state.delivered)) == (stored.steps, stored.delivered)
        assert [each.seq for each in rebuilt.events] == list(range(1, len(rebuilt.events) + 1))
        assert fold(rebuilt.events) == rebuilt.state


def test_what_comes_out_otherwise_is_named_with_both_figures() -> None:
    results = MemoryResults()
    run = results.start(Study(kind="memory", name="x", arms=ARMS[:1], first_seed=0, seeds=1), "0.9")
    row = play(ARMS[0], 0, grid_rig)
    results.add(run.id, [replace(row, steps=row.steps - 3, replans={"changed": 99})])

    evaluated = rebuild(Place(run.id, 0, 0), results, grid_rig, "1.0").evaluated

    told = {name: (stored, now) for name, stored, now in evaluated.differs}
    assert told["steps"] == (str(row.steps - 3), str(row.steps))
    assert told["replans"][0] == "changed 99"
    assert set(told) == {"steps", "replans"}
    assert (evaluated.measured_by, evaluated.rebuilt_by) == ("0.9", "1.0")


def test_its_journal_holds_what_the_planner_was_shown(measured: tuple[int, MemoryResults]) -> None:
    run, results = measured

    events = rebuild(Place(run, 3, 0), results, grid_rig, "1.0").events

    assert any(getattr(recorded.event, "blocks", ()) for recorded in events)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (lambda run: Place(run + 1, 0, 0), "no evaluation run"),
        (lambda run: Place(run, 0, SEEDS), "no episode of seed 3 in cell 0"),
        (lambda run: Place(run, len(ARMS), 0), f"in cell {len(ARMS)}"),
    ],
    ids=["run", "seed", "cell"],
)
def test_what_was_never_measured_is_no_episode(
    measured: tuple[int, MemoryResults], place: object, said: str
) -> None:
    run, results = measured

    with pytest.raises(NoSuchEpisode, match=said):
        rebuild(place(run), results, grid_rig, "1.0")  # type: ignore[operator]


def test_a_planner_that_this_version_lacks_is_said() -> None:
    results = MemoryResults()
    foreign: Arm = replace(ARMS[0], planner="oracle_of_delphi")
    run = results.start(Study(kind="memory", name="x", arms=(foreign,), first_seed=0, seeds=1), "9.9")
    results.add(run.id, [play(ARMS[0], 0, grid_rig)])

    with pytest.raises(WrongStudy, match="oracle_of_delphi"):
        rebuild(Place(run.id, 0, 0), results, grid_rig, "1.0")


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**6 - 1), st.integers(0, 2**31 - 1))
def test_an_episode_s_name_is_its_place(run: int, arm: int, seed: int) -> None:
    assert place_of(Place(run, arm, seed).name) == Place(run, arm, seed)


@pytest.mark.parametrize(
    "name",
    [
        "evaluation-1-2",
        "evaluation-01-2-3",
        "recycling-dn14-x7",
        "evaluation-1-2-3-4",
        "evaluation-1-2-٣",
        "",
    ],
)
def test_another_name_is_none(name: str) -> None:
    assert place_of(name) is None
