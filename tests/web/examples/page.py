"""The episode console as a page, the map's shell, and the data its islands draw: a lab and a grid world."""

import json
from pathlib import Path

import msgspec

from backend.web.pages.episode import EpisodePage
from backend.web.pages.map import (
    Card,
    CardRow,
    Ground,
    Layer,
    MapData,
    MapEntity,
    MapRegion,
    MapRobot,
    MapShell,
    MapStation,
    Point,
    Reading,
    Rect,
    Route,
    Waypoint,
)
from backend.web.pages.timeline import Bin, PhaseKind, PhaseSpan, Tick, TimelineData, TimelineMark
from backend.web.pages.view import View
from tests.web.examples import cards, evidence, frame, hindsight, memory

SHELL = MapShell(
    episode="0417",
    at=None,
    seq=frame.HEAD,
    note="Lab B, 0.05 m grid",
    frame="map",
    layers=(
        Layer(name="regions", label="Regions"),
        Layer(name="trail", label="Trail"),
        Layer(name="route", label="Route"),
        Layer(name="doubt", label="Doubt"),
        Layer(name="watch", label="Watched"),
        Layer(name="names", label="Names"),
    ),
    quiet="The drone no longer reports, so what it saw grows old.",
    k=8,
    robot="JetRover",
    robot_key="jetrover",
    readings=(
        Reading(key="doing", label="Doing", text="Standing by since 00:14:20"),
        Reading(key="pose", label="Pose", text="3.30, 5.60 m"),
        Reading(key="heading", label="Heading", text="042°"),
        Reading(key="speed", label="Speed", text="0.00 m/s"),
        Reading(key="gripper", label="Gripper", text="Open, 92 mm"),
        Reading(key="battery", label="Battery", text="71 %"),
    ),
)
LIVE = EpisodePage(
    chrome=frame.CHROME,
    episode="0417",
    head=frame.HEAD,
    replay=None,
    bar=frame.AWAITING,
    map=SHELL,
    plan=cards.AWAITING,
    evidence=evidence.OPEN["memory"],
    timeline=frame.LIVE_TIMELINE,
)
REPLAYED = EpisodePage(
    chrome=msgspec.structs.replace(frame.CHROME, title="Episode 0417, replayed"),
    episode="0417",
    head=frame.HEAD,
    replay=frame.REPLAY,
    bar=frame.REPLAYED,
    map=msgspec.structs.replace(SHELL, at=1287, seq=1287),
    plan=cards.REPLAYED,
    evidence=msgspec.structs.replace(evidence.OPEN["memory"], at=1287),
    timeline=frame.TIMELINES["timeline/replayed"],
)

EXAMPLES: dict[str, View] = {
    "map": SHELL,
    "map/stale, no K": msgspec.structs.replace(SHELL, k=0, stale="18 s old"),
    "episode/live": LIVE,
    "episode/replayed": REPLAYED,
}

# The console in other states: put together from parts that are examples themselves.
COMPOSED: dict[str, View] = {
    "episode/replayed, known now": msgspec.structs.replace(REPLAYED, evidence=hindsight.OPEN),
    **{
        f"episode/live, {name}": msgspec.structs.replace(LIVE, evidence=memory.OPEN[name])
        for name in ("memory/a correction to confirm", "memory/what if", "memory/scores", "memory/adding")
    },
    **{
        f"episode/live, {name}": msgspec.structs.replace(LIVE, evidence=panel)
        for name, panel in evidence.OPEN.items()
        if name != "memory"
    },
    **{
        f"episode/live, {name}": msgspec.structs.replace(
            LIVE, evidence=msgspec.structs.replace(evidence.OPEN[tab], panel=evidence.EXAMPLES[name])
        )
        for tab, name in (
            ("context", "context/as sent, with images"),
            ("exchange", "exchange/a plan with findings"),
            ("frames", "frames/one in full"),
            ("frames", "frames/what if, mistyped"),
            ("log", "log/as the planner sees it"),
            ("audit", "audit/filtered"),
        )
    },
    **{
        f"episode/{name.removeprefix('plan/')}": msgspec.structs.replace(LIVE, plan=card, bar=bar)
        for name, bar in (
            ("plan/executing", frame.EXECUTING),
            ("plan/planning", frame.PLANNING),
            ("plan/held", frame.HELD),
            ("plan/invalid", frame.LOST),
            ("plan/compose", frame.PLANNING),
            ("plan/doubt", frame.STOPPING),
            ("plan/superseded", frame.PLANNING),
            ("plan/ended", frame.COMPLETE),
            ("plan/awaiting, rejected without a reason", frame.AWAITING),
        )
        if (card := cards.EXAMPLES[name])
    },
}

