"""The names under which bridges are told of stops."""

from __future__ import annotations

from backend.domain.command.hold import Stop
from backend.web.stopping import fresh_stop


def test_a_stop_is_told_under_a_name_that_no_bridge_has_had() -> None:
    first, second = fresh_stop("stop-1", ()), fresh_stop("stop-1", ())

    assert "stop-1" not in (first, second)
    assert first != second
    assert first.startswith("stop-1-")


def test_a_stop_in_force_keeps_its_name() -> None:
    stops = (Stop(id="stop-1", asked_by="ada", asked_seq=7, asked_s=0.0),)

    assert fresh_stop("stop-1", stops) == "stop-1"


def test_a_name_that_cannot_be_written_down_is_made_legible() -> None:
    assert fresh_stop("\x00\n", ()).startswith("stop-")
    assert len(fresh_stop("x" * 1000, ())) < 100
