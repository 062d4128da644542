"""`python -m backend.processes.runner --episode ID --holder NAME`: runs one episode, and alone writes its
journal.

It claims the lease, folds the journal or opens the episode, says hello to the bridge, and passes through the
loop, at most half a second apart. Whatever it dies of, another takes up from what was committed. Exit codes:
`Exit`. Its last line on stdout is JSON, `{"exit", "message"}`.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from backend.bootstrap import Seat, code_version, seat
from backend.bridge.link import FENCED
from backend.config import ConfigError, Settings, load_settings
from backend.domain.episode.events import EvidenceJudged, Recorded, RunnerStarted
from backend.domain.episode.evolve import evolve, fold
from backend.domain.episode.state import State
from backend.persistence.errors import LeaseTaken, PersistenceError, UnknownEpisode
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import Lease
from backend.processes.exits import Exit
from backend.processes.feed import Feed
from backend.processes.logs import configure_logging
from backend.usecases.failpoints import failpoint
from backend.usecases.framing import UnreadablePicture
from backend.usecases.loop import EpisodeLoop
from backend.usecases.opening import Unopenable
from backend.usecases.ports import BridgeRefused, BridgeUnreachable, Hello, JournalError, LostLease
from backend.usecases.reading import TelemetrySample
from backend.usecases.watching import opened_with_pictures

log = logging.getLogger(__name__)

PASS_S = 0.25
"""The longest wait between two passes; with the pass itself it stays under the half second that is promised.
"""
FLUSH_TELEMETRY_S = 1.0


class Runner:
    """One episode from claim to end, in the calling thread. Other threads only wake it."""

    def __init__(self, settings: Settings, episode: str, holder: str) -> None:
        self._settings = settings
        self._episode = episode
        self._holder = holder
        self._wake = threading.Event()
        self._stopping = False
        self._state: State | None = None
        self._passed_s = time.monotonic()
        self._asked_s: float | None = None
        self._heard_s: dict[str, float] = {}
        self._telemetry: deque[TelemetrySample] = deque()
        self._flushed_s = 0.0
        self._renewed_s = 0.0
        self._feed: Feed | None = None
        self._seat: Seat | None = None

    def stop(self) -> None:
        """End after this pass, and give the lease back. For signal handlers: takes no lock."""
        self._stopping = True

    def run(self) -> Exit:
        self._seat = seat(
            self._settings, self._episode, on_telemetry=self._on_telemetry, on_news=self._wake.set
        )
        self._feed = Feed(self._episode, self._wake.set, self._ages)
        lease = self._seat.claim(self._holder, self._feed.address)
        self._renewed_s = time.monotonic()
        failpoint("after-claim")
        try:
            return self._hold(self._seat, lease, self._feed)
        finally:
            self._seat.bridge.close()
            self._feed.close()

    def _hold(self, seat: Seat, lease: Lease, feed: Feed) -> Exit:
        journal = seat.journal(lease)
        past = list(journal.read())
        ended = Exit.OK
        if not past or fold(past).ending is None:
            hello = self._hello(seat, lease)
            ended = Exit.TOLD_TO_STOP if hello is None else self._play(seat, lease, journal, past, hello)
        failpoint("before-goodbye")
        seat.release(lease)
        return ended

    def _play(
        self, seat: Seat, lease: Lease, journal: SqlJournal, past: Sequence[Recorded], hello: Hello
    ) -> Exit:
        failpoint("after-hello")
        loop = EpisodeLoop(
            self._begin(seat, lease, journal, past, hello),
            journal,
            seat.inbox,
            seat.planner,
            seat.bridge,
            seat.executor,
            monotonic=time.monotonic,
            keep_frames=seat.keep_frames,
            on_commit=self._committed,
        )
        if not any(isinstance(each.event, EvidenceJudged) for each in past):
            loop.begin(hello.initial)
        loop.resume(hello.latched, hello.ledger_id)
        ended = self._drive(loop, seat, lease)
        self._flush(seat)
        return ended

    def _hello(self, seat: Seat, lease: Lease) -> Hello | None:
        """Wait for the bridge, which may be starting, for as long as it takes. None: told to stop."""
        while not self._stopping:
            try:
                return seat.bridge.hello(lease.epoch)
            except BridgeUnreachable as error:
                log.info("waiting for the bridge: %s", error)
            self._renew_when_due(seat, lease)
            self._wake.wait(PASS_S)
            self._wake.clear()
        return None

    def _begin(
        self, seat: Seat, lease: Lease, journal: SqlJournal, past: Sequence[Recorded], hello: Hello
    ) -> State:
        """Open the episode, or take it up, under this lease's epoch."""
        fresh: list[Recorded] = []
        if past:
            state = fold(past)
            self._heard_s = {
                f"source:{name}": time.monotonic() - age_s for name, age_s in seat.heard().items()
            }
        else:
            fresh = self._opened(seat, lease, hello)
            state = fold(fresh)
        started = RunnerStarted(epoch=lease.epoch, code_version=code_version(), ledger_id=hello.ledger_id)
        fresh.append(Recorded(seq=state.seq + 1, met_s=state.met_s, actor="system", event=started))
        failpoint("before-commit")
        journal.append(fresh)
        failpoint("after-commit")
        state = evolve(state, fresh[-1])
        self._committed(fresh, state)
        return state

    def _opened(self, seat: Seat, lease: Lease, hello: Hello) -> list[Recorded]:
        """A demonstration of a thousand frames takes a while: lease and watchdog are fed meanwhile."""

        def between() -> None:
            self._renew_when_due(seat, lease)
            seat.bridge.heartbeat(lease.epoch)

        return opened_with_pictures(
            self._episode,
            seat.request.mission,
            hello,
            seat.bridge,
            seat.keep_frames,
            planner=seat.request.planner,
            seed=seat.request.seed,
            code_version=code_version(),
            between=between,
        )

    def _drive(self, loop: EpisodeLoop, seat: Seat, lease: Lease) -> Exit:
        """The passes. Only their completion feeds the bridge's watchdog and the lease."""
        while loop.state.ending is None:
            if self._stopping:
                return Exit.TOLD_TO_STOP
            self._wake.clear()
            self._renew_when_due(seat, lease)
            busy = loop.tick()
            self._state = loop.state
            self._passed_s = time.monotonic()
            self._note_request(loop.state)
            self._flush_when_due(seat)
            if not busy and not seat.bridge.moves_when_polled:
                self._wake.wait(PASS_S)
        loop.tick()
        return Exit.OK

    def _renew_when_due(self, seat: Seat, lease: Lease) -> None:
        now_s = time.monotonic()
        if now_s - self._renewed_s > seat.lease_s / 3:
            failpoint("before-renew")
            seat.renew(lease)
            self._renewed_s = now_s

    def _committed(self, recorded: Sequence[Recorded], state: State) -> None:
        self._state = state
        now_s = time.monotonic()
        for each in recorded:
            if isinstance(each.event, EvidenceJudged):
                self._heard_s[f"source:{each.event.evidence.source.value}"] = now_s
        if self._feed is not None:
            self._feed.events(recorded)

    def _note_request(self, state: State) -> None:
        waits = state.request is not None and state.planner != "operator"
        self._asked_s = (self._asked_s or time.monotonic()) if waits else None

    def _on_telemetry(self, met_s: float, robots: Sequence[Mapping[str, Any]]) -> None:
        """Called by the link's thread."""
        if self._feed is not None:
            self._feed.telemetry(met_s, robots)
        self._telemetry.extend(_sample(met_s, robot) for robot in robots)

    def _flush_when_due(self, seat: Seat) -> None:
        now_s = time.monotonic()
        if now_s - self._flushed_s >= FLUSH_TELEMETRY_S:
            self._flushed_s = now_s
            self._flush(seat)

    def _flush(self, seat: Seat) -> None:
        """Where the robots were is worth keeping and not worth failing for."""
        while self._telemetry:
            seat.telemetry.add(self._telemetry.popleft())
        try:
            seat.telemetry.flush()
        except PersistenceError as error:
            log.warning("telemetry is not written: %s", error)

    def _ages(self) -> tuple[int, float, Mapping[str, float | None]]:
        """Called by the feed's thread."""
        now_s, state = time.monotonic(), self._state
        if state is None or self._seat is None:
            return 0, 0.0, {}
        ages_s: dict[str, float | None] = {
            "runner": round(now_s - self._passed_s, 2),
            "planner": None if self._asked_s is None else round(now_s - self._asked_s, 2),
            f"robot:{state.robot.name}": round(self._seat.bridge.age_s, 2),
        }
        heard = dict(self._heard_s)
        return state.seq, state.met_s, ages_s | {key: round(now_s - s, 2) for key, s in heard.items()}