# entity, x, y, doubt, seconds since seen, note under the name
PLACES = (
    ("can_12", 4.20, 8.70, 0.09, 64, ""),
    ("bottle_16", 7.35, 8.55, 0.34, 11, ""),
    ("bottle_06", 1.55, 8.45, 0.10, 872, "{age} old"),
    ("can_10", 8.25, 8.15, 0.23, 21, ""),
    ("can_07", 5.34, 7.38, 0.29, 12, "0.71 · {age}"),
    ("bottle_08", 1.90, 6.90, 0.26, 102, ""),
    ("bottle_11", 6.12, 6.05, 0.69, 130, "lost {age} ago"),
    ("bottle_13", 8.65, 5.65, 0.31, 34, ""),
    ("bottle_09", 7.60, 4.85, 0.19, 95, ""),
    ("can_04", 2.20, 4.60, 0.12, 38, ""),
    ("can_14", 1.60, 3.10, 0.40, 150, ""),
    ("can_15", 6.75, 1.55, 0.52, 57, ""),
)


def card(entity: str, word: str, x_m: float, y_m: float, doubt: float, seen_met_s: float, note: str) -> Card:
    return Card(
        title=entity,
        word=word,
        rows=(
            CardRow(label="Pose", text=f"{x_m:.2f}, {y_m:.2f} m"),
            CardRow(label="Confidence", text=f"{1 - doubt:.2f}", share=1 - doubt),
            CardRow(label="Seen", text="{age} ago, drone", since_met_s=seen_met_s),
        ),
        note=note,
    )


def entities() -> tuple[MapEntity, ...]:
    rows = {record.entity: record for record in evidence.ROWS}
    return tuple(
        MapEntity(
            id=id,
            shape=rows[id].icon,
            place=Point(x_m, y_m),
            doubt=doubt,
            seen_met_s=frame.MET_S - seen_s,
            in_k=rows[id] in evidence.MEMORY.shown,
            is_target=rows[id].is_target,
            note=note,
            spoken=f"{id}, {rows[id].status.lower()}, confidence {1 - doubt:.2f}, rank {rows[id].rank}",
            card=card(id, rows[id].status, x_m, y_m, doubt, frame.MET_S - seen_s, rows[id].why),
            was=Point(5.02, 7.65) if id == "can_07" else None,
            moved="moved 0.42 m" if id == "can_07" else "",
            note_since_met_s=frame.MET_S - seen_s,
        )
        for id, x_m, y_m, doubt, seen_s, note in PLACES
    )


def points(*pairs: tuple[float, float]) -> tuple[Point, ...]:
    return tuple(Point(x_m, y_m) for x_m, y_m in pairs)


def station(id: str, label: str, x_m: float, y_m: float, delivered: tuple[str, ...]) -> MapStation:
    return MapStation(
        id=id,
        label=label,
        place=Point(x_m, y_m),
        delivered=delivered,
        spoken=f"{label} station, {len(delivered)} delivered",
        card=Card(
            title=id,
            word="Station",
            rows=(CardRow(label="Delivered", text=str(len(delivered))),),
            note=", ".join(delivered),
        ),
    )


