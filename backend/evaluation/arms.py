"""The scenarios and methods of the paper as arms of a study (ADM-Planner, sections V-A to V-C)."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.memory.configuration import NAMED, AttentionSettings, MemoryConfiguration
from backend.usecases.results import Arm

SCENARIOS = ("s-6", "d-10", "dn-14", "live-6")
ARENA_SCENARIO = "arena-6"
WORLDS = {ARENA_SCENARIO: "arena"}
"""Of each scenario that is not of the grid."""
ARENA_METHODS = "static,unfiltered,attention"
"""Those of Table II."""

METHODS = ("none", "static", "unfiltered", "attention", "oracle")

LIVE_SETTINGS = AttentionSettings(k=6, decay_s=16.0)
"""Section V-B's; the other scenarios keep the defaults, which are section V-A's."""


def arm(scenario: str, method: str) -> Arm:
    return Arm(scenario=scenario, method=method, memory=memory_of(scenario, method))


def memory_of(scenario: str, method: str) -> MemoryConfiguration:
    memory = NAMED[method]
    return replace(memory, attention=LIVE_SETTINGS) if scenario == "live-6" else memory
