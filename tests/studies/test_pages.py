"""What the evaluation's pages are told, in each state that a run can be in."""

from __future__ import annotations

import shlex

import pytest
from msgspec.structs import replace

from backend.domain.annotations.annotation import Annotation
from backend.domain.memory.configuration import AttentionSettings
from backend.evaluation.ablations import ABLATIONS, ablation
from backend.evaluation.arms import arm
from backend.evaluation.bare import play
from backend.evaluation.choices import ablation_study, command_of, memory_study
from backend.evaluation.live_arms import live_arm
from backend.rig import grid_rig
from backend.studies.cells import PAGE
from backend.studies.runs import FIRST, SILENT_S
from backend.usecases.recordings import Recording, Trajectory
from backend.usecases.results import EpisodeResult, Study
from backend.web.errors import Malformed, NotThere
from backend.web.pages.evaluation import RunPage, Section, Table
from tests.studies.stand import CHROME, MARA, STARTED_S, Stand

SMALL = memory_study("dn-14,s-6", "static,unfiltered,attention", 0, 3)


@pytest.fixture(scope="module")
def stand() -> Stand:
    return Stand()


@pytest.fixture(scope="module")
def run(stand: Stand) -> int:
    return stand.played(SMALL).id


def section(page: RunPage, id: str) -> Section:
    return next(part for part in page.sections if part.id == id)


def table(of: Section) -> Table:
    assert of.table is not None
    return of.table


def test_nothing_measured_yet_says_the_very_command() -> None:
    runs = Stand().desk.runs()

    assert (runs.rows, runs.live, runs.command) == ((), True, FIRST)
    assert runs.empty is not None


@pytest.mark.parametrize(
    ("later_s", "state", "has_command"),
    [(0.0, "running", False), (SILENT_S - 1, "running", False), (SILENT_S + 60, "still", True)],
)
def test_a_run_that_goes_on_and_one_that_stands_still(later_s: float, state: str, has_command: bool) -> None:
    stand = Stand()
    run = stand.played(SMALL, of=1)
    stand.now_s = STARTED_S + later_s

    [row] = stand.desk.runs().rows
    progress = stand.desk.progress(run.id, MARA)
    page = stand.desk.report(CHROME, run.id, None)

    assert (row.state, row.done, row.by) == (state, "6 of 18", "mara")
    assert progress is not None
    assert (bool(progress.command), progress.share) == (has_command, 6 / 18)
    assert page.progress == progress
    assert len(table(section(page, "cells")).rows) == 6, "what is there is shown meanwhile"


def test_what_was_interrupted_under_another_version_is_no_use_to_this_one() -> None:
    stand = Stand()
    run = stand.played(SMALL, version="0.9", of=1)
    stand.now_s += SILENT_S + 1

    progress = stand.desk.progress(run.id, MARA)

    assert progress is not None
    assert "only that one goes on with it" in progress.text
    assert "--fresh" in progress.text


def test_a_run_that_has_only_begun_has_no_figures() -> None:
    stand = Stand()
    run = stand.played(SMALL, of=0)

    page = stand.desk.report(CHROME, run.id, None)

    assert (page.sections, page.empty is not None, page.progress is not None) == ((), True, True)
    assert stand.desk.cell(CHROME, run.id, 0, 0).empty is not None


def test_a_run_of_another_version_says_so_and_shows_its_figures() -> None:
    stand = Stand()
    page = stand.desk.report(CHROME, stand.played(SMALL, version="0.9").id, None)

    assert [notice.title for notice in page.notices] == ["Measured by version 0.9; this is 1.0."]
    assert page.sections


def test_a_run_that_cannot_be_read_says_why_and_which_version_can(stand: Stand) -> None:
    run = stand.unreadable("Object missing required field `sky`")

    page = stand.desk.report(CHROME, run.id, None)

    assert "`sky`" in page.notices[0].text
    assert "version 9.0" in page.notices[0].text.lower()
    assert (page.sections, page.empty) == ((), None)
    with pytest.raises(NotThere, match="cannot read"):
        stand.desk.export(run.id, True)


def test_table_one_has_a_row_a_cell_which_opens_its_episodes(stand: Stand, run: int) -> None:
    rows = table(section(stand.desk.report(CHROME, run, None), "cells")).rows

    assert [(row.group, row.values[0].text) for row in rows] == [
        (each.scenario.upper(), each.method) for each in SMALL.arms
    ]
    assert [row.values[0].href for row in rows] == [f"/evaluation/{run}/cells/{arm}" for arm in range(6)]


