"""The bridge core: takes commands, moves one world, answers for it. No socket, thread or clock.

Order of things, always: what may not happen is refused; what is to happen is written to the ledger; then
the robot moves; then what was measured is written; only then is it reported. A ledger that takes no writes
halts the robot.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from robot_bridge import contract, guards, wire
from robot_bridge.ledger import Dispatch, Ledger, LedgerError, Message, Stop
from robot_bridge.postbox import Postbox
from robot_bridge.world import Demonstrates, EndsLater, KeepsHistory, Maps, NotReady, Outcome, Refusal, World

log = logging.getLogger(__name__)

ACTOR = "bridge"
COMMANDED = frozenset({"submit", "cancel", "release", "heartbeat", "advance"})
"""Operations of the runner in command: fenced by its epoch."""

Answer = Message | Refusal


class Bridge:
    """`monotonic` reads a clock in seconds that never goes back. Call `tick` several times a second."""

    def __init__(self, world: World, ledger: Ledger, monotonic: Callable[[], float]) -> None:
        self._world = world
        self._ledger = ledger
        self._postbox = Postbox(ledger)
        self._monotonic = monotonic
        self._heard_s = monotonic()
        running = ledger.running()
        self._running = None if running is None else running.id
        self._latched = {stop.id: stop for stop in ledger.latched()}
        self._map: list[Message] = []  # the latest report of one
        self._answers: dict[str, Callable[[Message], Answer]] = {
            "hello": self._hello,
            "submit": self._submit,
            "cancel": self._cancel,
            "status": self._status,
            "stop": self._stop,
            "release": self._release,
            "heartbeat": self._heartbeat,
            "acknowledge": self._acknowledge,
            "advance": self._advance,
            "resume": self._resume,
            "demonstration": self._demonstration,
            "truth": self._truth,
        }
        self._recover()

    @property
    def running(self) -> str | None:
        """The dispatch that moves the robot now."""
        return self._running

    @property
    def _is_ending(self) -> bool:
        """A stop was asked for and its end is yet to be measured; the outcome comes with the time."""
        return isinstance(self._world, EndsLater) and self._world.is_ending

    def handle(self, message: Message) -> Message:
        """The reply to one command. A command that is refused, or breaks the contract, has done nothing."""
        try:
            command = contract.check_command(message)
        except contract.ContractError as error:
            command_id = contract.id_of(message)
            return contract.refused(command_id, "contract", error.field, error.problem, error.remedy)
        try:
            answer = self._fenced(command)
        except LedgerError as error:
            self._halt_unwritten(error)
            answer = Refusal("ledger_failed", "op", f"was not recorded: {error}", "Mend the disk.")
        if isinstance(answer, Refusal):
            return contract.refused(command["id"], *answer)
        return contract.accepted(command["id"], **answer)

    def tick(self) -> None:
        """Let time pass: the watchdog first, then the world, then what could not be written before."""
        now_s = self._monotonic()
        try:
            unstopped = None if self._is_ending else self._running
            trip = guards.refuse_silence(self._world.clock, unstopped, now_s - self._heard_s)
            if trip is not None:
                log.warning("%s %s. %s", trip.field, trip.problem, trip.remedy)
                self._trip(now_s - self._heard_s)
            before_s = self._world.met_s
            outcome = self._world.elapse(now_s)
            self._tell_map()
            self._confirm_stops()
            if outcome is not None or self._world.met_s != before_s or self._postbox.is_behind:
                self._settle(outcome)
        except LedgerError as error:
            self._halt_unwritten(error)

    def drain(self) -> list[Message]:
        """The reports since the last call, in order."""
        return self._postbox.drain()

    def kept_reports(self, after: int) -> list[Message]:
        """The latest map, where it changed, and numbered reports above `after` that are not yet
        acknowledged."""
        return [*self._map, *self._ledger.kept_reports(after)]

    def clock(self) -> Message:
        """The report that says no more than that the bridge lives, and what time it is in its world."""
        return {"report": 0, "kind": "clock", "met_s": self._world.met_s}

    def telemetry(self) -> Message:
        robots = self._world.telemetry()
        return {"report": 0, "kind": "telemetry", "met_s": self._world.met_s, "robots": robots}

    def shut_down(self) -> None:
        """End the running skill as stopped: a robot without its bridge does not move."""
        if self._running is not None:
            self._halt("shutdown")
            self._settle(None)

    def _fenced(self, command: Message) -> Answer:
        if command["op"] in COMMANDED:
            highest = self._ledger.highest_epoch()
            refusal = guards.refuse_stale_epoch(command["epoch"], highest)
            refusal = refusal or guards.refuse_unannounced_epoch(command["epoch"], highest)
            if refusal is not None:
                return refusal
        return self._answers[command["op"]](command)

    def _hello(self, command: Message) -> Answer:
        if command["contract"] != contract.CONTRACT_VERSION:
            problem = f"is {command['contract']}, and this bridge speaks {contract.CONTRACT_VERSION}"
            return Refusal("contract_version", "contract", problem, "Run the same version on both sides.")
        refusal = guards.refuse_stale_epoch(command["epoch"], self._ledger.highest_epoch())
        if refusal is not None:
            return refusal
        try:
            described = self._world.describe()
        except NotReady as not_ready:
            return not_ready.refusal
        self._ledger.raise_epoch(command["epoch"])
        return {
            **described,
            "contract": contract.CONTRACT_VERSION,
            "clock": self._world.clock,
            "tick_s": self._world.tick_s,
            "met_s": self._world.met_s,
            "held": self._world.measure().held,
            "ledger_id": self._ledger.id,
            "latched": list(self._latched),
        }

    def _submit(self, command: Message) -> Answer:
        dispatch_id = command["dispatch_id"]
        known = guards.refuse_known_dispatch(self._ledger.dispatch(dispatch_id))
        if known is not None:
            return _state(known)
        step = wire.step_from(command["step"])
        refusal = (
            guards.refuse_while_latched(tuple(self._latched))
            or guards.refuse_while_running(self._running)
            or self._world.check(step)
        )
        if refusal is not None:
            return refusal
        self._ledger.begin(dispatch_id, command["epoch"], command["step"], self._world.met_s)
        self._running = dispatch_id
        self._heard_s = self._monotonic()  # a skill has its own two seconds; only heartbeats add to them
        try:
            self._settle(self._world.start(step))
        except LedgerError as error:
            self._halt_unwritten(error)
            problem = f"was begun, and stopped since the ledger failed: {error}"
            return Refusal("in_doubt", "dispatch_id", problem, "Ask for its status.")
        return self._state_of(dispatch_id)

    def _cancel(self, command: Message) -> Answer:
        """A dispatch that never came is recorded as ended, so that it does not run when it comes late."""
        dispatch_id = command["dispatch_id"]
        if self._running == dispatch_id:
            self._halt("cancelled")
            self._settle(None)
        elif self._ledger.dispatch(dispatch_id) is None:
            never = self._unexecuted("not_executed", "never_came", "Cancelled before it reached the robot.")
            self._ledger.bury(dispatch_id, command["epoch"], wire.outcome(dispatch_id, never))
        return self._state_of(dispatch_id)

    def _status(self, command: Message) -> Answer:
        known = self._ledger.dispatch(command["dispatch_id"])
        return {
            **_state(known),
            "ledger": "lost" if self._ledger.lost else "intact",
            "executions": 0 if known is None else known.executions,
        }

    def _stop(self, command: Message) -> Answer:
        """Taken at any epoch. The robot is halted before anything is written, and even if nothing can be."""
        stop_id = command["stop_id"]
        if stop_id not in self._latched and self._ledger.stop(stop_id) is None:
            self._halt("stopped")
            self._latch(stop_id, command["actor"])
        return {
            "latched": stop_id in self._latched,
            "standstill": self._world.is_still(),
            "measured": wire.measured(self._world.measure()),
        }

    def _release(self, command: Message) -> Answer:
        stop_id = command["stop_id"]
        if self._postbox.is_behind:
            self._settle(None)
        if self._ledger.stop(stop_id) is None:
            return Refusal("unknown_stop", "stop_id", f"is {stop_id}, never given", "Release one in force.")
        self._ledger.release(stop_id)
        self._latched.pop(stop_id, None)
        return {"latched": list(self._latched)}

    def _heartbeat(self, command: Message) -> Answer:
        self._heard_s = self._monotonic()
        return {}

    def _acknowledge(self, command: Message) -> Answer:
        last = self._ledger.last_report()
        if command["through"] > last:
            problem = f"is {command['through']}, and the last report was {last}"
            return Refusal("unknown_report", "through", problem, "Acknowledge what was received.")
        self._ledger.acknowledge(command["through"])
        return {}

    def _advance(self, command: Message) -> Answer:
        if self._world.clock != "waits":
            return Refusal("runs_by_itself", "op", "is advance, and this world's clock runs", "Wait instead.")
        if self._running is None:
            return Refusal("idle", "op", "is advance, and no skill is running", "Submit a step first.")
        dispatch_id = self._running
        self._settle(self._world.advance())
        return {**self._state_of(dispatch_id), "met_s": self._world.met_s}

    def _resume(self, command: Message) -> Answer:
        """The connection's owner sends `kept_reports` before this reply, and new reports from then on."""
        return {"through": self._ledger.last_report()}

    def _demonstration(self, command: Message) -> Answer:
        if not isinstance(self._world, Demonstrates):
            return {"total": 0, "frames": []}
        try:
            total, frames = self._world.demonstration(command["first"], command["count"])
        except NotReady as not_ready:
            return not_ready.refusal
        return {"total": total, "frames": [wire.frame(each) for each in frames]}

    def _truth(self, command: Message) -> Answer:
        return {"met_s": command["met_s"], "entities": list(self._world.truth(command["met_s"]))}

    def _recover(self) -> None:
        """Come back with the world as it was. What was running has ended as stopped; a person releases it."""
        saved = self._ledger.load_world()
        if saved is not None:
            if isinstance(self._world, KeepsHistory):
                self._world.restore_history(self._ledger.history())
            self._world.restore(saved)
        if self._running is None:
            self._settle(None)
            return
        log.warning("dispatch %s was running when the bridge went down; it is stopped", self._running)
        self._halt("restarted")
        self._latch(self._free_stop_id("restart"), ACTOR)

    def _trip(self, silent_s: float) -> None:
        self._halt("watchdog")
        stop_id = self._free_stop_id("watchdog")
        self._postbox.tripped(stop_id, silent_s, wire.measured(self._world.measure()))
        self._latch(stop_id, ACTOR)

    def _free_stop_id(self, name: str) -> str:
        taken = self._ledger.stop_ids() | self._latched.keys()
        number = 1
        while f"{name}-{number}" in taken:
            number += 1
        return f"{name}-{number}"

    def _halt(self, reason: str) -> None:
        outcome = self._world.halt(reason)
        if self._running is not None and not (outcome is None and self._is_ending):
            # None: killed between the ledger's write and the first move, the world never heard of the skill.
            self._end(outcome or self._unexecuted("stopped", reason, "Stopped before it moved."))

    def _halt_unwritten(self, error: LedgerError) -> None:
        """Without a ledger nothing moves. What is still to be written is tried again at each tick."""
        log.error("%s The robot is halted.", error)
        self._halt("ledger_failed")

    def _latch(self, stop_id: str, actor: str) -> None:
        self._latched[stop_id] = Stop(stop_id, actor, latched=True, confirmed=False)
        self._postbox.latch(stop_id, actor)
        self._confirm_stops()
        self._settle(None)

    def _tell_map(self) -> None:
        found = self._world.take_map() if isinstance(self._world, Maps) else None
        if found is not None:
            self._map = [{"report": 0, "kind": "map", "met_s": self._world.met_s, "map": found}]
            self._postbox.send_unkept(self._map[0])

    def _confirm_stops(self) -> None:
        """Standstill is measured, never assumed: while the robot still moves, its stops stay unconfirmed."""
        waiting = [stop for stop in self._latched.values() if not stop.confirmed]
        if waiting and self._world.is_still():
            measured = wire.measured(self._world.measure())
            for stop in waiting:
                self._postbox.stopped(stop.id, stop.actor, measured)
                self._latched[stop.id] = stop._replace(confirmed=True)

    def _end(self, outcome: Outcome) -> None:
        assert self._running is not None
        self._postbox.ended(self._running, outcome)
        self._running = None

    def _settle(self, outcome: Outcome | None) -> None:
        """Write what has happened, then report it. On LedgerError it stays to be written."""
        if outcome is not None:
            self._end(outcome)
        self._postbox.sighted(self._world.observe())
        if isinstance(self._world, KeepsHistory):
            self._postbox.passed(self._world.take_history())
        self._postbox.write(self._world.met_s, self._world.save())
        self._postbox.send_unkept(self.telemetry())

    def _unexecuted(self, result: str, reason: str, message: str) -> Outcome:
        now_s = self._world.met_s
        return Outcome("none", result, reason, message, now_s, now_s, self._world.measure())

    def _state_of(self, dispatch_id: str) -> Message:
        return _state(self._ledger.dispatch(dispatch_id))


def _state(known: Dispatch | None) -> Message:
    if known is None:
        return {"state": "unknown", "outcome": None}
    return {"state": known.state, "outcome": known.outcome}
