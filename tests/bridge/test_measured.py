"""What a robot measured, from the robot to the domain: the wire and the in-process way say the same."""

import pytest

from backend.bridge.messages import measured_in
from backend.bridge.translate import measured_from
from backend.domain.execution.outcome import Measured as Known
from backend.domain.geometry import Pose
from robot_bridge import contract, wire
from robot_bridge.world import Measured
from robot_bridge.world import Pose as At

AT = At(1.0, 2.0, 0.0, "map")


@pytest.mark.parametrize(
    ("measured", "left_out"),
    [
        (Measured(AT, None, True), {"opening_m", "touches", "height_m"}),
        (Measured(AT, "can_1", False, opening_m=0.06, touches=("left finger on can_1",)), {"height_m"}),
        (Measured(AT, None, True, opening_m=0.08, height_m=0.12), set()),
        (Measured(AT, None, True, height_m=0.12), {"opening_m", "touches"}),
    ],
    ids=["a plain robot", "one that feels its fingers", "a tabletop arm", "height alone"],
)
def test_what_is_measured_arrives_and_what_is_not_is_left_out(measured: Measured, left_out: set[str]) -> None:
    told = wire.measured(measured)
    report = {"report": 4, "kind": "stopped", "met_s": 8.0, "stop_id": "s1", "actor": "", "standstill": True}
    contract.check_report({**report, "measured": told})

    assert {"opening_m", "touches", "height_m"} - told.keys() == left_out
    known = Known(
        pose=Pose(1.0, 2.0, 0.0, "map"),
        held=measured.held,
        gripper_open=measured.gripper_open,
        opening_m=measured.opening_m,
        touches=measured.touches,
        height_m=measured.height_m,
    )
    assert measured_in(told) == measured_from(measured) == known