def test_what_is_not_met_is_flagged_with_its_reason(stand: Stand, run: int) -> None:
    cells = section(stand.desk.report(CHROME, run, None), "cells")

    short = [value.printed for row in table(cells).rows for value in row.values if value.is_short]
    assert [printed.partition(", here")[0] for printed in short] == [
        "paper 201.3", "paper 2,212",
    ], "the interval of three seeds of unfiltered holds its 209.7"  # fmt: skip
    assert len(cells.notes) == 2
    assert all(note.startswith("Not met:") for note in cells.notes)


def test_every_picture_has_a_table_or_says_where_its_figures_are(stand: Stand, run: int) -> None:
    page = stand.desk.report(CHROME, run, None)

    assert [part.id for part in page.sections] == ["cells", "methods", "differences", "seeds", "replans"]
    for part in page.sections:
        assert not part.charts or part.table is not None or "same figures" in part.notes[0]
        assert all(chart.svg.startswith("<svg") for chart in part.charts)


def test_differences_are_told_of_the_method_asked_for(stand: Stand, run: int) -> None:
    page = stand.desk.report(CHROME, run, "static")

    rows = table(section(page, "differences")).rows
    assert {row.values[0].text for row in rows} == {"− unfiltered", "− attention"}
    assert [choice.value for choice in page.compared if choice.chosen] == ["static"]
    with pytest.raises(Malformed, match="telepathy"):
        stand.desk.report(CHROME, run, "telepathy")


def test_only_runs_that_share_a_cell_and_a_seed_are_offered_to_compare() -> None:
    stand = Stand()
    shown = stand.played(SMALL).id
    sharing = stand.played(memory_study("s-6", "attention", 2, 4)).id
    stand.played(memory_study("d-10", "attention", 0, 3), of=1)
    stand.played(memory_study("s-6", "attention", 3, 4), of=1)
    stand.played(memory_study("s-6", "attention", 2, 4), of=0, version="0.9")

    offered = stand.desk.report(CHROME, shown, None).others

    assert [choice.value for choice in offered] == [str(sharing)]


def result(seed: int, success: bool) -> EpisodeResult:
    return EpisodeResult(
        arm=0, seed=seed, success=success, outcome="completed" if success else "budget", steps=100 + seed,
        context=9, planner_calls=1, stale_visits=0, delivered=6, path_m=1.0,
    )  # fmt: skip


def test_a_cell_lists_failures_first_then_by_seed_page_by_page() -> None:
    stand = Stand()
    study = Study(
        kind="memory", name="s-6: attention", arms=(arm("s-6", "attention"),), first_seed=0, seeds=130
    )
    run = stand.stored(study, [result(seed, seed % 50 != 49) for seed in range(130)])

    first, second, third = (stand.desk.cell(CHROME, run.id, 0, page) for page in range(3))

    assert first.table is not None
    assert second.table is not None
    seeds = [row.values[0].text for row in (*first.table.rows, *second.table.rows)]
    assert seeds == ["49", "99", *[str(seed) for seed in range(130) if seed % 50 != 49]]
    assert (len(first.table.rows), first.before, second.after) == (PAGE, None, None)
    assert first.after is not None
    assert second.before is not None
    assert first.table.rows[0].values[0].href == f"/episodes/evaluation-{run.id}-0-49"
    assert first.table.rows[0].values[1].is_odd
    assert third.empty is not None


@pytest.mark.parametrize(
    "asked",
    [
        lambda desk: desk.report(CHROME, 999, None),
        lambda desk: desk.progress(999, MARA),
        lambda desk: desk.cell(CHROME, 999, 0, 0),
        lambda desk: desk.export(999, True),
        lambda desk: desk.compare(CHROME, 1, 999),
        lambda desk: desk.cell(CHROME, 1, 99, 0),
        lambda desk: desk.paths(CHROME, 1, 99, 0),
        lambda desk: desk.paths(CHROME, 1, 0, 77),
    ],
    ids=["report", "progress", "cell of it", "export", "compare", "cell", "ways of a cell", "seed"],
)
def test_what_there_is_none_of_is_not_there(stand: Stand, run: int, asked: object) -> None:
    with pytest.raises(NotThere):
        asked(stand.desk)  # type: ignore[operator]


