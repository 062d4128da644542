"""The timeline, gathered event by event; the map, drawn from the state."""

import itertools

import pytest
from msgspec.structs import replace

from backend.domain.episode.evolve import evolve
from backend.domain.geometry import Metric
from backend.domain.mission.site import GridMap, Region, Site
from backend.web.builders.ground import ground_of
from backend.web.builders.map import joined
from backend.web.builders.readings import told
from backend.web.builders.timeline import BINS, Gathered, timeline_view
from backend.web.pages.map import Point, Rect
from backend.web.pages.timeline import Tick
from tests.support.drill import CYCLE, Drill, whole
from tests.web.builders.test_card import APPROVED, HELD, PLANNED, SEEN, drilled
from tests.web.moments import ADA, Screen


def gathered(drill: Drill) -> Gathered:
    made, state = Gathered(), None
    for recorded in drill.events:
        state = evolve(state, recorded)
        made.add(recorded, state)
    return made


def test_marks_are_what_is_worth_a_shape() -> None:
    drill = drilled(*SEEN, *CYCLE, ("reply", 0), ("reject", 2))
    marks = gathered(drill).data().marks
    assert [(mark.kind, mark.label) for mark in marks] == [
        ("plan", "Plan 1"),
        ("operator", "Approved by ada"),
        ("delivery", "Delivered bottle_1"),
        ("plan", "Plan 2"),
        ("rejected", "Rejected by ada"),
        ("operator", "Guidance by ada"),
    ]


def test_a_replan_says_what_changed() -> None:
    marks = gathered(drilled(*PLANNED, ("evidence", 21), ("reply", 0))).data().marks
    assert [(mark.kind, mark.label) for mark in marks] == [
        ("plan", "Plan 1"),
        ("replan", "Replan: bottle_1 pose"),
    ]


def test_a_failure_and_a_hold_have_marks() -> None:
    kinds = [mark.kind for mark in gathered(drilled(*APPROVED, ("outcome", 3), ("hold", 0))).data().marks]
    assert kinds == ["plan", "operator", "failure", "hold"]


def test_a_policy_s_approval_is_no_operator_s_act() -> None:
    kinds = [mark.kind for mark in gathered(drilled(*PLANNED, ("outcome", 0), mode="auto")).data().marks]
    assert "operator" not in kinds


def test_a_replay_plays_by_the_last_event_of_each_moment() -> None:
    drill = whole()
    ticks = gathered(drill).data().ticks
    assert ticks[-1] == Tick(drill.events[-1].met_s, drill.events[-1].seq)
    assert len({tick.met_s for tick in ticks}) == len(ticks)
    assert [tick.seq for tick in ticks] == sorted(tick.seq for tick in ticks)
    for tick in ticks:
        at = [each.seq for each in drill.events if each.met_s <= tick.met_s]
        assert tick.seq == at[-1]


@pytest.mark.parametrize(
    ("places", "way"),
    [
        ([(0, 0), (0, 0), (1, 0)], [(0, 0), (1, 0)]),
        ([(0, 0), (2, 3)], [(0, 0), (2, 0), (2, 3)]),
        ([(0, 0), (0, 2), (3, 4)], [(0, 0), (0, 2), (0, 4), (3, 4)]),
        ([(0, 0), (2, 0), (3, 4)], [(0, 0), (2, 0), (3, 0), (3, 4)]),
        ([], []),
    ],
    ids=["repeats", "a first corner", "straight on along y", "straight on along x", "none"],
)
def test_a_trail_on_a_grid_goes_round_corners(
    places: list[tuple[int, int]], way: list[tuple[int, int]]
) -> None:
    made = joined([Point(x, y) for x, y in places], turns_square=True)
    assert [(point.x_m, point.y_m) for point in made] == way


def test_a_trail_elsewhere_goes_straight() -> None:
    assert joined([Point(0, 0), Point(2, 3)], turns_square=False) == (Point(0, 0), Point(2, 3))


