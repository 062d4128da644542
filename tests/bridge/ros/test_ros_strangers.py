"""What a robot says is a stranger's word: none of it breaks the frames between child and parent, whose check
would give the child up, and with it stop the robot.
"""

import json
import math
from types import SimpleNamespace as Message
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_bridge.ros.bag.tape import Posted
from robot_bridge.ros.child.framing import pack
from robot_bridge.ros.child.messages import TO_PARENT, check
from robot_bridge.ros.child.node import Node
from robot_bridge.ros.child.plain import plain, told_of, whole
from robot_bridge.ros.child.troubles import Troubles
from robot_bridge.ros.config import read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.wiring import child_configuration

FILE = robot_file("simulated-rover", None)
CONFIGURATION = child_configuration(read_robot(FILE), FILE.parent, 1.0)


class Heard:
    """A node whose source gives it what a test says."""

    def __init__(self) -> None:
        self.called: dict[str, Any] = {}
        self.clock_s = 10.0
        self.posted, self.troubles = Posted(), Troubles()
        self.node = Node(CONFIGURATION, self.posted, self.troubles, lambda: self.clock_s, self)

    def now_s(self) -> float:
        return 990.0 + self.clock_s

    def knows(self, type_name: str) -> bool:
        return True

    def subscribe(self, topic: str, type_name: str, called: Any, **options: Any) -> None:
        self.called[topic] = called

    def say(self, topic: str, message: Any) -> list[dict[str, Any]]:
        """What the parent is sent of it, as it reads it: each message checked, by the frames."""
        self.called[topic](message)
        self.clock_s += 0.2
        self.node.tick(self.clock_s)
        state = self.node.state(self.clock_s)
        told = {
            "ros_s": 1000.0,
            "utc_s": 0.0,
            "halting": False,
            "progress": "",
            "troubles": self.troubles.now(self.clock_s),
        }
        self.posted.post("state", "state", **told, **state)
        sent = [json.loads(pack(message)[12:]) for message, _ in self.posted.take()]
        for each in sent:
            check(each, TO_PARENT)
        return sent


def stamp(at_s: float = 1000.0) -> Any:
    return Message(to_sec=lambda: at_s)


def header(frame: str = "map", at_s: float = 1000.0) -> Any:
    return Message(frame_id=frame, stamp=stamp(at_s))


def pose(x: float = 0.0, w: float = 1.0) -> Any:
    return Message(position=Message(x=x, y=0.0, z=0.0), orientation=Message(x=0.0, y=0.0, z=0.0, w=w))


def detected(**odd: Any) -> Any:
    seen = {"cls": "can", "x_m": 1.0, "y_m": 1.0, "confidence": 0.9, **odd}
    stamp_s = seen.pop("stamp_s", 1000.0)
    return Message(data=json.dumps({"frame_id": "map", "stamp_s": stamp_s, "detections": [seen]}))


def occupancy(frame: str = "map", resolution: float = 0.5, width: int = 2, cells: int = 4) -> Any:
    info = Message(width=width, height=2, resolution=resolution, origin=pose())
    return Message(header=header(frame), info=info, data=[0] * cells)


def transforms(x: float, frame: str = "odom") -> Any:
    moved = Message(translation=Message(x=x, y=0.0, z=0.0), rotation=Message(x=0.0, y=0.0, z=0.0, w=1.0))
    one = Message(header=header("map"), child_frame_id=frame, transform=moved)
    return Message(transforms=[one])