def test_ways_of_one_seed_stand_side_by_side(stand: Stand, run: int) -> None:
    page = stand.desk.paths(CHROME, run, 2, 1)

    assert [row.values[0].text for row in page.table.rows] == ["static", "unfiltered", "attention"]
    assert [row.values[0].href for row in page.table.rows] == [
        f"/episodes/evaluation-{run}-{arm}-1" for arm in range(3)
    ]
    assert len(page.charts) == 3
    assert page.notices == ()
    assert [link.label for link in page.seeds] == ["0", "1", "2"]


def test_a_way_that_is_another_than_the_measured_one_says_so() -> None:
    stand = Stand()
    study = Study(
        kind="memory", name="s-6: attention", arms=(arm("s-6", "attention"),), first_seed=0, seeds=1
    )
    run = stand.stored(study, [replace(play(study.arms[0], 0, grid_rig), steps=3)], version="0.9")

    [notice] = stand.desk.paths(CHROME, run.id, 0, 0).notices

    assert "steps 5" in notice.text or "stored 3" in notice.text


def test_an_ablation_s_page_has_its_curves_and_every_arm() -> None:
    stand = Stand()
    run = stand.played(ablation_study(ablation("k"), 0, 1))

    page = stand.desk.report(CHROME, run.id, None)

    assert page.head.lead == ablation("k").question
    assert len(section(page, "curves").charts) == 4
    assert len(table(section(page, "cells")).rows) == len(ablation("k").arms)


def test_an_ablation_whose_arms_are_others_now_has_a_table_alone() -> None:
    stand = Stand()
    study = ablation_study(ablation("k"), 0, 1)
    run = stand.played(replace(study, arms=study.arms[:2]))

    page = stand.desk.report(CHROME, run.id, None)

    assert [part.id for part in page.sections] == ["cells"]
    assert "no axis" in page.sections[0].note


def test_two_runs_differ_in_what_differs() -> None:
    stand = Stand()
    study = memory_study("s-6", "static,attention", 0, 2)
    narrow = replace(study.arms[1].memory, attention=AttentionSettings(k=2))
    other = replace(study, arms=(study.arms[0], replace(study.arms[1], memory=narrow)), seeds=3)
    first, second = stand.played(study), stand.played(other, version="2.0")

    page = stand.desk.compare(CHROME, first.id, second.id)

    assert page.differing == (
        ("Version", "1.0", "2.0"),
        ("Seeds", "0 to 1", "0 to 2"),
        ("S-6, attention: memory.attention.k", "8", "2"),
    )
    [cells] = page.sections
    assert [row.values[0].text for row in table(cells).rows] == ["static", "attention"]
    assert table(cells).rows[0].values[1].text == "0.0"
    assert table(cells).rows[0].values[0].interval == "2 pairs"


def test_two_runs_without_a_common_cell_say_so(stand: Stand, run: int) -> None:
    other = stand.played(memory_study("live-6", "static", 0, 1))

    page = stand.desk.compare(CHROME, run, other.id)

    assert page.sections == ()
    assert page.empty is not None


@pytest.mark.parametrize(
    "study",
    [memory_study("all", "all", 0, 100), SMALL, memory_study("dn-14", "attention", 7, 3)],
    ids=lambda study: study.name,
)
def test_the_command_of_a_study_is_that_study_again(study: Study) -> None:
    words = shlex.split(command_of(study))
    options = dict(zip(words[3::2], words[4::2], strict=True))

    assert words[:3] == ["quarterdeck", "evaluate", "memory"]
    first = int(options.get("--first-seed", 0))
    assert memory_study(options["--scenario"], options["--method"], first, int(options["--seeds"])) == study


@pytest.mark.parametrize("name", ABLATIONS)
def test_the_command_of_an_ablation_names_it(name: str) -> None:
    assert (
        command_of(ablation_study(ablation(name), 0, 4)) == f"quarterdeck evaluate ablation {name} --seeds 4"
    )


