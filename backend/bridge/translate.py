"""From the bridge's values to the domain's: the one place that knows both."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from backend.domain.execution.checks import check_of
from backend.domain.execution.deprojection import Calibration
from backend.domain.execution.outcome import Judgement, Measured, Outcome, Result, Subgoal, Tool, Traced
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Clocks, Evidence
from backend.domain.memory.record import Source
from backend.domain.mission.site import GridMap, Site
from backend.domain.mission.table import Table
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Value, motions
from backend.usecases.ports import BridgeRefused, Hello, Picture
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
    pose, held, gripper_open, path_m, moves, opening_m, touches, height_m, tool, points_m, trace = measured
    return Measured(
        pose=Pose(*pose),
        held=held,
        gripper_open=gripper_open,
        path_m=path_m,
        moves=moves,
        opening_m=opening_m,
        touches=touches,
        height_m=height_m,
        tool=UNSET if tool is None else Tool(**tool._asdict()),
        points_m=points_m or UNSET,
        trace=tuple(Traced(**part._asdict()) for part in trace) or UNSET,
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
        verdict=UNSET if outcome.verdict is None else judgement(outcome.verdict._asdict()),
        subgoal=UNSET if outcome.subgoal is None else Subgoal(**outcome.subgoal._asdict()),
    )


def judgement(told: Mapping[str, Any]) -> Judgement:
    """Raises msgspec.ValidationError for another status than the contract's."""
    return msgspec.convert(dict(told), Judgement)


def picture_from(frame: w.Frame) -> Picture:
    calibration = frame.calibration
    return Picture(
        camera=frame.camera,
        step=frame.step,
        png=frame.png,
        depth_png=frame.depth_png,
        calibration=None if calibration is None else Calibration(**calibration._asdict()),
    )


def arguments_out(arguments: Mapping[str, Value]) -> dict[str, Any]:
    """As the contract has them: the parts of a sequence as objects, their checks taken apart."""
    return {
        name: [_motion_out(part) for part in motions(value)] if motions(value) else value
        for name, value in arguments.items()
    }


def _motion_out(part: Motion) -> dict[str, Any]:
    check = None if not part.check else msgspec.to_builtins(check_of(part.check))
    return {"skill": part.skill, "arguments": dict(part.arguments), "check": check}


RESULTS = {result.value: result for result in Result}


def hello_from(
    described: dict[str, Any], met_s: float, ledger_id: str, latched: tuple[str, ...], tick_s: float
) -> Hello:
    """What a world says of itself, checked: a missing or wrong field is refused by its name."""
    try:
        robot = described["robots"][0]
        budget_s = described.get("budget_s")
        step_s = tick_s if "instruction" in described else 1.0
        return Hello(
            robot=str(robot["name"]),
            robot_pose=msgspec.convert(robot["pose"], Pose),
            held=described.get("held"),
            met_s=met_s,
            catalogue=msgspec.convert(described["catalogue"], Catalogue),
            site=msgspec.convert(described["site"], Site),
            initial=tuple(msgspec.convert(piece, Evidence) for piece in described["initial"]),
            total=int(described.get("total") or 0),
            budget_steps=None if budget_s is None else round(budget_s / step_s),
            ledger_id=ledger_id,
            latched=latched,
            table=table_from(described, tick_s),
            views=tuple(picture_in(frame) for frame in described.get("views", ())),
            demonstration=int(described.get("demonstration") or 0),
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise BridgeRefused(
            "bad_hello", f"The bridge's description of its world is wrong: {error}."
        ) from error


def map_in(message: Mapping[str, Any], known: GridMap) -> GridMap:
    """The contract's MAP, told of the site that `known` was told of. Raises ValueError, and
    msgspec.ValidationError, which is one."""
    grid = msgspec.convert(message, GridMap)
    if grid.cell_m != known.cell_m:
        raise ValueError(f"map.cell_m is {grid.cell_m:g}, and was {known.cell_m:g} in hello")
    if grid.width * grid.height > MOST_CELLS:
        raise ValueError(f"map has {grid.width} × {grid.height} cells, more than {MOST_CELLS:,}")
    return grid


MOST_CELLS = 1_000_000
"""Of a map that replaces another while a mission runs."""


def table_from(described: Mapping[str, Any], step_s: float) -> Table | None:
    """Of a world that sets a task; raises KeyError and msgspec.ValidationError where it is half told."""
    if "instruction" not in described:
        return None
    tool, subgoal = described.get("tool"), described.get("subgoal")
    return Table(
        instruction=str(described["instruction"]),
        task=str(described["task"]),
        difficulty=str(described.get("difficulty", "")),
        executor=msgspec.convert(described.get("executor", "direct"), Literal["direct", "delegate"]),
        step_s=step_s,
        tool=None if tool is None else msgspec.convert(tool, Tool),
        subgoal=None if subgoal is None else msgspec.convert(subgoal, Subgoal),
    )


def picture_in(frame: Mapping[str, Any]) -> Picture:
    """The contract's FRAME. Raises ValueError for what is no base64, and msgspec.ValidationError."""
    depth, calibration = frame.get("depth_png_base64"), frame.get("calibration")
    return Picture(
        camera=frame["camera"],
        step=frame["step"],
        png=base64.b64decode(frame["png_base64"], validate=True),
        depth_png=None if depth is None else base64.b64decode(depth, validate=True),
        calibration=None if calibration is None else msgspec.convert(calibration, Calibration),
    )
