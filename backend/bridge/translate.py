"""From the bridge's values to the domain's: the one place that knows both."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Clocks, Evidence
from backend.domain.memory.record import Source
from backend.domain.mission.site import Site
from backend.domain.plans.catalogue import Catalogue
from backend.usecases.ports import BridgeRefused, Hello
from robot_bridge import world as w


def pose_from(pose: w.Pose) -> Pose:
    return Pose(*pose)


def evidence_from(sighting: w.Sighting) -> Evidence:
    entity, cls, pose, confidence, source, stamp_s, sensed_by, clocks = sighting
    return Evidence(
        cls=cls,
        pose=Pose(*pose),
        confidence=confidence,
        source=SOURCES[source],
        stamp_s=stamp_s,
        entity=entity,
        sensed_by=sensed_by,
        clocks=UNSET if clocks is None else Clocks(*clocks),
    )


SOURCES = {source.value: source for source in Source}


def measured_from(measured: w.Measured) -> Measured:
    pose, held, gripper_open, path_m, moves, opening_m, touches, height_m, *_ = measured
    return Measured(
        pose=Pose(*pose),
        held=held,
        gripper_open=gripper_open,
        path_m=path_m,
        moves=moves,
        opening_m=opening_m,
        touches=touches,
        height_m=height_m,
    )


def outcome_from(dispatch_id: str, outcome: w.Outcome) -> Outcome:
    return Outcome(
        dispatch_id=dispatch_id,
        skill=outcome.skill,
        result=RESULTS[outcome.result],
        reason=outcome.reason,
        message=outcome.message,
        started_s=outcome.started_s,
        ended_s=outcome.ended_s,
        measured=measured_from(outcome.measured),
    )


RESULTS = {result.value: result for result in Result}


def hello_from(described: dict[str, Any], met_s: float, ledger_id: str, latched: tuple[str, ...]) -> Hello:
    """What a world says of itself, checked: a missing or wrong field is refused by its name."""
    try:
        robot = described["robots"][0]
        budget_s = described.get("budget_s")
        return Hello(
            robot=str(robot["name"]),
            robot_pose=msgspec.convert(robot["pose"], Pose),
            held=described.get("held"),
            met_s=met_s,
            catalogue=msgspec.convert(described["catalogue"], Catalogue),
            site=msgspec.convert(described["site"], Site),
            initial=tuple(msgspec.convert(piece, Evidence) for piece in described["initial"]),
            total=int(described.get("total") or 0),
            budget_steps=None if budget_s is None else round(budget_s),
            ledger_id=ledger_id,
            latched=latched,
        )
    except (KeyError, IndexError, TypeError, msgspec.ValidationError) as error:
        raise BridgeRefused(
            "bad_hello", f"The bridge's description of its world is wrong: {error}."
        ) from error