def _cells() -> tuple[tuple[Rect, ...], tuple[Rect, ...]]:
    stored = json.loads((Path(__file__).parent / "lab_b.json").read_text())
    cell_m = stored["cell_m"]

    def scaled(name: str) -> tuple[Rect, ...]:
        return tuple(Rect(*(round(value * cell_m, 3) for value in rect)) for rect in stored[name])

    return scaled("free"), scaled("walls")


FREE, WALLS = _cells()
LAB = MapData(
    seq=frame.HEAD,
    met_s=frame.MET_S,
    ground=Ground(
        revision="lab-b-3",
        bounds=Rect(0.3, 0.25, 9.4, 9.4),
        grid_m=1.0,
        free=FREE,
        walls=WALLS,
        regions=(
            MapRegion(name="Main lab", polygon=points((0.7, 4.0), (6.6, 4.0), (6.6, 9.2), (0.7, 9.2))),
            MapRegion(name="Kitchenette", polygon=points((6.85, 6.6), (9.3, 6.6), (9.3, 9.2), (6.85, 9.2))),
            MapRegion(
                name="Workshop",
                polygon=points((6.85, 4.0), (9.3, 4.0), (9.3, 6.35), (6.85, 6.35)),
                is_restricted=True,
            ),
            MapRegion(
                name="Drop-off bay", polygon=points((3.85, 0.7), (9.3, 0.7), (9.3, 2.25), (3.85, 2.25))
            ),
        ),
    ),
    stations=(
        station("station_metal", "Metal", 8.58, 1.42, ("can_05", "can_01")),
        station("station_plastic", "Plastic", 4.72, 1.34, ("bottle_02", "bottle_03")),
    ),
    entities=entities(),
    robots=(
        MapRobot(
            id="jetrover",
            label="JetRover",
            kind="ground",
            place=Point(3.30, 5.60),
            yaw_rad=0.733,
            trail=points(
                (8.2, 1.85),
                (7.9, 2.3),
                (7.75, 2.7),
                (7.0, 3.05),
                (6.1, 3.15),
                (5.62, 4.1),
                (5.0, 4.9),
                (3.2, 6.3),
                (2.2, 6.72),
                (2.35, 6.5),
                (3.3, 5.6),
            ),
            spoken="JetRover, heading 042 degrees, stopped",
        ),
        MapRobot(
            id="tello",
            label="Tello",
            kind="aerial",
            place=Point(7.55, 7.55),
            yaw_rad=None,
            trail=(),
            spoken="Tello drone, last heard 3.4 seconds ago",
            is_commanded=False,
            is_stale=True,
            footprint_m=0.7,
        ),
    ),
    route=Route(
        legs=(
            points((3.3, 5.6), (4.22, 6.48), (4.81, 6.98), (5.07, 7.16)),
            points((5.07, 7.16), (5.48, 5.8), (5.64, 4.55), (5.8, 3.6), (7.42, 2.9), (8.15, 1.8)),
        ),
        waypoints=(
            Waypoint(place=Point(4.12, 6.37), label="1"),
            Waypoint(place=Point(5.0, 7.0), label="2–3"),
            Waypoint(place=Point(5.64, 4.45), label="4"),
            Waypoint(place=Point(8.05, 1.9), label="5"),
        ),
        asks=True,
    ),
)


