"""The fold: what each kind of event leaves in the state, and that it decides nothing."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from backend.domain.command.approval import Approval, ApprovalStatus, Pins
from backend.domain.digests import canonical, digest
from backend.domain.episode import events as e
from backend.domain.episode.evolve import FoldError, evolve, fold
from backend.domain.episode.state import Dispatch, Ending, Request, State
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import Field, FieldChange, Source, Status
from backend.domain.memory.retrieval import Retrieval
from backend.domain.mission.site import GridMap
from backend.domain.plans.plan import Plan, digest_of_steps
from backend.domain.plans.validity import Cause
from backend.domain.query.query import Attempt, Usage
from tests.domain.query.test_blocks import frames
from tests.domain.scripted import BOTTLES, CANS, SITE, Scripted, collect, opened, report, step

CHANGED = Cause(kind="changed", message="pose of can_1 changed")
STEPS = collect("can_1")
PLAN = Plan(
    number=1,
    author="policy",
    steps=STEPS,
    rationale="",
    digest=digest_of_steps(STEPS),
    based_on_seq=1,
    dependencies=(),
    target="can_1",
)
PINS = Pins(plan_digest=PLAN.digest, fields=(), site_version=1, catalogue_digest="", held=None, risks=())
APPROVAL = Approval(
    id="e1-a1",
    plan_number=1,
    first_step=0,
    last_step=4,
    pins=PINS,
    pins_digest=PINS.digest,
    status=ApprovalStatus.PENDING,
    asked_seq=5,
    asked_s=0.0,
)
REQUEST = Request(
    seq=2,
    decision=1,
    attempt=1,
    cause=Cause(kind="first", message=""),
    retrieval=Retrieval(exposed=(), count=0),
)
DISPATCH = Dispatch(
    id="e1-d1", seq=9, met_s=10.0, epoch=1, approval_id="e1-a1", index=0, step=STEPS[0], goal=Pose(3, 4)
)
OUTCOME = Outcome(
    dispatch_id="e1-d1",
    skill="navigate",
    result=Result.SUCCEEDED,
    reason="arrived",
    message="",
    started_s=10.0,
    ended_s=17.0,
    measured=Measured(pose=Pose(3, 4), path_m=((2.0, 1.0), (3.0, 1.0), (3.0, 4.0)), moves=3),
)


def after(event: e.Event, **before: Any) -> State:
    """The state after `event` at seq 20 and 17 s, from a state with `before` in it."""
    state = replace(opened(), seq=19, **before)
    return evolve(state, e.Recorded(seq=20, met_s=17.0, actor="system", event=event))


def test_opening_embeds_what_the_episode_rests_on() -> None:
    state = opened()

    assert (state.seq, state.episode, state.robot.name, state.robot.pose) == (1, "e1", "rover", Pose(1, 1))
    assert state.assignments == {"can": CANS, "bottle": BOTTLES}
    assert state.catalogue_digest == digest(state.catalogue)
    assert state.need == Cause(kind="first", message="First plan of the mission")


def test_a_journal_that_does_not_begin_with_its_opening_is_refused() -> None:
    event = e.Recorded(seq=1, met_s=0.0, actor="system", event=e.RunnerStarted(epoch=1, code_version=""))

    with pytest.raises(FoldError, match=r"begins with runner\.started"):
        fold([event])
    with pytest.raises(FoldError, match="The journal is empty"):
        fold([])


@pytest.mark.parametrize("seq", [1, 3, 0], ids=["again", "one left out", "backwards"])
def test_a_gap_is_refused(seq: int) -> None:
    event = e.Recorded(seq=seq, met_s=0.0, actor="system", event=e.RunnerStarted(epoch=1, code_version=""))

    with pytest.raises(FoldError, match=f"Event {seq} follows event 1"):
        evolve(opened(), event)


def test_every_kind_of_event_can_be_folded() -> None:
    from backend.domain.episode.evolve import _STEPS

    assert set(_STEPS) | {e.EpisodeOpened} == set(get_args(e.Event))


def test_every_kind_has_a_name_of_its_own() -> None:
    kinds = [str(kind.__struct_config__.tag) for kind in get_args(e.Event)]

    assert len(set(kinds)) == len(kinds)
    assert all(kind.count(".") == 1 for kind in kinds)


LEAVES: dict[str, tuple[e.Event, dict[str, Any], dict[str, Any]]] = {
    "station assigned": (
        e.StationAssigned(cls="jar", station="east", entity="jar_1", reason=""),
        {"assignments": {"can": CANS}},
        {"assignments": {"can": CANS, "jar": "east"}},
    ),
    "plan invalidated": (
        e.PlanInvalidated(number=1, cause=CHANGED),
        {"plan": PLAN, "cursor": 2},
        {"plan": None, "cursor": 0, "need": CHANGED},
    ),
    "plan completed": (
        e.PlanCompleted(number=1),
        {"plan": PLAN, "cursor": 5},
        {"plan": None, "cursor": 0, "need": Cause(kind="completed", message="Plan 1 ran to its end")},
    ),
    "plan proposed": (
        e.PlanProposed(plan=PLAN),
        {"request": REQUEST, "asks_person": "x", "cursor": 3},
        {"plan": PLAN, "plans": 1, "need": None, "cursor": 0, "request": None, "asks_person": ""},
    ),
    "plan refused, to be repaired": (
        e.PlanRefused(decision=1, attempt=1, steps=(), findings=(), will_repair=True),
        {"request": REQUEST},
        {"request": None, "asks_person": ""},
    ),
    "plan refused for good": (
        e.PlanRefused(decision=1, attempt=2, steps=(), findings=()),
        {"request": REQUEST},
        {"request": None, "asks_person": "The planner's plan broke the rules twice."},
    ),
    "planner failed": (
        e.PlanRefused(decision=1, attempt=1, steps=(), findings=(), failure="No answer."),
        {"request": REQUEST},
        {"request": None, "asks_person": "No answer."},
    ),
    "planning wanted": (
        e.PlanningWanted(cause=CHANGED),
        {"asks_person": "x", "request": REQUEST},
        {"need": CHANGED, "asks_person": "", "request": None},
    ),
    "approval requested": (
        e.ApprovalRequested(approval=APPROVAL),
        {},
        {"approval": APPROVAL, "approvals": 1},
    ),
    "dispatch in doubt": (
        e.DispatchInDoubt(dispatch_id="e1-d1", reason="Lost."),
        {"dispatch": DISPATCH},
        {"dispatch": replace(DISPATCH, in_doubt=True), "asks_person": "Lost."},
    ),
    "cancel asked": (
        e.StepCancelAsked(dispatch_id="e1-d1", reason=""),
        {"dispatch": DISPATCH},
        {"dispatch": replace(DISPATCH, cancel_asked=True)},
    ),
    "a map": (
        e.SiteMapped(map=GridMap(width=11, height=10, cell_m=1.0), cells=11, version=2),
        {},
        {"site": replace(SITE, map=GridMap(width=11, height=10, cell_m=1.0), version=2)},
    ),
    "runner started": (e.RunnerStarted(epoch=4, code_version=""), {}, {"epoch": 4}),
    "intent refused": (
        e.IntentRefused(intent_id="", by="", action="", code="", message="", remedy=""),
        {},
        {},
    ),
    "episode ended": (
        e.EpisodeEnded(outcome="aborted", message="m", held=None, delivered=0, total=2),
        {"request": REQUEST, "asks_person": "x"},
        {"ending": Ending(outcome="aborted", message="m"), "need": None, "request": None, "asks_person": ""},
    ),
}


@pytest.mark.parametrize(("event", "before", "leaves"), LEAVES.values(), ids=LEAVES.keys())
def test_what_an_event_leaves(event: e.Event, before: dict[str, Any], leaves: dict[str, Any]) -> None:
    unchanged = {"seq": 20, "met_s": 17.0}

    assert after(event, **before) == replace(opened(), **(before | leaves | unchanged | tallied(event)))


def tallied(event: e.Event) -> dict[str, Any]:
    if not isinstance(event, e.PlanRefused):
        return {}
    return {"tally": replace(opened().tally, refusals=1)}


DECIDED = {
    "granted": (
        e.ApprovalGranted(approval_id="e1-a1", by="operator-1"),
        ApprovalStatus.APPROVED,
        "operator-1",
        "",
    ),
    "rejected": (
        e.ApprovalRejected(approval_id="e1-a1", by="operator-1", reason="No."),
        ApprovalStatus.REJECTED,
        "operator-1",
        "No.",
    ),
    "superseded": (
        e.ApprovalSuperseded(approval_id="e1-a1", cause=CHANGED),
        ApprovalStatus.SUPERSEDED,
        None,
        "pose of can_1 changed",
    ),
    "expired": (e.ApprovalExpired(approval_id="e1-a1"), ApprovalStatus.EXPIRED, None, ""),
    "consumed": (
        e.ApprovalConsumed(approval_id="e1-a1", reason="Held."),
        ApprovalStatus.CONSUMED,
        None,
        "Held.",
    ),
}


@pytest.mark.parametrize(("event", "status", "by", "reason"), DECIDED.values(), ids=DECIDED.keys())
def test_what_becomes_of_an_approval(
    event: e.Event, status: ApprovalStatus, by: str | None, reason: str
) -> None:
    approval = after(event, approval=APPROVAL).approval

    assert approval == replace(APPROVAL, status=status, decided_by=by, reason=reason)
    assert after(event, approval=replace(APPROVAL, id="another")).approval == replace(APPROVAL, id="another")


def test_a_request_counts_a_decision_and_its_repair_none() -> None:
    asked = e.PlanRequested(
        decision=1,
        attempt=1,
        cause=CHANGED,
        retrieval=Retrieval(exposed=("can_1",), count=3),
        context_units=102,
    )

    first = after(asked, need=CHANGED)
    again = evolve(first, e.Recorded(seq=21, met_s=17.0, actor="system", event=replace(asked, attempt=2)))

    assert (first.spent.decisions, first.tally.context_units, first.tally.replans) == (1, 102, 1)
    assert (again.spent, again.tally) == (first.spent, first.tally)
    assert first.need is None
    assert first.request is not None
    assert (first.request.seq, again.request.seq) == (20, 21)  # type: ignore[union-attr]


USAGE = {
    "as the provider totals": (Usage(input_tokens=10, output_tokens=5, total_tokens=17), 17),
    "in and out, without a total": (Usage(input_tokens=10, output_tokens=5), 15),
    "nothing said": (Usage(), 0),
}


@pytest.mark.parametrize(("usage", "tokens"), USAGE.values(), ids=USAGE.keys())
def test_exchanges_spend_tokens_and_money(usage: Usage, tokens: int) -> None:
    exchange = Attempt(verdict="ok", usage=usage, cost_usd=0.25)

    spent = after(e.ExchangeRecorded(decision=1, attempt=1, number=1, exchange=exchange)).spent

    assert (spent.tokens, spent.money_usd) == (tokens, 0.25)


def test_notes_and_guidance_are_kept_verbatim_with_their_place() -> None:
    noted = after(e.NoteWritten(decision=3, author="policy", text="  as is\n"))
    guided = after(e.GuidanceGiven(by="operator-1", text="there"))

    assert [(note.seq, note.decision, note.met_s, note.text) for note in noted.notes] == [
        (20, 3, 17.0, "  as is\n")
    ]
    assert [(said.seq, said.by, said.text) for said in guided.guidance] == [(20, "operator-1", "there")]


def test_a_dispatch_is_the_one_step_in_flight_and_uses_its_approval() -> None:
    event = e.StepDispatched(
        dispatch_id="e1-d1",
        epoch=1,
        approval_id="e1-a1",
        plan_number=1,
        plan_digest="",
        index=0,
        step=STEPS[0],
        goal=None,
    )

    state = after(event, approval=APPROVAL, plan=PLAN)

    assert state.dispatch is not None
    assert (state.dispatch.id, state.dispatch.seq, state.dispatches) == ("e1-d1", 20, 1)
    assert state.approval is not None
    assert state.approval.used == (0,)


def ended(outcome: Outcome = OUTCOME, **rest: Any) -> State:
    before = {"dispatch": DISPATCH, "plan": PLAN} | rest
    return after(e.StepEnded(outcome=outcome, predicted=True), **before)


def test_a_measured_outcome_moves_the_robot_and_the_plan_on() -> None:
    state = ended()

    assert (state.dispatch, state.cursor, state.last_outcome) == (None, 1, OUTCOME)
    assert (state.robot.pose, state.robot.arrived) == (Pose(3, 4), "can_1")
    assert state.spent.steps == 3
    assert state.tally.path_m == pytest.approx(1 + 1 + 3)
    assert [line.command for line in state.log] == ["navigate can_1"]


ARRIVED = {
    "arrived": (OUTCOME, "can_1"),
    "did not get there": (replace(OUTCOME, result=Result.FAILED), None),
    "did not move at all": (
        replace(OUTCOME, result=Result.FAILED, measured=Measured(pose=Pose(1, 1))),
        "gate",
    ),
    "stood still and did something else": (
        replace(OUTCOME, skill="grasp", measured=Measured(pose=Pose(1, 1))),
        "gate",
    ),
    "searched on": (replace(OUTCOME, skill="explore"), None),
}


@pytest.mark.parametrize(("outcome", "arrived"), ARRIVED.values(), ids=ARRIVED.keys())
def test_where_it_got_to(outcome: Outcome, arrived: str | None) -> None:
    robot = replace(opened().robot, arrived="gate")

    assert ended(outcome, robot=robot).robot.arrived == arrived


@pytest.mark.parametrize(
    ("result", "reason", "failed_before", "after_failure", "stale"),
    [
        (Result.SUCCEEDED, "arrived", False, False, 0),
        (Result.SUCCEEDED, "arrived", True, False, 0),
        (Result.FAILED, "absent", False, True, 1),
        (Result.NOT_EXECUTED, "unreachable", False, True, 0),
        (Result.STOPPED, "stopped", False, False, 0),
        (Result.STOPPED, "stopped", True, True, 0),
        (Result.CANCELLED, "cancelled", True, True, 0),
    ],
)
def test_a_failure_is_remembered_until_something_succeeds(
    result: Result, reason: str, failed_before: bool, after_failure: bool, stale: int
) -> None:
    state = ended(replace(OUTCOME, result=result, reason=reason), after_failure=failed_before)

    assert state.after_failure is after_failure
    assert state.tally.stale_visits == stale
    assert state.cursor == (1 if result is Result.SUCCEEDED else 0)


def test_the_end_of_a_step_in_doubt_leaves_nothing_to_ask() -> None:
    state = ended(dispatch=replace(DISPATCH, in_doubt=True), asks_person="Lost.")

    assert state.asks_person == ""


def test_what_the_plan_predicted_is_excused_and_delivered_is_counted() -> None:
    script = Scripted(opened(policy="auto"))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"))
    for _ in range(3):
        script.end()
    grasped_at = script.record("can_1").status_seq

    assert script.state.excused == (("can_1", Field.STATUS, grasped_at),)
    script.end()
    script.end()
    assert script.state.delivered == {"can_1": CANS}
    assert script.state.excused == ()


EVIDENCE = report("can_1", 3, 4, q=0.8, stamp_s=15.0)
FIRST = (
    FieldChange("can_1", Field.CLASS, None, "can"),
    FieldChange("can_1", Field.POSE, None, EVIDENCE.pose),
    FieldChange("can_1", Field.STATUS, None, "observed"),
)


def judged(verdict: Verdict, changes: tuple[FieldChange, ...] = (), **rest: Any) -> e.EvidenceJudged:
    usual = {"entity": "can_1", "evidence": EVIDENCE, "verdict": verdict, "reason": "", "changes": changes}
    return e.EvidenceJudged(**(usual | rest))


def test_first_accepted_evidence_makes_the_record() -> None:
    memory = after(judged(Verdict.ACCEPTED, FIRST)).memory
    record = memory.records["can_1"]

    assert (record.pose, record.confidence, record.stamp_s, record.source) == (
        Pose(3, 4),
        0.8,
        15.0,
        Source.AERIAL,
    )
    assert (record.class_seq, record.pose_seq, record.status_seq, record.belief_seq) == (20, 20, 20, 20)
    assert (memory.revision, memory.changed_entity, memory.history) == (20, "can_1", 1)


def test_merged_evidence_renews_the_belief_and_no_version_of_pose_or_status() -> None:
    before = after(judged(Verdict.ACCEPTED, FIRST))
    near = replace(EVIDENCE, pose=Pose(3.04, 4), confidence=0.6, stamp_s=16.0, source=Source.ONBOARD)
    event = judged(Verdict.MERGED, evidence=near, times=5)
    memory = evolve(before, e.Recorded(seq=21, met_s=18.0, actor="robot", event=event)).memory
    record = memory.records["can_1"]

    assert (record.pose, record.pose_seq, record.status_seq) == (Pose(3, 4), 20, 20)
    assert (record.confidence, record.stamp_s, record.source, record.belief_seq) == (
        0.6,
        16.0,
        Source.ONBOARD,
        21,
    )
    assert (memory.revision, memory.history) == (20, 6)


def test_refused_evidence_is_counted_and_changes_nothing() -> None:
    before = after(judged(Verdict.ACCEPTED, FIRST))
    memory = evolve(
        before, e.Recorded(seq=21, met_s=18.0, actor="robot", event=judged(Verdict.REFUSED))
    ).memory

    assert memory == replace(before.memory, history=2)


def test_refusal_of_what_nobody_knows_leaves_an_unsupported_record() -> None:
    unsupported = after(judged(Verdict.REFUSED, unsupported=True))
    supported = evolve(
        unsupported, e.Recorded(seq=21, met_s=18.0, actor="robot", event=judged(Verdict.ACCEPTED, FIRST))
    )

    assert not unsupported.memory.records["can_1"].supported
    assert unsupported.memory.revision == 0
    assert supported.memory.records["can_1"].supported
    assert supported.memory.records["can_1"].order == unsupported.memory.records["can_1"].order == 0
    assert supported.memory.revision == 21


def test_what_is_absent_is_lost_with_the_place_and_time_of_the_look() -> None:
    before = after(judged(Verdict.ACCEPTED, FIRST))
    look = replace(
        OUTCOME,
        skill="grasp",
        result=Result.FAILED,
        reason="absent",
        started_s=17.0,
        measured=Measured(pose=Pose(3, 4)),
    )
    lost = e.StepEnded(
        outcome=look, changes=(FieldChange("can_1", Field.STATUS, "observed", "lost"),), predicted=False
    )
    state = evolve(
        replace(before, dispatch=DISPATCH), e.Recorded(seq=21, met_s=18.0, actor="robot", event=lost)
    )
    record = state.memory.records["can_1"]
    assert (record.status, record.failed_pose, record.failed_s) == (Status.LOST, Pose(3, 4), 17.0)

    found = judged(Verdict.ACCEPTED, (FieldChange("can_1", Field.STATUS, "lost", "observed"),))
    again = evolve(state, e.Recorded(seq=22, met_s=19.0, actor="robot", event=found)).memory.records["can_1"]
    assert (again.status, again.failed_pose, again.failed_s, again.status_seq) == (
        Status.OBSERVED,
        None,
        None,
        22,
    )


def test_stops_are_latched_confirmed_alarmed_and_released_each_by_its_id() -> None:
    state = replace(opened(), seq=19)
    for seq, event in enumerate(
        (
            e.StopAsked(stop_id="s1", by="viewer-1", reason="People"),
            e.StopAsked(stop_id="s2", by="operator-1", reason="", abort=True),
            e.StopConfirmed(stop_id="s1", pose=Pose(2, 2)),
            e.StopUnconfirmed(stop_id="s2", waited_s=1.2),
            e.StopReleased(stop_ids=("s1",), by="operator-1"),
        ),
        start=20,
    ):
        state = evolve(state, e.Recorded(seq=seq, met_s=17.0, actor="system", event=event))

    assert [
        (stop.id, stop.asked_by, stop.asked_seq, stop.abort, stop.confirmed, stop.unconfirmed_alarm)
        for stop in state.stops
    ] == [("s2", "operator-1", 21, True, False, True)]
    assert state.robot.pose == Pose(2, 2)
    assert state.is_held


def test_the_conn_is_taken_renewed_and_given_up() -> None:
    taken = after(e.ConnTaken(holder="operator-1", over=None, expires_s=60.0))
    renewed = evolve(
        taken,
        e.Recorded(seq=21, met_s=0.0, actor="", event=e.ConnRenewed(holder="operator-1", expires_s=90.0)),
    )
    given = evolve(
        renewed, e.Recorded(seq=22, met_s=0.0, actor="", event=e.ConnGivenUp(holder="operator-1", reason=""))
    )

    assert taken.conn is not None
    assert (taken.conn.holder, taken.conn.since_seq, taken.conn.expires_s) == ("operator-1", 20, 60.0)
    assert renewed.conn == replace(taken.conn, expires_s=90.0)
    assert given.conn is None


def test_frames_are_kept_by_the_number_of_their_action() -> None:
    film = frames(True, False)
    state = after(e.FramesRecorded(dispatch_id="e1-d1", watched=film), log=ended().log)

    assert [(each.action, each.watched) for each in state.frames] == [(1, film)]


def test_a_search_remembers_the_cells_entered_until_all_are() -> None:
    script = Scripted(
        opened(policy="auto", site=replace(SITE, map=replace(SITE.map, width=2, height=2, occupied=())))
    )
    script.tick()
    script.answer(*(step("explore", cell=cell) for cell in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))))
    assert script.state.swept == {(1, 1)}


def test_what_no_way_leads_to_counts_as_searched() -> None:
    two = opened(policy="auto", site=replace(SITE, map=replace(SITE.map, width=2, height=1, occupied=())))
    script = Scripted(replace(two, swept=frozenset({(0, 0)})))
    script.tick()
    script.answer(step("explore", cell=(1.0, 0.0)))
    script.end(Result.FAILED, "unreachable")
    assert script.state.unreachable == {(1, 0)}

    script.answer(step("explore", cell=(1.0, 0.0)))

    assert script.state.swept == {(1, 1)}
    assert script.state.unreachable == frozenset()


def test_the_fold_of_stored_events_is_the_state() -> None:
    """Through the bytes and back: a replay reads what was written."""
    script = Scripted(opened(policy="auto"))
    script.see("can_1", 3, 4)
    script.answer(step("explore", cell=(1.0, 2.0)), *collect("can_1"), note="n")
    script.end(frames=frames(True, False))
    encoded = [msgspec.json.encode(recorded) for recorded in script.events]

    decoded = [msgspec.json.decode(line, type=e.Recorded) for line in encoded]

    assert canonical(fold(decoded, opened(policy="auto"))) == canonical(script.state)
