"""The list of episodes: what each row says, and what comes first."""

import pytest
from msgspec.structs import replace

from backend.domain.execution.budgets import Budgets
from backend.usecases.reading import EpisodeSummary
from backend.web.builders.episodes import episode_list, episode_row
from backend.web.builders.listed import Listed
from backend.web.pages.chrome import User
from tests.support.drill import NOW_S
from tests.web.builders.test_card import APPROVED, HELD, PLANNED, REPAIRED_TWICE, SEEN, drilled
from tests.web.moments import ADA, BOB, WATCHER


def summary(**more: object) -> EpisodeSummary:
    made = EpisodeSummary(
        episode="e1",
        ordered_by="ada",
        ordered_utc="2027-01-15T08:00:00Z",
        request={"mission": {"name": "drill"}},
        held_by="runner",
        address="",
        seq=9,
        updated_utc="2027-01-15T08:00:00Z",
        title="Drill",
        robot="rover",
        total=3,
        steps=39,
    )
    return replace(made, **more)


def listed(*moves: tuple[str, int], **more: object) -> Listed:
    state = drilled(*moves).state
    rank = (
        2 if moves in (PLANNED, REPAIRED_TWICE) else 1 if moves[:4] == HELD[:4] and moves != APPROVED else 0
    )
    return Listed(
        summary=summary(**{"need_rank": rank, **more}), state=state, budgets=Budgets(steps=100, tokens=None)
    )


ROWS = {
    "planning": (listed(*SEEN), "run", "Running", "Planning", "Watch", "ready"),
    "waits for approval": (
        listed(*PLANNED),
        "need",
        "Awaiting approval",
        "Approve plan 1 for bottle_1, 4 steps",
        "Review plan",
        "ready",
    ),
    "executing": (listed(*APPROVED), "run", "Running", "navigate bottle_1", "Watch", "ready"),
    "no valid plan": (
        listed(*REPAIRED_TWICE),
        "need",
        "Needs help",
        "The planner's plan broke the rules twice.",
        "Open",
        "ready",
    ),
    "asked to stop": (
        listed(*HELD),
        "need",
        "Held",
        "Release or abort. Held by ada: ok",
        "Release…",
        "stopping",
    ),
    "held": (
        listed(*HELD, ("standstill", 0)),
        "need",
        "Held",
        "Release or abort. Held by ada: ok",
        "Release…",
        "held",
    ),
    "nobody runs it": (
        listed(*APPROVED, held_by="", need_rank=3),
        "need",
        "No runner",
        "No runner holds it. The robot is stopped; a runner is started again",
        "Open",
        "ready",
    ),
    "ordered": (
        Listed(summary=summary(seq=0, title="", robot="", held_by="")),
        "run",
        "Ordered",
        "Ordered by ada 10 s ago, its runner is starting",
        "Open",
        "none",
    ),
    "complete": (
        Listed(summary=summary(outcome="completed", message="All 3 delivered", met_s=62.0)),
        "ended",
        "Complete",
        "All 3 delivered in 00:01:02",
        "Replay",
        "none",
    ),
    "failed": (
        Listed(summary=summary(outcome="failed", message="the bridge is gone")),
        "ended",
        "Failed",
        "The bridge is gone in 00:00:00",
        "Replay",
        "none",
    ),
}


@pytest.mark.parametrize(("each", "group", "state", "what", "action", "hold"), ROWS.values(), ids=ROWS)
def test_row(each: Listed, group: str, state: str, what: str, action: str, hold: str) -> None:
    row = episode_row(each, ADA, NOW_S + 10)
    assert (row.group, row.state, row.what, row.action, row.hold) == (group, state, what, action, hold)


@pytest.mark.parametrize(
    ("budgets", "share", "is_low"),
    [
        (Budgets(steps=100, decisions=None, tokens=None), 0.39, False),
        (Budgets(steps=40, decisions=None, tokens=None), 0.975, True),
        (Budgets(steps=None, decisions=None, tokens=None), 0.0, False),
        (Budgets(steps=100, decisions=1, tokens=None), 0.39, False),
    ],
    ids=["enough left", "nearly used up", "unbounded", "the nearest counts"],
)
def test_budget(budgets: Budgets, share: float, is_low: bool) -> None:
    row = episode_row(replace(listed(*SEEN), budgets=budgets), ADA, NOW_S)
    assert (row.budget_share, row.budget_is_low) == (share, is_low)


@pytest.mark.parametrize(
    ("user", "says"), [(ADA, "You"), (BOB, "ada"), (WATCHER, "ada")], ids=["mine", "another's", "a viewer"]
)
def test_conn(user: User, says: str) -> None:
    assert episode_row(listed(*SEEN, ("take", 0)), user, NOW_S + 10).conn == says
    assert episode_row(listed(*SEEN, ("take", 0)), user, NOW_S + 100).conn == "Nobody"


@pytest.mark.parametrize(
    ("age_s", "link", "is_stale"),
    [(None, "Runner up", False), (0.2, "0.2 s", False), (18.0, "Robot 18 s", True)],
)
def test_link(age_s: float | None, link: str, is_stale: bool) -> None:
    row = episode_row(replace(listed(*SEEN), robot_age_s=age_s), ADA, NOW_S)
    assert (row.link, row.link_is_stale) == (link, is_stale)


def test_what_lapses_within_half_a_minute_comes_first_then_what_is_most_severe() -> None:
    def waiting(episode: str, expires_s: float | None) -> Listed:
        each = listed(*PLANNED, episode=episode)
        assert each.state is not None
        assert each.state.approval is not None
        approval = replace(each.state.approval, expires_s=expires_s)
        return replace(each, state=replace(each.state, approval=approval))

    each = [
        listed(*HELD, episode="held"),
        waiting("patient", None),
        waiting("later", NOW_S + 90),
        waiting("soon", NOW_S + 9),
    ]
    made = episode_list(each, ADA, NOW_S, query="", show="all", ended_total=0)
    assert [row.episode for row in made.groups[0].rows] == ["soon", "held", "later", "patient"]
    assert made.summary == "4 need a person."


@pytest.mark.parametrize(
    ("each", "says"),
    [
        ([], "None yet."),
        ([listed(*SEEN)], "Nobody is asked. 1 runs by itself."),
        ([listed(*PLANNED), listed(*SEEN), listed(*SEEN)], "1 needs a person. 2 run by themselves."),
        ([Listed(summary=summary(outcome="completed"))], "Nothing runs."),
    ],
    ids=["none", "one runs", "one asks", "all ended"],
)
def test_summary(each: list[Listed], says: str) -> None:
    assert episode_list(each, ADA, NOW_S, query="", show="all", ended_total=1).summary == says


def test_a_viewer_is_offered_no_way_to_start_one() -> None:
    groups = {
        group.name: group
        for group in episode_list([], WATCHER, NOW_S, query="", show="all", ended_total=0).groups
    }
    assert groups["run"].empty is not None
    assert groups["run"].empty.way is None