def _sample(met_s: float, robot: Mapping[str, Any]) -> TelemetrySample:
    pose, gripper = robot["pose"], robot["gripper"]
    return TelemetrySample(
        robot=robot["name"],
        met_s=met_s,
        x_m=pose["x_m"],
        y_m=pose["y_m"],
        yaw_rad=pose["yaw_rad"],
        frame_id=pose["frame_id"],
        speed_m_s=robot["speed_m_s"],
        held=None if gripper is None else gripper["held"],
        extra={key: robot[key] for key in ("battery", "doing", "arm", "progress", "trouble") if key in robot},
    )


def main(arguments: list[str] | None = None) -> Exit:
    parser = argparse.ArgumentParser(prog="python -m backend.processes.runner")
    parser.add_argument("--episode", required=True)
    parser.add_argument(
        "--holder", required=True, help="who starts runners here; it may take over from itself"
    )
    options = parser.parse_args(arguments)
    ended, message = _run(options.episode, options.holder)
    if message:
        log.error(message)
    sys.stdout.write(json.dumps({"exit": ended.name, "message": message}) + "\n")
    sys.stdout.flush()
    return ended


def _run(episode: str, holder: str) -> tuple[Exit, str]:
    """How it ended, and what there is to say about it."""
    try:
        settings = load_settings()
        configure_logging(settings, f"runner {episode}")
        runner = Runner(settings, episode, holder)
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, lambda *_: runner.stop())
        return runner.run(), ""
    except LostLease as error:
        return Exit.LOST_LEASE, f"{error} Another runner goes on; this one exits."
    except BridgeRefused as error:
        if error.code == FENCED:
            return Exit.LOST_LEASE, f"{error} This runner exits."
        return Exit.CANNOT_START, str(error)
    except LeaseTaken as error:
        return Exit.LEASE_TAKEN, str(error)
    except JournalError as error:
        return Exit.STORAGE, str(error)
    except PersistenceError as error:
        return Exit.BAD_INPUT if isinstance(error, UnknownEpisode) else Exit.STORAGE, str(error)
    except (ConfigError, Unopenable, UnreadablePicture) as error:
        return Exit.CANNOT_START, str(error)
    except Exception:
        log.exception("a defect ended this runner; another goes on from what was committed")
        return Exit.BROKE, "A defect ended the runner; its log says where."


if __name__ == "__main__":
    code = main()
    logging.shutdown()
    os._exit(code)  # a planner's thread may still wait for its server
