"""What an episode is ordered with, by the command line or a page, and read again by its runner."""

from __future__ import annotations

import re
import secrets

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.policy import Policy
from backend.domain.mission.mission import Mission, World
from backend.domain.refusal import Refusal

PLANNERS = ("policy", "openai", "recorded", "operator", "surrogate", "per_chunk", "oracle")
"""`operator`: no planner is called, a person proposes each plan. The last three plan at a table alone:
`surrogate` computes, `per_chunk` asks a model after every chunk, `oracle` follows what its world tells.
"""
AT_TABLES = {"surrogate": "direct", "per_chunk": "delegate", "oracle": "delegate"}
"""Planners that plan nowhere else, each with the executor that it needs."""
LARGEST_SEED = 2**31 - 1

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class RunRequest(Struct, frozen=True, kw_only=True):
    """`robot` names the episode's bridge, which no other episode has."""

    mission: Mission
    planner: str
    seed: int
    robot: str

    @property
    def robots(self) -> tuple[str, ...]:
        """What no other episode may hold meanwhile: its bridge, and where it is no simulation the robot."""
        shared = robot_shared(self.mission)
        return (self.robot,) if shared is None else (self.robot, shared)


def robot_shared(mission: Mission) -> str | None:
    """The lease's name of a robot that is there whoever asks; None where each episode makes its own."""
    return f"ros-{mission.world.scenario}" if mission.world.name == "ros" else None


def new_episode(mission: str) -> str:
    """An id that says which mission it is, and that nobody else has."""
    name = re.sub(r"[^a-z0-9-]+", "-", mission.lower()).strip("-")[:60] or "episode"
    return f"{name}-{''.join(secrets.choice(_ALPHABET) for _ in range(6))}"


def request_of(episode: str, mission: Mission, planner: str, seed: int) -> RunRequest:
    return RunRequest(mission=mission, planner=planner, seed=seed, robot=f"sim-{episode}")


def refuse_planner(planner: str, world: World) -> Refusal | None:
    """Why that planner could only ever fail in that world."""
    needed = AT_TABLES.get(planner)
    if needed is None:
        return None
    if world.name != "tabletop":
        message = f"The planner {planner} plans at a table alone, and this mission's world is {world.name}."
        return Refusal("planner", message, "Choose another planner, or a mission at the tabletop.")
    if (needed == "delegate") == ("delegate" in world.scenario.split("/")):
        return None
    wants = "phrases for an executor: a scenario with /delegate" if needed == "delegate" else "waypoints"
    remedy = "Choose another planner, or a scenario such as bin-fill/easy" + (
        "/delegate." if needed == "delegate" else "."
    )
    return Refusal("planner", f"The planner {planner} gives {wants}.", remedy)


def with_policy(mission: Mission, mode: str) -> Mission:
    """`mode` as the command line writes it: every-plan, every-skill, on-risk, auto."""
    policy: Policy = replace(mission.policy, mode=mode.replace("-", "_"))
    return replace(mission, policy=policy)


def with_clock(mission: Mission, clock: str) -> Mission:
    """`clock`: waits or runs; a running one keeps the mission's tick."""
    return replace(
        mission, world=msgspec.convert({**msgspec.to_builtins(mission.world), "clock": clock}, World)
    )