def test_a_live_model_s_page_has_what_the_provider_counted_and_each_seed_s_ways() -> None:
    stand = Stand()
    arms = tuple([live_arm(method, "openai", {"model": "m"}) for method in ("unfiltered", "attention")])
    study = Study(kind="planner", name="live-6: by m", arms=arms, first_seed=4, seeds=2)
    tokens = {"deliveries": 6.0, "input_tokens": 2900.0, "latency_s": 2.1}
    rows = [
        replace(result(seed, True), arm=index, extra={**tokens, "input_tokens": 2900.0 - 400 * index})
        for index in (0, 1)
        for seed in (4, 5)
    ]
    run = stand.stored(study, rows)

    page = stand.desk.report(CHROME, run.id, None)

    assert ("Kind", "Live model") in page.head.facts
    cells = section(page, "cells")
    labels = [column.label for column in table(cells).columns]
    assert labels[:5] == ["Memory", "Success, %", "Deliveries", "Input tokens", "Latency, s"]
    assert table(cells).rows[1].values[3].text == "2,500"
    assert table(cells).rows[1].values[3].printed == "paper 2,553, here −2.1 %"
    assert [chart.name for chart in cells.charts] == ["input_tokens", "latency_s"], "what was measured"
    [change] = [
        row for row in table(section(page, "differences")).rows if row.values[0].text == "Input tokens"
    ]
    assert change.values[1].text == "−400, −13.8 %"
    assert [link.href for link in section(page, "ways").links] == [
        f"/evaluation/{run.id}/cells/0/paths?seed={seed}" for seed in (4, 5)
    ]


def test_a_live_study_that_asked_no_model_is_called_by_what_planned() -> None:
    stand = Stand()
    arms = (live_arm("attention", "policy", {}),)
    study = Study(kind="planner", name="live-6: by policy", arms=arms, first_seed=4, seeds=1)
    run = stand.stored(study, [replace(result(4, True), extra={"query_size": 2_700.0})])

    page = stand.desk.report(CHROME, run.id, None)

    assert [row.kind for row in stand.desk.runs().rows] == ["Policy, live-6"]
    assert ("Kind", "Policy, live-6") in page.head.facts
    assert page.head.lead.startswith("The policy plans under each memory.")
    assert "no model was asked" in section(page, "cells").notes[-1]
    measured = [column.label for column in table(section(page, "rest")).columns]
    assert measured[:3] == ["Memory", "≈ Text of the query", "Steps"]


def test_a_cell_tells_what_people_labelled_its_episodes_with() -> None:
    """Those whose journal is kept; each annotation counts once, and what is no label is none."""
    stand = Stand()
    arms = (live_arm("attention", "openai", {"model": "m"}),)
    study = Study(kind="planner", name="live-6: by m", arms=arms, first_seed=4, seeds=2)
    run = stand.stored(study, [replace(result(seed, seed == 4), extra={}) for seed in (4, 5)])
    stand.recordings.kept[run.id] = [recording(seed) for seed in (4, 5)]
    stand.annotations["live-5"] = [
        annotation("live-5", "stale-target", "near-miss"),
        annotation("live-5", "stall", "outcome-failure"),
    ]

    page = stand.desk.cell(CHROME, run.id, 0, 0)

    assert page.labels == "People labelled 1 of 2: stale target 1, stall 1, failure 1."
    assert page.table is not None
    place = [column.label for column in page.table.columns].index("Labels")
    told = {row.values[0].text: row.values[place].text for row in page.table.rows}
    assert told == {"5": "stale target, stall, failure", "4": "–"}


def test_a_cell_that_nobody_labelled_says_nothing_of_labels() -> None:
    stand = Stand()
    arms = (live_arm("attention", "openai", {"model": "m"}),)
    study = Study(kind="planner", name="live-6: by m", arms=arms, first_seed=4, seeds=1)
    run = stand.stored(study, [replace(result(4, True), extra={})])

    page = stand.desk.cell(CHROME, run.id, 0, 0)

    assert page.labels == ""
    assert page.table is not None
    assert "Labels" not in [column.label for column in page.table.columns]


def recording(seed: int) -> Recording:
    way = Trajectory(width=6, height=6, stations={}, starts={}, classes={}, cells=((0, 0),))
    return Recording(arm=0, seed=seed, episode=f"live-{seed}", content="c", trajectory=way)


def annotation(episode: str, *tags: str) -> Annotation:
    return Annotation(
        id=tags[0], version=1, episode=episode, seq=9, text="said", author="ada", editor="ada", utc="",
        tags=tags,
    )  # fmt: skip