ODD: list[Any] = [
    pytest.param("/drone/detections", detected(id=""), "Send 1 to 200", id="an empty id"),
    pytest.param("/drone/detections", detected(id="x" * 201), "has 201 characters", id="a long id"),
    pytest.param("/drone/detections", detected(cls="\ud800"), "half a character", id="half a character"),
    pytest.param("/drone/detections", detected(cls=""), "Send 1 to 200", id="no class"),
    pytest.param("/drone/detections", detected(x_m=1e300), "size is at most", id="beyond all bounds"),
    pytest.param("/survey", detected(stamp_s="nan"), "its stamp is no time", id="a stamp that is no number"),
    pytest.param("/survey", detected(stamp_s="-inf"), "its stamp is no time", id="an endless stamp"),
    pytest.param("/drone/detections", detected(confidence="nan"), "confidence of nan", id="no confidence"),
    pytest.param("/drone/detections", Message(data=3), "is not the JSON of a detector", id="no text"),
    pytest.param("/drone/detections", Message(), "has no attribute", id="another layout"),
    pytest.param("/map", occupancy(resolution=0.0), "a number above 0", id="cells of no size"),
    pytest.param("/map", occupancy(resolution=math.nan), "a number above 0", id="cells of no number"),
    pytest.param("/map", occupancy(frame="m" * 300), "has 300 characters", id="a long frame"),
    pytest.param("/map", occupancy(width=3), "it says 3 × 2 cells and holds 4", id="another size"),
    pytest.param("/tf", transforms(1e200), "farther away than", id="a transform out of all bounds"),
    pytest.param("/joint_states", Message(name=[""], position=[0.5]), "Send 1 to 200", id="no name"),
    pytest.param(
        "/joint_states",
        Message(name=[str(n) for n in range(501)], position=[0.5] * 501),
        "more than 500 joints",
        id="endless joints",
    ),
    pytest.param("/odom", Message(header=header()), "no attribute 'twist'", id="odometry of no kind"),
    pytest.param("/battery", Message(percentage=math.nan), "a charge of nan", id="a charge of no number"),
]


@pytest.mark.parametrize(("topic", "message", "told"), ODD)
def test_what_is_odd_is_refused_in_words_and_the_robot_is_heard_on(
    topic: str, message: Any, told: str
) -> None:
    heard = Heard()
    sent = heard.say(topic, message)

    assert [each["kind"] for each in sent] == ["state"]
    assert told in " ".join(sent[-1]["troubles"])
    assert topic in " ".join(sent[-1]["troubles"])
    good = heard.say("/drone/detections", detected(id="can_7"))
    assert [each["detections"][0]["entity"] for each in good if each["kind"] == "detections"] == ["can_7"]


VALUES = st.one_of(
    st.text(max_size=9), st.integers(), st.floats(), st.none(), st.booleans(), st.just("x" * 9999)
)


@given(
    st.dictionaries(st.sampled_from(["id", "cls", "x_m", "y_m", "yaw_rad", "confidence", "stamp_s"]), VALUES)
)
def test_no_detection_breaks_the_frames(odd: dict[str, Any]) -> None:
    Heard().say("/survey", detected(**odd))


def test_a_frame_of_a_megabyte_is_told_in_a_line() -> None:
    heard = Heard()
    body = {"frame_id": "f" * 1_000_000, "detections": [{"x_m": 1.0, "y_m": 1.0}]}
    [state] = heard.say("/drone/detections", Message(data=json.dumps(body)))

    assert all(len(each) <= 400 for each in state["troubles"])
    assert "No transform leads from frame fff" in " ".join(state["troubles"])


def test_a_result_s_texts_are_cut_and_whole() -> None:
    result = Message(reason="r" * 5000, message="\ud800", pixels=b"123", at=math.nan)
    result.__slots__ = ("reason", "message", "pixels", "at")
    told = plain(result)

    assert (len(told["reason"]), told["message"], told["pixels"], told["at"]) == (2000, "?", "3 bytes", None)
    assert whole("short", 10) == "short"
    assert msgspec.json.encode(told)


FEEDBACKS: list[Any] = [
    pytest.param({"phase": "lift"}, "phase", "lift", id="a word"),
    pytest.param({"base": {"at": {"x": 1.25, "y": -3.0}}}, "base.at", "x 1.25, y -3", id="a place"),
    pytest.param({"share": 0.123456}, "share", "0.1235", id="a number"),
    pytest.param({"share": None}, "share", "", id="no number"),
    pytest.param({"phase": "lift"}, "phase.of.what", "", id="no such field"),
    pytest.param({"phase": "x" * 500}, "phase", "x" * 119 + "…", id="a long one"),
    pytest.param({}, "phase", "", id="nothing yet"),
]


@pytest.mark.parametrize(("feedback", "path", "told"), FEEDBACKS)
def test_feedback_in_words(feedback: dict[str, Any], path: str, told: str) -> None:
    assert told_of(feedback, path) == told
