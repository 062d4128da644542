"""Traces and knowledge for the tests of hindsight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backend.domain.episode.events import Recorded
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.geometry import Metric, Pose
from backend.domain.hindsight.belief import Belief, Trace
from backend.domain.hindsight.known import Hindsight, hindsight_of
from backend.domain.hindsight.truth import Fact, Truth
from backend.domain.hindsight.witness import Basis, Witness
from backend.domain.memory.record import Status

CELLS = Metric(kind="manhattan", length_m=1.0, tolerance_m=0.0)
A, B, C = Pose(1.0, 1.0), Pose(4.0, 1.0), Pose(2.0, 6.0)


def traced(events: Iterable[Recorded]) -> Trace:
    trace, state = Trace(), None
    for recorded in events:
        state = evolve(state, recorded)
        trace.add(recorded, state)
    return trace


def head_of(trace: Trace) -> State:
    assert trace.head is not None
    return trace.head


def known_of(*witnesses: Witness) -> Hindsight:
    """What is known of `can_1` from these."""
    trace = traced([])
    trace.beliefs["can_1"] = [belief_at(A)]
    trace.witnesses["can_1"] = list(witnesses)
    return hindsight_of(trace, Truth(why_not="nobody knows"), CELLS)


def belief_at(pose: Pose, **more: object) -> Belief:
    """Held from the beginning on, but for what `more` says."""
    values = {
        "seq": 1,
        "from_s": 0.0,
        "cls": "can",
        "pose": pose,
        "status": Status.OBSERVED,
        "supported": True,
        "pose_seq": 1,
        "status_seq": 1,
    }
    return Belief(**{**values, **more})  # type: ignore[arg-type]


def saw(at_s: float, pose: Pose, basis: Basis = "seen", **more: object) -> Witness:
    return Witness(at_s=at_s, seq=int(at_s) + 1, pose=pose, basis=basis, **more)  # type: ignore[arg-type]


def missed(at_s: float, pose: Pose) -> Witness:
    return saw(at_s, pose, "measured", is_absent=True)


def truth(**facts: Mapping[float, tuple[str, Pose]]) -> Truth:
    """Of cans: by name, from when, in which condition and where."""
    return Truth(
        facts={
            entity: tuple(
                Fact(from_s=from_s, cls="can", condition=condition, pose=pose)  # type: ignore[arg-type]
                for from_s, (condition, pose) in told.items()
            )
            for entity, told in facts.items()
        }
    )