def test_phases_follow_one_another_without_a_gap() -> None:
    phases = gathered(whole()).data().phases
    assert all(one.end_s == next_.start_s for one, next_ in itertools.pairwise(phases))
    assert {phase.kind for phase in phases} >= {"planning", "waiting", "executing", "held"}


def test_only_the_newest_question_is_being_asked_now() -> None:
    kinds = [phase.kind for phase in gathered(drilled(*PLANNED, ("reject", 2), ("reply", 0))).data().phases]
    assert kinds.count("asking") <= 1
    assert kinds[-1] == "asking"


def test_bins_count_evidence_and_lead_to_its_events() -> None:
    drill = whole()
    data = gathered(drill).data()
    seen = [each for each in drill.events if type(each.event).__name__ == "EvidenceJudged"]
    assert sum(each.evidence for each in data.bins) == len(seen)
    assert [each.seq for each in data.bins] == sorted(each.seq for each in data.bins)
    assert len(data.bins) <= BINS


@pytest.mark.parametrize("head_s", [0.0, 59.0, 61.0, 872.0, 86_400.0, 10_000_000.0])
def test_the_axis_ends_beyond_the_newest_event(head_s: float) -> None:
    drill = drilled()
    drill.met_s = head_s
    drill.move("evidence", 0)
    data = gathered(drill).data()
    assert data.span_s >= data.head_met_s
    assert len(data.bins) <= BINS + 1


def test_neighbours_of_a_moment() -> None:
    desk = Screen(drilled(*APPROVED)).desk
    first = timeline_view(desk.moment("drill", ADA, at=1))
    live = timeline_view(desk.moment("drill", ADA))
    assert (first.back, first.forward, first.may_abort) == (None, 2, False)
    assert (live.back, live.forward, live.may_abort) == (live.head - 1, None, True)


def test_a_map_shows_entities_by_shape_and_hides_what_is_held() -> None:
    data = Screen(drilled(*APPROVED, ("outcome", 0), ("outcome", 0))).map()
    marks = {entity.id: entity for entity in data.entities}
    assert (marks["bottle_1"].shape, marks["bottle_1"].place) == ("grasped", None)
    assert (marks["can_1"].shape, marks["can_1"].in_k) == ("observed", True)
    assert (data.unit, data.unit_m) == ("m", 1.0)


def test_an_entity_that_moved_is_drawn_with_where_it_was() -> None:
    data = Screen(drilled(*PLANNED, ("evidence", 21), ("reply", 0))).map()
    [mark] = [entity for entity in data.entities if entity.id == "bottle_1"]
    assert (mark.was, mark.moved) == (Point(0.0, 0.0), "moved 3.00 m")


def test_a_route_leads_from_place_to_place_and_asks_while_it_waits() -> None:
    route = Screen(drilled(*PLANNED)).map().route
    assert [(waypoint.place, waypoint.label) for waypoint in route.waypoints] == [
        (Point(0.0, 0.0), "1–2"),
        (Point(0.0, 7.0), "3–4"),
    ]
    assert route.legs[0] == (Point(1.0, 1.0), Point(0.0, 1.0), Point(0.0, 0.0))
    assert route.asks
    assert not Screen(drilled(*APPROVED)).map().route.asks
    assert Screen(drilled(*SEEN)).map().route is None


def test_a_replay_shows_the_map_of_its_moment() -> None:
    drill = drilled(*PLANNED)
    known, before = drill.state.site.map, len(drill.events)
    drill.tick(map=replace(known, occupied=(*known.occupied, (5, 1))))
    screen = Screen(drill)

    then, now = screen.map(at=before), screen.map()
    assert len(drill.events) == before + 1
    assert Screen(drill, head=before).map().ground == then.ground
    assert len(now.ground.walls) == len(then.ground.walls) + 1
    assert now.ground.revision != then.ground.revision


def test_stations_count_what_was_delivered() -> None:
    stations = {each.id: each for each in Screen(drilled(*SEEN, *CYCLE)).map().stations}
    assert stations["station_west"].delivered == ("bottle_1",)
    assert stations["station_east"].label == "East"


