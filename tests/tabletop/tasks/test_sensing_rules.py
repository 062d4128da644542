"""The thresholds that all tasks share, each on both sides."""

import pytest

from robot_bridge.tabletop.tasks.sensing import (
    DROPPED,
    LIFTED,
    ONTO_WITHIN_M,
    PICKED,
    PRESSED,
    PUT_DOWN,
    is_onto,
    sense,
)
from robot_bridge.tabletop.values import Layout, Pose, Progress, Snapshot, Thing

CUBE = Thing("cube", "cube", "red", Pose(0.0, 0.0, 0.02), (0.04, 0.04, 0.04))
CONTAINER = Thing("container", "container", "container", Pose(0.1, 0.0, 0.035), (0.06, 0.06, 0.07))
BUTTON = Thing("button", "button", "button", Pose(0.1, 0.2, 0.02), (0.06, 0.06, 0.04))
LAYOUT = Layout(things=(CUBE, CONTAINER, BUTTON), instruction="")
HELD_CUBE = Progress(up="cube")
HELD_CONTAINER = Progress(up="container")


def snap(grasped: str | None = None, z_m: float = 0.02, depth_m: float = 0.0) -> Snapshot:
    objects = {"cube": Pose(0.0, 0.0, z_m), "container": Pose(0.1, 0.0, z_m)}
    return Snapshot(step=7, tcp=(0, 0, z_m), grasped=grasped, objects=objects, buttons={"button": depth_m})


@pytest.mark.parametrize(
    ("before", "now", "what"),
    [
        pytest.param(Progress(), snap("cube", 0.051), [PICKED], id="a cube above 5 cm and grasped is picked"),
        pytest.param(Progress(), snap("cube", 0.05), [], id="at 5 cm it is not"),
        pytest.param(Progress(), snap(None, 0.2), [], id="high and not grasped it is not"),
        pytest.param(HELD_CUBE, snap("cube", 0.2), [], id="what is picked is not picked again"),
        pytest.param(HELD_CUBE, snap(None, 0.035), [DROPPED], id="released at 3.5 cm it is dropped"),
        pytest.param(HELD_CUBE, snap(None, 0.036), [], id="released above 3.5 cm it is not yet"),
        pytest.param(HELD_CUBE, snap("cube", 0.02), [], id="on the table but still held it is not"),
        pytest.param(Progress(), snap(None, 0.02), [], id="what was never picked is not dropped"),
        pytest.param(Progress(), snap("container", 0.151), [LIFTED], id="a container above 15 cm is lifted"),
        pytest.param(Progress(), snap("container", 0.15), [], id="at 15 cm it is not"),
        pytest.param(HELD_CONTAINER, snap(None, 0.07), [PUT_DOWN], id="released at 7 cm it is put down"),
        pytest.param(HELD_CONTAINER, snap(None, 0.071), [], id="released above 7 cm it is not yet"),
        pytest.param(Progress(), snap(depth_m=0.0051), [PRESSED], id="a button beyond 5 mm is pressed"),
        pytest.param(Progress(), snap(depth_m=0.005), [], id="at 5 mm it is not"),
        pytest.param(Progress(down=("button",)), snap(depth_m=0.01), [], id="held down it counts once"),
        pytest.param(HELD_CUBE, snap("container", 0.2), [DROPPED, LIFTED], id="one let go, the other taken"),
    ],
)
def test_what_is_seen_to_happen(before: Progress, now: Snapshot, what: list[str]) -> None:
    if what == [DROPPED, LIFTED]:
        now = Snapshot(
            step=7,
            tcp=now.tcp,
            grasped="container",
            objects={"cube": CUBE.pose, "container": now.objects["container"]},
        )

    after = sense(before, now, LAYOUT)

    assert [each.what for each in after.events] == what
    assert {each.step for each in after.events} <= {7}


def test_a_button_that_came_up_counts_again() -> None:
    once = sense(Progress(), snap(depth_m=0.01), LAYOUT)

    again = sense(sense(once, snap(depth_m=0.0), LAYOUT), snap(depth_m=0.01), LAYOUT)

    assert again.named(PRESSED) == ("button", "button")


def test_what_is_dropped_may_be_picked_again() -> None:
    dropped = sense(HELD_CUBE, snap(None, 0.02), LAYOUT)

    assert sense(dropped, snap("cube", 0.1), LAYOUT).named(PICKED) == ("cube",)


@pytest.mark.parametrize(
    ("off_m", "is_on"),
    [
        pytest.param(ONTO_WITHIN_M - 1e-6, True, id="5 cm off is on it"),
        pytest.param(ONTO_WITHIN_M + 1e-6, False, id="more is not"),
    ],
)
def test_how_far_off_a_target_is_on_it(off_m: float, is_on: bool) -> None:
    assert is_onto(Pose(0.1 + off_m, 0.0, 0.02), Pose(0.1, 0.0, 0.0)) is is_on