def _grid() -> MapData:
    """DN-14's world: 8 × 8 cells, two stations, two containers that share a cell."""
    cells = (("can_01", 2, 5), ("bottle_02", 5, 5), ("can_03", 5, 5), ("bottle_04", 0, 6), ("can_05", 7, 1))
    return MapData(
        seq=212,
        met_s=96.0,
        ground=Ground(
            revision="dn-14",
            bounds=Rect(-1.0, -1.0, 9.0, 9.0),
            grid_m=1.0,
            free=(Rect(-0.5, -0.5, 8.0, 8.0),),
            walls=(Rect(2.5, 2.5, 1.0, 1.0),),
        ),
        stations=(
            station("station_plastic", "Plastic", 0, 0, ()),
            station("station_metal", "Metal", 7, 7, ("can_06",)),
        ),
        entities=tuple(
            MapEntity(
                id=id,
                shape="assigned" if id == "can_01" else "observed",
                place=Point(x, y),
                doubt=0.2,
                seen_met_s=80.0,
                in_k=True,
                is_target=id == "can_01",
                note="",
                spoken=f"{id}, in cell {x}, {y}",
                card=card(id, "Observed", x, y, 0.2, 80.0, ""),
            )
            for id, x, y in cells
        ),
        robots=(
            MapRobot(
                id="robot",
                label="Robot",
                kind="ground",
                place=Point(4, 2),
                yaw_rad=None,
                trail=points((7, 7), (7, 2), (4, 2)),
                spoken="Robot in cell 4, 2",
            ),
        ),
        route=Route(
            legs=(points((4, 2), (2, 2), (2, 5)), points((2, 5), (2, 7), (7, 7))),
            waypoints=(Waypoint(place=Point(2, 5), label="1–2"), Waypoint(place=Point(7, 7), label="3")),
            asks=False,
        ),
        unit="cells",
    )


GRID = _grid()

PHASES: tuple[tuple[float, float, PhaseKind], ...] = (
    (0, 6, "planning"),
    (6, 14, "waiting"),
    (14, 90, "executing"),
    (90, 94, "planning"),
    (94, 182, "executing"),
    (182, 186, "planning"),
    (186, 204, "waiting"),
    (204, 341, "executing"),
    (341, 345, "planning"),
    (345, 412, "executing"),
    (412, 420, "planning"),
    (420, 504, "executing"),
    (504, 588, "waiting"),
    (588, 612, "executing"),
    (612, 640, "held"),
    (640, 776, "executing"),
    (776, 800, "waiting"),
    (800, 860, "executing"),
    (860, 864, "planning"),
    (864, 872, "asking"),
)
MARKS = (
    (3, 6, "plan", "Plan 1"),
    (160, 90, "replan", "Replan: bottle_03 pose"),
    (390, 178, "delivery", "Delivered bottle_03"),
    (402, 184, "plan", "Plan 3"),
    (820, 341, "delivery", "Delivered can_01"),
    (830, 345, "plan", "Plan 5"),
    (990, 412, "failure", "Grasp failed, can_05"),
    (1002, 420, "replan", "Replan: grasp failed"),
    (1180, 500, "delivery", "Delivered bottle_02"),
    (1287, 588, "rejected", "Plan 9 rejected by operator-1"),
    (1330, 612, "hold", "Held by operator-2"),
    (1450, 665, "delivery", "Delivered can_05"),
    (1470, 673, "plan", "Plan 11"),
    (1822, 770, "failure", "Grasp failed, bottle_08"),
    (1830, 776, "replan", "Replan: grasp failed"),
    (1902, 860, "replan", "Replan: can_07 pose"),
)
TIMELINE = TimelineData(
    head_seq=frame.HEAD,
    head_met_s=frame.MET_S,
    span_s=900.0,
    phases=tuple(PhaseSpan(start_s=start, end_s=end, kind=kind) for start, end, kind in PHASES),
    marks=tuple(
        TimelineMark(seq=seq, met_s=met_s, kind=kind, label=label) for seq, met_s, kind, label in MARKS
    ),
    bin_s=6.0,
    bins=tuple(
        Bin(evidence=2 + (i * 7) % 11 + (12 if i % 23 in (14, 15) else 0), seq=13 * (i + 1))
        for i in range(146)
    ),
    # An event each half second or so, and the last two seconds event by event.
    ticks=(
        *(Tick(frame.MET_S * seq / frame.HEAD, seq) for seq in range(2, frame.HEAD - 4, 2)),
        *(Tick(frame.MET_S + (seq - frame.HEAD) * 0.5, seq) for seq in range(frame.HEAD - 4, frame.HEAD + 1)),
    ),
)