def test_a_stopped_robot_stays_where_standstill_was_measured() -> None:
    [robot] = Screen(drilled(*HELD, ("standstill", 0))).map().robots
    assert robot.place == Point(2.0, 2.0)


def grid(*occupied: tuple[int, int], width: int = 4, height: int = 3) -> Site:
    return Site(
        name="yard",
        map=GridMap(width=width, height=height, cell_m=0.5, occupied=occupied),
        metric=Metric(),
        stations=(),
        regions=(Region(name="aisle", polygon_m=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), restricted=True),),
    )


@pytest.mark.parametrize(
    ("occupied", "walls"),
    [
        ((), ()),
        (((1, 1),), (Rect(0.25, 0.25, 0.5, 0.5),)),
        (((0, 0), (1, 0), (0, 1), (1, 1)), (Rect(-0.25, -0.25, 1.0, 1.0),)),
        (((0, 0), (1, 0), (3, 0)), (Rect(-0.25, -0.25, 1.0, 0.5), Rect(1.25, -0.25, 0.5, 0.5))),
        (((0, 0), (0, 1), (1, 1)), (Rect(-0.25, -0.25, 0.5, 0.5), Rect(-0.25, 0.25, 1.0, 0.5))),
    ],
    ids=["none", "one", "a block", "a gap", "a step"],
)
def test_walls_are_few_rectangles(occupied: tuple[tuple[int, int], ...], walls: tuple[Rect, ...]) -> None:
    ground = ground_of(grid(*occupied))
    assert ground.walls == walls
    assert ground.bounds == Rect(-0.25, -0.25, 2.0, 1.5)
    assert ground.regions[0].is_restricted


def test_another_site_is_another_ground() -> None:
    assert ground_of(grid((1, 1))).revision != ground_of(grid((2, 1))).revision


@pytest.mark.parametrize(
    ("body", "readings"),
    [
        ({"x_m": 3.3, "y_m": 5.6, "speed_m_s": 0.5}, {"pose": "3.30, 5.60 m", "speed": "0.50 m/s"}),
        ({"held": None, "battery": 0.71}, {"gripper": "Empty", "battery": "71 %"}),
        ({"held": None, "gripper_open": None}, {}),
        ({"held": "can_07", "yaw_rad": -0.1}, {"gripper": "Holds can_07", "heading": "354°"}),
        ({"x_m": float("nan"), "y_m": 1.0, "speed_m_s": None, "battery": True}, {}),
        ({}, {}),
    ],
    ids=["pose and speed", "empty gripper", "no gripper that tells", "held", "nonsense", "nothing"],
)
def test_telemetry_is_told_as_far_as_it_was_measured(
    body: dict[str, object], readings: dict[str, str]
) -> None:
    assert told(body) == readings


def test_cells_that_nobody_has_looked_at_are_neither_free_nor_walls() -> None:
    site = replace(grid((0, 0)), map=replace(grid((0, 0)).map, unknown=((2, 1), (2, 2))))
    ground = ground_of(site)

    def covers(rects: tuple[Rect, ...], i: int, j: int) -> bool:
        x_m, y_m = 0.5 * i, 0.5 * j
        return any(r.x_m < x_m < r.x_m + r.width_m and r.y_m < y_m < r.y_m + r.height_m for r in rects)

    assert not covers(ground.free, 2, 1)
    assert not covers(ground.free, 2, 2)
    assert covers(ground.free, 1, 1)
    assert covers(ground.walls, 0, 0)


def test_a_map_that_reaches_below_the_origin_is_drawn_where_it_lies() -> None:
    below = replace(grid().map, first=(-3, -2), occupied=((-3, -2), (-2, -2), (0, 0)), unknown=((-3, 0),))
    ground = ground_of(replace(grid(), map=below))

    assert ground.bounds == Rect(-1.75, -1.25, 2.0, 1.5)
    assert ground.walls == (Rect(-1.75, -1.25, 1.0, 0.5), Rect(-0.25, -0.25, 0.5, 0.5))
    assert Rect(-1.75, -1.25, 2.0, 1.0) in ground.free
