"""The one skill that runs, and the stop that ends it: whatever was asked, an end is told when it is measured.

A stop cancels every goal of every action and publishes zero velocity until the robot is measured to stand
still. Only then is the goal's end told, and then the stop's.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import rospy
from geometry_msgs.msg import Twist

from robot_bridge.ros.child.actions import Action, Ended
from robot_bridge.ros.child.plain import told_of, whole
from robot_bridge.ros.child.services import Service
from robot_bridge.ros.child.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from robot_bridge.ros.child.node import Node
    from robot_bridge.ros.child.outbox import Outbox
    from robot_bridge.ros.child.troubles import Troubles

    Server = Action | Service | Topic

CANCEL_EVERY_S = 0.3
LONGEST_MESSAGE = 2000
LONGEST_RESULT = 200_000
BY_ITSELF = {
    "lost": "Its server is lost.",
    "silence": "Nothing was heard of the bridge process; the robot was stopped.",
    "end": "The ROS master or the bridge process was lost; the robot was stopped.",
}
"""Stops that nobody asked for, and why the child makes them."""


class Goal(NamedTuple):
    """`sent_s` None: its server is still waited for."""

    id: str
    skill: str
    values: dict[str, Any]
    asked_s: float
    sent_s: float | None


class Skills:
    """Raises TypeMissing when made."""

    def __init__(
        self,
        robot: dict[str, Any],
        node: Node,
        outbox: Outbox,
        troubles: Troubles,
        monotonic: Callable[[], float],
    ) -> None:
        self._node = node
        self._outbox = outbox
        self._troubles = troubles
        self._monotonic = monotonic
        self._shadow: bool = robot["shadow"]
        self._wait_s: float = robot["times"]["server_wait_s"]
        self._servers: dict[str, Server] = {}
        self._feedbacks: dict[str, str] = {skill: how["feedback"] for skill, how in robot["skills"].items()}
        self._velocity: Any = None
        if not self._shadow:
            if robot["velocity"] is not None:
                self._velocity = rospy.Publisher(robot["velocity"]["topic"], Twist, queue_size=1)
            actions: dict[str, Server] = {}
            for skill, how in robot["skills"].items():
                if how["via"] != "action":  # another skill of the same topic is done by another measurement
                    self._servers[skill] = self._server(how, robot)
                    continue
                if how["name"] not in actions:
                    actions[how["name"]] = self._server(how, robot)
                self._servers[skill] = actions[how["name"]]
        self._goal: Goal | None = None
        self._end: Ended | None = None
        self._halts: dict[str, float] = {}
        """Stops under way, and when each was asked for."""
        self._cancelled_s = 0.0

    @property
    def is_halting(self) -> bool:
        return bool(self._halts)

    @property
    def running(self) -> bool:
        return self._goal is not None

    @property
    def progress(self) -> str:
        """What the running skill's server says of it, in words; empty where it says nothing."""
        goal = self._goal
        path = self._feedbacks.get(goal.skill, "") if goal is not None and goal.sent_s is not None else ""
        server = self._servers.get(goal.skill) if goal is not None else None
        return told_of(server.feedback, path) if path and isinstance(server, Action) else ""

    def start(self, goal_id: str, skill: str, values: dict[str, Any]) -> None:
        problem = ""
        if self._shadow:
            problem = "This robot is watched only: nothing is sent to it."
        elif skill not in self._servers:
            problem = f"Skill {skill} is not in the robot's file."
        elif self._halts or self._goal is not None:
            problem = "The robot is being stopped, or another skill runs."
        if problem:
            self._outbox.send("ended", goal_id=goal_id, end="refused", result={}, message=problem)
            return
        self._goal, self._end = Goal(goal_id, skill, values, self._monotonic(), None), None

    def halt(self, halt_id: str) -> None:
        if self._shadow:
            self._outbox.send("halted", halt_id=halt_id, after_s=0.0)
            return
        self._halts.setdefault(halt_id, self._monotonic())
        self._cancelled_s = 0.0

    def tick(self, now_s: float) -> None:
        goal = self._goal
        if goal is not None and goal.sent_s is None:
            self._send_when_there(goal, now_s)
        elif goal is not None and self._end is None:
            self._end = self._servers[goal.skill].ended(now_s)
            if self._end is not None and self._end.end == "lost":
                self.halt("lost")  # nobody else stops it
        if self._halts:
            self._go_on_halting(now_s)
        elif self._goal is not None and self._end is not None:
            self._tell(self._goal, self._end)

    def _send_when_there(self, goal: Goal, now_s: float) -> None:
        server = self._servers[goal.skill]
        if self._halts:
            self._end = Ended("cancelled", {}, "Stopped before it was sent.")
        elif server.is_there():
            try:
                server.send(goal.id, goal.values)
            except ValueError as error:
                self._end = Ended("refused", {}, f"Skill {goal.skill}: {error}.")
        elif now_s - goal.asked_s > self._wait_s:
            told = server.why_absent
            self._end = Ended("refused", {}, told)
            self._troubles.say(server.name, told, now_s)
        else:
            return
        self._goal = goal._replace(sent_s=now_s)

    def _go_on_halting(self, now_s: float) -> None:
        if self._velocity is not None:
            self._velocity.publish(Twist())
        if now_s - self._cancelled_s > CANCEL_EVERY_S:
            self._cancelled_s = now_s
            for server in set(self._servers.values()):
                server.cancel_all()
        goal = self._goal
        if goal is not None and self._end is None:
            return  # its server is yet to say so, or to be lost
        if not self._node.still.is_still(now_s):
            self._troubles.say(
                "standstill", "The robot is stopped, and not yet measured to stand still.", now_s
            )
            return
        if goal is not None and self._end is not None:
            self._tell(goal, self._as_halted(self._end))
        halts, self._halts = self._halts, {}
        for halt_id, asked_s in halts.items():
            if halt_id not in BY_ITSELF:
                self._outbox.send("halted", halt_id=halt_id, after_s=round(now_s - asked_s, 3))

    def _as_halted(self, end: Ended) -> Ended:
        """A goal that was cancelled because the child stopped by itself says so."""
        why = [text for halt_id, text in BY_ITSELF.items() if halt_id in self._halts]
        return Ended("halted", end.result, why[0]) if end.end == "cancelled" and why else end

    def _tell(self, goal: Goal, end: Ended) -> None:
        result, message = end.result, whole(end.message, LONGEST_MESSAGE)
        if len(json.dumps(result)) > LONGEST_RESULT:
            result = {}  # a result tells what was measured in a few fields
        self._outbox.send("ended", goal_id=goal.id, end=end.end, result=result, message=message)
        self._goal = self._end = None

    def _server(self, how: dict[str, Any], robot: dict[str, Any]) -> Server:
        times = robot["times"]
        if how["via"] == "action":
            return Action(how["name"], how["type"], robot["definitions"], times["lost_s"], self._monotonic)
        if how["via"] == "service":
            return Service(how["name"], how["type"], how["timeout_s"], self._monotonic)
        return Topic(
            how["name"],
            how["type"],
            how["until"],
            how["timeout_s"],
            lambda: self._node.state(self._monotonic())["joints"],
            self._monotonic,
        )
