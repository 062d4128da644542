"""An ended episode with something of everything that goes into a file: commands, frames, telemetry."""

from __future__ import annotations

from sqlalchemy import Engine, update

from backend.domain.execution.frames import Frame, WatchedFrames
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Pose
from backend.persistence.connect import writing
from backend.persistence.frames import FrameStore
from backend.persistence.tables.journal import heads
from backend.persistence.telemetry import TelemetryWriter
from backend.usecases.reading import TelemetrySample
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import CYCLE, Drill

START = (("evidence", 0), ("evidence", 1), ("guide", 4), *CYCLE[:2])
REST = (
    ("outcome", 0),
    ("outcome", 2),
    ("outcome", 0),
    ("hold", 1),
    ("standstill", 0),
    ("release", 0),
    ("abort", 0),
    ("standstill", 0),
)


def seen(drill: Drill, shots: list[str]) -> None:
    """The step in flight ends, and a camera has watched it."""
    dispatch = drill.state.dispatch
    assert dispatch is not None
    frames = [
        Frame(sha256=sha256, width_px=8, height_px=8, camera="overhead", step=n, share=0.1, returned=n > 0)
        for n, sha256 in enumerate(shots)
    ]
    watched = WatchedFrames(camera="overhead", watch=None, frames=tuple(frames), withheld=1)
    drill.met_s += 1
    drill.tick(
        outcomes=(
            Outcome(
                dispatch_id=dispatch.id,
                skill=dispatch.step.skill,
                result=Result.SUCCEEDED,
                reason="arrived",
                message="There.",
                started_s=dispatch.met_s,
                ended_s=drill.met_s,
                measured=Measured(pose=dispatch.goal or Pose(1.0, 1.0)),
                frames=watched,
            ),
        )
    )


def stored(engine: Engine, store: FrameStore) -> str:
    """An ended episode with commands, frames and telemetry in it."""
    episode = new_episode(engine, "sent")
    shots = [store.put(f"picture {n} of {episode}".encode()) for n in range(2)]
    drill = Drill(episode).run(START)
    seen(drill, shots)
    drill.run(REST)
    fill(engine, episode, drill.commits)
    writer = TelemetryWriter(engine, episode)
    for n in range(3):
        writer.add(
            TelemetrySample(robot="rover", met_s=float(n), x_m=1.0 * n, y_m=2.0, yaw_rad=0.0,
                            frame_id="map", speed_m_s=None, held=None, extra={"battery": 0.5})
        )  # fmt: skip
    writer.flush()
    end_lease(engine, episode)
    return episode


def end_lease(engine: Engine, episode: str) -> None:
    with writing(engine) as connection:
        connection.execute(update(heads).where(heads.c.episode == episode).values(expires_s=0.0))
