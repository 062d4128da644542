"""Telemetry is thinned to two samples a second for each robot and read back by mission time."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.persistence.errors import StorageFailure
from backend.persistence.reader import SqlReader
from backend.persistence.telemetry import MOST_WAITING, Decimator, TelemetryWriter
from backend.usecases.reading import TelemetrySample
from tests.persistence.episodes import new_episode


def test_a_robot_at_20_hz_is_kept_at_2_hz(engine: Engine) -> None:
    episode = new_episode(engine)
    writer = TelemetryWriter(engine, episode)
    for n in range(200):
        writer.add(sample(n / 20))

    assert writer.flush() == 20
    assert writer.flush() == 0
    assert [each.met_s for each in SqlReader(engine).telemetry(episode, 2.0, 4.0)] == [
        2.0,
        2.5,
        3.0,
        3.5,
        4.0,
    ]


def test_robots_are_thinned_apart_and_read_together_or_apart(engine: Engine) -> None:
    episode = new_episode(engine)
    writer = TelemetryWriter(engine, episode)
    for robot in ("rover", "drone"):
        writer.add(sample(1.0, robot))
        writer.add(sample(1.1, robot))
    writer.flush()
    reader = SqlReader(engine)

    assert [each.robot for each in reader.telemetry(episode, 0, 9)] == ["drone", "rover"]
    assert [each.robot for each in reader.telemetry(episode, 0, 9, robot="rover")] == ["rover"]


def test_a_sample_is_read_as_it_was_written(engine: Engine) -> None:
    episode = new_episode(engine)
    written = TelemetrySample(
        robot="rover",
        met_s=1.25,
        x_m=-0.1,
        y_m=2.0,
        yaw_rad=3.1,
        frame_id="map",
        speed_m_s=0.4,
        held="can_1",
        extra={"battery": 0.9, "doing": "navigate ⚓"},
    )
    writer = TelemetryWriter(engine, episode)
    writer.add(written)
    writer.flush()

    assert SqlReader(engine).telemetry(episode, 0, 9) == [written]


def test_a_restarted_runner_does_not_trip_over_what_is_there(engine: Engine) -> None:
    episode = new_episode(engine)
    for _ in range(2):
        writer = TelemetryWriter(engine, episode)
        writer.add(sample(1.0))
        writer.flush()

    assert len(SqlReader(engine).telemetry(episode, 0, 9)) == 1


def test_samples_that_could_not_be_written_wait_for_the_next_time(engine: Engine) -> None:
    writer = TelemetryWriter(engine, "not ordered yet")
    writer.add(sample(1.0))
    with pytest.raises(StorageFailure):
        writer.flush()

    writer._episode = new_episode(engine)

    assert writer.flush() == 1


@pytest.mark.parametrize("wrong", [math.nan, math.inf], ids=["not a number", "infinite"])
def test_what_is_no_measurement_is_dropped_and_keeps_nothing_else_back(engine: Engine, wrong: float) -> None:
    episode = new_episode(engine)
    writer = TelemetryWriter(engine, episode)
    writer.add(replace(sample(1.0), x_m=wrong))
    writer.add(replace(sample(wrong), robot="drone"))
    writer.add(replace(sample(2.0), held="can \x00 1"))

    assert writer.flush() == 1
    assert [each.held for each in SqlReader(engine).telemetry(episode, 0, 9)] == ["can \ufffd 1"]


def test_a_database_that_takes_nothing_costs_bounded_memory(sqlite_engine: Engine) -> None:
    writer = TelemetryWriter(sqlite_engine, "not ordered")
    for n in range(MOST_WAITING + 100):
        writer.add(sample(float(n)))
    writer._episode = new_episode(sqlite_engine)

    assert writer.flush() == MOST_WAITING


@given(st.lists(st.floats(0, 1000), max_size=80))
def test_no_two_kept_samples_of_a_robot_share_half_a_second(times_s: list[float]) -> None:
    decimator = Decimator(2.0)
    kept = [met_s for met_s in sorted(times_s) if decimator.keeps("rover", met_s)]

    assert len({int(met_s * 2) for met_s in kept}) == len(kept) == len({int(met_s * 2) for met_s in times_s})


def sample(met_s: float, robot: str = "rover") -> TelemetrySample:
    return TelemetrySample(robot=robot, met_s=met_s, x_m=met_s, y_m=0.0)
